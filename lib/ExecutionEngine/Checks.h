//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_EXECUTIONENGINE_CHECKS_H
#define FUSION_LIB_EXECUTIONENGINE_CHECKS_H

#include "FusionDialect/IR/FusionOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
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

/// The product of sizes, in i64, and what to say of it.
struct SizeProduct {
  mlir::Value value;
  /// Whether one of the sizes is negative, or the product is beyond 64 bits.
  mlir::Value fails;
  /// A "{}" for each size, with an x in between.
  std::string text;
  llvm::SmallVector<mlir::Value> sizes;
};
SizeProduct multiplySizes(mlir::ImplicitLocOpBuilder &b,
                          mlir::ValueRange sizes);

/// Upstream's folders make invalid IR of products of `index` with all bits.
mlir::Value toI64(mlir::ImplicitLocOpBuilder &b, mlir::Value index);

/// Checks that a buffer of a dynamic size that `op` allocates, or those of an
/// arena that it begins, have sizes that a tensor may have.
void checkAllocation(Checks &checks, mlir::memref::AllocOp op);
void checkArena(Checks &checks, RtArenaBeginOp op);

/// Checks that `op`, a division of integers or its remainder, does not end the
/// process: by a divisor of 0, or a quotient that its type does not have. In
/// the body of a linalg op the check is in front of that where it can be.
void checkDivision(Checks &checks, IndexRanges &ranges, mlir::Operation *op);

/// Checks that the divisors of `map`, which `op` applies to its operands, are
/// positive.
void checkAffineDivisors(Checks &checks, IndexRanges &ranges,
                         mlir::Operation *op, mlir::AffineMap map);

/// Checks that the steps of `loop` are positive. It would have no end with a
/// step of 0, or divide by that to count its iterations.
void checkSteps(Checks &checks, IndexRanges &ranges,
                mlir::LoopLikeOpInterface loop);

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
