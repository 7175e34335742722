//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FUSION_LIB_PARTITION_FUNCTIONPOOL_H
#define FUSION_LIB_PARTITION_FUNCTIONPOOL_H

#include "FusionDialect/Support/Refusal.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

namespace fusion {

/// Whether a function that `op` is moved to can be created beside that of `op`.
mlir::LogicalResult checkMayOutline(mlir::Operation *op, Refusal &refusal);

/// The functions that a partition creates. Equal ones are merged.
class FunctionPool {
public:
  /// Adds `function`, which is called with `inputs` at `place`, to the symbol
  /// table there, and gives it its global symbol. If its name is taken, it gets
  /// the first free number behind it. If there is an equal function, `function`
  /// is erased and that one is returned. Values computed from constant
  /// arguments are kept, so that only calls with the same ones share a
  /// function.
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
  /// The symbols and global symbols of all tables: generated code is linked
  /// with the symbols of any of them.
  llvm::StringSet<> symbols, globalSymbols;
  bool hasReadSymbols = false;
};

} // namespace fusion

#endif // FUSION_LIB_PARTITION_FUNCTIONPOOL_H
