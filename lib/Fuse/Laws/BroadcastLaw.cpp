//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/Laws.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

using namespace mlir;
using namespace fusion;

namespace {
/// A value that is repeated along some dimensions of the result.
struct Broadcast {
  Value source;
  SmallVector<int64_t> added;
};
} // namespace

/// Reads `op` as a broadcast, however spelled.
static std::optional<Broadcast> matchBroadcast(Operation *op) {
  if (auto broadcast = dyn_cast_or_null<linalg::BroadcastOp>(op))
    return Broadcast{broadcast.getInput(),
                     SmallVector<int64_t>(broadcast.getDimensions())};
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || !generic.hasPureTensorSemantics())
    return std::nullopt;
  if (std::optional<SmallVector<int64_t>> added =
          linalg::isaBroadcastOpInterface(generic))
    return Broadcast{generic.getDpsInputs()[0], *added};
  return std::nullopt;
}

namespace {

// law: fused(x, broadcast(w) along b)  ->  fused(x, w), filter_layout without b
struct BroadcastFilterLaw : public OpRewritePattern<FusedMatmulBiasActOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FusedMatmulBiasActOp op,
                                PatternRewriter &rewriter) const override {
    auto broadcast = matchBroadcast(op.getFilter().getDefiningOp());
    if (!broadcast)
      return rewriter.notifyMatchFailure(op, "'filter' is not a broadcast");
    size_t batch = op.getFilterLayout().find('b');
    if (batch == StringRef::npos ||
        broadcast->added != ArrayRef<int64_t>(static_cast<int64_t>(batch)))
      return rewriter.notifyMatchFailure(
          op, "'filter' is broadcast along other dimensions than the batch");
    std::string layout = op.getFilterLayout().str();
    layout.erase(batch, 1);
    rewriter.modifyOpInPlace(op, [&] {
      op.getFilterMutable().assign(broadcast->source);
      op.setFilterLayout(layout);
    });
    return success();
  }
};

} // namespace

void fusion::populateBroadcastLawPatterns(RewritePatternSet &patterns) {
  patterns.add<BroadcastFilterLaw>(patterns.getContext());
}
