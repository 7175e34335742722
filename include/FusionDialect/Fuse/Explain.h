//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_FUSE_EXPLAIN_H
#define FUSION_FUSE_EXPLAIN_H

#include "FusionDialect/Fuse/Laws.h"

namespace fusion {

/// The outcome for one convolution, matrix multiplication or pool.
struct Explanation {
  enum class Status { Fused, PartlyFused, NotFused };
  Status status;
  mlir::Operation *op;
  /// The parts folded into the fusion op: "pad", "scale", "bn", "bias",
  /// "residual", the activation; and of an op on integers "zero point",
  /// "requantize", or "dequantize" and "quantize".
  llvm::SmallVector<std::string> folded;
  /// The first rule that refused, and the values; empty if fused.
  std::string reason;
  /// Of a fused op: the operand that each call transposes or broadcasts, which
  /// no law can fold, with its bytes; empty if there is none.
  std::string moved;

  /// "fused: bias, relu" or "partly fused: bias; result has 2 users: ...".
  std::string str() const;
};

struct ExplainOptions : FuseOptions {
  /// Ask the laws of `fusion-fuse-quantized` too, and about products of
  /// integers.
  bool integers = true;
  /// Explain why pools stay in linalg. `fusion.pool` has nothing to fold.
  bool pools = true;
};

/// Explains `op` if it is a convolution or matrix multiplication, a fusion op
/// or one of linalg, or a pool of linalg. Asks whether it can be raised, then
/// each law of `getQuantizedLaws()` and `getLaws()`, in their order: first
/// about the input, then about the ops that read the result.
std::optional<Explanation> explain(mlir::Operation *op,
                                   const ExplainOptions &options);

/// Explains the convolutions, matrix multiplications and pools of linalg in
/// `root`, in program order.
llvm::SmallVector<Explanation> explainAll(mlir::Operation *root,
                                          const ExplainOptions &options);

/// Fails with the reason if one of `laws` could have folded something around
/// `op` but did not.
mlir::LogicalResult checkNothingLeft(FusedOpInterface op,
                                     llvm::ArrayRef<Law> laws,
                                     const FuseOptions &options,
                                     Refusal &refusal);

} // namespace fusion

#endif // FUSION_FUSE_EXPLAIN_H
