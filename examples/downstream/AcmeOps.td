// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef ACME_OPS
#define ACME_OPS

include "FusionDialect/Interfaces/TransposableOpInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Acme_Dialect : Dialect {
  let name = "acme";
  let cppNamespace = "::acme";
}

def Acme_BlockOp : Op<Acme_Dialect, "block", [Pure]> {
  let summary = "a layer of Acme's networks";
  let description = [{
    A 3x3 convolution of an image n, h, w, c with a filter f, h, w, c, a bias, and a
    relu that ends at 6. The image is padded so that `stride` alone decides the size
    of the result: h / stride, w / stride.
  }];
  let arguments = (ins TensorRankOf<[F32], [4]>:$image,
                       TensorRankOf<[F32], [4]>:$filter,
                       TensorRankOf<[F32], [1]>:$bias,
                       DefaultValuedAttr<I64Attr, "1">:$stride);
  let results = (outs TensorRankOf<[F32], [4]>:$result);
  let assemblyFormat = [{
    $image `,` $filter `,` $bias attr-dict
    `:` type($image) `,` type($filter) `,` type($bias) `->` type($result)
  }];
}

def Acme_Relu6Op : Op<Acme_Dialect, "relu6", [Pure, SameOperandsAndResultType]> {
  let summary = "min(max(x, 0), 6) of each element";
  let description = [{
    Stays an op of Acme's, which has code of its own for it. Behind a convolution it
    is folded into that, by the law in AcmeLaws.pdll.
  }];
  let arguments = (ins RankedTensorOf<[F32]>:$value);
  let results = (outs RankedTensorOf<[F32]>:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Acme_ShuffleOp : Op<Acme_Dialect, "shuffle", [Pure, SameOperandsAndResultType,
    DeclareOpInterfaceMethods<Fusion_TransposableOpInterface>]> {
  let summary = "shuffle of channels, as ShuffleNet has it";
  let description = [{
    Dimension `dim` has `groups` groups of elements. The result has the first element of
    each of them, then the second of each, and so on.
  }];
  let arguments = (ins RankedTensorOf<[F32]>:$value, I64Attr:$dim, I64Attr:$groups);
  let results = (outs RankedTensorOf<[F32]>:$result);
  let assemblyFormat = "$value `dim` $dim `groups` $groups attr-dict `:` type($value)";
  let hasVerifier = 1;
}

#endif // ACME_OPS
