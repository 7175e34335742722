//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuseProbe.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Fuse/Raise.h"
#include "FusionDialect/Fuse/RaisePools.h"
#include "FusionDialect/Fuse/Step.h"
#include "Producers.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Copies of ops
//===----------------------------------------------------------------------===//

llvm::SetVector<Value> fusion::findInputs(ArrayRef<Operation *> ops) {
  llvm::SetVector<Value> inputs;
  SmallPtrSet<Operation *, 16> inside(ops.begin(), ops.end());
  for (Operation *op : ops)
    for (Value value : getReadValues(op))
      if (!inside.contains(value.getDefiningOp()))
        inputs.insert(value);
  return inputs;
}

OwningOpRef<func::FuncOp> fusion::copyToFunction(StringRef name,
                                                 ArrayRef<Operation *> ops,
                                                 ValueRange inputs,
                                                 ValueRange results) {
  OpBuilder builder(ops.front()->getContext());
  Location loc = results[0].getLoc();
  OwningOpRef<func::FuncOp> function = func::FuncOp::create(
      builder, loc, name,
      builder.getFunctionType(inputs.getTypes(), results.getTypes()));
  Block *block = function->addEntryBlock();
  builder.setInsertionPointToStart(block);
  for (auto [i, input] : llvm::enumerate(inputs))
    if (isConstantArgument(input))
      function->setArgAttr(i, kConstantArgAttr, builder.getUnitAttr());
  IRMapping mapping;
  mapping.map(inputs, block->getArguments());
  for (Operation *op : ops)
    builder.clone(*op, mapping);
  func::ReturnOp::create(
      builder, loc,
      llvm::map_to_vector(results, [&](Value v) { return mapping.lookup(v); }));
  return function;
}

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

template <typename Populate>
static FrozenRewritePatternSet freeze(MLIRContext *context, Populate populate) {
  RewritePatternSet patterns(context);
  populate(patterns);
  return std::move(patterns);
}

/// The names of the laws that are parts of a composite, or of the others.
static SmallVector<StringRef> getLawNames(bool areParts) {
  SmallVector<StringRef> names;
  for (const Law &law : getLaws())
    if ((isStepLawName(law.name) && law.name != "cast") == areParts)
      names.push_back(law.name);
  return names;
}

FuseProbe::FuseProbe(MLIRContext *context)
    : views(freeze(context,
                   [&](RewritePatternSet &patterns) {
                     populateLawPatterns(patterns, getLawNames(false), options);
                   })),
      names(freeze(context,
                   [&](RewritePatternSet &patterns) {
                     populateNameStepsPatterns(patterns, options,
                                               getLawNames(true));
                   })),
      folds(freeze(context,
                   [&](RewritePatternSet &patterns) {
                     populateFoldStepsPatterns(patterns, options);
                   })),
      pools(freeze(context, [&](RewritePatternSet &patterns) {
        populateRaisePoolsPatterns(patterns, options);
      })) {}

namespace {
/// Counts rewrites. A change alone says nothing: folding and the removal of
/// dead code change the function, too.
struct RewriteCounter : public RewriterBase::Listener {
  void notifyPatternEnd(const Pattern &, LogicalResult status) override {
    count += succeeded(status);
  }
  unsigned count = 0;
};
} // namespace

/// Applies `laws` until none applies, or once. True if one applied.
bool FuseProbe::apply(func::FuncOp copy, const FrozenRewritePatternSet &laws,
                      bool once) {
  RewriteCounter counter;
  GreedyRewriteConfig config;
  config.setListener(&counter);
  config.setMaxIterations(once ? 1 : 100);
  if (once)
    config.setMaxNumRewrites(1);
  // After one rewrite it has not converged, which is no failure here.
  (void)applyPatternsGreedily(copy, laws, config);
  return counter.count != 0;
}

static FusedOpInterface findFusedOp(func::FuncOp copy) {
  for (Operation &op : copy.front())
    if (auto fused = dyn_cast<FusedOpInterface>(op))
      return fused;
  return nullptr;
}

/// Folds the next step into `fused`, the fusion op of `whole`, and tells which
/// it was.
std::optional<FuseProbe::Deed> FuseProbe::foldOne(Copy &whole,
                                                  FusedOpInterface fused) {
  Refusal ignored = Refusal::unread();
  FailureOr<FoundStep> found = findNextStep(fused, options, ignored);
  if (failed(found))
    return std::nullopt;
  auto &[epilogue, step] = *found;
  // If there is one pixel, a tensor of the size of the result can be a bias,
  // but data of the network is a residual.
  bool addsData =
      step.addend && step.addend->kind == ScalarExpr::Kind::Input &&
      whole.data.contains(epilogue.expr.getInput(step.addend->input));
  Step::Kind kind = step.kind;
  bool isNegated = step.isNegated;
  if (!apply(*whole.function, names, /*once=*/true))
    return std::nullopt;
  (void)apply(*whole.function, folds, /*once=*/false);
  switch (kind) {
  case Step::Kind::Activate:
    return Deed::Activation;
  case Step::Kind::Scale:
  case Step::Kind::Normalize:
    return Deed::Scale;
  case Step::Kind::AddChannel:
    if (addsData)
      return Deed::Residual;
    return isNegated ? Deed::Subtract : Deed::Add;
  case Step::Kind::AddTensor:
    // A residual that is the broadcast of a bias is named a bias.
    fused = findFusedOp(*whole.function);
    return fused && fused.getResidual() ? Deed::Residual : Deed::Add;
  case Step::Kind::Round:
  case Step::Kind::Widen:
    break;
  }
  llvm_unreachable("unknown step");
}

/// Folds all steps into the fusion op of `copy`, and appends them to `deeds`.
LogicalResult FuseProbe::fold(Copy &whole, SmallVectorImpl<Deed> &deeds) {
  func::FuncOp copy = *whole.function;
  // A law may enable another one, but not endlessly.
  constexpr unsigned maxSteps = 100;
  for (unsigned i = 0; i != maxSteps; ++i) {
    (void)apply(copy, views, /*once=*/false);
    FusedOpInterface fused = findFusedOp(copy);
    if (!fused)
      return success();
    std::optional<Deed> deed = foldOne(whole, fused);
    if (!deed || !findFusedOp(copy))
      return success();
    deeds.push_back(*deed);
  }
  return failure();
}

ActivationKind fusion::getNamedKind(ActivationAttr activation) {
  bool isRelu =
      activation.getKind() == ActivationKind::Clip &&
      activation.getAlpha().isZero() &&
      (activation.getBeta().isInfinity() || activation.getBeta().isLargest());
  return isRelu ? ActivationKind::Relu : activation.getKind();
}

SmallVector<Part> FuseProbe::getParts(ArrayRef<Deed> deeds,
                                      ActivationAttr activation) {
  SmallVector<Part> parts;
  // A batch norm is a subtraction, a factor and an addition, in this order.
  bool isInBatchNorm = false;
  for (auto [i, deed] : llvm::enumerate(deeds)) {
    bool scalesNext = i + 1 != deeds.size() && deeds[i + 1] == Deed::Scale;
    switch (deed) {
    case Deed::Subtract:
      if (scalesNext)
        break;
      [[fallthrough]];
    case Deed::Add:
      if (!isInBatchNorm)
        parts.push_back({Part::Kind::Bias});
      isInBatchNorm = false;
      break;
    case Deed::Scale:
      if (!isInBatchNorm)
        parts.push_back({Part::Kind::BatchNorm});
      isInBatchNorm = true;
      break;
    case Deed::Residual:
      parts.push_back({Part::Kind::Sum});
      isInBatchNorm = false;
      break;
    case Deed::Activation:
      // An activation behind another one is merged with it.
      if (parts.empty() || parts.back().kind != Part::Kind::Activation)
        parts.push_back({Part::Kind::Activation, getNamedKind(activation)});
      isInBatchNorm = false;
      break;
    }
  }
  return parts;
}

/// True if `value` is the result of `fused`, behind casts and reshapes.
static bool isResultOf(Value value, FusedOpInterface fused) {
  while (isView(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value.getDefiningOp() == fused.getOperation();
}

FuseProbe::Copy FuseProbe::makeCopy(ArrayRef<Operation *> ops, Value result) {
  llvm::SetVector<Value> inputs = findInputs(ops);
  Copy copy{
      copyToFunction("probe", ops, inputs.getArrayRef(), ValueRange(result)),
      {}};
  for (auto [input, argument] :
       llvm::zip_equal(inputs, copy.function->getArguments()))
    if (isNetworkData(input))
      copy.data.insert(argument);
  return copy;
}

FailureOr<Reading> FuseProbe::read(ArrayRef<Operation *> ops, Operation *root,
                                   Value result, Refusal &refusal) {
  Copy whole = makeCopy(ops, result);
  func::FuncOp copy = *whole.function;
  size_t number = llvm::find(ops, root) - ops.begin();
  auto copiedRoot =
      cast<linalg::LinalgOp>(*std::next(copy.front().begin(), number));
  IRRewriter rewriter(copy.getContext());
  FailureOr<FusedOpInterface> raised =
      raise(rewriter, copiedRoot, {options.allowContractRounding}, refusal);
  if (failed(raised))
    return failure();
  SmallVector<Deed> deeds;
  if (raised->getBias())
    deeds.push_back(Deed::Add);
  if (raised->getResidual())
    deeds.push_back(Deed::Residual);
  if (failed(fold(whole, deeds)))
    return refusal.because("the laws find something to fold without end");
  FusedOpInterface fused = findFusedOp(copy);
  if (!fused || !isResultOf(copy.front().getTerminator()->getOperand(0), fused))
    return refusal.because("the ops do not become one fusion op");
  Reading reading;
  reading.parts = getParts(deeds, fused.getActivationAttr());
  if (isa<FusedMatmulBiasActOp>(fused)) {
    LayoutAttr layout = fused.getFilterLayout();
    reading.isTransposed = layout.getPosition('n') < layout.getPosition('k');
  } else {
    reading.spatialRank =
        cast<ShapedType>(fused.getInput().getType()).getRank() - 2;
  }
  reading.isPadFolded = !findPadding(fused.getInput());
  return reading;
}

FailureOr<Pooling> FuseProbe::readPool(ArrayRef<Operation *> ops, Value result,
                                       Refusal &refusal) {
  OwningOpRef<func::FuncOp> copy = copyToFunction(
      "probe", ops, findInputs(ops).getArrayRef(), ValueRange(result));
  (void)apply(*copy, pools, /*once=*/false);
  auto pool =
      copy->front().getTerminator()->getOperand(0).getDefiningOp<PoolOp>();
  if (!pool)
    return refusal.because("the ops do not become one 'fusion.pool'");
  return pool.getPooling();
}
