// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-convert-to-blocks --verify-diagnostics

// Upstream has no blocks for a loop that makes a tensor.
func.func @left(%t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{cannot become blocks}}
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<4xf32> {
    %s = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}

// An op of no dialect that is known is left alone.
func.func @unregistered() {
  "use"() : () -> ()
  return
}
