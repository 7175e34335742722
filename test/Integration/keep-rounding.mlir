// The executed twin of Loops/fusion-keep-rounding.mlir: each op rounds to bf16,
// to the last bit. Where roundings may be left out, some elements differ.

// RUN: fusion-run %s --verify --rtol=0 --atol=0 --allow-contract-rounding=false | FileCheck %s
// RUN: not fusion-run %s --verify --rtol=0 --atol=0 | FileCheck %s --check-prefix=CONTRACTED

// CHECK: verify: agrees
// CONTRACTED: verify: result 0 differs

func.func @main(%x: tensor<7x9xbf16>, %y: tensor<7x9xbf16>) -> tensor<7x9xbf16> {
  %t = math.tanh %x : tensor<7x9xbf16>
  %m = arith.mulf %y, %t : tensor<7x9xbf16>
  %e = math.exp %m : tensor<7x9xbf16>
  %s = arith.subf %e, %x : tensor<7x9xbf16>
  return %s : tensor<7x9xbf16>
}
