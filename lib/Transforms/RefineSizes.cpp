//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RefineSizes.h"
#include "FusionDialect/Support/TensorSize.h"

#include "FusionDialect/Utils/Canonicalize.h"

#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace fusion;

static bool isDynamic(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

static bool hasDynamicSizes(FunctionOpInterface function) {
  if (llvm::any_of(function.getArgumentTypes(), isDynamic))
    return true;
  return function
      ->walk([](Operation *op) {
        return llvm::any_of(op->getResultTypes(), isDynamic)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The source of `value`, in front of all casts.
static Value getCastSource(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  return value;
}

//===----------------------------------------------------------------------===//
// Propagation
//===----------------------------------------------------------------------===//

namespace {
/// Gives the result of an element-wise op on tensors the static sizes of its
/// operands. Upstream does it for ops of linalg only.
struct RefineElementwise : public RewritePattern {
  explicit RefineElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "not an element-wise op");
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    // A scalar may choose between tensors, but has no size.
    if (!type ||
        !llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>))
      return rewriter.notifyMatchFailure(op, "not on ranked tensors alone");
    SmallVector<int64_t> shape(type.getShape());
    for (Value operand : op->getOperands())
      refine(shape, getCastSource(operand).getType());
    if (ArrayRef(shape) == type.getShape())
      return rewriter.notifyMatchFailure(op, "no more sizes are known");

    // An operand of another size gets a cast that cannot hold. It is reported
    // at the end.
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(rewriter.createOrFold<tensor::CastOp>(
          op->getLoc(), cast<RankedTensorType>(operand.getType()).clone(shape),
          operand));
    Operation *refined = clone(rewriter, op, type.clone(shape), operands);
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, type,
                                                refined->getResult(0));
    return success();
  }

private:
  /// Sets the dynamic sizes of `shape` to those that are static in `type`.
  static void refine(MutableArrayRef<int64_t> shape, Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getRank() != static_cast<int64_t>(shape.size()))
      return;
    for (auto [size, known] : llvm::zip_equal(shape, tensor.getShape()))
      if (ShapedType::isDynamic(size))
        size = known;
  }
};
} // namespace

namespace {
/// Two operands of a concatenation whose sizes differ in dimension `dim`.
struct Mismatch {
  int64_t dim;
  RankedTensorType first, second;
};
} // namespace

/// The first mismatch between the known sizes of the operands of `op`.
static std::optional<Mismatch> findMismatch(tensor::ConcatOp op) {
  auto concatDim = static_cast<int64_t>(op.getDim());
  for (int64_t dim = 0, e = op.getType().getRank(); dim != e; ++dim) {
    RankedTensorType first;
    for (Value input : op.getInputs()) {
      auto type = dyn_cast<RankedTensorType>(getCastSource(input).getType());
      if (!type || type.getRank() != e || dim == concatDim ||
          type.isDynamicDim(dim))
        continue;
      if (first && type.getDimSize(dim) != first.getDimSize(dim))
        return Mismatch{dim, first, type};
      first = type;
    }
  }
  return std::nullopt;
}

namespace {
/// Gives the operands of a concatenation their static sizes. Upstream folds
/// such casts only into ops with a destination, and then infers the result.
struct RefineConcatOperands : public OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    // Upstream infers types from operands without checking that they fit. A
    // mismatch is reported at the end.
    if (findMismatch(op))
      return rewriter.notifyMatchFailure(op, "sizes do not fit together");
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands()) {
      auto cast = operand.get().getDefiningOp<tensor::CastOp>();
      if (!cast || !tensor::canFoldIntoConsumerOp(cast))
        continue;
      rewriter.modifyOpInPlace(op, [&] { operand.set(cast.getSource()); });
      changed = true;
    }
    if (changed)
      return success();
    return rewriter.notifyMatchFailure(op, "no more sizes are known");
  }
};
} // namespace

/// The shape operand of `op`; none if it is not constant.
static std::optional<SmallVector<int64_t>>
getConstantShape(tensor::ReshapeOp op) {
  DenseIntElementsAttr attr;
  if (!matchPattern(op.getShape(), m_Constant(&attr)))
    return std::nullopt;
  SmallVector<int64_t> shape;
  for (const APInt &size : attr.getValues<APInt>())
    shape.push_back(size.getSExtValue());
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return std::nullopt;
  return shape;
}

/// The type of `op` with its constant shape, or its own type without one.
static RankedTensorType getKnownType(tensor::ReshapeOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  std::optional<SmallVector<int64_t>> shape = getConstantShape(op);
  return shape ? type.clone(*shape) : type;
}

/// True if a tensor of type `from` may be reshaped to `to`.
static bool mayReshape(ShapedType from, ShapedType to) {
  if (!from.hasStaticShape() || !to.hasStaticShape())
    return true;
  std::optional<int64_t> count = countElements(from.getShape());
  return count && count == countElements(to.getShape());
}

namespace {
/// Gives a reshape to a constant shape its static type, and its source the
/// static type of that. Upstream leaves both casts.
struct RefineReshape : public OpRewritePattern<tensor::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType known = getKnownType(op);
    Value source = op.getSource();
    while (auto cast = source.getDefiningOp<tensor::CastOp>()) {
      if (!tensor::canFoldIntoConsumerOp(cast))
        break;
      source = cast.getSource();
    }
    if (known == op.getType() && source == op.getSource())
      return rewriter.notifyMatchFailure(op, "no more sizes are known");
    // Sizes that conflict are reported at the end.
    if (failed(verifyCompatibleShape(known, op.getType())) ||
        !mayReshape(cast<ShapedType>(source.getType()), known))
      return rewriter.notifyMatchFailure(op, "sizes do not fit together");
    Value refined = tensor::ReshapeOp::create(rewriter, op.getLoc(), known,
                                              source, op.getShape());
    rewriter.replaceOp(op, rewriter.createOrFold<tensor::CastOp>(
                               op.getLoc(), op.getType(), refined));
    return success();
  }
};
} // namespace

static void propagateSizes(FunctionOpInterface function) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  patterns.add<RefineConcatOperands, RefineElementwise, RefineReshape>(context);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  // Works top down, so that a `tensor.empty` gets its size from its operands
  // before an op that expects another size overrules it.
  auto config =
      GreedyRewriteConfig()
          .setUseTopDownTraversal()
          .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  // If it ends early, fewer sizes are known, which is no error.
  FrozenRewritePatternSet frozen(std::move(patterns),
                                 getWrongCanonicalizations());
  (void)applyPatternsGreedily(function, frozen, config);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static SmallVector<Operation *> getReturns(FunctionOpInterface function) {
  SmallVector<Operation *> returns;
  for (Block &block : function.getBlocks())
    if (block.getTerminator()->hasTrait<OpTrait::ReturnLike>())
      returns.push_back(block.getTerminator());
  return returns;
}

/// The type that all of `returns` have for result `index` behind casts; null if
/// it is the declared one, or if they differ.
static Type getRefinedType(ArrayRef<Operation *> returns, unsigned index) {
  Type refined;
  for (Operation *op : returns) {
    auto cast = op->getOperand(index).getDefiningOp<tensor::CastOp>();
    if (!cast || !tensor::canFoldIntoConsumerOp(cast))
      return nullptr;
    Type type = cast.getSource().getType();
    if (refined && type != refined)
      return nullptr;
    refined = type;
  }
  return refined;
}

static void refineResults(FunctionOpInterface function) {
  SmallVector<Operation *> returns = getReturns(function);
  SmallVector<Type> types(function.getResultTypes());
  for (auto [index, type] : llvm::enumerate(types)) {
    Type refined = getRefinedType(returns, index);
    if (!refined)
      continue;
    type = refined;
    for (Operation *op : returns) {
      auto cast = op->getOperand(index).getDefiningOp<tensor::CastOp>();
      op->setOperand(index, cast.getSource());
      if (cast->use_empty())
        cast.erase();
    }
  }
  function.setType(function.cloneTypeWith(function.getArgumentTypes(), types));
}

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kConflict =
    "sizes that follow from what is bound do not fit together: ";

/// Two casts in a row between types that have no value in common are valid IR.
static LogicalResult checkCasts(FunctionOpInterface function) {
  WalkResult result = function->walk([](tensor::CastOp cast) -> WalkResult {
    Type known = getCastSource(cast).getType();
    if (succeeded(verifyCompatibleShape(known, cast.getType())))
      return WalkResult::advance();
    return emitError(cast.getLoc())
           << kConflict << known << " meets " << cast.getType();
  });
  return failure(result.wasInterrupted());
}

/// The verifier of a reshape checks neither a constant shape nor types behind
/// casts, and its message has no sizes.
static LogicalResult checkReshapes(FunctionOpInterface function) {
  WalkResult result = function->walk([](tensor::ReshapeOp op) -> WalkResult {
    RankedTensorType known = getKnownType(op);
    auto source = cast<ShapedType>(getCastSource(op.getSource()).getType());
    if (failed(verifyCompatibleShape(known, op.getType())))
      return emitError(op.getLoc())
             << kConflict << known << " meets " << op.getType();
    if (mayReshape(source, known))
      return WalkResult::advance();
    return emitError(op.getLoc())
           << kConflict << source << " is reshaped to " << known;
  });
  return failure(result.wasInterrupted());
}

/// If the operands of a concatenation do not fit, they still have their casts.
static LogicalResult checkConcats(FunctionOpInterface function) {
  WalkResult result = function->walk([](tensor::ConcatOp op) -> WalkResult {
    std::optional<Mismatch> mismatch = findMismatch(op);
    if (!mismatch)
      return WalkResult::advance();
    auto [dim, first, second] = *mismatch;
    return emitError(op.getLoc())
           << kConflict << first << " is concatenated with " << second
           << " in dimension " << op.getDim()
           << ", but they differ in dimension " << dim;
  });
  return failure(result.wasInterrupted());
}

/// Runs the verifiers of the ops. Their first error becomes part of ours.
static LogicalResult checkOps(FunctionOpInterface function) {
  std::optional<Location> place;
  std::string message;
  {
    ScopedDiagnosticHandler handler(
        function.getContext(), [&](Diagnostic &diagnostic) {
          if (!place && diagnostic.getSeverity() == DiagnosticSeverity::Error) {
            place = diagnostic.getLocation();
            message = diagnostic.str();
          }
        });
    if (succeeded(verify(function)))
      return success();
  }
  return emitError(place.value_or(function.getLoc())) << kConflict << message;
}

LogicalResult fusion::refineSizes(FunctionOpInterface function) {
  if (!hasDynamicSizes(function))
    return success();
  propagateSizes(function);
  if (failed(checkCasts(function)) || failed(checkReshapes(function)) ||
      failed(checkConcats(function)))
    return failure();
  refineResults(function);
  return checkOps(function);
}
