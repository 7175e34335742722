// The tile sizes of the functions of tiling.mlir.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %conv = transform.structured.match ops{["func.func"]} attributes {sym_name = "conv"} in %root : (!transform.any_op) -> !transform.any_op
    %conv_op = transform.structured.match ops{["fusion.fused_conv_bias_act"]} in %conv : (!transform.any_op) -> !transform.any_op
    %conv_tile, %conv_loops:2 = transform.structured.tile_using_for %conv_op tile_sizes [0, 4, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)

    // By groups of 2 output channels; the op has its channels behind the batch.
    %grouped = transform.structured.match ops{["func.func"]} attributes {sym_name = "grouped"} in %root : (!transform.any_op) -> !transform.any_op
    %grouped_op = transform.structured.match ops{["fusion.fused_conv_bias_act"]} in %grouped : (!transform.any_op) -> !transform.any_op
    %grouped_tile, %grouped_loop = transform.structured.tile_using_for %grouped_op tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

    %matmul = transform.structured.match ops{["fusion.fused_matmul_bias_act"]} in %root : (!transform.any_op) -> !transform.any_op
    %matmul_tile, %matmul_loops:2 = transform.structured.tile_using_for %matmul tile_sizes [4, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)

    %pool = transform.structured.match ops{["fusion.pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %pool_tile, %pool_loops:2 = transform.structured.tile_using_for %pool tile_sizes [0, 3, 6] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
