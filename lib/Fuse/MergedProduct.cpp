//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Says why a matrix multiplication stays as it is into whose body
// `linalg-fuse-elementwise-ops` has merged the ops in front.

#include "FusionDialect/Fuse/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fusion;

namespace {
/// The operands and loops that the body of an op computes a factor from.
struct Factor {
  SmallVector<OpOperand *> inputs;
  BitVector loops; ///< along which it varies
  bool readsSum = false;
};

struct MergedProduct {
  Factor lhs, rhs;
};
} // namespace

static bool isOnIntegers(linalg::LinalgOp op) {
  return getElementTypeOrSelf(op.getDpsInits().front()).isInteger();
}

static Factor readFactor(linalg::GenericOp op, Value factor) {
  Factor read;
  read.loops.resize(op.getNumLoops());
  llvm::SetVector<Value> worklist;
  worklist.insert(factor);
  for (size_t i = 0; i != worklist.size(); ++i) {
    Operation *inner = worklist[i].getDefiningOp();
    if (inner && inner->getBlock() == op.getBody())
      worklist.insert_range(inner->getOperands());
    if (auto index = dyn_cast_if_present<linalg::IndexOp>(inner))
      read.loops.set(index.getDim());
  }
  for (OpOperand &operand : op->getOpOperands()) {
    if (!worklist.contains(op.getMatchingBlockArgument(&operand)))
      continue;
    if (op.isDpsInit(&operand)) {
      read.readsSum = true;
      continue;
    }
    read.inputs.push_back(&operand);
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (unsigned loop = 0, e = op.getNumLoops(); loop != e; ++loop)
      if (map.isFunctionOfDim(loop))
        read.loops.set(loop);
  }
  return read;
}

/// The factors of what the body of `op` adds to the sum.
static std::optional<MergedProduct> readProduct(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return std::nullopt;
  Operation *add = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  Value sum = op.getRegionOutputArgs().front();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add) ||
      !llvm::is_contained(add->getOperands(), sum))
    return std::nullopt;
  Value term =
      add->getOperand(0) == sum ? add->getOperand(1) : add->getOperand(0);
  Operation *multiply = term.getDefiningOp();
  if (isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(multiply))
    multiply = multiply->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(multiply))
    return std::nullopt;
  MergedProduct product{readFactor(op, multiply->getOperand(0)),
                        readFactor(op, multiply->getOperand(1))};
  if (product.lhs.readsSum || product.rhs.readsSum)
    return std::nullopt;
  return product;
}

static BitVector getLoops(linalg::GenericOp op, utils::IteratorType type) {
  BitVector loops(op.getNumLoops());
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == type)
      loops.set(loop);
  return loops;
}

/// The loops of `loops` that are none of `others`.
static BitVector without(BitVector loops, const BitVector &others) {
  return loops.reset(others);
}

/// True if one factor has rows and the other one has columns. A filter of one
/// number has its columns in the result alone. A product of integers with a
/// vector has one of both; one of floats gains nothing, and norms of networks
/// have it.
static bool hasLoopsOfMatmul(linalg::GenericOp op,
                             const MergedProduct &product) {
  BitVector notInLhs = getLoops(op, utils::IteratorType::parallel);
  BitVector notInRhs = notInLhs;
  notInLhs.reset(product.lhs.loops);
  notInRhs.reset(product.rhs.loops);
  bool hasRows = notInRhs.anyCommon(product.lhs.loops);
  bool hasColumns = notInLhs.anyCommon(product.rhs.loops);
  if ((hasRows && notInLhs.any()) || (hasColumns && notInRhs.any()))
    return true;
  BitVector shared = getLoops(op, utils::IteratorType::reduction);
  shared &= product.lhs.loops;
  shared &= product.rhs.loops;
  return shared.any() && (hasRows || hasColumns) && isOnIntegers(op);
}

bool fusion::isMergedProduct(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || isRaisable(op) || computesFactors(op))
    return false;
  std::optional<MergedProduct> product = readProduct(generic);
  return product && hasLoopsOfMatmul(generic, *product);
}

/// Refuses a loop that only one factor or none varies along.
static LogicalResult checkLoops(linalg::GenericOp op,
                                const MergedProduct &product,
                                Refusal &refusal) {
  BitVector shared = product.lhs.loops, read = product.lhs.loops;
  shared &= product.rhs.loops;
  read |= product.rhs.loops;
  int loop = without(getLoops(op, utils::IteratorType::reduction), shared)
                 .find_first();
  if (loop >= 0)
    return refusal.because("unsupported: a factor of the product is the same "
                           "along loop ",
                           loop, ", which is summed over");
  loop =
      without(getLoops(op, utils::IteratorType::parallel), read).find_first();
  if (loop >= 0)
    return refusal.because("unsupported: loop ", loop,
                           " is none of batch, row, column or reduction");
  return success();
}

/// Refuses factors of integers that more is computed for than an extension and
/// a zero point.
static LogicalResult checkIntegers(const MergedProduct &product,
                                   Refusal &refusal) {
  for (const Factor *factor : {&product.lhs, &product.rhs})
    if (factor->inputs.size() > 1)
      return refusal.because("unsupported: a factor of the product is computed "
                             "from ",
                             factor->inputs.size(),
                             " tensors, expected one of i8 less one number");
  return refusal.because(
      "unsupported: body is not one multiplication and one addition");
}

/// Refuses a factor that is indexed by anything but loops.
static LogicalResult checkIndices(linalg::GenericOp op, Refusal &refusal) {
  if (op.getNumDpsInputs() != 2)
    return success();
  for (OpOperand *factor : op.getDpsInputOperands())
    for (AffineExpr index : op.getMatchingIndexingMap(factor).getResults())
      if (!isa<AffineDimExpr>(index))
        return refusal.because("unsupported: '",
                               factor->getOperandNumber() == 0 ? "input"
                                                               : "filter",
                               "' is indexed by ", index);
  return success();
}

LogicalResult fusion::explainMergedProduct(linalg::LinalgOp op,
                                           Refusal &refusal) {
  auto generic = cast<linalg::GenericOp>(op.getOperation());
  std::optional<MergedProduct> product = readProduct(generic);
  StringRef what = "matrix multiplication";
  if (!op.hasPureTensorSemantics())
    return refusal.because("unsupported: ", what,
                           " on memrefs; raise before bufferization");
  if (failed(checkLoops(generic, *product, refusal)) ||
      failed(checkIndices(generic, refusal)))
    return failure();
  if (isOnIntegers(op))
    return checkIntegers(*product, refusal);
  Refusal reason;
  (void)checkMaySplitFactors(op, RaiseOptions(), reason);
  return refusal.because("unsupported: factors of the product stay in its "
                         "body: ",
                         reason.str());
}
