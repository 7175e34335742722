// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY --implicit-check-not=fused:

// The values in the body of the next op, where they come from and who reads them.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#moved = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#pixel = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>

// The largest element so far is not used, but each iteration reads that of the one before.
// CHECK-LABEL: func @argmax(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(
// CHECK:         linalg.generic {{.*}} ins(%[[R]] : {{.*}}) outs(%{{.*}}, %{{.*}} : tensor<1x7x9xi32>, tensor<1x7x9xf32>)
func.func @argmax(%x: tensor<1x3x9x12xf32>, %w: tensor<5x3x3x4xf32>) -> tensor<1x7x9xi32> {
  %low = arith.constant dense<-3.40282347E+38> : tensor<1x7x9xf32>
  %none = arith.constant dense<0> : tensor<1x7x9xi32>
  %z = arith.constant dense<0.0> : tensor<1x5x7x9xf32>
  // WHY: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x12xf32>, tensor<5x3x3x4xf32>) outs(%z : tensor<1x5x7x9xf32>) -> tensor<1x5x7x9xf32>
  %r:2 = linalg.generic {indexing_maps = [#all, #pixel, #pixel], iterator_types = ["parallel", "reduction", "parallel", "parallel"]}
         ins(%c : tensor<1x5x7x9xf32>) outs(%none, %low : tensor<1x7x9xi32>, tensor<1x7x9xf32>) {
  ^bb0(%p: f32, %best: i32, %largest: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %g = arith.cmpf ogt, %p, %largest : f32
    %s = arith.select %g, %j, %best : i32
    %t = arith.select %g, %p, %largest : f32
    linalg.yield %s, %t : i32, f32
  } -> (tensor<1x7x9xi32>, tensor<1x7x9xf32>)
  return %r#0 : tensor<1x7x9xi32>
}

// A region in the body reads the sum as it was before the bias.
// CHECK-LABEL: func @read_in_a_region(
// CHECK:         fusion.fused_conv_bias_act ins({{.*}} outs(
// CHECK:         linalg.generic
// CHECK:           arith.addf
// CHECK:           scf.if
func.func @read_in_a_region(%x: tensor<1x3x9x12xf32>, %w: tensor<5x3x3x4xf32>, %b: tensor<5xf32>, %y: tensor<1x5x7x9xf32>) -> tensor<1x5x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<1x5x7x9xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; next op 'linalg.generic' at {{.*}} neither scales nor adds to the result nor is an activation that is known{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x12xf32>, tensor<5x3x3x4xf32>) outs(%z : tensor<1x5x7x9xf32>) -> tensor<1x5x7x9xf32>
  %e = tensor.empty() : tensor<1x5x7x9xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b, %y : tensor<1x5x7x9xf32>, tensor<5xf32>, tensor<1x5x7x9xf32>) outs(%e : tensor<1x5x7x9xf32>) {
  ^bb0(%p: f32, %q: f32, %v: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %g = arith.cmpf ogt, %v, %zero : f32
    %i = scf.if %g -> f32 {
      %m = arith.mulf %p, %v : f32
      scf.yield %m : f32
    } else {
      scf.yield %zero : f32
    }
    %t = arith.mulf %s, %i : f32
    linalg.yield %t : f32
  } -> tensor<1x5x7x9xf32>
  return %r : tensor<1x5x7x9xf32>
}

// So does one result of two.
// CHECK-LABEL: func @result_of_a_region(
// CHECK:         fusion.fused_conv_bias_act ins({{.*}} outs(
// CHECK:         linalg.generic
// CHECK:           arith.addf
// CHECK:           scf.if
func.func @result_of_a_region(%x: tensor<1x3x9x12xf32>, %w: tensor<5x3x3x4xf32>, %b: tensor<5xf32>, %y: tensor<1x5x7x9xf32>) -> (tensor<1x5x7x9xf32>, tensor<1x5x7x9xf32>) {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<1x5x7x9xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; 'linalg.generic' computes 2 results from the result, expected 1 that the others are computed from{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x12xf32>, tensor<5x3x3x4xf32>) outs(%z : tensor<1x5x7x9xf32>) -> tensor<1x5x7x9xf32>
  %e = tensor.empty() : tensor<1x5x7x9xf32>
  %r:2 = linalg.generic {indexing_maps = [#all, #channel, #all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b, %y : tensor<1x5x7x9xf32>, tensor<5xf32>, tensor<1x5x7x9xf32>) outs(%e, %e : tensor<1x5x7x9xf32>, tensor<1x5x7x9xf32>) {
  ^bb0(%p: f32, %q: f32, %v: f32, %o: f32, %o2: f32):
    %s = arith.addf %p, %q : f32
    %g = arith.cmpf ogt, %v, %zero : f32
    %i = scf.if %g -> f32 {
      %m = arith.mulf %p, %v : f32
      scf.yield %m : f32
    } else {
      scf.yield %zero : f32
    }
    %t = arith.mulf %s, %i : f32
    linalg.yield %s, %t : f32, f32
  } -> (tensor<1x5x7x9xf32>, tensor<1x5x7x9xf32>)
  return %r#0, %r#1 : tensor<1x5x7x9xf32>, tensor<1x5x7x9xf32>
}

// The first operand is the result too, by another map, but nothing reads it.
// CHECK-LABEL: func @unread_operand(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins({{.*}} bias(
// CHECK:         linalg.generic {{.*}} ins(%[[R]], %[[R]], %{{.*}} : {{.*}}) outs(
// CHECK:         ^bb0(%{{.*}}: f32, %[[P:.*]]: f32, %{{.*}}: f32, %[[V:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      arith.maximumf %[[P]], %[[V]]
func.func @unread_operand(%x: tensor<1x3x10x11xf32>, %w: tensor<5x3x3x4xf32>, %b: tensor<5xf32>, %y: tensor<1x5x8x8xf32>) -> tensor<1x5x8x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x8x8xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: bias; {{.*}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x10x11xf32>, tensor<5x3x3x4xf32>) outs(%z : tensor<1x5x8x8xf32>) -> tensor<1x5x8x8xf32>
  %e = tensor.empty() : tensor<1x5x8x8xf32>
  %r = linalg.generic {indexing_maps = [#moved, #all, #channel, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %c, %b, %y : tensor<1x5x8x8xf32>, tensor<1x5x8x8xf32>, tensor<5xf32>, tensor<1x5x8x8xf32>) outs(%e : tensor<1x5x8x8xf32>) {
  ^bb0(%u: f32, %p: f32, %q: f32, %v: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %t = arith.maximumf %s, %v : f32
    linalg.yield %t : f32
  } -> tensor<1x5x8x8xf32>
  return %r : tensor<1x5x8x8xf32>
}

// The body adds an element of a tensor that it makes, which varies from pixel to pixel.
// CHECK-LABEL: func @tensor_in_the_body(
// CHECK:         fusion.fused_conv_bias_act ins({{.*}} outs(
// CHECK:         linalg.generic
// CHECK:           tensor.splat
func.func @tensor_in_the_body(%x: tensor<1x3x9x12xf32>, %w: tensor<5x3x3x4xf32>, %y: tensor<1x5x7x9xf32>) -> tensor<1x5x7x9xf32> {
  %first = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<1x5x7x9xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; unsupported: what is added is computed from a tensor by the op that adds it{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x12xf32>, tensor<5x3x3x4xf32>) outs(%z : tensor<1x5x7x9xf32>) -> tensor<1x5x7x9xf32>
  %e = tensor.empty() : tensor<1x5x7x9xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %y : tensor<1x5x7x9xf32>, tensor<1x5x7x9xf32>) outs(%e : tensor<1x5x7x9xf32>) {
  ^bb0(%p: f32, %v: f32, %o: f32):
    %t = tensor.splat %v : tensor<1xf32>
    %u = tensor.extract %t[%first] : tensor<1xf32>
    %s = arith.addf %p, %u : f32
    linalg.yield %s : f32
  } -> tensor<1x5x7x9xf32>
  return %r : tensor<1x5x7x9xf32>
}

// A filter whose elements come from a tensor that the body makes is not reversed.
// CHECK-LABEL: func @filter_in_the_body(
// CHECK:         %[[W:.*]] = linalg.generic
// CHECK:           tensor.splat
// CHECK:         fusion.fused_{{.*}}conv_bias_act{{.*}} ins(%{{.*}}, %{{.*}} :
func.func @filter_in_the_body(%x: tensor<1x3x4x5xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x9x15xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x9x15xf32>
  %zeros = arith.constant dense<0.0> : tensor<1x3x11x16xf32>
  %ew = tensor.empty() : tensor<5x3x3x2xf32>
  %v = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%w : tensor<5x3x3x2xf32>) outs(%ew : tensor<5x3x3x2xf32>) {
  ^bb0(%p: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %t = tensor.splat %p : tensor<5x3x3x2xf32>
    %u = tensor.extract %t[%i, %j, %k, %l] : tensor<5x3x3x2xf32>
    linalg.yield %u : f32
  } -> tensor<5x3x3x2xf32>
  %s = tensor.insert_slice %x into %zeros[0, 0, 2, 1] [1, 3, 4, 5] [1, 1, 2, 3] : tensor<1x3x4x5xf32> into tensor<1x3x11x16xf32>
  // WHY: :[[#@LINE+1]]:8: fused: transposed convolution alone{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%s, %v : tensor<1x3x11x16xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x9x15xf32>) -> tensor<1x5x9x15xf32>
  return %c : tensor<1x5x9x15xf32>
}

// A large number is added and subtracted, which rounds to an integer,
// CHECK-LABEL: func @rounded(
// CHECK:         fusion.fused_conv_bias_act ins({{.*}} outs(
// CHECK:         linalg.generic
// CHECK:           arith.addf
// CHECK:           arith.subf
func.func @rounded(%x: tensor<1x3x9x12xf32>, %w: tensor<5x3x3x4xf32>) -> tensor<1x5x7x9xf32> {
  %large = arith.constant 12582912.0 : f32
  %z = arith.constant dense<0.0> : tensor<1x5x7x9xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; adding 1.258291e+07 rounds the result to an integer{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x12xf32>, tensor<5x3x3x4xf32>) outs(%z : tensor<1x5x7x9xf32>) -> tensor<1x5x7x9xf32>
  %e = tensor.empty() : tensor<1x5x7x9xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<1x5x7x9xf32>) outs(%e : tensor<1x5x7x9xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %large : f32
    %t = arith.subf %s, %large : f32
    linalg.yield %t : f32
  } -> tensor<1x5x7x9xf32>
  return %r : tensor<1x5x7x9xf32>
}

// in front of an activation as well.
// CHECK-LABEL: func @rounded_relu(
// CHECK:         fusion.fused_conv_bias_act ins({{.*}} outs(
// CHECK:         linalg.generic
// CHECK:           arith.addf
// CHECK:           arith.subf
// CHECK:           arith.maximumf
func.func @rounded_relu(%x: tensor<1x3x9x12xf32>, %w: tensor<5x3x3x4xf32>) -> tensor<1x5x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %large = arith.constant 12582912.0 : f32
  %z = arith.constant dense<0.0> : tensor<1x5x7x9xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; adding 1.258291e+07 rounds the result to an integer{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x12xf32>, tensor<5x3x3x4xf32>) outs(%z : tensor<1x5x7x9xf32>) -> tensor<1x5x7x9xf32>
  %e = tensor.empty() : tensor<1x5x7x9xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<1x5x7x9xf32>) outs(%e : tensor<1x5x7x9xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %large : f32
    %t = arith.subf %s, %large : f32
    %u = arith.maximumf %t, %zero : f32
    linalg.yield %u : f32
  } -> tensor<1x5x7x9xf32>
  return %r : tensor<1x5x7x9xf32>
}
