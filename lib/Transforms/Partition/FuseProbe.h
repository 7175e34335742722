//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_PARTITION_FUSEPROBE_H
#define FUSION_LIB_TRANSFORMS_PARTITION_FUSEPROBE_H

#include "FusionDialect/Transforms/Patterns.h"
#include "PatternNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace fusion {

/// The name of `activation` in patterns: a clip between 0 and the largest
/// float, as TOSA writes a relu, is one.
ActivationKind getNamedKind(ActivationAttr activation);

/// What ops are together, as `fusion-fuse` sees it.
struct Reading {
  llvm::SmallVector<Part> parts;
  /// Of a convolution; 0 for a matrix multiplication.
  int64_t spatialRank = 0;
  bool isTransposed = false;
  /// The padding of the input is part of the fusion op, or there is none.
  bool isPadFolded = false;
};

/// Asks `fusion-raise` and the laws of `fusion-fuse` what ops are, on a copy of
/// them in a function of their own.
class FuseProbe {
public:
  explicit FuseProbe(mlir::MLIRContext *context);

  /// Reads `ops`, each behind those that it uses, of which `root` is a
  /// convolution or matrix multiplication and `result` what leaves them. Fails
  /// if they do not become one fusion op with nothing behind it.
  mlir::FailureOr<Reading> read(llvm::ArrayRef<mlir::Operation *> ops,
                                mlir::Operation *root, mlir::Value result,
                                Refusal &refusal);

  /// The pool that `fusion-raise-pools` makes of `ops`.
  mlir::FailureOr<Pooling> readPool(llvm::ArrayRef<mlir::Operation *> ops,
                                    mlir::Value result, Refusal &refusal);

private:
  /// One thing that is done to the result of the root.
  enum class Step { Add, Subtract, Scale, Residual, Activation };

  /// A copy of ops, and those of its arguments that are data of the network.
  struct Copy {
    mlir::OwningOpRef<mlir::func::FuncOp> function;
    llvm::SmallPtrSet<mlir::Value, 4> data;
  };

  static Copy makeCopy(llvm::ArrayRef<mlir::Operation *> ops,
                       mlir::Value result);
  mlir::LogicalResult fold(Copy &copy, llvm::SmallVectorImpl<Step> &steps);
  std::optional<Step> foldOne(Copy &copy);
  Step findAddition(Copy &copy) const;
  bool apply(mlir::func::FuncOp copy, const mlir::FrozenRewritePatternSet &laws,
             bool once);
  static llvm::SmallVector<Part> getParts(llvm::ArrayRef<Step> steps,
                                          ActivationAttr activation);

  FuseOptions options;
  mlir::FrozenRewritePatternSet views, bias, batchNorm, scale, residual,
      activation, pools;
};

/// Makes a function of `ops`, each behind those that it uses: what they use
/// from outside becomes an argument, in the order of `inputs`, marked
/// `fusion.constant` if it is an argument that is.
mlir::OwningOpRef<mlir::func::FuncOp>
copyToFunction(llvm::StringRef name, llvm::ArrayRef<mlir::Operation *> ops,
               mlir::ValueRange inputs, mlir::ValueRange results);

/// What `ops`, and the regions in them, use from outside, in order.
llvm::SetVector<mlir::Value> findInputs(llvm::ArrayRef<mlir::Operation *> ops);

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_PARTITION_FUSEPROBE_H
