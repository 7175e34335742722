// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-partition=patterns=conv2d,matmul,relu | FileCheck %s
// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-partition="patterns=conv2d,matmul,relu merge=true" | FileCheck %s --check-prefix=MERGED
// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-partition=patterns=conv2d,matmul,relu --remarks-filter='fusion.*' --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:

// A composite stands in the symbol table in which it is called: not always a module. It
// is not made where the symbol table allows no functions.

module attributes {gpu.container_module} {
  // CHECK-LABEL: func.func @outer(
  // CHECK-NEXT:    call @fused_relu(
  // MERGED-LABEL: func.func @outer(
  // MERGED-NEXT:    call @dnnl_region(
  func.func @outer(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %z = arith.constant dense<0.0> : tensor<2x3xf32>
    %e = tensor.empty() : tensor<2x3xf32>
    %r = linalg.max ins(%x, %z : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %r : tensor<2x3xf32>
  }

  // CHECK-LABEL: gpu.module @functions
  // CHECK:         func.func @inner(
  // CHECK-NEXT:      call @fused_relu(
  // CHECK:         func.func private @fused_relu(
  // MERGED-LABEL: gpu.module @functions
  // MERGED:         func.func @inner(
  // MERGED-NEXT:      call @dnnl_region_1(
  // MERGED:         func.func private @fused_relu(
  // MERGED:         func.func private @dnnl_region_1(
  gpu.module @functions {
    func.func @inner(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %z = arith.constant dense<0.0> : tensor<2x3xf32>
      %e = tensor.empty() : tensor<2x3xf32>
      %r = linalg.max ins(%x, %z : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
  }

  // CHECK-LABEL: gpu.module @kernels
  // CHECK-NOT:     call
  // CHECK:         linalg.matmul
  // CHECK-NOT:     call
  // CHECK:         gpu.return
  gpu.module @kernels {
    gpu.func @kernel(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>) {
      %z = arith.constant dense<0.0> : tensor<2x4xf32>
      %r = linalg.matmul ins(%x, %w : tensor<2x3xf32>, tensor<3x4xf32>) outs(%z : tensor<2x4xf32>) -> tensor<2x4xf32>
      // REMARK: :[[#@LINE-1]]:12: remark: [Missed] fusion-partition | {{.*}}in no composite: 'gpu.module' around 'gpu.func' may not hold a function
      "acme.use"(%r) : (tensor<2x4xf32>) -> ()
      gpu.return
    }
  }

  // One of two regions is no symbol table.
  // CHECK-LABEL: func.func @unregistered(
  // CHECK:         "acme.one"(
  // CHECK-NOT:       call
  // CHECK:           linalg.conv_2d_nchw_fchw
  // CHECK-NOT:       call
  // CHECK:         "acme.two"(
  // CHECK:           call @fused_conv2d(
  func.func @unregistered(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) {
    %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
    "acme.one"(%x) ({
      %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
      // REMARK: :[[#@LINE-1]]:12: remark: [Missed] fusion-partition | {{.*}}in no composite: 'acme.one' around it is not registered and may be a symbol table
      "acme.yield"(%c) : (tensor<1x5x7x10xf32>) -> ()
    }) : (tensor<1x3x9x11xf32>) -> ()
    "acme.two"(%x) ({
      %d = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
      // REMARK: :[[#@LINE-1]]:12: remark: [Passed] fusion-partition | {{.*}}in composite: dnnl.conv2d
      "acme.yield"(%d) : (tensor<1x5x7x10xf32>) -> ()
    }, {
      "acme.yield"(%z) : (tensor<1x5x7x10xf32>) -> ()
    }) : (tensor<1x3x9x11xf32>) -> ()
    return
  }
}
