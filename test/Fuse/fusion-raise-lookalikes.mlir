// RUN: fusion-opt %s --fusion-raise --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s --check-prefix=NONE

// Ops that look like a convolution but are none that is known. Nothing is reported for
// a reduction that only has products in it.

// NONE-NOT: fusion.

#in = affine_map<(n, f, w, c, k) -> (n, c, w + k)>
#filter = affine_map<(n, f, w, c, k) -> (f, c, k)>
#out = affine_map<(n, f, w, c, k) -> (n, f, w)>
#back = affine_map<(n, f, w, c, k) -> (n, c, w - k + 2)>
#strided = affine_map<(n, f, w, c, k) -> (n, c, w floordiv 2 + k)>

// The product is subtracted,
func.func @subtracted(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>, %o: tensor<2x4x7xf32>) -> tensor<2x4x7xf32> {
  %r = linalg.generic {indexing_maps = [#in, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: body is not one multiplication and one addition{{$}}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<4x3x3xf32>) outs(%o : tensor<2x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.subf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x4x7xf32>
  return %r : tensor<2x4x7xf32>
}

// or added by the multiplication,
func.func @multiply_add(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>, %o: tensor<2x4x7xf32>) -> tensor<2x4x7xf32> {
  %r = linalg.generic {indexing_maps = [#in, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: body is not one multiplication and one addition{{$}}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<4x3x3xf32>) outs(%o : tensor<2x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %s = math.fma %a, %b, %acc : f32
    linalg.yield %s : f32
  } -> tensor<2x4x7xf32>
  return %r : tensor<2x4x7xf32>
}

// or changed first,
func.func @relu_of_product(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>, %o: tensor<2x4x7xf32>) -> tensor<2x4x7xf32> {
  %r = linalg.generic {indexing_maps = [#in, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: body is not one multiplication and one addition{{$}}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<4x3x3xf32>) outs(%o : tensor<2x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %zero = arith.constant 0.0 : f32
    %m = arith.mulf %a, %b : f32
    %u = arith.maximumf %m, %zero : f32
    %s = arith.addf %acc, %u : f32
    linalg.yield %s : f32
  } -> tensor<2x4x7xf32>
  return %r : tensor<2x4x7xf32>
}

// or the sum is rounded at each step.
func.func @accumulates_wider(%x: tensor<2x3x9xbf16>, %w: tensor<4x3x3xbf16>, %o: tensor<2x4x7xbf16>) -> tensor<2x4x7xbf16> {
  %r = linalg.generic {indexing_maps = [#in, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: body is not one multiplication and one addition{{$}}
         ins(%x, %w : tensor<2x3x9xbf16>, tensor<4x3x3xbf16>) outs(%o : tensor<2x4x7xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %acc: bf16):
    %a1 = arith.extf %a : bf16 to f32
    %b1 = arith.extf %b : bf16 to f32
    %c1 = arith.extf %acc : bf16 to f32
    %m = arith.mulf %a1, %b1 : f32
    %t = arith.addf %c1, %m : f32
    %s = arith.truncf %t : f32 to bf16
    linalg.yield %s : bf16
  } -> tensor<2x4x7xbf16>
  return %r : tensor<2x4x7xbf16>
}

func.func @filter_first_reads_past_the_end(%x: tensor<?x3x9xf32>, %w: tensor<4x2x3xf32>, %o: tensor<?x4x7xf32>) -> tensor<?x4x7xf32> {
  %r = linalg.generic {indexing_maps = [#filter, #in, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
  // CHECK: :[[#@LINE-1]]:8: not fused: loop 3 has 2 iterations for 'filter' and 3 for 'input'{{$}}
         ins(%w, %x : tensor<4x2x3xf32>, tensor<?x3x9xf32>) outs(%o : tensor<?x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x4x7xf32>
  return %r : tensor<?x4x7xf32>
}

// Each place of the image has a filter of its own.
func.func @locally_connected(%x: tensor<2x3x9xf32>, %w: tensor<7x3x3xf32>, %o: tensor<2x7xf32>) -> tensor<2x7xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, w, c, k) -> (n, c, w + k)>, affine_map<(n, w, c, k) -> (w, c, k)>, affine_map<(n, w, c, k) -> (n, w)>],
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: loop 1 is none of batch, group, channel or window{{$}}
         iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<7x3x3xf32>) outs(%o : tensor<2x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x7xf32>
  return %r : tensor<2x7xf32>
}

// Only the diagonal of the channels is read.
func.func @channel_twice(%x: tensor<2x3x3x9xf32>, %w: tensor<4x3x3xf32>, %o: tensor<2x4x7xf32>) -> tensor<2x4x7xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, w, c, k) -> (n, c, c, w + k)>, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: loop 3 is none of batch, group, channel or window{{$}}
         ins(%x, %w : tensor<2x3x3x9xf32>, tensor<4x3x3xf32>) outs(%o : tensor<2x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x4x7xf32>
  return %r : tensor<2x4x7xf32>
}

// A window of which the output has no dimension.
func.func @window_summed_up(%x: tensor<2x9x8xf32>, %w: tensor<4x3x2x3xf32>, %o: tensor<2x4x7xf32>) -> tensor<2x4x7xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, w, k, i, j) -> (n, w + k, i + j)>, affine_map<(n, f, w, k, i, j) -> (f, k, i, j)>, affine_map<(n, f, w, k, i, j) -> (n, f, w)>],
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: 3 spatial dimensions, of which 1 are windows; expected 1 to 3 windows{{$}}
         iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%x, %w : tensor<2x9x8xf32>, tensor<4x3x2x3xf32>) outs(%o : tensor<2x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x4x7xf32>
  return %r : tensor<2x4x7xf32>
}

// The result has a dimension that no loop counts through.
func.func @result_constant(%x: tensor<2x9xf32>, %w: tensor<4x3xf32>, %o: tensor<2x1x4x7xf32>) -> tensor<2x1x4x7xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, w, k) -> (n, w + k)>, affine_map<(n, f, w, k) -> (f, k)>, affine_map<(n, f, w, k) -> (n, 0, f, w)>],
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: 'init' is indexed by 0{{$}}
         iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<2x9xf32>, tensor<4x3xf32>) outs(%o : tensor<2x1x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x1x4x7xf32>
  return %r : tensor<2x1x4x7xf32>
}

// One channel is read, and how many the filter has is not known.
func.func @channels_unknown(%x: tensor<2x1x9xf32>, %w: tensor<4x?x3xf32>, %o: tensor<2x4x7xf32>) -> tensor<2x4x7xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, w, c, k) -> (n, 0, w + k)>, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: loop 3 is none of batch, group, channel or window{{$}}
         ins(%x, %w : tensor<2x1x9xf32>, tensor<4x?x3xf32>) outs(%o : tensor<2x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x4x7xf32>
  return %r : tensor<2x4x7xf32>
}

// The windows go backwards,
func.func @window_backwards(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>, %o: tensor<2x4x7xf32>) -> tensor<2x4x7xf32> {
  %r = linalg.generic {indexing_maps = [#back, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: windows are not a sum of output and kernel dimensions{{$}}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<4x3x3xf32>) outs(%o : tensor<2x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x4x7xf32>
  return %r : tensor<2x4x7xf32>
}

// or move at every other step.
func.func @window_of_half_steps(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>, %o: tensor<2x4x7xf32>) -> tensor<2x4x7xf32> {
  %r = linalg.generic {indexing_maps = [#strided, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
  // CHECK: :[[#@LINE-1]]:8: not fused: unsupported: windows are not a sum of output and kernel dimensions{{$}}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<4x3x3xf32>) outs(%o : tensor<2x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x4x7xf32>
  return %r : tensor<2x4x7xf32>
}

// The sum of squared distances is no matrix multiplication.
func.func @distances(%x: tensor<4x3xf32>, %w: tensor<5x3xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<4x3xf32>, tensor<5x3xf32>) outs(%o : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %d = arith.subf %a, %b : f32
    %m = arith.mulf %d, %d : f32
    %e = math.sqrt %m : f32
    %s = arith.addf %acc, %e : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
