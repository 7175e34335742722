// The tile sizes of the functions of tiling-quantized.mlir.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %conv = transform.structured.match ops{["func.func"]} attributes {sym_name = "conv"} in %root : (!transform.any_op) -> !transform.any_op
    %conv_op = transform.structured.match ops{["fusion.quantized_conv_bias_act"]} in %conv : (!transform.any_op) -> !transform.any_op
    %conv_tile, %conv_loops:2 = transform.structured.tile_using_for %conv_op tile_sizes [0, 2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)

    %matmul = transform.structured.match ops{["fusion.quantized_matmul_bias_act"]} in %root : (!transform.any_op) -> !transform.any_op
    %matmul_tile, %matmul_loops:2 = transform.structured.tile_using_for %matmul tile_sizes [5, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
