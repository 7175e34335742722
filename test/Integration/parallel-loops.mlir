// RUN: rm -rf %t && mkdir %t
// RUN: fusion-run %s --entry=pointwise --verify --threads=1 --output=%t/1 | FileCheck %s
// RUN: fusion-run %s --entry=pointwise --verify --threads=2 --output=%t/2 | FileCheck %s
// RUN: fusion-run %s --entry=pointwise --verify --threads=3 --output=%t/3 | FileCheck %s
// RUN: cmp %t/1/result0.npy %t/2/result0.npy
// RUN: cmp %t/1/result0.npy %t/3/result0.npy
// RUN: fusion-run %s --entry=rows --verify --threads=1 --output=%t/1 | FileCheck %s
// RUN: fusion-run %s --entry=rows --verify --threads=2 --output=%t/2 | FileCheck %s
// RUN: fusion-run %s --entry=rows --verify --threads=3 --output=%t/3 | FileCheck %s
// RUN: cmp %t/1/result0.npy %t/2/result0.npy
// RUN: cmp %t/1/result0.npy %t/3/result0.npy
// RUN: cmp %t/1/result1.npy %t/3/result1.npy
// RUN: fusion-run %s --entry=dynamic --shape=0:61x67x71 --shape=1:71 --verify --threads=3 | FileCheck %s
// RUN: fusion-run %s --entry=dynamic --shape=0:3x2x71 --shape=1:71 --verify --threads=3 | FileCheck %s
// RUN: fusion-run %s --entry=concatenation --verify --threads=3 | FileCheck %s
// RUN: fusion-run %s --entry=softmax --verify --threads=3 | FileCheck %s
// RUN: fusion-run %s --entry=softmax --verify --threads=2 --mode=unfused | FileCheck %s
// RUN: fusion-run %s --entry=softmax_of_infinity --verify --random=0:0:1e38 | FileCheck %s
// RUN: fusion-run %s --entry=columns --verify --threads=3 | FileCheck %s
// RUN: fusion-run %s --entry=loop --random=1:3:4 --verify --threads=2 | FileCheck %s
// RUN: fusion-run %s --entry=loop_of_the_program --verify --threads=3 | FileCheck %s
// RUN: fusion-run %s --entry=kernels_inside --verify --threads=2 | FileCheck %s

// RUN: fusion-opt %s --fusion-compile | FileCheck %s --check-prefix=IR

// Loops that threads share: large enough to be shared by default, of sizes that no
// number of threads divides, and equal bit by bit however many there are.

// CHECK: verify: agrees

// IR-LABEL: llvm.func @pointwise(
// IR:         llvm.call @fusion_rt_parallel_for_checked(
// IR-LABEL: llvm.func @rows(
// IR-COUNT-2: llvm.call @fusion_rt_parallel_for_checked(
// IR-LABEL: llvm.func @dynamic(
// IR:         llvm.call @fusion_rt_parallel_for_checked(
// IR-LABEL: llvm.func @concatenation(
// IR-COUNT-2: llvm.call @fusion_rt_parallel_for_checked(
// IR-LABEL: llvm.func @softmax(
// IR:         llvm.call @fusion_rt_parallel_for_checked(
// IR-LABEL: llvm.func @softmax_of_infinity(
// IR-NOT:     llvm.call @fusion_rt_parallel_for_checked(
// IR-LABEL: llvm.func @columns(
// IR-NOT:     llvm.call @fusion_rt_parallel_for_checked(
// IR-LABEL: llvm.func @loop(
// IR:         llvm.call @fusion_rt_parallel_for_checked(
// IR-LABEL: llvm.func @loop_of_the_program(
// IR:         llvm.call @fusion_rt_parallel_for_checked(
// IR-LABEL: llvm.func @kernels_inside(
// IR-NOT:     llvm.call @fusion_rt_parallel_for_checked(
// IR:         llvm.call @fusion_call_conv_
// IR:         llvm.return

#id = affine_map<(a, b, c) -> (a, b, c)>
#last = affine_map<(a, b, c) -> (c)>

func.func @pointwise(%x: tensor<61x67x71xf32>, %b: tensor<71xf32>) -> tensor<61x67x71xf32> {
  %e = tensor.empty() : tensor<61x67x71xf32>
  %r = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %b : tensor<61x67x71xf32>, tensor<71xf32>) outs(%e : tensor<61x67x71xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %s = arith.addf %u, %v : f32
    %t = math.tanh %s : f32
    %f = math.erf %t : f32
    linalg.yield %f : f32
  } -> tensor<61x67x71xf32>
  return %r : tensor<61x67x71xf32>
}

func.func @rows(%x: tensor<521x4099xf32>) -> (tensor<521xf32>, tensor<521xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<521xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<521xf32>) -> tensor<521xf32>
  %m = linalg.reduce ins(%x : tensor<521x4099xf32>) outs(%f : tensor<521xf32>) dimensions = [1]
    (%u: f32, %o: f32) {
      %v = arith.maximumf %u, %o : f32
      linalg.yield %v : f32
    }
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<521xf32>) -> tensor<521xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<521x4099xf32>) outs(%g : tensor<521xf32>) dimensions = [1]
  return %m, %s : tensor<521xf32>, tensor<521xf32>
}

func.func @dynamic(%x: tensor<?x?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?x?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %b : tensor<?x?x?xf32>, tensor<?xf32>) outs(%x : tensor<?x?x?xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %s = arith.mulf %u, %v : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @concatenation(%x: tensor<1x211x103x53xf32>, %y: tensor<1x211x103x48xf32>) -> tensor<1x211x103x101xf32> {
  %r = tensor.concat dim(3) %x, %y : (tensor<1x211x103x53xf32>, tensor<1x211x103x48xf32>) -> tensor<1x211x103x101xf32>
  return %r : tensor<1x211x103x101xf32>
}

func.func @softmax(%x: tensor<6x311x307xf32>) -> tensor<6x311x307xf32> {
  %e = tensor.empty() : tensor<6x311x307xf32>
  %r = linalg.softmax dimension(2) ins(%x : tensor<6x311x307xf32>) outs(%e : tensor<6x311x307xf32>) -> tensor<6x311x307xf32>
  return %r : tensor<6x311x307xf32>
}

// A softmax along the outer dimension of numbers so far apart that exp is mostly 0.
func.func @softmax_of_infinity(%x: tensor<7x13xf32>) -> tensor<7x13xf32> {
  %e = tensor.empty() : tensor<7x13xf32>
  %r = linalg.softmax dimension(0) ins(%x : tensor<7x13xf32>) outs(%e : tensor<7x13xf32>) -> tensor<7x13xf32>
  return %r : tensor<7x13xf32>
}

// A reduction in the outer dimension: nothing that threads could share without adding
// up in another order.
func.func @columns(%x: tensor<4099x67xf32>) -> tensor<67xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<67xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<67xf32>) -> tensor<67xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<4099x67xf32>) outs(%f : tensor<67xf32>) {
  ^bb0(%u: f32, %o: f32):
    %v = arith.addf %u, %o : f32
    linalg.yield %v : f32
  } -> tensor<67xf32>
  return %s : tensor<67xf32>
}

// A parallel loop in a loop of the program, which reads the results of the threads.
func.func @loop(%x: tensor<509x1021xf32>, %n: index) -> tensor<509x1021xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<509x1021xf32> {
    %e = math.exp %a : tensor<509x1021xf32>
    %d = arith.subf %e, %a : tensor<509x1021xf32>
    %t = math.tanh %d : tensor<509x1021xf32>
    scf.yield %t : tensor<509x1021xf32>
  }
  return %r : tensor<509x1021xf32>
}

func.func @loop_of_the_program(%x: tensor<103x8191xf32>) -> tensor<103x8191xf32> {
  %e = tensor.empty() : tensor<103x8191xf32>
  %r = scf.forall (%i) in (103) shared_outs(%o = %e) -> tensor<103x8191xf32> {
    %row = tensor.extract_slice %x[%i, 0] [1, 8191] [1, 1] : tensor<103x8191xf32> to tensor<8191xf32>
    %t = math.exp %row : tensor<8191xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, 0] [1, 8191] [1, 1] : tensor<8191xf32> into tensor<103x8191xf32>
    }
  }
  return %r : tensor<103x8191xf32>
}

// A parallel loop around kernels, which have the threads themselves.
func.func @kernels_inside(%x: tensor<5x1x4x63x65xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<5x1x8x61x63xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x1x8x61x63xf32>
  %r = scf.forall (%i) in (5) shared_outs(%o = %e) -> tensor<5x1x8x61x63xf32> {
    %image = tensor.extract_slice %x[%i, 0, 0, 0, 0] [1, 1, 4, 63, 65] [1, 1, 1, 1, 1] : tensor<5x1x4x63x65xf32> to tensor<1x4x63x65xf32>
    %d = tensor.empty() : tensor<1x8x61x63xf32>
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<1x8x61x63xf32>) -> tensor<1x8x61x63xf32>
    %c = linalg.conv_2d_nchw_fchw ins(%image, %w : tensor<1x4x63x65xf32>, tensor<8x4x3x3xf32>) outs(%f : tensor<1x8x61x63xf32>) -> tensor<1x8x61x63xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i, 0, 0, 0, 0] [1, 1, 8, 61, 63] [1, 1, 1, 1, 1] : tensor<1x8x61x63xf32> into tensor<5x1x8x61x63xf32>
    }
  }
  return %r : tensor<5x1x8x61x63xf32>
}
