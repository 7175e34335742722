//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/Explain.h"
#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Fuse/Raise.h"
#include "FusionDialect/Fuse/Step.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/ToolOutputFile.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONEXPLAIN
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

using Status = Explanation::Status;

//===----------------------------------------------------------------------===//
// Predicates of the laws
//===----------------------------------------------------------------------===//

/// True if `use` reads the shape, but no element.
static bool readsNoElement(OpOperand &use) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(use.getOwner());
  return linalgOp && linalgOp.isDpsInput(&use) &&
         !linalgOp.payloadUsesValueFromOperand(&use);
}

/// The ops that read the result of `op`, directly or behind casts and reshapes.
static SmallVector<Operation *> findConsumers(Operation *op) {
  SetVector<Operation *> users;
  auto addUsers = [&](Operation *made) {
    for (OpOperand &use : made->getUses())
      if (!readsNoElement(use))
        users.insert(use.getOwner());
  };
  addUsers(op);
  SmallVector<Operation *> consumers;
  for (size_t i = 0; i != users.size(); ++i)
    if (isView(users[i]))
      addUsers(users[i]);
    else
      consumers.push_back(users[i]);
  return consumers;
}

static LogicalResult refuseNotRun(Operation *consumer, Refusal &refusal) {
  return refusal.because(
      "next op '", consumer->getName().getStringRef(), "' at ",
      getLocationText(consumer->getLoc()),
      " can be folded; its law has not run or is switched off");
}

/// Fails with the reason if `epilogue` could have been folded but was not, or
/// if it is the only use of the result and cannot be folded.
static LogicalResult checkEpilogue(const Epilogue &epilogue,
                                   const FuseOptions &options,
                                   Refusal &refusal) {
  if (failed(matchFirstStep(epilogue, options, refusal))) {
    // With several users the result is needed anyway, so that this is no loss.
    Refusal severalUsers = Refusal::unread();
    return success(failed(epilogue.checkOneUser(severalUsers)));
  }
  if (failed(checkMayFold(epilogue, options, refusal)))
    return failure();
  // It could be folded but was not: either stricter options refuse it, or the
  // law has not run.
  FuseOptions strict = options;
  strict.allowReshape = strict.allowContractRounding = false;
  if (failed(checkMayFold(epilogue, strict, refusal)) ||
      failed(matchFirstStep(epilogue, strict, refusal)))
    return failure();
  return refuseNotRun(epilogue.consumer, refusal);
}

/// The same for `consumer`, which has several results, if it alone reads the
/// result of `op`.
static LogicalResult checkSeveralResults(FusedOpInterface op,
                                         linalg::GenericOp consumer,
                                         const FuseOptions &options,
                                         Refusal &refusal) {
  // An op that is not element-wise is not a candidate for folding.
  Refusal ignored = Refusal::unread();
  if (failed(ScalarExpr::matchScalar(
          consumer, consumer.getBlock()->getTerminator()->getOperand(0),
          ignored)))
    return success();
  if (failed(findFirstResult(op, consumer, options, refusal)))
    return failure();
  return refuseNotRun(consumer, refusal);
}

/// True if `transpose` separates dimensions that a reshape makes of the output
/// channel of `op`: a depth-to-space.
static bool spreadsChannel(FusedOpInterface op, Operation *transpose) {
  auto matched = matchTranspose(transpose);
  auto expand =
      matched ? matched->first.getDefiningOp<tensor::ExpandShapeOp>() : nullptr;
  if (!expand || expand.getSrc() != op->getResult(0))
    return false;
  ReassociationIndices parts =
      expand.getReassociationIndices()[op.getOutputChannelDim()];
  SmallVector<int64_t> places;
  for (auto [place, dim] : llvm::enumerate(matched->second))
    if (llvm::is_contained(parts, dim) &&
        expand.getResultType().getDimSize(dim) != 1)
      places.push_back(place);
  return places.size() > 1 &&
         places.back() - places.front() >= static_cast<int64_t>(places.size());
}

/// True if an element-wise op reads the result of `op`, also behind reshapes,
/// slices and pads.
static bool feedsElementwise(Operation *op) {
  return llvm::any_of(findConsumers(op), [](Operation *user) {
    if (isa<tensor::ExtractSliceOp, tensor::PadOp>(user))
      return feedsElementwise(user);
    Refusal ignored = Refusal::unread();
    return succeeded(ScalarExpr::match(user, ignored));
  });
}

/// The same for a transpose that reads the result of `op`. Without an
/// element-wise op behind it, it is where the channels-last part of a network
/// ends.
static LogicalResult checkTranspose(FusedOpInterface op, Operation *transpose,
                                    Refusal &refusal) {
  if (failed(checkTransposeIsFoldable(op, transpose, refusal)))
    return failure();
  auto name = transpose->getName().getStringRef();
  bool isDirect =
      llvm::is_contained(transpose->getOperands(), op->getResult(0));
  if (!isDirect && !feedsElementwise(transpose))
    return success();
  if (!isDirect && spreadsChannel(op, transpose))
    return refusal.because("unsupported: next op '", name, "' at ",
                           getLocationText(transpose->getLoc()),
                           " spreads the channel over other dimensions: a "
                           "depth-to-space");
  if (!isDirect)
    return refusal.because("unsupported: next op '", name, "' at ",
                           getLocationText(transpose->getLoc()),
                           " transposes a reshape of the result");
  if (op.getOutputLayout() == getChannelsLast(op.getOutputLayout()))
    return success();
  return refusal.because("next op '", name, "' at ",
                         getLocationText(transpose->getLoc()),
                         " can be folded; law 'transpose' has not run");
}

/// The same for any op that reads the result of `op`.
static LogicalResult checkConsumer(FusedOpInterface op, Operation *consumer,
                                   bool isOnlyConsumer,
                                   const FuseOptions &options,
                                   Refusal &refusal) {
  if (isTranspose(consumer) || matchTransposingRead(op, consumer))
    return checkTranspose(op, consumer, refusal);
  auto generic = dyn_cast<linalg::GenericOp>(consumer);
  if (generic && generic->getNumResults() > 1)
    return success(!isOnlyConsumer || succeeded(checkSeveralResults(
                                          op, generic, options, refusal)));
  Refusal notElementForElement;
  std::vector<Epilogue> epilogues =
      matchEpilogues(consumer, notElementForElement);
  for (const Epilogue &epilogue : epilogues)
    if (epilogue.getFused() == op)
      return checkEpilogue(epilogue, options, refusal);
  // An op that is not element-wise is not a candidate for folding.
  Refusal ignored = Refusal::unread();
  if (!isOnlyConsumer || failed(ScalarExpr::match(consumer, ignored)) ||
      notElementForElement.str().empty())
    return success();
  return refusal.because(notElementForElement.str());
}

/// Fails with the reason if the op that makes the input of `op` could have been
/// folded.
static LogicalResult checkInput(FusedConvBiasActOp op, Refusal &refusal) {
  if (std::optional<Padding> padding = findPadding(op.getInput())) {
    if (failed(checkPadIsFoldable(op, *padding, refusal)))
      return failure();
    return refusal.because("'", padding->op->getName(),
                           "' of the input can be folded; law 'pad' has not "
                           "run");
  }
  if (!readsInsertedZeros(op))
    return success();
  if (failed(checkZerosAreFoldable(op, refusal)))
    return failure();
  return refusal.because("'tensor.insert_slice' of the input can be folded; "
                         "law 'deconv' has not run");
}

/// The same for a depth-to-space behind `op`. Without an element-wise op behind
/// it there is nothing to fold.
static LogicalResult checkDepthToSpace(FusedConvBiasActOp op,
                                       Refusal &refusal) {
  Operation *end = findDepthToSpace(op);
  if (!end || !feedsElementwise(end))
    return success();
  if (failed(checkDepthToSpaceIsFoldable(op, refusal)))
    return failure();
  return refusal.because("depth-to-space of the result that ends with '",
                         end->getName().getStringRef(), "' at ",
                         getLocationText(end->getLoc()),
                         " can be folded; law 'deconv' has not run");
}

/// Fails with the reason if something around `op` could have been folded but
/// was not.
static LogicalResult checkNothingLeft(FusedOpInterface op,
                                      const FuseOptions &options,
                                      Refusal &refusal) {
  if (auto conv = dyn_cast<FusedConvBiasActOp>(op.getOperation()))
    if (failed(checkInput(conv, refusal)) ||
        failed(checkDepthToSpace(conv, refusal)))
      return failure();
  // Several ops that are an activation together count as one.
  Refusal ignored = Refusal::unread();
  if (FailureOr<Epilogue> whole =
          matchActivationRegion(op, FuseOptions(), ignored);
      succeeded(whole) &&
      failed(checkActivationAllowed(*whole, options, refusal)))
    return failure();
  SmallVector<Operation *> consumers = findConsumers(op);
  for (Operation *consumer : consumers)
    if (failed(checkConsumer(op, consumer, consumers.size() == 1, options,
                             refusal)))
      return failure();
  return success();
}

static SmallVector<std::string> listFolded(FusedOpInterface op) {
  SmallVector<std::string> folded;
  if (auto conv = dyn_cast<FusedConvBiasActOp>(op.getOperation()))
    if (llvm::any_of(conv.getPadLow(), [](int64_t pad) { return pad != 0; }) ||
        llvm::any_of(conv.getPadHigh(), [](int64_t pad) { return pad != 0; }))
      folded.push_back("pad");
  if (auto name = op->getAttrOfType<StringAttr>(kFoldedAttr))
    folded.push_back(name.str());
  if (op.getBias())
    folded.push_back("bias");
  bool isAfter = op.getResidualAfterActivation();
  if (op.getResidual() && !isAfter)
    folded.push_back("residual");
  if (ActivationAttr activation = op.getActivationAttr())
    folded.push_back(stringifyActivationKind(activation.getKind()).str());
  if (isAfter)
    folded.push_back("residual");
  return folded;
}

std::optional<Explanation> fusion::explain(Operation *op,
                                           const FuseOptions &options) {
  Refusal refusal;
  if (auto fused = dyn_cast<FusedOpInterface>(op)) {
    Status status = Status::Fused;
    FuseOptions opOptions = options;
    opOptions.nanMode = fused.getNanMode();
    if (failed(checkNothingLeft(fused, opOptions, refusal)))
      status = Status::PartlyFused;
    return Explanation{status, op, listFolded(fused),
                       status == Status::Fused ? "" : refusal.str().str()};
  }
  if (!isRaisable(op))
    return std::nullopt;
  auto linalgOp = cast<linalg::LinalgOp>(op);
  if (succeeded(
          checkMayRaise(linalgOp, {options.allowContractRounding}, refusal)) &&
      succeeded(
          checkMayRaise(linalgOp, {/*allowContractRounding=*/false}, refusal)))
    (void)refusal.because("it can be raised; 'fusion-raise' has not run");
  return Explanation{Status::NotFused, op, {}, refusal.str().str()};
}

SmallVector<Explanation> fusion::explainAll(Operation *root,
                                            const FuseOptions &options) {
  SmallVector<Explanation> explanations;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (std::optional<Explanation> explanation = explain(op, options))
      explanations.push_back(std::move(*explanation));
  });
  return explanations;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static StringRef stringify(Status status) {
  switch (status) {
  case Status::Fused:
    return "fused";
  case Status::PartlyFused:
    return "partly fused";
  case Status::NotFused:
    return "not fused";
  }
  llvm_unreachable("unknown status");
}

static std::string getName(Operation *op) {
  if (isa<FusedMatmulBiasActOp>(op))
    return "matrix multiplication";
  return isa<FusedDeconvBiasActOp>(op) ? "transposed convolution"
                                       : "convolution";
}

std::string Explanation::str() const {
  std::string text = (stringify(status) + ":").str();
  if (status != Status::NotFused)
    text += " " + (folded.empty() ? getName(op) + " alone"
                                  : llvm::join(folded, ", "));
  if (!reason.empty())
    text += (status == Status::NotFused ? " " : "; ") + reason;
  return text;
}

static void writeText(raw_ostream &os, ArrayRef<Explanation> explanations) {
  for (const Explanation &explanation : explanations) {
    std::string location = getLocationText(explanation.op->getLoc());
    os << (location.empty() ? "<unknown>" : location) << ": "
       << explanation.str() << "\n";
  }
}

static void writeJson(raw_ostream &os, ArrayRef<Explanation> explanations) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.array([&] {
    for (const Explanation &explanation : explanations)
      json.object([&] {
        json.attribute("location", getLocationText(explanation.op->getLoc()));
        json.attribute("op", explanation.op->getName().getStringRef());
        json.attribute("status", stringify(explanation.status));
        json.attributeArray("folded", [&] {
          for (const std::string &name : explanation.folded)
            json.value(name);
        });
        json.attribute("reason", explanation.reason);
      });
  });
  os << "\n";
}

namespace {
struct ExplainPass : public fusion::impl::FusionExplainBase<ExplainPass> {
  using FusionExplainBase::FusionExplainBase;

  void runOnOperation() override {
    if (format != "text" && format != "json") {
      getOperation()->emitError()
          << "'format' must be text or json, got '" << format << "'";
      return signalPassFailure();
    }
    SmallVector<Explanation> explanations =
        explainAll(getOperation(), FuseOptions());
    auto write = [&](raw_ostream &os) {
      format == "json" ? writeJson(os, explanations)
                       : writeText(os, explanations);
    };
    markAllAnalysesPreserved();
    if (output.empty())
      return write(llvm::errs());
    std::string message;
    std::unique_ptr<llvm::ToolOutputFile> file =
        openOutputFile(output, &message);
    if (!file) {
      getOperation()->emitError() << message;
      return signalPassFailure();
    }
    write(file->os());
    file->keep();
  }
};
} // namespace
