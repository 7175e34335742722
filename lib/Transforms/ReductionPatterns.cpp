//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/ReductionPatterns.h"
#include "FusionDialect/IR/FusionOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Reducer/ReductionPatternInterface.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Steps. Each makes an op simpler and returns true, or leaves it as it is.
//===----------------------------------------------------------------------===//

/// Takes away what holds only where a residual is behind the activation.
static void addNothingBehind(FusedOpInterface fused) {
  fused.setResidualAfterActivation(false);
  if (auto quantized = dyn_cast<QuantizedOpInterface>(fused.getOperation()))
    quantized.setRoundActivation(false);
}

static bool dropResidual(Operation *op) {
  auto fused = dyn_cast<FusedOpInterface>(op);
  if (!fused || !fused.getResidual())
    return false;
  fused.getResidualMutable().clear();
  addNothingBehind(fused);
  return true;
}

static bool moveResidualBefore(Operation *op) {
  auto fused = dyn_cast<FusedOpInterface>(op);
  if (!fused || !fused.getResidualAfterActivation())
    return false;
  addNothingBehind(fused);
  return true;
}

static bool dropBias(Operation *op) {
  auto fused = dyn_cast<FusedOpInterface>(op);
  if (!fused || !fused.getBias())
    return false;
  fused.getBiasMutable().clear();
  return true;
}

static bool dropActivation(Operation *op) {
  auto fused = dyn_cast<FusedOpInterface>(op);
  if (!fused || !fused.getActivationAttr())
    return false;
  fused.setActivationAttr({});
  addNothingBehind(fused);
  return true;
}

/// Replaces the activation by one without parameters, which is the simplest.
static bool simplifyActivation(Operation *op) {
  auto fused = dyn_cast<FusedOpInterface>(op);
  if (!fused || !fused.getActivationAttr() ||
      fused.getActivationAttr().getKind() == ActivationKind::Relu)
    return false;
  fused.setActivationAttr(
      ActivationAttr::get(op->getContext(), ActivationKind::Relu));
  return true;
}

static bool resetNaNMode(Operation *op) {
  auto fused = dyn_cast<FusedOpInterface>(op);
  if (!fused || fused.getNanMode() == NaNMode::Fast)
    return false;
  fused.setNanMode(NaNMode::Fast);
  return true;
}

static bool dropDiscardableAttrs(Operation *op) {
  if (op->getDiscardableAttrDictionary().empty())
    return false;
  op->setDiscardableAttrs(ArrayRef<NamedAttribute>());
  return true;
}

/// Sets every element of the array `name` to `value`.
template <int64_t value> static bool resetArray(Operation *op, StringRef name) {
  auto array = op->getAttrOfType<DenseI64ArrayAttr>(name);
  if (!array || llvm::all_of(array.asArrayRef(),
                             [](int64_t element) { return element == value; }))
    return false;
  SmallVector<int64_t> reset(array.size(), value);
  op->setAttr(name, DenseI64ArrayAttr::get(op->getContext(), reset));
  return true;
}

static bool resetPads(Operation *op) {
  bool low = resetArray<0>(op, "pad_low");
  bool high = resetArray<0>(op, "pad_high");
  return low || high;
}

static bool resetStrides(Operation *op) { return resetArray<1>(op, "strides"); }

static bool resetDilations(Operation *op) {
  return resetArray<1>(op, "dilations");
}

/// Resets all three: one alone could change the size of the result.
static bool resetGeometry(Operation *op) {
  bool pads = resetPads(op);
  bool strides = resetStrides(op);
  bool dilations = resetDilations(op);
  return pads || strides || dilations;
}

//===----------------------------------------------------------------------===//
// The pattern
//===----------------------------------------------------------------------===//

namespace {
using Step = bool (*)(Operation *);

/// The parts of an op that a step changes.
class SavedOp {
public:
  explicit SavedOp(Operation *op)
      : op(op), operands(op->getOperands()),
        properties(op->getPropertiesAsAttribute()),
        attributes(op->getDiscardableAttrDictionary()) {}

  void restore() {
    op->setOperands(operands);
    LogicalResult result = op->setPropertiesFromAttribute(
        properties, [&] { return op->emitError(); });
    assert(succeeded(result) && "properties of the op itself");
    (void)result;
    op->setDiscardableAttrs(attributes);
  }

private:
  Operation *op;
  SmallVector<Value> operands;
  Attribute properties;
  DictionaryAttr attributes;
};

/// Takes the steps that leave the module valid and interesting, asking the
/// tester after each. Patterns that do not ask would be all or nothing: the
/// reducer applies all patterns to an op, and drops the result if one went too
/// far.
class SimplifyFusionOp : public RewritePattern {
public:
  SimplifyFusionOp(StringRef name, MLIRContext *context, const Tester &tester)
      : RewritePattern(name, /*benefit=*/1, context), tester(tester) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    for (Step step :
         {dropResidual, dropBias, dropActivation, moveResidualBefore,
          simplifyActivation, resetNaNMode, dropDiscardableAttrs, resetGeometry,
          resetPads, resetStrides, resetDilations})
      changed |= take(step, op, rewriter);
    if (changed)
      return success();
    return rewriter.notifyMatchFailure(op, "no step leaves it interesting");
  }

private:
  bool take(Step step, Operation *op, PatternRewriter &rewriter) const {
    SavedOp saved(op);
    rewriter.startOpModification(op);
    if (step(op)) {
      if (isGood(op)) {
        rewriter.finalizeOpModification(op);
        return true;
      }
      saved.restore();
    }
    rewriter.cancelOpModification(op);
    return false;
  }

  /// True if the op verifies and its module is interesting. Errors are not
  /// printed.
  bool isGood(Operation *op) const {
    ScopedDiagnosticHandler silent(op->getContext(),
                                   [](Diagnostic &) { return success(); });
    auto module = op->getParentOfType<ModuleOp>();
    return succeeded(verify(op)) && module &&
           tester.isInteresting(module).first == Tester::Interestingness::True;
  }

  const Tester &tester;
};

struct FusionReductionPatterns : public DialectReductionPatternInterface {
  FusionReductionPatterns(Dialect *dialect)
      : DialectReductionPatternInterface(dialect) {}

  void populateReductionPatterns(RewritePatternSet &) const override {}

  void populateReductionPatternsWithTester(RewritePatternSet &patterns,
                                           Tester &tester) const override {
    for (StringRef name :
         {FusedConvBiasActOp::getOperationName(),
          FusedDeconvBiasActOp::getOperationName(),
          FusedMatmulBiasActOp::getOperationName(), PoolOp::getOperationName()})
      patterns.add(std::make_unique<SimplifyFusionOp>(
          name, patterns.getContext(), tester));
  }
};
} // namespace

void fusion::registerReductionPatterns(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, FusionDialect *dialect) {
    dialect->addInterfaces<FusionReductionPatterns>();
  });
}
