// Integers that take more bytes in memory than their bits fill, such as the i48 that TOSA adds
// products of i16 up in. Two buffers of them are alive at a time, in one arena.

// RUN: fusion-run %s --entry=i24 --random=0:-3000:3000 --random=1:-3000:3000 --verify --lsb=0 | FileCheck %s
// RUN: fusion-run %s --entry=i40 --random=0:-3000:3000 --random=1:-3000:3000 --verify --lsb=0 | FileCheck %s
// RUN: fusion-run %s --entry=i48 --random=0:-3000:3000 --random=1:-3000:3000 --verify --lsb=0 | FileCheck %s
// CHECK: verify: agrees

#all = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#one = affine_map<(d0) -> (d0)>

func.func @i24(%p: tensor<64x9xi16>, %q: tensor<64x9xi16>) -> tensor<64xi16> {
  %c0 = arith.constant 0 : i24
  %e = tensor.empty() : tensor<64xi24>
  %f = linalg.fill ins(%c0 : i24) outs(%e : tensor<64xi24>) -> tensor<64xi24>
  %a = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<64x9xi16>) outs(%f : tensor<64xi24>) {
  ^bb0(%in: i16, %out: i24):
    %0 = arith.extsi %in : i16 to i24
    %1 = arith.addi %0, %out : i24
    linalg.yield %1 : i24
  } -> tensor<64xi24>
  %b = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%q : tensor<64x9xi16>) outs(%f : tensor<64xi24>) {
  ^bb0(%in: i16, %out: i24):
    %0 = arith.extsi %in : i16 to i24
    %1 = arith.addi %0, %out : i24
    linalg.yield %1 : i24
  } -> tensor<64xi24>
  %e16 = tensor.empty() : tensor<64xi16>
  %r = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]} ins(%a, %b : tensor<64xi24>, tensor<64xi24>) outs(%e16 : tensor<64xi16>) {
  ^bb0(%in: i24, %other: i24, %out: i16):
    %0 = arith.subi %in, %other : i24
    %1 = arith.trunci %0 : i24 to i16
    linalg.yield %1 : i16
  } -> tensor<64xi16>
  return %r : tensor<64xi16>
}

func.func @i40(%p: tensor<64x9xi16>, %q: tensor<64x9xi16>) -> tensor<64xi16> {
  %c0 = arith.constant 0 : i40
  %e = tensor.empty() : tensor<64xi40>
  %f = linalg.fill ins(%c0 : i40) outs(%e : tensor<64xi40>) -> tensor<64xi40>
  %a = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<64x9xi16>) outs(%f : tensor<64xi40>) {
  ^bb0(%in: i16, %out: i40):
    %0 = arith.extsi %in : i16 to i40
    %1 = arith.addi %0, %out : i40
    linalg.yield %1 : i40
  } -> tensor<64xi40>
  %b = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%q : tensor<64x9xi16>) outs(%f : tensor<64xi40>) {
  ^bb0(%in: i16, %out: i40):
    %0 = arith.extsi %in : i16 to i40
    %1 = arith.addi %0, %out : i40
    linalg.yield %1 : i40
  } -> tensor<64xi40>
  %e16 = tensor.empty() : tensor<64xi16>
  %r = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]} ins(%a, %b : tensor<64xi40>, tensor<64xi40>) outs(%e16 : tensor<64xi16>) {
  ^bb0(%in: i40, %other: i40, %out: i16):
    %0 = arith.subi %in, %other : i40
    %1 = arith.trunci %0 : i40 to i16
    linalg.yield %1 : i16
  } -> tensor<64xi16>
  return %r : tensor<64xi16>
}

func.func @i48(%p: tensor<64x9xi16>, %q: tensor<64x9xi16>) -> tensor<64xi16> {
  %c0 = arith.constant 0 : i48
  %e = tensor.empty() : tensor<64xi48>
  %f = linalg.fill ins(%c0 : i48) outs(%e : tensor<64xi48>) -> tensor<64xi48>
  %a = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<64x9xi16>) outs(%f : tensor<64xi48>) {
  ^bb0(%in: i16, %out: i48):
    %0 = arith.extsi %in : i16 to i48
    %1 = arith.addi %0, %out : i48
    linalg.yield %1 : i48
  } -> tensor<64xi48>
  %b = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%q : tensor<64x9xi16>) outs(%f : tensor<64xi48>) {
  ^bb0(%in: i16, %out: i48):
    %0 = arith.extsi %in : i16 to i48
    %1 = arith.addi %0, %out : i48
    linalg.yield %1 : i48
  } -> tensor<64xi48>
  %e16 = tensor.empty() : tensor<64xi16>
  %r = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]} ins(%a, %b : tensor<64xi48>, tensor<64xi48>) outs(%e16 : tensor<64xi16>) {
  ^bb0(%in: i48, %other: i48, %out: i16):
    %0 = arith.subi %in, %other : i48
    %1 = arith.trunci %0 : i48 to i16
    linalg.yield %1 : i16
  } -> tensor<64xi16>
  return %r : tensor<64xi16>
}
