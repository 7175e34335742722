//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Acme.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace acme;

#include "AcmeDialect.cpp.inc"
#define GET_OP_CLASSES
#include "AcmeOps.cpp.inc"

void AcmeDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "AcmeOps.cpp.inc"
      >();
}

LogicalResult ShuffleOp::verify() {
  int64_t rank = getValue().getType().getRank();
  if (getDim() >= static_cast<uint64_t>(rank))
    return emitOpError("'dim' must be less than ") << rank << ", the rank";
  return success();
}

// The dimension that is shuffled lies elsewhere in a transposed tensor.
FailureOr<SmallVector<fusion::TransposedValue>>
ShuffleOp::getTransposedImplementation(RewriterBase &rewriter,
                                       OpOperand &operand,
                                       ArrayRef<int64_t> permutation) {
  Value value = fusion::reorder(rewriter, getLoc(), operand.get(), permutation);
  int64_t dim = invertPermutationVector(permutation)[getDim()];
  auto shuffle = ShuffleOp::create(rewriter, getLoc(), value, dim, getGroups());
  return SmallVector<fusion::TransposedValue>{
      {shuffle.getResult(), fusion::DimOrder(permutation)}};
}
