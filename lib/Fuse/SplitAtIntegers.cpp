//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream's fusion of element-wise ops merges a quantisation and what reads
// its integers into one body, which no law knows. This pass splits such a body
// at the integers, so that the ops are those of the front end again. It also
// splits off what is computed of vectors, which is a bias of a product, and
// their sum with a product of integers.
// `fusion-merge-elementwise` merges what no kernel has taken.

#include "BodyPart.h"
#include "FusionDialect/Analysis/Quantization.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Fuse/Raise.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONSPLITATINTEGERS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

static constexpr StringLiteral integersName = "an integer of 8 bits";
static constexpr StringLiteral vectorName = "a number of vectors";
static constexpr StringLiteral sumName = "a sum with vectors";

//===----------------------------------------------------------------------===//
// Where a body is split
//===----------------------------------------------------------------------===//

/// True if `inner` makes an integer of 8 bits of another number.
static bool isNarrowing(Operation *inner) {
  return isa<arith::FPToSIOp, arith::FPToUIOp, arith::TruncIOp>(inner) &&
         inner->getResult(0).getType().isInteger(8);
}

/// True if an op reads `value` as another number, and not as the integer that
/// the body yields. In a reduction any op does that.
static bool isReadOn(linalg::GenericOp op, Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return user->getNumResults() == 1 &&
           (op.getNumReductionLoops() > 0 || !isInteger8(user->getResult(0)));
  });
}

/// True if the body of `op` makes `value`, an integer of 8 bits, and reads it.
static bool isIntegerBetween(linalg::GenericOp op, Value value) {
  if (!value.getType().isInteger(8) || !isReadOn(op, value))
    return false;
  // A clamp may stand behind the conversion.
  SmallVector<Operation *> ops(1, value.getDefiningOp());
  DenseSet<Operation *> seen;
  while (!ops.empty()) {
    Operation *inner = ops.pop_back_val();
    if (!seen.insert(inner).second)
      continue;
    if (isNarrowing(inner))
      return true;
    for (Value operand : inner->getOperands())
      if (Operation *source = operand.getDefiningOp();
          source && isInteger8(operand) && source->getBlock() == op.getBody())
        ops.push_back(source);
  }
  return false;
}

/// The number of dimensions along which `map` reads different elements.
static int64_t countVarying(AffineMap map) {
  return llvm::count_if(map.getResults(), [](AffineExpr expr) {
    return !isa<AffineConstantExpr>(expr);
  });
}

/// Reads `value` as a number that is made of one tensor of integers of 8 bits,
/// by bounds of these and by differences and products with constants and
/// vectors. It is in f32, but the factors of a sum of products may be rounded
/// to less.
static FailureOr<BodyPart> matchDequantized(linalg::GenericOp op, Value value,
                                            Refusal &refusal) {
  bool isInSum = op.getNumReductionLoops() > 0;
  Type type = value.getType();
  if (!type.isF32() && !(isInSum && (type.isBF16() || type.isF16())))
    return refusal.because("no number of f32");
  FailureOr<BodyPart> part =
      BodyPart::match(op, value, "a dequantised number", refusal);
  if (failed(part))
    return failure();
  for (Operation *inner : part->ops)
    if (!isa<arith::ExtSIOp, arith::ExtUIOp, arith::SubIOp, arith::AddIOp,
             arith::XOrIOp, arith::SIToFPOp, arith::UIToFPOp, arith::MulFOp,
             arith::DivFOp, arith::SubFOp, arith::MaxSIOp, arith::MinSIOp,
             arith::MaxUIOp, arith::MinUIOp, arith::CmpIOp, arith::SelectOp,
             tensor::ExtractOp>(inner) &&
        !(isInSum && isa<arith::TruncFOp>(inner)))
      return refusal.because("'", inner->getName().getStringRef(),
                             "' is not part of a dequantisation");
  for (OpOperand *input : part->inputs) {
    bool isLargest = input == part->largest;
    bool isBytes = isInteger8(input->get());
    AffineMap map = op.getMatchingIndexingMap(input);
    // A vector of integers is a factor of a product, but a zero point may be
    // one of them.
    bool isParameter =
        countVarying(map) == 0 ||
        (!isBytes && map.getNumResults() < part->map.getNumResults());
    if (isLargest ? !isBytes : !isParameter)
      return refusal.because("a dequantised number is made of several tensors");
  }
  return part;
}

/// The op that computes `value`, if it is a convolution or a product, or null.
static Operation *getProduct(Value value) {
  while (isView(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  Operation *op = value.getDefiningOp();
  bool isProduct = op && (isa<FusedOpInterface>(op) || isRaisable(op) ||
                          computesFactors(op));
  return isProduct ? op : nullptr;
}

/// True if a convolution or a product in f32 computes `value`.
static bool isProduct(Value value) {
  return getElementTypeOrSelf(value).isF32() && getProduct(value);
}

/// True if a convolution or a product of integers computes `value`.
static bool isIntegerProduct(Value value) {
  return getElementTypeOrSelf(value).isInteger(32) && getProduct(value);
}

/// True if an op of its own that dequantises helps: where a window op reads
/// what it makes, or where it is added to a product. The windows of an image of
/// one pixel may be written as 0, but a tensor of one element is a number.
static bool readsDequantized(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0)
    return llvm::any_of(op.getDpsInputs(), isProduct);
  return llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return countVarying(map) > 0 &&
           llvm::any_of(map.getResults(),
                        llvm::IsaPred<AffineBinaryOpExpr, AffineConstantExpr>);
  });
}

/// True if the body of `op` dequantises `value`, and computes what is more. In
/// less than f32 that is a product, which a convolution has.
static bool isDequantizedBetween(linalg::GenericOp op, Value value) {
  Refusal unread = Refusal::unread();
  bool isNarrow = !value.getType().isF32();
  return readsDequantized(op) &&
         succeeded(matchDequantized(op, value, unread)) &&
         llvm::any_of(value.getUsers(), [&](Operation *user) {
           return user->getNumResults() == 1 &&
                  (!isNarrow || isa<arith::ExtFOp, arith::MulFOp>(user)) &&
                  failed(matchDequantized(op, user->getResult(0), unread));
         });
}

//===----------------------------------------------------------------------===//
// Numbers of vectors
//===----------------------------------------------------------------------===//

/// True if a convolution or a product starts from `value`, behind views.
static bool isAccumulator(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isView(user))
      return isAccumulator(user->getResult(0));
    auto op = dyn_cast<linalg::LinalgOp>(user);
    return op && op.isDpsInit(&use) && (isRaisable(op) || computesFactors(op));
  });
}

/// Reads `value` as a number that `op` computes of vectors alone, so that it is
/// the same along a loop.
static FailureOr<BodyPart> matchRepeated(linalg::GenericOp op, Value value,
                                         Refusal &refusal) {
  if (op.getNumReductionLoops() > 0)
    return refusal.because("'", op->getName(), "' is not element-wise");
  FailureOr<BodyPart> part = BodyPart::match(op, value, vectorName, refusal);
  if (failed(part))
    return failure();
  bool isRepeated =
      llvm::any_of(llvm::seq(op.getNumLoops()), [&](unsigned loop) {
        return !part->map.isFunctionOfDim(loop);
      });
  if (!isRepeated)
    return refusal.because(vectorName, " differs along each loop");
  return part;
}

/// True if something else than constants computes `part`.
static bool isUnknown(const BodyPart &part) {
  return !llvm::all_of(part.inputs, [](OpOperand *input) {
    return matchPattern(input->get(), m_Constant());
  });
}

/// True if no law reads `part` as an expression of vectors that is added to a
/// product of `op`: it converts integers, or computes others than constants.
static bool isAddedAlone(linalg::GenericOp op, const BodyPart &part) {
  if (part.value.getType().isInteger(32))
    return isUnknown(part) && llvm::any_of(op.getDpsInputs(), isIntegerProduct);
  return part.value.getType().isF32() &&
         llvm::any_of(part.ops,
                      llvm::IsaPred<arith::SIToFPOp, arith::UIToFPOp>) &&
         llvm::any_of(op.getDpsInputs(), isProduct);
}

/// True if the body of `op` computes `value` of vectors, and it is what a
/// product starts from or part of what is added behind one.
static bool isRepeatedBetween(linalg::GenericOp op, Value value) {
  Refusal unread = Refusal::unread();
  FailureOr<BodyPart> part = matchRepeated(op, value, unread);
  if (failed(part))
    return false;
  if (op.getBody()->getTerminator()->getOperand(0) == value)
    return op.getNumDpsInits() == 1 && isAccumulator(op.getResult(0));
  return isAddedAlone(op, *part) &&
         llvm::any_of(value.getUsers(), [&](Operation *user) {
           return user->getNumResults() == 1 &&
                  failed(matchRepeated(op, user->getResult(0), unread));
         });
}

/// Reads `value` as the sum of a product of integers and vectors, of which one
/// is no constant.
static FailureOr<BodyPart> matchSum(linalg::GenericOp op, Value value,
                                    Refusal &refusal) {
  if (op.getNumReductionLoops() > 0 || !value.getType().isInteger(32))
    return refusal.because("'", op->getName(), "' is not element-wise");
  FailureOr<BodyPart> part = BodyPart::match(op, value, sumName, refusal);
  if (failed(part))
    return failure();
  bool isSum =
      llvm::all_of(part->ops, llvm::IsaPred<arith::AddIOp, arith::SubIOp>);
  unsigned products = 0;
  bool isKnown = true;
  for (OpOperand *input : part->inputs) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map.isIdentity() && isIntegerProduct(input->get())) {
      ++products;
      continue;
    }
    isSum &= map.getNumResults() < map.getNumDims();
    isKnown &= matchPattern(input->get(), m_Constant());
  }
  if (!isSum || products != 1 || isKnown)
    return refusal.because(sumName, " has other parts");
  return part;
}

/// True if the body of `op` computes `value`, such a sum, and makes another
/// number of it.
static bool isSumBetween(linalg::GenericOp op, Value value) {
  Refusal unread = Refusal::unread();
  return succeeded(matchSum(op, value, unread)) &&
         llvm::any_of(value.getUsers(), [&](Operation *user) {
           return user->getNumResults() == 1 &&
                  failed(matchSum(op, user->getResult(0), unread));
         });
}

//===----------------------------------------------------------------------===//
// Splitting
//===----------------------------------------------------------------------===//

/// The ops and arguments of the body that compute what it yields of `value`.
static DenseSet<Value> findRest(linalg::GenericOp op, Value value) {
  DenseSet<Value> needed;
  for (Operation &inner : llvm::reverse(*op.getBody())) {
    bool isNeeded = inner.hasTrait<OpTrait::IsTerminator>() ||
                    llvm::any_of(inner.getResults(), [&](Value result) {
                      return result != value && needed.contains(result);
                    });
    if (isNeeded)
      needed.insert_range(inner.getOperands());
  }
  return needed;
}

/// Fails unless the two parts of the body of `op` read tensors of their own:
/// what computes a tensor that both read would have two users. Vectors may.
static LogicalResult checkParts(linalg::GenericOp op, const BodyPart &part,
                                StringRef name, const DenseSet<Value> &rest,
                                Refusal &refusal) {
  for (Operation &inner : op.getBody()->without_terminator())
    if (inner.getNumRegions() || inner.getNumResults() != 1 ||
        !isMemoryEffectFree(&inner))
      return refusal.because("the body contains '",
                             inner.getName().getStringRef(), "'");
  Refusal unread = Refusal::unread();
  if (succeeded(matchRepeated(op, part.value, unread)))
    return success();
  for (OpOperand *input : part.inputs)
    if (rest.contains(op.getMatchingBlockArgument(input)) &&
        op.getMatchingIndexingMap(input) == part.map &&
        !isInteger8(input->get()) && !matchPattern(input->get(), m_Constant()))
      return refusal.because("operand ", input->getOperandNumber(),
                             ", of which ", name,
                             " is made, is also read otherwise");
  return success();
}

/// Computes `part` by an op of its own, and the rest of `op` by another, which
/// is returned. That one reads the part where `op` reads the first input of it:
/// a pool has the window last.
static linalg::GenericOp split(RewriterBase &rewriter, linalg::GenericOp op,
                               const BodyPart &part,
                               const DenseSet<Value> &rest) {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  IRMapping mapping;
  SmallVector<Value> read;
  auto addInput = [&](Value argument, Value tensor, AffineMap map) {
    read.push_back(argument);
    inputs.push_back(tensor);
    maps.push_back(map);
  };
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value argument = op.getMatchingBlockArgument(input);
    if (input == part.inputs.front())
      addInput(part.value, part.emit(rewriter, op), part.map);
    // An input that nothing reads says how many iterations a loop has.
    if (argument.use_empty() || rest.contains(argument))
      addInput(argument, input->get(), op.getMatchingIndexingMap(input));
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    read.push_back(op.getMatchingBlockArgument(&init));
    maps.push_back(op.getMatchingIndexingMap(&init));
  }
  auto computeRest = [&](OpBuilder &builder, Location, ValueRange args) {
    for (auto [value, arg] : llvm::zip_equal(read, args))
      mapping.map(value, arg);
    for (Operation &inner : *op.getBody())
      if (inner.hasTrait<OpTrait::IsTerminator>() ||
          (rest.contains(inner.getResult(0)) &&
           inner.getResult(0) != part.value))
        builder.clone(inner, mapping);
  };
  auto result = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(), maps,
      op.getIteratorTypesArray(), computeRest);
  result->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, result);
  return result;
}

/// Splits `op` at the first value at which it can be split. Returns what is
/// left of it; null if there is none. `refusal` has the reason if an integer
/// of 8 bits stays.
static linalg::GenericOp splitOnce(RewriterBase &rewriter, linalg::GenericOp op,
                                   Refusal &refusal) {
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (inner.getNumResults() != 1)
      continue;
    Value value = inner.getResult(0);
    FailureOr<BodyPart> part = failure();
    StringRef name = integersName;
    if (isIntegerBetween(op, value))
      part = BodyPart::match(op, value, integersName, refusal);
    else if (isDequantizedBetween(op, value))
      part = matchDequantized(op, value, refusal);
    else if (isRepeatedBetween(op, value))
      part = matchRepeated(op, value, refusal);
    else if (name = sumName; isSumBetween(op, value))
      part = matchSum(op, value, refusal);
    if (failed(part))
      continue;
    DenseSet<Value> rest = findRest(op, value);
    if (succeeded(checkParts(op, *part, name, rest, refusal)))
      return split(rewriter, op, *part, rest);
  }
  return nullptr;
}

namespace {
struct SplitAtIntegersPass
    : public fusion::impl::FusionSplitAtIntegersBase<SplitAtIntegersPass> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : ops) {
      Refusal refusal;
      while (linalg::GenericOp rest = splitOnce(rewriter, op, refusal)) {
        op = rest;
        refusal = Refusal();
      }
      if (!refusal.str().empty())
        remark::missed(op.getLoc(),
                       remark::RemarkOpts::name("fusion-split-at-integers")
                           .category("fusion"))
            << remark::reason("{0}", refusal.str());
    }
  }
};
} // namespace
