// RUN: %python %S/verify-functions.py %s --skip=inception,one_dimension,dynamic \
// RUN:   --fused=residual:3,squeeze_and_excite:4,squeeze_and_excite_one_image:4,\
// RUN:volumes:2,argument_as_padding:2,slices:2,written_into_zeros:2,\
// RUN:concat_of_rows:2,collapsed:2,torn:2,shuffled_channels:2 | FileCheck %s
// RUN: fusion-run %s --entry=inception --verify | FileCheck %s --check-prefix=FIVE
// RUN: fusion-run %s --entry=one_dimension --verify | FileCheck %s --check-prefix=TWO
// RUN: fusion-run %s --entry=dynamic --verify --shape=0:2x3x9x11 | FileCheck %s --check-prefix=THREE
// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not=linalg.transpose

// The executed twin of Transforms/fusion-propagate-layout{,-tensor}.mlir: blocks of
// networks in NCHW with something between their convolutions, computed in
// channels-last. Two transposes are left, more only where the test of the pass says so.

// CHECK: {{^}}11 functions agree, 27 fused ops
// TWO: : 2 fused ops
// TWO: verify: agrees
// THREE: : 3 fused ops
// THREE: verify: agrees
// FIVE: : 5 fused ops
// FIVE: verify: agrees

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#one = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#channel4 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#nc11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#all3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#pixels = affine_map<(d0, d1, d2) -> (d2)>
#middle = affine_map<(d0, d1, d2) -> (d1)>

// Another block behind the first one, its branch with a stride and a pad of its own.
// IR-LABEL: func.func @residual(
// IR-COUNT-2: linalg.transpose
func.func @residual(%x: tensor<2x3x13x10xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<5x5x3x3xf32>, %v: tensor<5x3x1x1xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x5x7x4xf32>
  %za = arith.constant 0.0 : f32
  %pa = tensor.pad %x low[0, 0, 2, 1] high[0, 0, 0, 1] {
  ^bb0(%ia0: index, %ia1: index, %ia2: index, %ia3: index):
    tensor.yield %za : f32
  } : tensor<2x3x13x10xf32> to tensor<2x3x15x12xf32>
  %ea = tensor.empty() : tensor<2x5x7x4xf32>
  %fa = linalg.fill ins(%za : f32) outs(%ea : tensor<2x5x7x4xf32>) -> tensor<2x5x7x4xf32>
  %a = linalg.conv_2d_nchw_fchw {strides = dense<[2, 3]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%pa, %w : tensor<2x3x15x12xf32>, tensor<5x3x3x2xf32>) outs(%fa : tensor<2x5x7x4xf32>) -> tensor<2x5x7x4xf32>
  %k = linalg.max ins(%a, %zero : tensor<2x5x7x4xf32>, tensor<2x5x7x4xf32>) outs(%ea : tensor<2x5x7x4xf32>) -> tensor<2x5x7x4xf32>
  %zc = arith.constant 0.0 : f32
  %pc = tensor.pad %k low[0, 0, 0, 2] high[0, 0, 2, 0] {
  ^bb0(%ic0: index, %ic1: index, %ic2: index, %ic3: index):
    tensor.yield %zc : f32
  } : tensor<2x5x7x4xf32> to tensor<2x5x9x6xf32>
  %ec = tensor.empty() : tensor<2x5x7x4xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x4xf32>) -> tensor<2x5x7x4xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%pc, %u : tensor<2x5x9x6xf32>, tensor<5x5x3x3xf32>) outs(%fc : tensor<2x5x7x4xf32>) -> tensor<2x5x7x4xf32>
  %zd = arith.constant 0.0 : f32
  %ed = tensor.empty() : tensor<2x5x7x4xf32>
  %fd = linalg.fill ins(%zd : f32) outs(%ed : tensor<2x5x7x4xf32>) -> tensor<2x5x7x4xf32>
  %d = linalg.conv_2d_nchw_fchw {strides = dense<[2, 3]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %v : tensor<2x3x13x10xf32>, tensor<5x3x1x1xf32>) outs(%fd : tensor<2x5x7x4xf32>) -> tensor<2x5x7x4xf32>
  %s = linalg.add ins(%c, %d : tensor<2x5x7x4xf32>, tensor<2x5x7x4xf32>) outs(%ea : tensor<2x5x7x4xf32>) -> tensor<2x5x7x4xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%s, %b : tensor<2x5x7x4xf32>, tensor<5xf32>) outs(%ea : tensor<2x5x7x4xf32>) -> tensor<2x5x7x4xf32>
  %r = linalg.max ins(%t, %zero : tensor<2x5x7x4xf32>, tensor<2x5x7x4xf32>) outs(%ea : tensor<2x5x7x4xf32>) -> tensor<2x5x7x4xf32>
  return %r : tensor<2x5x7x4xf32>
}

// IR-LABEL: func.func @inception(
// IR-COUNT-2: linalg.transpose
func.func @inception(%x: tensor<2x3x9x11xf32>, %w: tensor<7x3x1x1xf32>, %u: tensor<5x7x1x1xf32>, %v: tensor<4x7x3x2xf32>, %z: tensor<6x7x1x1xf32>, %o: tensor<3x15x2x3xf32>) -> tensor<2x3x4x3xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zy = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<2x7x9x11xf32>
  %fy = linalg.fill ins(%zy : f32) outs(%ey : tensor<2x7x9x11xf32>) -> tensor<2x7x9x11xf32>
  %y = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<7x3x1x1xf32>) outs(%fy : tensor<2x7x9x11xf32>) -> tensor<2x7x9x11xf32>
  %za = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<2x5x9x11xf32>
  %fa = linalg.fill ins(%za : f32) outs(%ea : tensor<2x5x9x11xf32>) -> tensor<2x5x9x11xf32>
  %a = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%y, %u : tensor<2x7x9x11xf32>, tensor<5x7x1x1xf32>) outs(%fa : tensor<2x5x9x11xf32>) -> tensor<2x5x9x11xf32>
  %zb = arith.constant 0.0 : f32
  %pb = tensor.pad %y low[0, 0, 1, 0] high[0, 0, 1, 1] {
  ^bb0(%ib0: index, %ib1: index, %ib2: index, %ib3: index):
    tensor.yield %zb : f32
  } : tensor<2x7x9x11xf32> to tensor<2x7x11x12xf32>
  %eb = tensor.empty() : tensor<2x4x9x11xf32>
  %fb = linalg.fill ins(%zb : f32) outs(%eb : tensor<2x4x9x11xf32>) -> tensor<2x4x9x11xf32>
  %b = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%pb, %v : tensor<2x7x11x12xf32>, tensor<4x7x3x2xf32>) outs(%fb : tensor<2x4x9x11xf32>) -> tensor<2x4x9x11xf32>
  %q = tensor.pad %y low[0, 0, 1, 0] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %lowest : f32
  } : tensor<2x7x9x11xf32> to tensor<2x7x11x12xf32>
  %e = tensor.empty() : tensor<2x7x9x11xf32>
  %f = linalg.fill ins(%lowest : f32) outs(%e : tensor<2x7x9x11xf32>) -> tensor<2x7x9x11xf32>
  %window = tensor.empty() : tensor<3x2xf32>
  %m = linalg.pooling_nchw_max ins(%q, %window : tensor<2x7x11x12xf32>, tensor<3x2xf32>) outs(%f : tensor<2x7x9x11xf32>) -> tensor<2x7x9x11xf32>
  %zd = arith.constant 0.0 : f32
  %ed = tensor.empty() : tensor<2x6x9x11xf32>
  %fd = linalg.fill ins(%zd : f32) outs(%ed : tensor<2x6x9x11xf32>) -> tensor<2x6x9x11xf32>
  %d = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %z : tensor<2x7x9x11xf32>, tensor<6x7x1x1xf32>) outs(%fd : tensor<2x6x9x11xf32>) -> tensor<2x6x9x11xf32>
  %t = tensor.concat dim(1) %a, %b, %d : (tensor<2x5x9x11xf32>, tensor<2x4x9x11xf32>, tensor<2x6x9x11xf32>) -> tensor<2x15x9x11xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x3x4x3xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[2, 3]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%t, %o : tensor<2x15x9x11xf32>, tensor<3x15x2x3xf32>) outs(%fr : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  return %r : tensor<2x3x4x3xf32>
}

// Squeeze and excite, of two images and of one, which is read by the constant 0.
// IR-LABEL: func.func @squeeze_and_excite(
// IR-COUNT-2: linalg.transpose
func.func @squeeze_and_excite(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<3x5x1x1xf32>, %v: tensor<5x3x1x1xf32>, %g: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = arith.constant 70.0 : f32
  %zy = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<2x5x7x10xf32>
  %fy = linalg.fill ins(%zy : f32) outs(%ey : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %y = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fy : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x1x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x1x1xf32>) -> tensor<2x5x1x1xf32>
  %s = linalg.generic {indexing_maps = [#all, #nc11], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%y : tensor<2x5x7x10xf32>) outs(%f : tensor<2x5x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x1x1xf32>
  %q = linalg.generic {indexing_maps = [#nc11, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<2x5x1x1xf32>) outs(%e : tensor<2x5x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %n : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x1x1xf32>
  %za = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<2x3x1x1xf32>
  %fa = linalg.fill ins(%za : f32) outs(%ea : tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %a = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%q, %u : tensor<2x5x1x1xf32>, tensor<3x5x1x1xf32>) outs(%fa : tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %zb = arith.constant 0.0 : f32
  %eb = tensor.empty() : tensor<2x5x1x1xf32>
  %fb = linalg.fill ins(%zb : f32) outs(%eb : tensor<2x5x1x1xf32>) -> tensor<2x5x1x1xf32>
  %b = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a, %v : tensor<2x3x1x1xf32>, tensor<5x3x1x1xf32>) outs(%fb : tensor<2x5x1x1xf32>) -> tensor<2x5x1x1xf32>
  %h = linalg.generic {indexing_maps = [#nc11, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<2x5x1x1xf32>) outs(%e : tensor<2x5x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x5x1x1xf32>
  %m = linalg.generic {indexing_maps = [#all, #nc11, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %h : tensor<2x5x7x10xf32>, tensor<2x5x1x1xf32>) outs(%ey : tensor<2x5x7x10xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.mulf %in, %in_0 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %g : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// IR-LABEL: func.func @squeeze_and_excite_one_image(
// IR-COUNT-2: linalg.transpose
func.func @squeeze_and_excite_one_image(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<3x5x1x1xf32>, %v: tensor<5x3x1x1xf32>, %g: tensor<4x5x1x2xf32>) -> tensor<1x4x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = arith.constant 70.0 : f32
  %zy = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<1x5x7x10xf32>
  %fy = linalg.fill ins(%zy : f32) outs(%ey : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %y = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fy : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x1x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x5x1x1xf32>) -> tensor<1x5x1x1xf32>
  %s = linalg.generic {indexing_maps = [#all, #nc11], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%y : tensor<1x5x7x10xf32>) outs(%f : tensor<1x5x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<1x5x1x1xf32>
  %q = linalg.generic {indexing_maps = [#channel4, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x5x1x1xf32>) outs(%e : tensor<1x5x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %n : f32
    linalg.yield %0 : f32
  } -> tensor<1x5x1x1xf32>
  %za = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<1x3x1x1xf32>
  %fa = linalg.fill ins(%za : f32) outs(%ea : tensor<1x3x1x1xf32>) -> tensor<1x3x1x1xf32>
  %a = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%q, %u : tensor<1x5x1x1xf32>, tensor<3x5x1x1xf32>) outs(%fa : tensor<1x3x1x1xf32>) -> tensor<1x3x1x1xf32>
  %zb = arith.constant 0.0 : f32
  %eb = tensor.empty() : tensor<1x5x1x1xf32>
  %fb = linalg.fill ins(%zb : f32) outs(%eb : tensor<1x5x1x1xf32>) -> tensor<1x5x1x1xf32>
  %b = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a, %v : tensor<1x3x1x1xf32>, tensor<5x3x1x1xf32>) outs(%fb : tensor<1x5x1x1xf32>) -> tensor<1x5x1x1xf32>
  %h = linalg.generic {indexing_maps = [#channel4, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<1x5x1x1xf32>) outs(%e : tensor<1x5x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<1x5x1x1xf32>
  %m = linalg.generic {indexing_maps = [#one, #channel4, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %h : tensor<1x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%ey : tensor<1x5x7x10xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.mulf %in, %in_0 : f32
    linalg.yield %0 : f32
  } -> tensor<1x5x7x10xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<1x4x7x9xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<1x4x7x9xf32>) -> tensor<1x4x7x9xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %g : tensor<1x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<1x4x7x9xf32>) -> tensor<1x4x7x9xf32>
  return %r : tensor<1x4x7x9xf32>
}

// Rows alone, and volumes.
// IR-LABEL: func.func @one_dimension(
// IR-COUNT-2: linalg.transpose
func.func @one_dimension(%x: tensor<2x3x14xf32>, %w: tensor<5x3x3xf32>, %u: tensor<4x5x2xf32>) -> tensor<2x4x5xf32> {
  %zero = arith.constant 0xFF800000 : f32
  %za = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<2x5x12xf32>
  %fa = linalg.fill ins(%za : f32) outs(%ea : tensor<2x5x12xf32>) -> tensor<2x5x12xf32>
  %a = linalg.conv_1d_ncw_fcw {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[1]> : tensor<1xi64>} ins(%x, %w : tensor<2x3x14xf32>, tensor<5x3x3xf32>) outs(%fa : tensor<2x5x12xf32>) -> tensor<2x5x12xf32>
  %e = tensor.empty() : tensor<2x5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %win = tensor.empty() : tensor<2xf32>
  %m = linalg.pooling_ncw_max {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %win : tensor<2x5x12xf32>, tensor<2xf32>) outs(%f : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x5xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.conv_1d_ncw_fcw {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[1]> : tensor<1xi64>} ins(%m, %u : tensor<2x5x6xf32>, tensor<4x5x2xf32>) outs(%fr : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}

// IR-LABEL: func.func @volumes(
// IR-COUNT-2: linalg.transpose
func.func @volumes(%x: tensor<2x3x6x9x11xf32>, %w: tensor<5x3x2x3x2xf32>, %u: tensor<4x5x3x1x2xf32>) -> tensor<2x4x3x7x3xf32> {
  %za = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<2x5x5x7x10xf32>
  %fa = linalg.fill ins(%za : f32) outs(%ea : tensor<2x5x5x7x10xf32>) -> tensor<2x5x5x7x10xf32>
  %a = linalg.conv_3d_ncdhw_fcdhw {strides = dense<[1, 1, 1]> : tensor<3xi64>, dilations = dense<[1, 1, 1]> : tensor<3xi64>} ins(%x, %w : tensor<2x3x6x9x11xf32>, tensor<5x3x2x3x2xf32>) outs(%fa : tensor<2x5x5x7x10xf32>) -> tensor<2x5x5x7x10xf32>
  %k = linalg.exp ins(%a : tensor<2x5x5x7x10xf32>) outs(%ea : tensor<2x5x5x7x10xf32>) -> tensor<2x5x5x7x10xf32>
  %m = linalg.sub ins(%k, %a : tensor<2x5x5x7x10xf32>, tensor<2x5x5x7x10xf32>) outs(%ea : tensor<2x5x5x7x10xf32>) -> tensor<2x5x5x7x10xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x3x7x3xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x3x7x3xf32>) -> tensor<2x4x3x7x3xf32>
  %r = linalg.conv_3d_ncdhw_fcdhw {strides = dense<[1, 1, 3]> : tensor<3xi64>, dilations = dense<[1, 1, 1]> : tensor<3xi64>} ins(%m, %u : tensor<2x5x5x7x10xf32>, tensor<4x5x3x1x2xf32>) outs(%fr : tensor<2x4x3x7x3xf32>) -> tensor<2x4x3x7x3xf32>
  return %r : tensor<2x4x3x7x3xf32>
}

// Ops that move elements.
// IR-LABEL: func.func @argument_as_padding(
// IR-COUNT-2: linalg.transpose
func.func @argument_as_padding(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x8x1x2xf32>, %v: f32) -> tensor<2x4x8x11xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %q = tensor.pad %c low[0, 0, 1, 0] high[0, 3, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %v : f32
  } : tensor<2x5x7x10xf32> to tensor<2x8x8x12xf32>
  %m = math.sin %q : tensor<2x8x8x12xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x8x11xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x8x11xf32>) -> tensor<2x4x8x11xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x8x8x12xf32>, tensor<4x8x1x2xf32>) outs(%fr : tensor<2x4x8x11xf32>) -> tensor<2x4x8x11xf32>
  return %r : tensor<2x4x8x11xf32>
}

// IR-LABEL: func.func @slices(
// IR-COUNT-2: linalg.transpose
func.func @slices(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = tensor.extract_slice %c[1, 2, 1, 3] [1, 3, 2, 4] [1, 1, 3, 2] : tensor<2x5x7x10xf32> to tensor<1x3x2x4xf32>
  %m = tensor.insert_slice %s into %c[0, 1, 2, 5] [1, 3, 2, 4] [1, 1, 2, 1] : tensor<1x3x2x4xf32> into tensor<2x5x7x10xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// IR-LABEL: func.func @written_into_zeros(
// IR-COUNT-2: linalg.transpose
func.func @written_into_zeros(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x8x1x2xf32>) -> tensor<2x4x9x11xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %z0 = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<2x8x9x12xf32>
  %f = linalg.fill ins(%z0 : f32) outs(%e1 : tensor<2x8x9x12xf32>) -> tensor<2x8x9x12xf32>
  %k = tensor.insert_slice %c into %f[0, 3, 2, 1] [2, 5, 7, 10] [1, 1, 1, 1] : tensor<2x5x7x10xf32> into tensor<2x8x9x12xf32>
  %m = linalg.exp ins(%k : tensor<2x8x9x12xf32>) outs(%e1 : tensor<2x8x9x12xf32>) -> tensor<2x8x9x12xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x9x11xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x9x11xf32>) -> tensor<2x4x9x11xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x8x9x12xf32>, tensor<4x8x1x2xf32>) outs(%fr : tensor<2x4x9x11xf32>) -> tensor<2x4x9x11xf32>
  return %r : tensor<2x4x9x11xf32>
}

// IR-LABEL: func.func @concat_of_rows(
// IR-COUNT-3: linalg.transpose
func.func @concat_of_rows(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %q: tensor<2x5x4x10xf32>) -> tensor<2x4x11x19xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %k = tensor.concat dim(2) %c, %q : (tensor<2x5x7x10xf32>, tensor<2x5x4x10xf32>) -> tensor<2x5x11x10xf32>
  %m = tensor.concat dim(3) %k, %k : (tensor<2x5x11x10xf32>, tensor<2x5x11x10xf32>) -> tensor<2x5x11x20xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x11x19xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x11x19xf32>) -> tensor<2x4x11x19xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x5x11x20xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x11x19xf32>) -> tensor<2x4x11x19xf32>
  return %r : tensor<2x4x11x19xf32>
}

// Reshapes, with something done to the dimensions that they make.
// IR-LABEL: func.func @collapsed(
// IR-COUNT-2: linalg.transpose
func.func @collapsed(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %q: tensor<70xf32>) -> tensor<2x4x7x9xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = tensor.collapse_shape %c [[0], [1], [2, 3]] : tensor<2x5x7x10xf32> into tensor<2x5x70xf32>
  %e = tensor.empty() : tensor<2x5x70xf32>
  %a = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all3, #pixels, #all3] ins(%s, %q : tensor<2x5x70xf32>, tensor<70xf32>) outs(%e : tensor<2x5x70xf32>) -> tensor<2x5x70xf32>
  %m = tensor.expand_shape %a [[0], [1], [2, 3]] output_shape [2, 5, 7, 10] : tensor<2x5x70xf32> into tensor<2x5x7x10xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// IR-LABEL: func.func @torn(
// IR-COUNT-3: linalg.transpose
func.func @torn(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %q: tensor<35xf32>) -> tensor<2x4x7x9xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = tensor.collapse_shape %c [[0], [1, 2], [3]] : tensor<2x5x7x10xf32> into tensor<2x35x10xf32>
  %e = tensor.empty() : tensor<2x35x10xf32>
  %a = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all3, #middle, #all3] ins(%s, %q : tensor<2x35x10xf32>, tensor<35xf32>) outs(%e : tensor<2x35x10xf32>) -> tensor<2x35x10xf32>
  %m = tensor.expand_shape %a [[0], [1, 2], [3]] output_shape [2, 5, 7, 10] : tensor<2x35x10xf32> into tensor<2x5x7x10xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Channels in groups, and their order changed as ShuffleNet does it.
// IR-LABEL: func.func @shuffled_channels(
// IR-COUNT-3: linalg.transpose
func.func @shuffled_channels(%x: tensor<2x3x9x11xf32>, %w: tensor<6x3x3x2xf32>, %u: tensor<4x6x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x6x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x6x7x10xf32>) -> tensor<2x6x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<6x3x3x2xf32>) outs(%fc : tensor<2x6x7x10xf32>) -> tensor<2x6x7x10xf32>
  %s = tensor.expand_shape %c [[0], [1, 2], [3], [4]] output_shape [2, 2, 3, 7, 10] : tensor<2x6x7x10xf32> into tensor<2x2x3x7x10xf32>
  %e = tensor.empty() : tensor<2x3x2x7x10xf32>
  %t = linalg.transpose ins(%s : tensor<2x2x3x7x10xf32>) outs(%e : tensor<2x3x2x7x10xf32>) permutation = [0, 2, 1, 3, 4]
  %m = tensor.collapse_shape %t [[0], [1, 2], [3], [4]] : tensor<2x3x2x7x10xf32> into tensor<2x6x7x10xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x6x7x10xf32>, tensor<4x6x1x2xf32>) outs(%fr : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Batch and image known at run time.
// IR-LABEL: func.func @dynamic(
// IR-COUNT-2: linalg.transpose
func.func @dynamic(%x: tensor<?x3x?x?xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %v: tensor<5x5x1x1xf32>) -> tensor<?x4x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %lowest = arith.constant 0xFF800000 : f32
  %n = tensor.dim %x, %c0 : tensor<?x3x?x?xf32>
  %h = tensor.dim %x, %c2 : tensor<?x3x?x?xf32>
  %l = tensor.dim %x, %c3 : tensor<?x3x?x?xf32>
  %h1 = arith.subi %h, %c2 : index
  %l1 = arith.subi %l, %c1 : index
  %l2 = arith.subi %l, %c2 : index
  %l3 = arith.subi %l, %c3 : index
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty(%n, %h1, %l1) : tensor<?x5x?x?xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<?x3x?x?xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  %m0 = tensor.dim %c, %c0 : tensor<?x5x?x?xf32>
  %e = tensor.empty(%m0, %h1, %l2) : tensor<?x5x?x?xf32>
  %f = linalg.fill ins(%lowest : f32) outs(%e : tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  %window = tensor.empty() : tensor<1x2xf32>
  %a = linalg.pooling_nchw_max ins(%c, %window : tensor<?x5x?x?xf32>, tensor<1x2xf32>) outs(%f : tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  %zb = arith.constant 0.0 : f32
  %eb = tensor.empty(%n, %h1, %l2) : tensor<?x5x?x?xf32>
  %fb = linalg.fill ins(%zb : f32) outs(%eb : tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  %b = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a, %v : tensor<?x5x?x?xf32>, tensor<5x5x1x1xf32>) outs(%fb : tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  %m = tensor.concat dim(2) %b, %a : (tensor<?x5x?x?xf32>, tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  %h2 = arith.addi %h1, %h1 : index
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty(%n, %h2, %l3) : tensor<?x4x?x?xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<?x5x?x?xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
  return %r : tensor<?x4x?x?xf32>
}
