// RUN: fusion-opt %s --split-input-file --verify-diagnostics

transform.sequence failures(propagate) {
^bb0(%root: !transform.any_op):
  // expected-error @below {{'disable': no law is called 'biass'; there are pad, deconv, dilation, reshape, results, transpose, broadcast, cast, bias, scale, bn, residual, activation}}
  %0 = transform.fusion.fuse %root {disable = ["pad", "biass"]} : (!transform.any_op) -> !transform.any_op
}

// -----

transform.sequence failures(propagate) {
^bb0(%root: !transform.any_op):
  transform.apply_patterns to %root {
    // expected-error @below {{'disable': no law is called 'biass'}}
    transform.apply_patterns.fusion.fuse {disable = ["biass"]}
  } : !transform.any_op
}
