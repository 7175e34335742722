//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FUSION_LIB_TRANSFORMS_PARTITION_FUNCTIONPOOL_H
#define FUSION_LIB_TRANSFORMS_PARTITION_FUNCTIONPOOL_H

#include "FusionDialect/Transforms/Refusal.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

namespace fusion {

/// Whether a function can be made beside that of `op`, for `op` to be called in
/// it.
mlir::LogicalResult checkMayOutline(mlir::Operation *op, Refusal &refusal);

/// The functions that a partition makes, of which equal ones are one.
class FunctionPool {
public:
  /// Adds `function`, which is called with `inputs` at `place`, to the symbol
  /// table there, with the first number behind its name that is free if it is
  /// not, and gives it its global symbol; or erases it and returns one that is
  /// the same. What is computed from constant arguments is kept, so that only
  /// calls with the same ones share a function.
  mlir::func::FuncOp insertOrFindSame(mlir::Operation *place,
                                      mlir::func::FuncOp function,
                                      llvm::ArrayRef<mlir::Value> inputs);

private:
  mlir::func::FuncOp findSame(mlir::Operation *table,
                              mlir::func::FuncOp function,
                              llvm::ArrayRef<mlir::Value> constants);
  void readSymbols(mlir::Operation *place);
  void addGlobalSymbol(mlir::func::FuncOp function);

  /// The constant arguments that each function is called with.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> constantsOf;
  /// All symbols, of whatever table, and all global ones: code that has been
  /// generated is linked with what stands in any of them.
  llvm::StringSet<> symbols, globalSymbols;
  bool hasReadSymbols = false;
};

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_PARTITION_FUNCTIONPOOL_H
