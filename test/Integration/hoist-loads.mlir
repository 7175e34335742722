// RUN: fusion-run %s --entry=softmax --verify | FileCheck %s
// RUN: fusion-run %s --entry=bilinear --verify --threads=2 | FileCheck %s
// RUN: fusion-run %s --entry=nearest --verify | FileCheck %s
// RUN: fusion-run %s --entry=any_size --shape=0:3x7 --shape=1:3 --verify | FileCheck %s
// RUN: fusion-run %s --entry=any_size --shape=0:3x0 --shape=1:3 | FileCheck %s --check-prefix=EMPTY
// RUN: fusion-run %s --entry=in_place --verify | FileCheck %s
// RUN: fusion-run %s --entry=scalar --verify | FileCheck %s

// Loops that load elements once for all iterations.
// CHECK: verify: agrees
// EMPTY: result 0: 3x0xf32

#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
#image = affine_map<(n, h, w, c) -> (n, h, w, c)>

// The maxima, the exponentials and the sums are in one arena.
func.func @softmax(%x: tensor<12x128x128xf32>) -> tensor<12x128x128xf32> {
  %e = tensor.empty() : tensor<12x128x128xf32>
  %r = linalg.softmax dimension(2) ins(%x : tensor<12x128x128xf32>) outs(%e : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
  return %r : tensor<12x128x128xf32>
}

// Between two rows and two columns, in a loop that threads share. Places and weights are in
// tables.
func.func @bilinear(%x: tensor<1x40x40x64xf32>) -> tensor<1x80x80x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c39 = arith.constant 39 : index
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<1x80x80x64xf32>
  %r = linalg.generic {indexing_maps = [#image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%e : tensor<1x80x80x64xf32>) {
  ^bb0(%o: f32):
    %h = linalg.index 1 : index
    %w = linalg.index 2 : index
    %c = linalg.index 3 : index
    %top = arith.divui %h, %c2 : index
    %left = arith.divui %w, %c2 : index
    %below = arith.addi %top, %c1 : index
    %beside = arith.addi %left, %c1 : index
    %bottom = arith.minui %below, %c39 : index
    %right = arith.minui %beside, %c39 : index
    %oddh = arith.remui %h, %c2 : index
    %oddw = arith.remui %w, %c2 : index
    %inth = arith.index_cast %oddh : index to i32
    %intw = arith.index_cast %oddw : index to i32
    %floath = arith.sitofp %inth : i32 to f32
    %floatw = arith.sitofp %intw : i32 to f32
    %down = arith.divf %floath, %two : f32
    %across = arith.divf %floatw, %two : f32
    %a = tensor.extract %x[%c0, %top, %left, %c] : tensor<1x40x40x64xf32>
    %b = tensor.extract %x[%c0, %top, %right, %c] : tensor<1x40x40x64xf32>
    %f = tensor.extract %x[%c0, %bottom, %left, %c] : tensor<1x40x40x64xf32>
    %g = tensor.extract %x[%c0, %bottom, %right, %c] : tensor<1x40x40x64xf32>
    %ba = arith.subf %b, %a : f32
    %gf = arith.subf %g, %f : f32
    %bw = arith.mulf %ba, %across : f32
    %gw = arith.mulf %gf, %across : f32
    %upper = arith.addf %a, %bw : f32
    %lower = arith.addf %f, %gw : f32
    %d = arith.subf %lower, %upper : f32
    %dh = arith.mulf %d, %down : f32
    %s = arith.addf %upper, %dh : f32
    linalg.yield %s : f32
  } -> tensor<1x80x80x64xf32>
  return %r : tensor<1x80x80x64xf32>
}

// Every other pixel of every third row, of which no dimension is merged with the channels.
func.func @nearest(%x: tensor<1x30x20x64xf32>) -> tensor<1x10x10x64xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<1x10x10x64xf32>
  %r = linalg.generic {indexing_maps = [#image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%e : tensor<1x10x10x64xf32>) {
  ^bb0(%o: f32):
    %h = linalg.index 1 : index
    %w = linalg.index 2 : index
    %c = linalg.index 3 : index
    %p = arith.muli %h, %c3 : index
    %q = arith.muli %w, %c2 : index
    %a = tensor.extract %x[%c0, %p, %q, %c] : tensor<1x30x20x64xf32>
    linalg.yield %a : f32
  } -> tensor<1x10x10x64xf32>
  return %r : tensor<1x10x10x64xf32>
}

func.func @any_size(%x: tensor<?x?xf32>, %m: tensor<?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<?x?xf32>, tensor<?xf32>) outs(%x : tensor<?x?xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %s = arith.subf %u, %v : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// The first element of a row is read by all of the row, which is written over the same tensor.
func.func @in_place(%x: tensor<5x67xf32>) -> tensor<5x67xf32> {
  %a = math.absf %x : tensor<5x67xf32>
  %r = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i, 0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %a : tensor<5x67xf32>, tensor<5x67xf32>) outs(%a : tensor<5x67xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %s = arith.subf %u, %v : f32
    linalg.yield %s : f32
  } -> tensor<5x67xf32>
  return %r : tensor<5x67xf32>
}

func.func @scalar(%x: tensor<5x67xf32>, %m: tensor<f32>) -> tensor<5x67xf32> {
  %r = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<5x67xf32>, tensor<f32>) outs(%x : tensor<5x67xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %s = arith.mulf %u, %v : f32
    linalg.yield %s : f32
  } -> tensor<5x67xf32>
  return %r : tensor<5x67xf32>
}
