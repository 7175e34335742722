//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PARTITION_FUSEPROBE_H
#define FUSION_LIB_PARTITION_FUSEPROBE_H

#include "FusionDialect/Fuse/Laws.h"
#include "PatternNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace fusion {

/// The name of `activation` in patterns. A clip between 0 and the largest
/// float, as TOSA writes a relu, is a relu.
ActivationKind getNamedKind(ActivationAttr activation);

/// The meaning of several ops together for `fusion-fuse`.
struct Reading {
  llvm::SmallVector<Part> parts;
  /// The number of spatial dimensions of a convolution; 0 for a matrix
  /// multiplication.
  int64_t spatialRank = 0;
  bool isTransposed = false;
  /// The padding of the input is part of the fusion op, or there is none.
  bool isPadFolded = false;
};

/// Lets `fusion-raise` and the laws of `fusion-fuse` read ops, on a copy of
/// them in a function of their own.
class FuseProbe {
public:
  explicit FuseProbe(mlir::MLIRContext *context);

  /// Reads `ops`, in an order of definitions before uses. `root` is the
  /// convolution or matrix multiplication among them, and `result` the only
  /// value that is used outside. Fails if they do not become one fusion op with
  /// nothing behind it.
  mlir::FailureOr<Reading> read(llvm::ArrayRef<mlir::Operation *> ops,
                                mlir::Operation *root, mlir::Value result,
                                Refusal &refusal);

  /// The kind of pool that `fusion-raise-pools` makes of `ops`.
  mlir::FailureOr<Pooling> readPool(llvm::ArrayRef<mlir::Operation *> ops,
                                    mlir::Value result, Refusal &refusal);

private:
  /// A change of the result of the root.
  enum class Deed { Add, Subtract, Scale, Residual, Activation };

  /// A copy of ops, and its arguments that are data of the network.
  struct Copy {
    mlir::OwningOpRef<mlir::func::FuncOp> function;
    llvm::SmallPtrSet<mlir::Value, 4> data;
  };

  static Copy makeCopy(llvm::ArrayRef<mlir::Operation *> ops,
                       mlir::Value result);
  mlir::LogicalResult fold(Copy &copy, llvm::SmallVectorImpl<Deed> &deeds);
  std::optional<Deed> foldOne(Copy &copy, FusedOpInterface fused);
  bool apply(mlir::func::FuncOp copy, const mlir::FrozenRewritePatternSet &laws,
             bool once);
  static llvm::SmallVector<Part> getParts(llvm::ArrayRef<Deed> deeds,
                                          ActivationAttr activation);

  FuseOptions options;
  mlir::FrozenRewritePatternSet views, names, folds, pools;
};

/// Creates a function of `ops`, which are in an order of definitions before
/// uses. `inputs`, the values they use from outside, become its arguments. An
/// argument is marked `fusion.constant` if its input is.
mlir::OwningOpRef<mlir::func::FuncOp>
copyToFunction(llvm::StringRef name, llvm::ArrayRef<mlir::Operation *> ops,
               mlir::ValueRange inputs, mlir::ValueRange results);

/// The values that `ops`, and the regions in them, use from outside, in order.
llvm::SetVector<mlir::Value> findInputs(llvm::ArrayRef<mlir::Operation *> ops);

} // namespace fusion

#endif // FUSION_LIB_PARTITION_FUSEPROBE_H
