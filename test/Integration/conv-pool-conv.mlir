// RUN: %python %S/verify-functions.py %s --skip=dynamic_batch,dynamic_batch_nhwc --fused=nchw:2,nhwc:2,sum_nchw:2,sum_nhwc:2,bf16:2 --pools=1 | FileCheck %s
// RUN: %python %S/verify-functions.py %s --skip=dynamic_batch,dynamic_batch_nhwc --fused=nchw:2,nhwc:2,sum_nchw:2,sum_nhwc:2,bf16:2 --pools=1 -- --threads=1 | FileCheck %s
// RUN: fusion-run %s --entry=dynamic_batch --shape=0:2x3x15x12 --verify | FileCheck %s --check-prefix=DYNAMIC
// RUN: fusion-run %s --entry=dynamic_batch --shape=0:5x3x15x12 --mode=unfused --verify | FileCheck %s --check-prefix=DYNAMIC
// RUN: fusion-run %s --entry=dynamic_batch_nhwc --shape=0:3x15x12x3 --verify | FileCheck %s --check-prefix=DYNAMIC
// RUN: fusion-run %s --entry=dynamic_batch --shape=0:0x3x15x12 | FileCheck %s --check-prefix=EMPTY
// RUN: fusion-run %s --entry=nchw --profile 2>&1 | FileCheck %s --check-prefix=PROFILE
// RUN: env FUSION_VERBOSE=1 fusion-run %s --entry=nhwc 2>&1 | FileCheck %s --check-prefix=VERBOSE

// A pool between convolutions: three kernels, whatever the layout is.

// CHECK: {{^}}5 functions agree, 10 fused ops
// DYNAMIC: 2 fused ops
// DYNAMIC: 3 kernels created
// DYNAMIC: verify: agrees
// EMPTY: result 0: 0x4x7x11xf32
// PROFILE: {{ pool [a-z_]+(:|$)}}
// VERBOSE: create pool {{.*}}, f32 1x5x13x11 -> f32 1x5x7x12, {{[0-9]+}} threads
// VERBOSE-NOT: groups
// VERBOSE: execute pool {{.*}}, f32 1x5x13x11 -> f32 1x5x7x12

func.func @nchw(%x: tensor<1x3x15x12xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<4x5x1x2xf32>) -> tensor<1x4x7x11xf32> {
  %zero = arith.constant 0.0 : f32
  %neutral = arith.constant 0xFF800000 : f32
  %e1 = tensor.empty() : tensor<1x5x13x11xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x5x13x11xf32>) -> tensor<1x5x13x11xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x3x15x12xf32>, tensor<5x3x3x2xf32>) outs(%f1 : tensor<1x5x13x11xf32>) -> tensor<1x5x13x11xf32>
  %p = tensor.pad %c low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %neutral : f32
  } : tensor<1x5x13x11xf32> to tensor<1x5x15x13xf32>
  %k = tensor.empty() : tensor<3x2xf32>
  %e2 = tensor.empty() : tensor<1x5x7x12xf32>
  %f2 = linalg.fill ins(%neutral : f32) outs(%e2 : tensor<1x5x7x12xf32>) -> tensor<1x5x7x12xf32>
  %q = linalg.pooling_nchw_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %k : tensor<1x5x15x13xf32>, tensor<3x2xf32>) outs(%f2 : tensor<1x5x7x12xf32>) -> tensor<1x5x7x12xf32>
  %e3 = tensor.empty() : tensor<1x4x7x11xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x4x7x11xf32>) -> tensor<1x4x7x11xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%q, %v : tensor<1x5x7x12xf32>, tensor<4x5x1x2xf32>) outs(%f3 : tensor<1x4x7x11xf32>) -> tensor<1x4x7x11xf32>
  return %r : tensor<1x4x7x11xf32>
}

func.func @nhwc(%x: tensor<1x15x12x3xf32>, %w: tensor<3x2x3x5xf32>, %v: tensor<1x2x5x4xf32>) -> tensor<1x7x11x4xf32> {
  %zero = arith.constant 0.0 : f32
  %neutral = arith.constant 0xFF800000 : f32
  %e1 = tensor.empty() : tensor<1x13x11x5xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x13x11x5xf32>) -> tensor<1x13x11x5xf32>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x15x12x3xf32>, tensor<3x2x3x5xf32>) outs(%f1 : tensor<1x13x11x5xf32>) -> tensor<1x13x11x5xf32>
  %p = tensor.pad %c low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %neutral : f32
  } : tensor<1x13x11x5xf32> to tensor<1x15x13x5xf32>
  %k = tensor.empty() : tensor<3x2xf32>
  %e2 = tensor.empty() : tensor<1x7x12x5xf32>
  %f2 = linalg.fill ins(%neutral : f32) outs(%e2 : tensor<1x7x12x5xf32>) -> tensor<1x7x12x5xf32>
  %q = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %k : tensor<1x15x13x5xf32>, tensor<3x2xf32>) outs(%f2 : tensor<1x7x12x5xf32>) -> tensor<1x7x12x5xf32>
  %e3 = tensor.empty() : tensor<1x7x11x4xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x7x11x4xf32>) -> tensor<1x7x11x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%q, %v : tensor<1x7x12x5xf32>, tensor<1x2x5x4xf32>) outs(%f3 : tensor<1x7x11x4xf32>) -> tensor<1x7x11x4xf32>
  return %r : tensor<1x7x11x4xf32>
}

func.func @sum_nchw(%x: tensor<1x3x15x12xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<4x5x1x2xf32>) -> tensor<1x4x7x11xf32> {
  %zero = arith.constant 0.0 : f32
  %neutral = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<1x5x13x11xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x5x13x11xf32>) -> tensor<1x5x13x11xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x3x15x12xf32>, tensor<5x3x3x2xf32>) outs(%f1 : tensor<1x5x13x11xf32>) -> tensor<1x5x13x11xf32>
  %p = tensor.pad %c low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %neutral : f32
  } : tensor<1x5x13x11xf32> to tensor<1x5x15x13xf32>
  %k = tensor.empty() : tensor<3x2xf32>
  %e2 = tensor.empty() : tensor<1x5x7x12xf32>
  %f2 = linalg.fill ins(%neutral : f32) outs(%e2 : tensor<1x5x7x12xf32>) -> tensor<1x5x7x12xf32>
  %q = linalg.pooling_nchw_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %k : tensor<1x5x15x13xf32>, tensor<3x2xf32>) outs(%f2 : tensor<1x5x7x12xf32>) -> tensor<1x5x7x12xf32>
  %e3 = tensor.empty() : tensor<1x4x7x11xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x4x7x11xf32>) -> tensor<1x4x7x11xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%q, %v : tensor<1x5x7x12xf32>, tensor<4x5x1x2xf32>) outs(%f3 : tensor<1x4x7x11xf32>) -> tensor<1x4x7x11xf32>
  return %r : tensor<1x4x7x11xf32>
}

func.func @sum_nhwc(%x: tensor<1x15x12x3xf32>, %w: tensor<3x2x3x5xf32>, %v: tensor<1x2x5x4xf32>) -> tensor<1x7x11x4xf32> {
  %zero = arith.constant 0.0 : f32
  %neutral = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<1x13x11x5xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x13x11x5xf32>) -> tensor<1x13x11x5xf32>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x15x12x3xf32>, tensor<3x2x3x5xf32>) outs(%f1 : tensor<1x13x11x5xf32>) -> tensor<1x13x11x5xf32>
  %p = tensor.pad %c low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %neutral : f32
  } : tensor<1x13x11x5xf32> to tensor<1x15x13x5xf32>
  %k = tensor.empty() : tensor<3x2xf32>
  %e2 = tensor.empty() : tensor<1x7x12x5xf32>
  %f2 = linalg.fill ins(%neutral : f32) outs(%e2 : tensor<1x7x12x5xf32>) -> tensor<1x7x12x5xf32>
  %q = linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %k : tensor<1x15x13x5xf32>, tensor<3x2xf32>) outs(%f2 : tensor<1x7x12x5xf32>) -> tensor<1x7x12x5xf32>
  %e3 = tensor.empty() : tensor<1x7x11x4xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x7x11x4xf32>) -> tensor<1x7x11x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%q, %v : tensor<1x7x12x5xf32>, tensor<1x2x5x4xf32>) outs(%f3 : tensor<1x7x11x4xf32>) -> tensor<1x7x11x4xf32>
  return %r : tensor<1x7x11x4xf32>
}

func.func @bf16(%x: tensor<1x15x12x3xbf16>, %w: tensor<3x2x3x5xbf16>, %v: tensor<1x2x5x4xbf16>) -> tensor<1x7x11x4xbf16> {
  %zero = arith.constant 0.0 : bf16
  %neutral = arith.constant 0xFF80 : bf16
  %e1 = tensor.empty() : tensor<1x13x11x5xbf16>
  %f1 = linalg.fill ins(%zero : bf16) outs(%e1 : tensor<1x13x11x5xbf16>) -> tensor<1x13x11x5xbf16>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x15x12x3xbf16>, tensor<3x2x3x5xbf16>) outs(%f1 : tensor<1x13x11x5xbf16>) -> tensor<1x13x11x5xbf16>
  %p = tensor.pad %c low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %neutral : bf16
  } : tensor<1x13x11x5xbf16> to tensor<1x15x13x5xbf16>
  %k = tensor.empty() : tensor<3x2xbf16>
  %e2 = tensor.empty() : tensor<1x7x12x5xbf16>
  %f2 = linalg.fill ins(%neutral : bf16) outs(%e2 : tensor<1x7x12x5xbf16>) -> tensor<1x7x12x5xbf16>
  %q = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %k : tensor<1x15x13x5xbf16>, tensor<3x2xbf16>) outs(%f2 : tensor<1x7x12x5xbf16>) -> tensor<1x7x12x5xbf16>
  %e3 = tensor.empty() : tensor<1x7x11x4xbf16>
  %f3 = linalg.fill ins(%zero : bf16) outs(%e3 : tensor<1x7x11x4xbf16>) -> tensor<1x7x11x4xbf16>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%q, %v : tensor<1x7x12x5xbf16>, tensor<1x2x5x4xbf16>) outs(%f3 : tensor<1x7x11x4xbf16>) -> tensor<1x7x11x4xbf16>
  return %r : tensor<1x7x11x4xbf16>
}

func.func @dynamic_batch(%x: tensor<?x3x15x12xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<4x5x1x2xf32>) -> tensor<?x4x7x11xf32> {
  %zero = arith.constant 0.0 : f32
  %neutral = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3x15x12xf32>
  %e1 = tensor.empty(%n) : tensor<?x5x13x11xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x5x13x11xf32>) -> tensor<?x5x13x11xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<?x3x15x12xf32>, tensor<5x3x3x2xf32>) outs(%f1 : tensor<?x5x13x11xf32>) -> tensor<?x5x13x11xf32>
  %p = tensor.pad %c low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %neutral : f32
  } : tensor<?x5x13x11xf32> to tensor<?x5x15x13xf32>
  %k = tensor.empty() : tensor<3x2xf32>
  %e2 = tensor.empty(%n) : tensor<?x5x7x12xf32>
  %f2 = linalg.fill ins(%neutral : f32) outs(%e2 : tensor<?x5x7x12xf32>) -> tensor<?x5x7x12xf32>
  %q = linalg.pooling_nchw_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %k : tensor<?x5x15x13xf32>, tensor<3x2xf32>) outs(%f2 : tensor<?x5x7x12xf32>) -> tensor<?x5x7x12xf32>
  %e3 = tensor.empty(%n) : tensor<?x4x7x11xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<?x4x7x11xf32>) -> tensor<?x4x7x11xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%q, %v : tensor<?x5x7x12xf32>, tensor<4x5x1x2xf32>) outs(%f3 : tensor<?x4x7x11xf32>) -> tensor<?x4x7x11xf32>
  return %r : tensor<?x4x7x11xf32>
}

func.func @dynamic_batch_nhwc(%x: tensor<?x15x12x3xf32>, %w: tensor<3x2x3x5xf32>, %v: tensor<1x2x5x4xf32>) -> tensor<?x7x11x4xf32> {
  %zero = arith.constant 0.0 : f32
  %neutral = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x15x12x3xf32>
  %e1 = tensor.empty(%n) : tensor<?x13x11x5xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x13x11x5xf32>) -> tensor<?x13x11x5xf32>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<?x15x12x3xf32>, tensor<3x2x3x5xf32>) outs(%f1 : tensor<?x13x11x5xf32>) -> tensor<?x13x11x5xf32>
  %p = tensor.pad %c low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %neutral : f32
  } : tensor<?x13x11x5xf32> to tensor<?x15x13x5xf32>
  %k = tensor.empty() : tensor<3x2xf32>
  %e2 = tensor.empty(%n) : tensor<?x7x12x5xf32>
  %f2 = linalg.fill ins(%neutral : f32) outs(%e2 : tensor<?x7x12x5xf32>) -> tensor<?x7x12x5xf32>
  %q = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %k : tensor<?x15x13x5xf32>, tensor<3x2xf32>) outs(%f2 : tensor<?x7x12x5xf32>) -> tensor<?x7x12x5xf32>
  %e3 = tensor.empty(%n) : tensor<?x7x11x4xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<?x7x11x4xf32>) -> tensor<?x7x11x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%q, %v : tensor<?x7x12x5xf32>, tensor<1x2x5x4xf32>) outs(%f3 : tensor<?x7x11x4xf32>) -> tensor<?x7x11x4xf32>
  return %r : tensor<?x7x11x4xf32>
}
