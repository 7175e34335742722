//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Transpose.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace fusion;

std::optional<std::pair<Value, SmallVector<int64_t>>>
fusion::matchTranspose(Operation *op) {
  if (auto transpose = dyn_cast_or_null<linalg::TransposeOp>(op))
    return {{transpose.getInput(),
             SmallVector<int64_t>(transpose.getPermutation())}};
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || !generic.hasPureTensorSemantics())
    return std::nullopt;
  if (std::optional<SmallVector<int64_t>> permutation =
          linalg::isaTransposeOpInterface(generic))
    return {{generic.getDpsInputs()[0], *permutation}};
  return std::nullopt;
}

bool fusion::isTranspose(Operation *op) {
  return matchTranspose(op).has_value();
}
