//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_EXECUTIONENGINE_CHECKS_H
#define FUSION_LIB_EXECUTIONENGINE_CHECKS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace fusion {

class IndexRanges;

/// Adds checks to a module: code that fails the call with a sentence.
class Checks {
public:
  explicit Checks(mlir::ModuleOp module) : module(module) {}

  /// Fails the call if `fails`. The sentence is `text`, with each of `numbers`,
  /// of type index or i64, in place of a "{}", and the location of `op`.
  void failIf(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value fails,
              llvm::StringRef text, mlir::ValueRange numbers);

  bool empty() const { return formats.empty(); }

private:
  mlir::LLVM::LLVMFuncOp getFunction(mlir::OpBuilder &builder);
  mlir::Value getFormat(mlir::OpBuilder &builder, mlir::Location loc,
                        llvm::StringRef text);

  mlir::ModuleOp module;
  mlir::LLVM::LLVMFuncOp function;
  llvm::StringMap<mlir::LLVM::GlobalOp> formats;
};

/// The size of dimension `dim` of `buffer`, a constant if it is static.
mlir::Value getSize(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value buffer, int64_t dim);

/// Checks that elements that `op`, linalg on buffers, reads at sums of its
/// loops' indices, as a convolution does, are there.
void checkWindows(Checks &checks, mlir::linalg::LinalgOp op);

/// Checks that `indices` of `op`, a load or a store, are in `buffer`. In the
/// body of a linalg op the check is in front of that where it can be, once for
/// each index that the body computes and not for each element.
void checkIndices(Checks &checks, IndexRanges &ranges, mlir::Operation *op,
                  mlir::Value buffer, mlir::ValueRange indices);

} // namespace fusion

#endif // FUSION_LIB_EXECUTIONENGINE_CHECKS_H
