//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_FUSE_LAWS_H
#define FUSION_FUSE_LAWS_H

#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Fuse/QuantRounding.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Support/Refusal.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fusion {

/// Options of the laws of `fusion-fuse` and `fusion-fuse-quantized`.
struct FuseOptions {
  /// Fold a bias that comes through a reshape.
  bool allowReshape = true;
  /// Fold ops that follow a rounding to bf16 or f16.
  bool allowContractRounding = true;
  NaNMode nanMode = NaNMode::Fast;
  /// Fold a residual behind the activation. `fusion-fuse` does so once nothing
  /// else folds, since nothing but a rounding folds behind it.
  bool foldResidualAfterActivation = true;
  /// Fold into ops on integers whose result is f32, and into no others.
  bool integers = false;
  QuantRounding quantRounding = QuantRounding::Nearest;
};

/// A law: rewrite patterns that fold one thing.
struct Law {
  llvm::StringLiteral name; ///< for `disable=` of `fusion-fuse`
  llvm::StringLiteral formula;
  void (*populate)(mlir::RewritePatternSet &patterns,
                   const FuseOptions &options);
  /// Fails, with the reason, if the law could have folded something around `op`
  /// but did not. Null if the function of another law tells it.
  mlir::LogicalResult (*explain)(FusedOpInterface op,
                                 const FuseOptions &options,
                                 Refusal &refusal) = nullptr;
};

/// All laws of `fusion-fuse`, in the order in which `fusion-explain` asks them.
llvm::ArrayRef<Law> getLaws();

/// The same of `fusion-fuse-quantized`, which are asked before those.
llvm::ArrayRef<Law> getQuantizedLaws();

/// Adds the laws called `names`, and ignores other names. Unlike
/// `populateFusionPatterns` it loads no dialects.
void populateLawPatterns(mlir::RewritePatternSet &patterns,
                         llvm::ArrayRef<llvm::StringRef> names,
                         const FuseOptions &options);

/// The patterns of the laws that are C++, and of parts of them.
void populateReshapeLawPatterns(mlir::RewritePatternSet &patterns);
void populateSharedFilterLawPatterns(mlir::RewritePatternSet &patterns);
void populateReorderedOperandLawPatterns(mlir::RewritePatternSet &patterns);
void populateTransposingReadLawPatterns(mlir::RewritePatternSet &patterns);
void populateDepthToSpaceLawPatterns(mlir::RewritePatternSet &patterns);
void populateSeveralResultsLawPatterns(mlir::RewritePatternSet &patterns,
                                       const FuseOptions &options);
void populateDilationLaw(mlir::RewritePatternSet &patterns,
                         const FuseOptions &options);
void populateQuantizedDilationLaw(mlir::RewritePatternSet &patterns,
                                  const FuseOptions &options);

/// The patterns for operands that vary along a part of the output channel where
/// that is in several dimensions: of the next op, and accumulators.
void populateChannelPartsLaw(mlir::RewritePatternSet &patterns,
                             const FuseOptions &options);
void populateChannelPartsBiasLaw(mlir::RewritePatternSet &patterns,
                                 const FuseOptions &options);
void populateSwappedOperandsLaw(mlir::RewritePatternSet &patterns,
                                const FuseOptions &options);

/// The patterns that name what makes the input or the filter of a fusion op, or
/// transposes its result, where a law folds it.
void populateNamePadPatterns(mlir::RewritePatternSet &patterns);
void populatePaddedGroupsPatterns(mlir::RewritePatternSet &patterns);
void populateNameInsertedZerosPatterns(mlir::RewritePatternSet &patterns);
void populateNameTransposesPatterns(mlir::RewritePatternSet &patterns);

/// Adds the pattern that names the first step behind a fusion op, if one of
/// the laws called `laws` folds it.
void populateNameStepsPatterns(mlir::RewritePatternSet &patterns,
                               const FuseOptions &options,
                               llvm::ArrayRef<llvm::StringRef> laws);

/// Adds the laws that fold a step which has its name.
void populateFoldStepsPatterns(mlir::RewritePatternSet &patterns,
                               const FuseOptions &options);

/// Fails unless the pad law can take `padding`, which makes the input of `op`.
/// `expected` is the value that the op takes elements out of range for.
mlir::LogicalResult checkPadIsFoldable(FusedOpInterface op,
                                       const Padding &padding, Refusal &refusal,
                                       int64_t expected = 0);

/// Refuses an input behind a reshape of a pad, which merges groups and channels
/// of which one is padded.
mlir::LogicalResult checkNoPaddedGroups(mlir::Value input, Refusal &refusal);

/// True if the input of `op` is made by `fusion.insert_zeros`, or by a
/// `tensor.insert_slice` with steps other than 1.
bool readsInsertedZeros(FusedConvBiasActOp op);

/// Fails unless the deconv law can take `op`, for which `readsInsertedZeros`
/// holds.
mlir::LogicalResult checkZerosAreFoldable(FusedConvBiasActOp op,
                                          Refusal &refusal);

/// Fails, with the reason, if zeros stand between the elements of the filter of
/// `op`, a convolution.
mlir::LogicalResult explainDilation(FusedOpInterface op,
                                    const FuseOptions &options,
                                    Refusal &refusal);

/// The last op of the depth-to-space that reads the result of `op`, or null.
mlir::Operation *findDepthToSpace(FusedConvBiasActOp op);

/// Fails unless the deconv law can take `op`, for which `findDepthToSpace`
/// finds an op.
mlir::LogicalResult checkDepthToSpaceIsFoldable(FusedConvBiasActOp op,
                                                Refusal &refusal);

/// Fails, with the reason, if the filter of `op` is a broadcast.
mlir::LogicalResult checkFilterIsShared(FusedMatmulBiasActOp op,
                                        Refusal &refusal);

/// The permutation of the transpose that is merged into `op`; none unless `op`
/// is element-wise but for the order of dimensions in which it reads the result
/// of `fused` or writes its own.
std::optional<llvm::SmallVector<int64_t>>
matchTransposingRead(FusedOpInterface fused, mlir::Operation *op);

/// Fails unless the transpose law can take `transpose`, which reads the result
/// of `op`.
mlir::LogicalResult checkTransposeIsFoldable(FusedOpInterface op,
                                             mlir::Operation *transpose,
                                             Refusal &refusal);

/// Fails, and lists the names of the laws, if one of `names` is not among them.
mlir::LogicalResult checkLawNames(llvm::ArrayRef<std::string> names,
                                  Refusal &refusal);

/// Adds all laws but those named in `disabled`. Fails, and gives the name, if
/// one of these is not the name of a law. Loads the dialects of the ops that
/// the laws create; a pass that calls this must have them as dependent ones.
mlir::LogicalResult populateFusionPatterns(mlir::RewritePatternSet &patterns,
                                           const FuseOptions &options,
                                           llvm::ArrayRef<std::string> disabled,
                                           Refusal &refusal);

} // namespace fusion

#endif // FUSION_FUSE_LAWS_H
