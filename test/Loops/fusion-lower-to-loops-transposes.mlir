// RUN: fusion-opt %s --fusion-lower-to-loops --canonicalize --split-input-file | FileCheck %s

// Transposes move blocks of 16x16 elements, or 8x8 of 64 bits, in registers.

// CHECK-LABEL: func @whole(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<32x48xf32>, %[[Y:[a-z0-9]*]]: memref<48x32xf32>
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG:     %[[C48:.*]] = arith.constant 48 : index
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]]) = (%[[C0]], %[[C0]]) to (%[[C48]], %[[C32]]) step (%[[C16]], %[[C16]])
// CHECK-NEXT:      vector.load %[[X]][%[[J]], %[[I]]] : memref<32x48xf32>, vector<16xf32>
// CHECK-NEXT:      %[[J1:.*]] = arith.addi %[[J]], %{{.*}}
// CHECK-NEXT:      vector.load %[[X]][%[[J1]], %[[I]]] : memref<32x48xf32>, vector<16xf32>
// CHECK-COUNT-14:  vector.load
// CHECK-NOT:       vector.load
// CHECK-COUNT-64:  vector.shuffle
// CHECK-NOT:       vector.shuffle
// CHECK:           vector.store %{{.*}}, %[[Y]][%[[I]], %[[J]]] : memref<48x32xf32>, vector<16xf32>
// CHECK-NEXT:      %[[I1:.*]] = arith.addi %[[I]], %{{.*}}
// CHECK-NEXT:      vector.store %{{.*}}, %[[Y]][%[[I1]], %[[J]]] : memref<48x32xf32>, vector<16xf32>
// CHECK-COUNT-14:  vector.store
// CHECK-NOT:       vector.store
// CHECK-NOT:     scf.parallel
// CHECK:         return
func.func @whole(%x: memref<32x48xf32>, %y: memref<48x32xf32>) {
  linalg.transpose ins(%x : memref<32x48xf32>) outs(%y : memref<48x32xf32>) permutation = [1, 0]
  return
}

// -----

// Of the 3 last columns a block has the 13 in front of them, too, but does not store these.
// The iteration of the last whole block moves it.
// CHECK-LABEL: func @columns(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<32x51xf32>, %[[Y:[a-z0-9]*]]: memref<51x32xf32>
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG:     %[[C35:.*]] = arith.constant 35 : index
// CHECK-DAG:     %[[C48:.*]] = arith.constant 48 : index
// CHECK-DAG:     %[[C50:.*]] = arith.constant 50 : index
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}) = (%[[C0]], %[[C0]]) to (%[[C32]], %[[C32]])
// CHECK-COUNT-16:  vector.store
// CHECK-NOT:       vector.store
// CHECK:         scf.parallel (%[[J:.*]]) = (%[[C0]]) to (%[[C32]])
// CHECK-NEXT:      vector.load %[[X]][%[[J]], %[[C32]]]
// CHECK-COUNT-15:  vector.load
// CHECK-COUNT-16:  vector.store
// CHECK:           vector.load %[[X]][%[[J]], %[[C35]]]
// CHECK-COUNT-15:  vector.load
// CHECK-NOT:       vector.load
// CHECK-NOT:       vector.store
// CHECK:           vector.store %{{.*}}, %[[Y]][%[[C48]], %[[J]]]
// CHECK-NEXT:      vector.store
// CHECK-NEXT:      vector.store %{{.*}}, %[[Y]][%[[C50]], %[[J]]]
// CHECK-NOT:       vector.store
// CHECK-NOT:     scf.parallel
// CHECK:         return
func.func @columns(%x: memref<32x51xf32>, %y: memref<51x32xf32>) {
  linalg.transpose ins(%x : memref<32x51xf32>) outs(%y : memref<51x32xf32>) permutation = [1, 0]
  return
}

// -----

// A block of the 5 last rows stores 11 others again. It is in the iteration of the block
// that stores these, too, so that no other thread does.
// CHECK-LABEL: func @rows_of_a_block(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<37x32xf32>, %[[Y:[a-z0-9]*]]: memref<32x37xf32>
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG:     %[[C21:.*]] = arith.constant 21 : index
// CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : index
// CHECK:         scf.parallel (%{{.*}}) = (%[[C0]]) to (%[[C32]])
// CHECK-COUNT-16:  vector.store
// CHECK-NOT:       vector.store
// CHECK:         scf.parallel (%[[I:.*]]) = (%[[C0]]) to (%[[C32]])
// CHECK:           vector.store %{{.*}}, %[[Y]][%[[I]], %[[C16]]]
// CHECK-COUNT-15:  vector.store
// CHECK-NOT:       vector.store
// CHECK:           vector.load %[[X]][%[[C21]], %[[I]]]
// CHECK:           vector.store %{{.*}}, %[[Y]][%[[I]], %[[C21]]] : memref<32x37xf32>, vector<16xf32>
// CHECK-COUNT-15:  vector.store
// CHECK-NOT:       vector.store
// CHECK-NOT:     scf.parallel
// CHECK:         return
func.func @rows_of_a_block(%x: memref<37x32xf32>, %y: memref<32x37xf32>) {
  linalg.transpose ins(%x : memref<37x32xf32>) outs(%y : memref<32x37xf32>) permutation = [1, 0]
  return
}

// -----

// Both have a rest, and one whole block only: four blocks.
// CHECK-LABEL: func @both(
// CHECK-NOT:     memref.subview
// CHECK-COUNT-64: vector.load
// CHECK-NOT:     vector.load
// CHECK-NOT:     scf.parallel
// CHECK:         return
func.func @both(%x: memref<17x19xf32>, %y: memref<19x17xf32>) {
  linalg.transpose ins(%x : memref<17x19xf32>) outs(%y : memref<19x17xf32>) permutation = [1, 0]
  return
}

// -----

// A step gives each row an element, or two, of its neighbour.
// CHECK-LABEL: func @steps(
// CHECK-COUNT-8: vector.load {{.*}} vector<8xf64>
// CHECK:         vector.shuffle %{{.*}}, %{{.*}} [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>
// CHECK-NEXT:    vector.shuffle %{{.*}}, %{{.*}} [1, 9, 3, 11, 5, 13, 7, 15] : vector<8xf64>
// CHECK:         vector.shuffle %{{.*}}, %{{.*}} [0, 1, 8, 9, 4, 5, 12, 13] : vector<8xf64>
// CHECK-NEXT:    vector.shuffle %{{.*}}, %{{.*}} [2, 3, 10, 11, 6, 7, 14, 15] : vector<8xf64>
// CHECK:         vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 8, 9, 10, 11] : vector<8xf64>
// CHECK-NEXT:    vector.shuffle %{{.*}}, %{{.*}} [4, 5, 6, 7, 12, 13, 14, 15] : vector<8xf64>
func.func @steps(%x: memref<8x8xf64>, %y: memref<8x8xf64>) {
  linalg.transpose ins(%x : memref<8x8xf64>) outs(%y : memref<8x8xf64>) permutation = [1, 0]
  return
}

// -----

// Rows and columns of an image are one dimension. The number of images is not known.
// CHECK-LABEL: func @channels_last(
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG:     %[[C48:.*]] = arith.constant 48 : index
// CHECK-DAG:     %[[X:.*]] = memref.collapse_shape %{{.*}} : memref<?x32x6x8xf32> into memref<?x32x48xf32>
// CHECK:         scf.parallel (%[[N:.*]], %[[I:.*]], %[[J:.*]]) = {{.*}} to (%{{.*}}, %[[C48]], %[[C32]]) step (%[[C1]], %[[C16]], %[[C16]])
// CHECK-NEXT:      vector.load %[[X]][%[[N]], %[[J]], %[[I]]]
func.func @channels_last(%x: memref<?x32x6x8xf32>, %y: memref<?x6x8x32xf32>) {
  linalg.transpose ins(%x : memref<?x32x6x8xf32>) outs(%y : memref<?x6x8x32xf32>) permutation = [0, 2, 3, 1]
  return
}

// -----

// A part of a buffer, in bytes; the map of the target transposes.
// CHECK-LABEL: func @part(
// CHECK-SAME:    %{{.*}}: memref<16x32xi8>, %[[Y:[a-z0-9]*]]: memref<32x16xi8, strided<[99, 1], offset: ?>>
// CHECK-COUNT-16: vector.load %{{.*}} : memref<16x32xi8>, vector<16xi8>
// CHECK:         vector.store %{{.*}}, %[[Y]]
func.func @part(%x: memref<16x32xi8>, %y: memref<32x16xi8, strided<[99, 1], offset: ?>>) {
  linalg.generic {
      indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (b, a)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<16x32xi8>) outs(%y : memref<32x16xi8, strided<[99, 1], offset: ?>>) {
  ^bb0(%u: i8, %o: i8):
    linalg.yield %u : i8
  }
  return
}

// -----

// Loops over elements: too few channels or too few pixels for a block;
// CHECK-LABEL: func @few_channels(
// CHECK-NOT:     vector.
// CHECK-LABEL: func @few_pixels(
// CHECK-NOT:     vector.
func.func @few_channels(%x: memref<1x15x64x64xf32>, %y: memref<1x64x64x15xf32>) {
  linalg.transpose ins(%x : memref<1x15x64x64xf32>) outs(%y : memref<1x64x64x15xf32>) permutation = [0, 2, 3, 1]
  return
}
func.func @few_pixels(%x: memref<1x64x3x5xf32>, %y: memref<1x3x5x64xf32>) {
  linalg.transpose ins(%x : memref<1x64x3x5xf32>) outs(%y : memref<1x3x5x64xf32>) permutation = [0, 2, 3, 1]
  return
}

// -----

// sizes that are not known;
// CHECK-LABEL: func @dynamic(
// CHECK-NOT:     vector.
func.func @dynamic(%x: memref<?x64xf32>, %y: memref<64x?xf32>) {
  linalg.transpose ins(%x : memref<?x64xf32>) outs(%y : memref<64x?xf32>) permutation = [1, 0]
  return
}

// -----

// the innermost dimension stays innermost;
// CHECK-LABEL: func @rows(
// CHECK-NOT:     vector.
func.func @rows(%x: memref<32x48x64xf32>, %y: memref<48x32x64xf32>) {
  linalg.transpose ins(%x : memref<32x48x64xf32>) outs(%y : memref<48x32x64xf32>) permutation = [1, 0, 2]
  return
}

// -----

// elements that are no whole bytes, that have no number of bits here, that are apart;
// CHECK-LABEL: func @bits(
// CHECK-NOT:     vector.
// CHECK-LABEL: func @indices(
// CHECK-NOT:     vector.
// CHECK-LABEL: func @apart(
// CHECK-NOT:     vector.
func.func @bits(%x: memref<32x64xi1>, %y: memref<64x32xi1>) {
  linalg.transpose ins(%x : memref<32x64xi1>) outs(%y : memref<64x32xi1>) permutation = [1, 0]
  return
}
func.func @indices(%x: memref<32x64xindex>, %y: memref<64x32xindex>) {
  linalg.transpose ins(%x : memref<32x64xindex>) outs(%y : memref<64x32xindex>) permutation = [1, 0]
  return
}
func.func @apart(%x: memref<32x64xf32, strided<[128, 2]>>, %y: memref<64x32xf32>) {
  linalg.transpose ins(%x : memref<32x64xf32, strided<[128, 2]>>) outs(%y : memref<64x32xf32>) permutation = [1, 0]
  return
}

// -----

// a buffer in tiles;
// CHECK-LABEL: func @tiles(
// CHECK-NOT:     vector.
#tiles = affine_map<(a, b) -> (a floordiv 2, b, a mod 2)>
func.func @tiles(%x: memref<32x64xf32, #tiles>, %y: memref<64x32xf32>) {
  linalg.transpose ins(%x : memref<32x64xf32, #tiles>) outs(%y : memref<64x32xf32>) permutation = [1, 0]
  return
}

// -----

// an op that computes; one that does not read its input; one that reads a diagonal.
// CHECK-LABEL: func @computes(
// CHECK-NOT:     vector.
// CHECK-LABEL: func @fills(
// CHECK-NOT:     vector.
// CHECK-LABEL: func @diagonal(
// CHECK-NOT:     vector.
#id = affine_map<(a, b) -> (a, b)>
#swapped = affine_map<(a, b) -> (b, a)>
func.func @computes(%x: memref<32x64xf32>, %y: memref<64x32xf32>) {
  linalg.generic {indexing_maps = [#swapped, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<32x64xf32>) outs(%y : memref<64x32xf32>) {
  ^bb0(%u: f32, %o: f32):
    %r = arith.negf %u : f32
    linalg.yield %r : f32
  }
  return
}
func.func @fills(%x: memref<32x64xf32>, %y: memref<64x32xf32>, %v: f32) {
  linalg.generic {indexing_maps = [#swapped, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<32x64xf32>) outs(%y : memref<64x32xf32>) {
  ^bb0(%u: f32, %o: f32):
    linalg.yield %v : f32
  }
  return
}
func.func @diagonal(%x: memref<32x64x64xf32>, %y: memref<64x32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(a, b) -> (b, a, a)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<32x64x64xf32>) outs(%y : memref<64x32xf32>) {
  ^bb0(%u: f32, %o: f32):
    linalg.yield %u : f32
  }
  return
}
