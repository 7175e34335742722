//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/Explain.h"
#include "FusionDialect/Analysis/MultiplyAdd.h"
#include "FusionDialect/Fuse/Raise.h"
#include "FusionDialect/Fuse/RaisePools.h"
#include "FusionDialect/Fuse/RequantizedSum.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Support/WriteFile.h"
#include "FusionDialect/Transforms/Passes.h"
#include "Laws/FoldSteps.h"
#include "Quantized/Laws.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/JSON.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONEXPLAIN
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

using Status = Explanation::Status;

LogicalResult fusion::checkNothingLeft(FusedOpInterface op, ArrayRef<Law> laws,
                                       const FuseOptions &options,
                                       Refusal &refusal) {
  for (const Law &law : laws)
    if (law.explain && failed(law.explain(op, options, refusal)))
      return failure();
  return success();
}

static bool hasPadding(Operation *op) {
  auto isPadded = [](auto conv) {
    auto isPad = [](int64_t pad) { return pad != 0; };
    return llvm::any_of(conv.getPadLow(), isPad) ||
           llvm::any_of(conv.getPadHigh(), isPad);
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<FusedConvBiasActOp, QuantizedConvBiasActOp>(isPadded)
      .Default([](Operation *) { return false; });
}

/// True if a number is subtracted from, or added to, integers of 8 bits.
static bool hasZeroPoint(QuantizedOpInterface op) {
  return op.getInputZeroPoint() != 0 || op.getOutputZeroPoint() != 0 ||
         op.getResidualZeroPoint() != 0;
}

static std::string getResidualName(FusedOpInterface op) {
  bool isDequantized = getElementTypeOrSelf(op.getResidual()).isInteger(8);
  return isDequantized ? "dequantized residual" : "residual";
}

static SmallVector<std::string> listFolded(FusedOpInterface op) {
  SmallVector<std::string> folded;
  Type type = op.getOutputType().getElementType();
  auto name = op->getAttrOfType<StringAttr>(kFoldedAttr);
  bool isRequantized = name && name.getValue() == kRequantize;
  auto quantized = dyn_cast<QuantizedOpInterface>(op.getOperation());
  // A sum in i32 is all on integers, and so is one that is rescaled.
  if (quantized && !type.isInteger(32) && !isRequantized)
    folded.push_back("dequantize");
  if (hasPadding(op))
    folded.push_back("pad");
  if (quantized && hasZeroPoint(quantized))
    folded.push_back("zero point");
  if (name && !isRequantized)
    folded.push_back(name.str());
  if (op.getBias())
    folded.push_back("bias");
  bool isAfter = op.getResidualAfterActivation();
  if (op.getResidual() && !isAfter)
    folded.push_back(getResidualName(op));
  if (ActivationAttr activation = op.getActivationAttr())
    folded.push_back(stringifyActivationKind(activation.getKind()).str());
  if (isAfter)
    folded.push_back(getResidualName(op));
  if (type.isInteger(8))
    folded.push_back(isRequantized ? kRequantize.str() : "quantize");
  return folded;
}

static LogicalResult explainFused(FusedOpInterface op,
                                  const ExplainOptions &options,
                                  Refusal &refusal) {
  FuseOptions opOptions = options;
  opOptions.nanMode = op.getNanMode();
  if (options.integers &&
      failed(checkNothingLeft(op, getQuantizedLaws(), opOptions, refusal)))
    return failure();
  // The other laws are on floats.
  if (isa<QuantizedOpInterface>(op.getOperation()))
    return explainReaders(op, refusal);
  return checkNothingLeft(op, getLaws(), opOptions, refusal);
}

/// True if `op` adds up products of integers and has neither rows nor columns,
/// perhaps one sum for each element of a batch. One of floats gains nothing.
static bool isVectorProduct(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumDpsInputs() != 2 ||
      linalgOp.getNumDpsInits() != 1 || linalgOp.getNumReductionLoops() == 0 ||
      !multipliesIntegers(linalgOp))
    return false;
  auto readsAllLoops = [&](OpOperand *operand) {
    AffineMap map = linalgOp.getMatchingIndexingMap(operand);
    return map.isPermutation();
  };
  return llvm::all_of(linalgOp.getDpsInputOperands(), readsAllLoops);
}

static LogicalResult explainNotRaised(linalg::LinalgOp op,
                                      const ExplainOptions &options,
                                      Refusal &refusal) {
  if (isVectorProduct(op))
    return refusal.because(
        "unsupported: product of two vectors, without rows and columns");
  if (isMergedProduct(op))
    return explainMergedProduct(op, refusal);
  bool integers = multipliesIntegers(op);
  auto check = computesFactors(op) ? checkMaySplitFactors : checkMayRaise;
  if (failed(explainRunTimeZeroPoint(op, refusal)) ||
      failed(check(op, {options.allowContractRounding, integers}, refusal)) ||
      failed(check(op, {/*allowContractRounding=*/false, integers}, refusal)))
    return failure();
  return refusal.because("it can be raised; '",
                         integers ? "fusion-fuse-quantized" : "fusion-raise",
                         "' has not run");
}

static LogicalResult explainPool(linalg::LinalgOp op,
                                 const FuseOptions &options, Refusal &refusal) {
  if (failed(checkMayRaisePool(op, options, refusal)))
    return failure();
  if (isa<linalg::GenericOp>(op))
    return refusal.because(
        "pool in generic form; 'fusion-raise-pools' has not run");
  FuseOptions strict = options;
  strict.nanMode = NaNMode::Propagate;
  strict.allowContractRounding = false;
  Refusal strictly;
  if (failed(checkMayRaisePool(op, strict, strictly)))
    return refusal.because("'fusion-raise-pools' has not run, or ",
                           strictly.str());
  return refusal.because("it can be raised; 'fusion-raise-pools' has not run");
}

static bool isOnIntegers(linalg::LinalgOp op) {
  return isMergedProduct(op)
             ? getElementTypeOrSelf(op.getDpsInits().front()).isInteger()
             : multipliesIntegers(op);
}

std::optional<Explanation> fusion::explain(Operation *op,
                                           const ExplainOptions &options) {
  Refusal refusal;
  if (auto fused = dyn_cast<FusedOpInterface>(op)) {
    if (failed(explainFused(fused, options, refusal)))
      return Explanation{Status::PartlyFused, op, listFolded(fused),
                         refusal.str().str(), ""};
    Refusal moved;
    (void)explainMovedOperands(fused, moved);
    return Explanation{Status::Fused, op, listFolded(fused), "",
                       moved.str().str()};
  }
  // An op that multiplies elements of its window is no pool.
  if (options.pools && !isRaisable(op) && isPool(op)) {
    (void)explainPool(cast<linalg::LinalgOp>(op), options, refusal);
    return Explanation{Status::NotFused, op, {}, refusal.str().str(), ""};
  }
  if (!isRaisable(op) && !computesFactors(op) && !isMergedProduct(op) &&
      !isVectorProduct(op))
    return std::nullopt;
  auto linalgOp = cast<linalg::LinalgOp>(op);
  if (!options.integers && isOnIntegers(linalgOp))
    return std::nullopt;
  (void)explainNotRaised(linalgOp, options, refusal);
  return Explanation{Status::NotFused, op, {}, refusal.str().str(), ""};
}

SmallVector<Explanation> fusion::explainAll(Operation *root,
                                            const ExplainOptions &options) {
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
  if (isa<FusedMatmulBiasActOp, QuantizedMatmulBiasActOp>(op))
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
  if (!moved.empty())
    text += "; " + moved;
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
        if (!explanation.moved.empty())
          json.attribute("moved", explanation.moved);
      });
  });
  os << "\n";
}

namespace {
struct ExplainPass : public fusion::impl::FusionExplainBase<ExplainPass> {
  using FusionExplainBase::FusionExplainBase;

  void runOnOperation() override {
    // Errors on the op itself would print all of it.
    if (format != "text" && format != "json") {
      emitError(getOperation()->getLoc())
          << "'format' must be text or json, got '" << format << "'";
      return signalPassFailure();
    }
    SmallVector<Explanation> explanations =
        explainAll(getOperation(), ExplainOptions());
    auto write = [&](raw_ostream &os) {
      format == "json" ? writeJson(os, explanations)
                       : writeText(os, explanations);
      return llvm::Error::success();
    };
    markAllAnalysesPreserved();
    llvm::Error error =
        output.empty() ? write(llvm::errs()) : writeFile(output, write);
    if (!error)
      return;
    emitError(getOperation()->getLoc()) << llvm::toString(std::move(error));
    signalPassFailure();
  }
};
} // namespace
