//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_DIALECT_TD
#define FUSION_DIALECT_TD

include "mlir/IR/OpBase.td"

def Fusion_Dialect : Dialect {
  let name = "fusion";
  let cppNamespace = "::fusion";
  let summary = "Convolutions with everything around them folded in";
  let description = [{
    The `fusion` dialect has destination-style ops for a convolution, a transposed
    convolution and a matrix multiplication, each with bias, residual and activation,
    and for a pool. The `fusion.rt.*` ops stand for calls of the runtime library. The
    steps of `fusion-fuse`, such as `fusion.add_channel`, exist inside that pass only.

    An argument of a function marked `fusion.constant` is a weight: its contents never
    change between calls. The runtime may pack it once. An argument may carry its name
    in `fusion.name`.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif // FUSION_DIALECT_TD
