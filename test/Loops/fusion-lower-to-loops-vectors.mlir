// RUN: fusion-opt %s --fusion-lower-to-loops --canonicalize --split-input-file | FileCheck %s

// A few channels that lie side by side are a vector, which stays in a register during the
// reduction.

// CHECK-LABEL: func @sums(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<3x63x8xf32>, %[[F:[a-z0-9]*]]: memref<3x63xf32>, %[[Y:[a-z0-9]*]]: memref<3x8xf32>)
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK:         scf.parallel (%[[N:.*]]) =
// CHECK:           %[[BEGIN:.*]] = vector.load %[[Y]][%[[N]], %[[C0]]] : memref<3x8xf32>, vector<8xf32>
// CHECK-NEXT:      %[[END:.*]] = scf.for %[[P:.*]] = {{.*}} iter_args(%[[SUM:.*]] = %[[BEGIN]]) -> (vector<8xf32>) {
// CHECK-DAG:         %[[E:.*]] = vector.load %[[X]][%[[N]], %[[P]], %[[C0]]] : memref<3x63x8xf32>, vector<8xf32>
// CHECK-DAG:         %[[FACTOR:.*]] = memref.load %[[F]][%[[N]], %[[P]]]
// CHECK:             %[[FACTORS:.*]] = vector.broadcast %[[FACTOR]] : f32 to vector<8xf32>
// CHECK-NEXT:        %[[PRODUCT:.*]] = arith.mulf %[[E]], %[[FACTORS]] : vector<8xf32>
// CHECK-NEXT:        %[[NEXT:.*]] = arith.addf %[[PRODUCT]], %[[SUM]] fastmath<reassoc> : vector<8xf32>
// CHECK-NEXT:        scf.yield %[[NEXT]]
// CHECK:           vector.store %[[END]], %[[Y]][%[[N]], %[[C0]]] : memref<3x8xf32>, vector<8xf32>
func.func @sums(%x: memref<3x63x8xf32>, %f: memref<3x63xf32>, %y: memref<3x8xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(n, c, p) -> (n, p, c)>, affine_map<(n, c, p) -> (n, p)>, affine_map<(n, c, p) -> (n, c)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %f : memref<3x63x8xf32>, memref<3x63xf32>) outs(%y : memref<3x8xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// The vector of a window stays in a register during both of its loops.
// CHECK-LABEL: func @window(
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK-NEXT:      %[[BEGIN:.*]] = vector.load %{{.*}} : memref<1x9x21x17xi32>, vector<17xi32>
// CHECK-NEXT:      %[[END:.*]] = scf.for {{.*}} iter_args(%[[ROW:.*]] = %[[BEGIN]])
// CHECK:             scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[ROW]])
// CHECK:               vector.load {{.*}} : memref<1x30x25x17xi8>, vector<17xi8>
// CHECK-NEXT:          arith.extsi %{{.*}} : vector<17xi8> to vector<17xi32>
// CHECK-NOT:       vector.load
// CHECK:           vector.store %[[END]]
// CHECK-NOT:       vector.store
func.func @window(%x: memref<1x30x25x17xi8>, %w: memref<13x5xi32>, %y: memref<1x9x21x17xi32>) {
  linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : memref<1x30x25x17xi8>, memref<13x5xi32>) outs(%y : memref<1x9x21x17xi32>)
  return
}

// -----

// A vector of fewer than 8 elements waits for the one before too long in a reduction of
// more than 32 iterations, or of as many as only the call knows.
// CHECK-LABEL: func @few_elements(
// CHECK:         vector.load {{.*}} vector<7xf32>
// CHECK-LABEL: func @few_elements_of_many(
// CHECK-NOT:     vector.
// CHECK-LABEL: func @few_elements_of_any_number(
// CHECK-NOT:     vector.
// CHECK-LABEL: func @few_elements_of_many_rows(
// CHECK-NOT:     vector.
#rows = affine_map<(n, c, p) -> (n, p, c)>
#columns = affine_map<(n, c, p) -> (n, c)>
func.func @few_elements(%x: memref<2x32x7xf32>, %y: memref<2x7xf32>) {
  linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x32x7xf32>) outs(%y : memref<2x7xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.maximumf %u, %o : f32
    linalg.yield %s : f32
  }
  return
}
func.func @few_elements_of_many(%x: memref<2x33x7xf32>, %y: memref<2x7xf32>) {
  linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x33x7xf32>) outs(%y : memref<2x7xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.maximumf %u, %o : f32
    linalg.yield %s : f32
  }
  return
}
func.func @few_elements_of_any_number(%x: memref<2x?x7xf32>, %y: memref<2x7xf32>) {
  linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x?x7xf32>) outs(%y : memref<2x7xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.maximumf %u, %o : f32
    linalg.yield %s : f32
  }
  return
}
func.func @few_elements_of_many_rows(%x: memref<1x30x25x7xi8>, %w: memref<13x5xi32>, %y: memref<1x9x21x7xi32>) {
  linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : memref<1x30x25x7xi8>, memref<13x5xi32>) outs(%y : memref<1x9x21x7xi32>)
  return
}

// -----

// More than 256 bytes stay a loop, in which the compiler finds vectors. The widest element
// counts, which the sum has here.
// CHECK-LABEL: func @as_many_bytes(
// CHECK:         vector.load {{.*}} vector<32xf32>
// CHECK-LABEL: func @more_bytes(
// CHECK-NOT:     vector.
// CHECK-LABEL: func @any_number(
// CHECK-NOT:     vector.
#rows2 = affine_map<(n, c, p) -> (n, p, c)>
#columns2 = affine_map<(n, c, p) -> (n, c)>
func.func @as_many_bytes(%x: memref<2x63x32xf32>, %y: memref<2x32xf64>) {
  linalg.generic {indexing_maps = [#rows2, #columns2], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x63x32xf32>) outs(%y : memref<2x32xf64>) {
  ^bb0(%u: f32, %o: f64):
    %e = arith.extf %u : f32 to f64
    %s = arith.addf %e, %o : f64
    linalg.yield %s : f64
  }
  return
}
func.func @more_bytes(%x: memref<2x63x33xf32>, %y: memref<2x33xf64>) {
  linalg.generic {indexing_maps = [#rows2, #columns2], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x63x33xf32>) outs(%y : memref<2x33xf64>) {
  ^bb0(%u: f32, %o: f64):
    %e = arith.extf %u : f32 to f64
    %s = arith.addf %e, %o : f64
    linalg.yield %s : f64
  }
  return
}
func.func @any_number(%x: memref<2x63x?xf32>, %y: memref<2x?xf32>) {
  linalg.generic {indexing_maps = [#rows2, #columns2], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x63x?xf32>) outs(%y : memref<2x?xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %u, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Functions of the math library, indices and elements that are no whole bytes are no ops
// on vectors here.
// CHECK-LABEL: func @function(
// CHECK-NOT:     vector.
// CHECK-LABEL: func @index(
// CHECK-NOT:     vector.
// CHECK-LABEL: func @bits(
// CHECK-NOT:     vector.
#rows3 = affine_map<(n, c, p) -> (n, p, c)>
#columns3 = affine_map<(n, c, p) -> (n, c)>
func.func @function(%x: memref<2x63x8xf32>, %y: memref<2x8xf32>) {
  linalg.generic {indexing_maps = [#rows3, #columns3], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x63x8xf32>) outs(%y : memref<2x8xf32>) {
  ^bb0(%u: f32, %o: f32):
    %e = math.sin %u : f32
    %s = arith.addf %e, %o : f32
    linalg.yield %s : f32
  }
  return
}
func.func @index(%x: memref<2x63x8xi32>, %y: memref<2x8xi32>) {
  linalg.generic {indexing_maps = [#rows3, #columns3], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x63x8xi32>) outs(%y : memref<2x8xi32>) {
  ^bb0(%u: i32, %o: i32):
    %c = linalg.index 1 : index
    %i = arith.index_cast %c : index to i32
    %m = arith.muli %u, %i : i32
    %s = arith.addi %m, %o : i32
    linalg.yield %s : i32
  }
  return
}
func.func @bits(%x: memref<2x63x8xi1>, %y: memref<2x8xi1>) {
  linalg.generic {indexing_maps = [#rows3, #columns3], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x63x8xi1>) outs(%y : memref<2x8xi1>) {
  ^bb0(%u: i1, %o: i1):
    %s = arith.ori %u, %o : i1
    linalg.yield %s : i1
  }
  return
}
