//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Analysis/Broadcast.h"
#include "FusionDialect/Analysis/ElementOrder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace fusion;

std::optional<std::pair<Value, SmallVector<int64_t>>>
fusion::matchTranspose(Operation *op) {
  if (auto transpose = dyn_cast_or_null<linalg::TransposeOp>(op))
    return {{transpose.getInput(),
             SmallVector<int64_t>(transpose.getPermutation())}};
  // Upstream's predicate wants the result's map to be the identity.
  if (!isa_and_nonnull<linalg::GenericOp>(op))
    return std::nullopt;
  std::optional<Broadcast> copy = matchBroadcast(op);
  if (!copy || llvm::is_contained(copy->dims, IndexPart::repeated) ||
      copy->dims.size() !=
          cast<ShapedType>(copy->source.getType()).getShape().size())
    return std::nullopt;
  return {{copy->source, copy->dims}};
}

bool fusion::isTranspose(Operation *op) {
  return matchTranspose(op).has_value();
}
