// Constant filters that are bounded to a narrow range, as PT2E writes them, and have no element outside of it: the
// bounds do nothing, in each order that upstream's passes leave.

// RUN: %python %S/verify-functions.py %s -- --random=0:-128:128 --lsb=1 | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not='{{fusion.fused|linalg.(conv|generic)}}'

// RUN: fusion-opt %s --linalg-fuse-elementwise-ops -o %t.e.mlir
// RUN: %python %S/verify-functions.py %t.e.mlir -- --random=0:-128:128 --lsb=1 | FileCheck %s
// RUN: fusion-opt %t.e.mlir --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not='{{fusion.fused|linalg.(conv|generic)}}'

// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops -o %t.g.mlir
// RUN: %python %S/verify-functions.py %t.g.mlir -- --random=0:-128:128 --lsb=1 | FileCheck %s
// RUN: fusion-opt %t.g.mlir --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not='{{fusion.fused|linalg.(conv|generic)}}'

// CHECK: {{^}}5 functions agree, 5 fused ops

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c0 = affine_map<(d0, d1, d2, d3) -> (d0)>

// Bounds by maximum and minimum.
// IR-LABEL: func.func @clamped(
// IR:         fusion.quantized_conv_bias_act {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x3x9x8xi8>, tensor<4x3x3x2xi8>)
func.func @clamped(%x: tensor<1x3x9x8xi8>) -> tensor<1x4x4x9xi8> {
  %w = arith.constant dense<[[[[-45, 115], [-89, -26], [39, -115]], [[-109, 83], [10, -103], [-34, 22]], [[-113, 105], [2, -73], [-118, -105]]], [[[-16, -20], [-110, -66], [-104, 14]], [[-19, -112], [84, 17], [-96, 115]], [[-70, -127], [33, 22], [115, -112]]], [[[20, 22], [-26, -115], [122, -71]], [[-116, 15], [92, -93], [-53, -20]], [[-91, 11], [-97, 19], [-49, 16]]], [[[81, 47], [127, -101], [21, 19]], [[36, -79], [-32, -103], [13, 55]], [[-111, 17], [-112, 31], [-75, 0]]]]> : tensor<4x3x3x2xi8>
  %ex = tensor.empty() : tensor<1x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x9x8xi8>) outs(%ex : tensor<1x3x9x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %zx = arith.constant -14 : i32
    %sx = arith.constant 0.02 : f32
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<1x3x9x8xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %xd low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x3x9x8xf32> to tensor<1x3x10x10xf32>
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04]> : tensor<4xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#id, #c0, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<4x3x3x2xi8>, tensor<4xf32>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %lo = arith.constant -127 : i8
    %hi = arith.constant 127 : i8
    %m = arith.maxsi %in, %lo : i8
    %n = arith.minsi %m, %hi : i8
    %f = arith.sitofp %n : i8 to f32
    %r = arith.mulf %f, %s : f32
    linalg.yield %r : f32
  } -> tensor<4x3x3x2xf32>
  %e = tensor.empty() : tensor<1x4x4x9xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x9xf32>) -> tensor<1x4x4x9xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%p, %wd : tensor<1x3x10x10xf32>, tensor<4x3x3x2xf32>) outs(%z : tensor<1x4x4x9xf32>) -> tensor<1x4x4x9xf32>
  %e8 = tensor.empty() : tensor<1x4x4x9xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x4x4x9xf32>) outs(%e8 : tensor<1x4x4x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %so = arith.constant 0.25 : f32
    %zo = arith.constant 7.0 : f32
    %min = arith.constant -128.0 : f32
    %max = arith.constant 127.0 : f32
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x4x4x9xi8>
  return %q : tensor<1x4x4x9xi8>
}

// The same by choices.
// IR-LABEL: func.func @selected(
// IR:         fusion.quantized_conv_bias_act {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x3x9x8xi8>, tensor<4x3x3x2xi8>)
func.func @selected(%x: tensor<1x3x9x8xi8>) -> tensor<1x4x4x9xi8> {
  %w = arith.constant dense<[[[[-45, 115], [-89, -26], [39, -115]], [[-109, 83], [10, -103], [-34, 22]], [[-113, 105], [2, -73], [-118, -105]]], [[[-16, -20], [-110, -66], [-104, 14]], [[-19, -112], [84, 17], [-96, 115]], [[-70, -127], [33, 22], [115, -112]]], [[[20, 22], [-26, -115], [122, -71]], [[-116, 15], [92, -93], [-53, -20]], [[-91, 11], [-97, 19], [-49, 16]]], [[[81, 47], [127, -101], [21, 19]], [[36, -79], [-32, -103], [13, 55]], [[-111, 17], [-112, 31], [-75, 0]]]]> : tensor<4x3x3x2xi8>
  %ex = tensor.empty() : tensor<1x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x9x8xi8>) outs(%ex : tensor<1x3x9x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %zx = arith.constant -14 : i32
    %sx = arith.constant 0.02 : f32
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<1x3x9x8xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %xd low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x3x9x8xf32> to tensor<1x3x10x10xf32>
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04]> : tensor<4xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#id, #c0, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<4x3x3x2xi8>, tensor<4xf32>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %lo = arith.constant -127 : i8
    %hi = arith.constant 127 : i8
    %below = arith.cmpi slt, %in, %lo : i8
    %m = arith.select %below, %lo, %in : i8
    %above = arith.cmpi sgt, %m, %hi : i8
    %n = arith.select %above, %hi, %m : i8
    %f = arith.sitofp %n : i8 to f32
    %r = arith.mulf %f, %s : f32
    linalg.yield %r : f32
  } -> tensor<4x3x3x2xf32>
  %e = tensor.empty() : tensor<1x4x4x9xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x9xf32>) -> tensor<1x4x4x9xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%p, %wd : tensor<1x3x10x10xf32>, tensor<4x3x3x2xf32>) outs(%z : tensor<1x4x4x9xf32>) -> tensor<1x4x4x9xf32>
  %e8 = tensor.empty() : tensor<1x4x4x9xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x4x4x9xf32>) outs(%e8 : tensor<1x4x4x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %so = arith.constant 0.25 : f32
    %zo = arith.constant 7.0 : f32
    %min = arith.constant -128.0 : f32
    %max = arith.constant 127.0 : f32
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x4x4x9xi8>
  return %q : tensor<1x4x4x9xi8>
}

// In a wider type.
// IR-LABEL: func.func @widened(
// IR:         fusion.quantized_conv_bias_act {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x3x9x8xi8>, tensor<4x3x3x2xi8>)
func.func @widened(%x: tensor<1x3x9x8xi8>) -> tensor<1x4x4x9xi8> {
  %w = arith.constant dense<[[[[-45, 115], [-89, -26], [39, -115]], [[-109, 83], [10, -103], [-34, 22]], [[-113, 105], [2, -73], [-118, -105]]], [[[-16, -20], [-110, -66], [-104, 14]], [[-19, -112], [84, 17], [-96, 115]], [[-70, -127], [33, 22], [115, -112]]], [[[20, 22], [-26, -115], [122, -71]], [[-116, 15], [92, -93], [-53, -20]], [[-91, 11], [-97, 19], [-49, 16]]], [[[81, 47], [127, -101], [21, 19]], [[36, -79], [-32, -103], [13, 55]], [[-111, 17], [-112, 31], [-75, 0]]]]> : tensor<4x3x3x2xi8>
  %ex = tensor.empty() : tensor<1x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x9x8xi8>) outs(%ex : tensor<1x3x9x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %zx = arith.constant -14 : i32
    %sx = arith.constant 0.02 : f32
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<1x3x9x8xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %xd low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x3x9x8xf32> to tensor<1x3x10x10xf32>
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04]> : tensor<4xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#id, #c0, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<4x3x3x2xi8>, tensor<4xf32>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %lo = arith.constant -127 : i32
    %hi = arith.constant 127 : i32
    %e = arith.extsi %in : i8 to i32
    %m = arith.maxsi %e, %lo : i32
    %n = arith.minsi %m, %hi : i32
    %f = arith.sitofp %n : i32 to f32
    %r = arith.mulf %f, %s : f32
    linalg.yield %r : f32
  } -> tensor<4x3x3x2xf32>
  %e = tensor.empty() : tensor<1x4x4x9xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x9xf32>) -> tensor<1x4x4x9xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%p, %wd : tensor<1x3x10x10xf32>, tensor<4x3x3x2xf32>) outs(%z : tensor<1x4x4x9xf32>) -> tensor<1x4x4x9xf32>
  %e8 = tensor.empty() : tensor<1x4x4x9xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x4x4x9xf32>) outs(%e8 : tensor<1x4x4x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %so = arith.constant 0.25 : f32
    %zo = arith.constant 7.0 : f32
    %min = arith.constant -128.0 : f32
    %max = arith.constant 127.0 : f32
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x4x4x9xi8>
  return %q : tensor<1x4x4x9xi8>
}

// One scale for all channels.
// IR-LABEL: func.func @one_scale(
// IR:         fusion.quantized_conv_bias_act {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x3x9x8xi8>, tensor<4x3x3x2xi8>)
func.func @one_scale(%x: tensor<1x3x9x8xi8>) -> tensor<1x4x4x9xi8> {
  %w = arith.constant dense<[[[[-45, 115], [-89, -26], [39, -115]], [[-109, 83], [10, -103], [-34, 22]], [[-113, 105], [2, -73], [-118, -105]]], [[[-16, -20], [-110, -66], [-104, 14]], [[-19, -112], [84, 17], [-96, 115]], [[-70, -127], [33, 22], [115, -112]]], [[[20, 22], [-26, -115], [122, -71]], [[-116, 15], [92, -93], [-53, -20]], [[-91, 11], [-97, 19], [-49, 16]]], [[[81, 47], [127, -101], [21, 19]], [[36, -79], [-32, -103], [13, 55]], [[-111, 17], [-112, 31], [-75, 0]]]]> : tensor<4x3x3x2xi8>
  %ex = tensor.empty() : tensor<1x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x9x8xi8>) outs(%ex : tensor<1x3x9x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %zx = arith.constant -14 : i32
    %sx = arith.constant 0.02 : f32
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<1x3x9x8xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %xd low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x3x9x8xf32> to tensor<1x3x10x10xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x3x2xi8>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %s = arith.constant 0.02 : f32
    %lo = arith.constant -127 : i8
    %hi = arith.constant 127 : i8
    %m = arith.maxsi %in, %lo : i8
    %n = arith.minsi %m, %hi : i8
    %f = arith.sitofp %n : i8 to f32
    %r = arith.mulf %f, %s : f32
    linalg.yield %r : f32
  } -> tensor<4x3x3x2xf32>
  %e = tensor.empty() : tensor<1x4x4x9xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x9xf32>) -> tensor<1x4x4x9xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%p, %wd : tensor<1x3x10x10xf32>, tensor<4x3x3x2xf32>) outs(%z : tensor<1x4x4x9xf32>) -> tensor<1x4x4x9xf32>
  %e8 = tensor.empty() : tensor<1x4x4x9xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x4x4x9xf32>) outs(%e8 : tensor<1x4x4x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %so = arith.constant 0.25 : f32
    %zo = arith.constant 7.0 : f32
    %min = arith.constant -128.0 : f32
    %max = arith.constant 127.0 : f32
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x4x4x9xi8>
  return %q : tensor<1x4x4x9xi8>
}

// Unsigned integers, at most 250.
// IR-LABEL: func.func @unsigned(
// IR:         fusion.quantized_conv_bias_act {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x3x9x8xi8>, tensor<4x3x3x2xi8>)
func.func @unsigned(%x: tensor<1x3x9x8xi8>) -> tensor<1x4x4x9xi8> {
  %w = arith.constant dense<[[[[83, -13], [39, 102], [-89, 13]], [[19, -45], [-118, 25], [94, -106]], [[15, -23], [-126, 55], [10, 23]]], [[[112, 108], [18, 62], [24, -114]], [[109, 16], [-44, -111], [32, -13]], [[58, 3], [-95, -106], [-13, 16]]], [[[-108, -106], [102, 13], [-6, 57]], [[12, -113], [-36, 35], [75, 108]], [[37, -117], [31, -109], [79, -112]]], [[[-47, -81], [-6, 27], [-107, -109]], [[-92, 49], [96, 25], [-115, -73]], [[17, -111], [16, -97], [53, -128]]]]> : tensor<4x3x3x2xi8>
  %ex = tensor.empty() : tensor<1x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x9x8xi8>) outs(%ex : tensor<1x3x9x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %zx = arith.constant -14 : i32
    %sx = arith.constant 0.02 : f32
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<1x3x9x8xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %xd low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x3x9x8xf32> to tensor<1x3x10x10xf32>
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04]> : tensor<4xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#id, #c0, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<4x3x3x2xi8>, tensor<4xf32>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %lo = arith.constant 3 : i8
    %hi = arith.constant -6 : i8
    %zw = arith.constant 128 : i32
    %m = arith.maxui %in, %lo : i8
    %n = arith.minui %m, %hi : i8
    %e = arith.extui %n : i8 to i32
    %d = arith.subi %e, %zw : i32
    %f = arith.sitofp %d : i32 to f32
    %r = arith.mulf %f, %s : f32
    linalg.yield %r : f32
  } -> tensor<4x3x3x2xf32>
  %e = tensor.empty() : tensor<1x4x4x9xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x9xf32>) -> tensor<1x4x4x9xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%p, %wd : tensor<1x3x10x10xf32>, tensor<4x3x3x2xf32>) outs(%z : tensor<1x4x4x9xf32>) -> tensor<1x4x4x9xf32>
  %e8 = tensor.empty() : tensor<1x4x4x9xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x4x4x9xf32>) outs(%e8 : tensor<1x4x4x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %so = arith.constant 0.25 : f32
    %zo = arith.constant 7.0 : f32
    %min = arith.constant -128.0 : f32
    %max = arith.constant 127.0 : f32
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x4x4x9xi8>
  return %q : tensor<1x4x4x9xi8>
}
