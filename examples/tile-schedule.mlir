// A schedule of the transform dialect: raises and fuses what is in the functions of
// a module, then computes each convolution 4 rows at a time. docs/Embedding.md runs
// it.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %function = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %function {
      transform.apply_patterns.fusion.raise
    } : !transform.any_op
    %fused_function = transform.fusion.fuse %function
      : (!transform.any_op) -> !transform.any_op
    %conv = transform.structured.match ops{["fusion.fused_conv_bias_act"]} in %fused_function
      : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %conv tile_sizes [0, 0, 4, 0]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
