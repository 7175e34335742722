//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_EXECUTIONENGINE_INDEXRANGES_H
#define FUSION_LIB_EXECUTIONENGINE_INDEXRANGES_H

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace fusion {

/// Ranges of integers in a bufferized module, from constants, static sizes,
/// indices of loops and tables of constants. Upstream's analysis knows nothing
/// of linalg and tables, and goes through the whole module.
class IndexRanges {
public:
  mlir::ConstantIntRanges get(mlir::Value value);
  mlir::ConstantIntRanges get(mlir::OpFoldResult value);

  /// True if `index` is known to be in dimension `dim` of `buffer`.
  bool isInside(mlir::Value index, mlir::Value buffer, int64_t dim);
  /// Notes that it is, wherever it is used.
  void setInside(mlir::Value index, mlir::Value buffer, int64_t dim);

private:
  mlir::ConstantIntRanges infer(mlir::Value value);
  mlir::ConstantIntRanges inferArgument(mlir::BlockArgument argument);
  mlir::ConstantIntRanges getElements(mlir::Value buffer);

  llvm::DenseMap<mlir::Value, mlir::ConstantIntRanges> known;
  llvm::DenseSet<std::tuple<mlir::Value, mlir::Value, int64_t>> inside;
  mlir::SymbolTableCollection symbols;
};

} // namespace fusion

#endif // FUSION_LIB_EXECUTIONENGINE_INDEXRANGES_H
