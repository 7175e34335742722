// RUN: fusion-opt %s --fusion-prepare-bufferization --verify-diagnostics

func.func private @twice(%x: tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %u = tensor.cast %x : tensor<2x3xf32> to tensor<*xf32>
  // expected-error @below {{operand #1 may share its buffer with another, and cannot be copied without a rank; cast it to a ranked tensor}}
  return %u, %u : tensor<*xf32>, tensor<*xf32>
}
