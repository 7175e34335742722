//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONPARALLELIZELOOPS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

/// Enough iterations to be shared between threads.
static constexpr int64_t enoughIterations = 64;
/// The costs for an element of a memory access, of a division or a root, and of
/// what is no vector: a function of the math library, or a division of
/// integers. The unit is a simple operation on vectors. They are measured, and
/// a rule of thumb.
static constexpr int64_t memoryCost = 16, divisionCost = 50, scalarCost = 1000;

namespace {
/// Arithmetic on indices. It folds if the operands are constants.
struct IndexArithmetic {
  OpBuilder &builder;
  Location loc;

  template <typename OpTy> Value create(Value a, Value b) {
    return builder.createOrFold<OpTy>(loc, a, b);
  }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value a, Value b) { return create<arith::AddIOp>(a, b); }
  Value multiply(Value a, Value b) { return create<arith::MulIOp>(a, b); }

  /// Number of iterations from `lower` to `upper`.
  Value countTrips(Value lower, Value upper, Value step) {
    Value trips =
        create<arith::CeilDivSIOp>(create<arith::SubIOp>(upper, lower), step);
    return create<arith::MaxSIOp>(trips, constant(0));
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// True if threads can share the iterations of `loop`. A reduction is not
/// split, since its order would change. If kernels run inside, or functions
/// that may contain kernels, these use the threads. Calls of LLVM are those of
/// checks that fail.
static bool isShareable(scf::ParallelOp loop) {
  if (!loop.getInitVals().empty())
    return false;
  return !loop.walk([](Operation *op) {
                return isa<RtExecuteOp, RtParallelForOp, CallOpInterface>(op) &&
                               !isa<LLVM::CallOp>(op)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

/// True if `loop` has a parallel loop inside.
static bool hasLoopInside(scf::ParallelOp loop) {
  return loop.getBody()
      ->walk([](scf::ParallelOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// True for functions that are one or a few instructions.
static bool isInstruction(Operation &op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::FloorOp, math::FmaOp, math::RoundEvenOp, math::TruncOp>(op);
}

/// The elements that an op on vectors works on at once.
static int64_t countElements(Operation &op) {
  SmallVector<Type> types(op.getResultTypes());
  llvm::append_range(types, op.getOperandTypes());
  auto type =
      dyn_cast_if_present<VectorType>(types.empty() ? Type() : types[0]);
  return type ? type.getNumElements() : 1;
}

/// The cost of `op` for an element.
static int64_t getElementCost(Operation &op) {
  if (isa<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp>(op))
    return memoryCost;
  if (isa<arith::DivFOp, math::SqrtOp, math::RsqrtOp>(op))
    return divisionCost;
  if (isa<arith::RemFOp>(op))
    return scalarCost;
  // LLVM multiplies in place of a division by a constant.
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return matchPattern(op.getOperand(1), m_Constant()) ? 1 : scalarCost;
  if (isa<math::MathDialect>(op.getDialect()) && !isInstruction(op))
    return scalarCost;
  return 1;
}

static Value countWork(IndexArithmetic &index, scf::ParallelOp around,
                       Region &region);

/// The operations of an inner loop: those of its body times its iterations. An
/// iteration count known only inside of `around` counts as one.
static Value countLoopWork(IndexArithmetic &index, scf::ParallelOp around,
                           LoopLikeOpInterface loop) {
  Value work = countWork(index, around, *loop.getLoopRegions().front());
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(),
       steps = loop.getLoopSteps();
  if (!lower || !upper || !steps)
    return work;
  auto isKnown = [&](OpFoldResult bound) {
    auto value = dyn_cast<Value>(bound);
    return !value || around.isDefinedOutsideOfLoop(value);
  };
  auto getValue = [&](OpFoldResult bound) {
    return getValueOrCreateConstantIndexOp(index.builder, index.loc, bound);
  };
  for (auto [from, to, step] : llvm::zip_equal(*lower, *upper, *steps))
    if (isKnown(from) && isKnown(to) && isKnown(step))
      work = index.multiply(
          work, index.countTrips(getValue(from), getValue(to), getValue(step)));
  return work;
}

/// The operations of one pass through `region`, which is in `around`. The code
/// that counts them is in front of `around`.
static Value countWork(IndexArithmetic &index, scf::ParallelOp around,
                       Region &region) {
  int64_t fixed = 0;
  Value work = index.constant(0);
  for (Operation &op : region.getOps()) {
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      work = index.add(work, countLoopWork(index, around, loop));
      continue;
    }
    fixed += countElements(op) * getElementCost(op);
    for (Region &inner : op.getRegions())
      work = index.add(work, countWork(index, around, inner));
  }
  return index.add(work, index.constant(fixed));
}

//===----------------------------------------------------------------------===//
// Outlining
//===----------------------------------------------------------------------===//

namespace {
/// A parallel loop whose first dimensions the threads share.
class SharedLoop {
public:
  explicit SharedLoop(scf::ParallelOp loop);

  /// Moves the loop to a function, unless it is known to be too small to share.
  void outline(SymbolTable &symbols, int64_t minWork);

private:
  Value getGrain(int64_t minWork);
  func::FuncOp createFunction(SymbolTable &symbols);
  void cloneBody(OpBuilder &builder, ValueRange range, IRMapping &mapping);

  scf::ParallelOp loop;
  OpBuilder builder;
  IndexArithmetic index;
  /// Iterations of each dimension, and the number of dimensions shared.
  SmallVector<Value> trips;
  size_t shared = 0;
  /// The values from outside that the loop reads. Constants are cloned into the
  /// function, `captures` become its arguments.
  SmallVector<Value> constants, captures;
};
} // namespace

/// The number of outer dimensions that are enough for all threads. The
/// innermost one of all is shared only if it is alone, so that a loop over
/// consecutive elements stays whole; it may be a loop in `loop`.
static size_t countShared(scf::ParallelOp loop, ArrayRef<Value> trips) {
  size_t outer = hasLoopInside(loop) ? trips.size() : trips.size() - 1;
  int64_t known = 1;
  for (size_t i = 0; i < outer; ++i) {
    known *= getConstantIntValue(trips[i]).value_or(1);
    if (known >= enoughIterations)
      return i + 1;
  }
  return std::max<size_t>(1, outer);
}

SharedLoop::SharedLoop(scf::ParallelOp loop)
    : loop(loop), builder(loop), index{builder, loop.getLoc()} {
  for (auto [lower, upper, step] : llvm::zip_equal(
           loop.getLowerBound(), loop.getUpperBound(), loop.getStep()))
    trips.push_back(index.countTrips(lower, upper, step));
  shared = countShared(loop, trips);
  llvm::SetVector<Value> values = getReadValues(loop);
  values.insert_range(trips);
  for (Value value : values)
    (matchPattern(value, m_Constant()) ? constants : captures).push_back(value);
}

/// Iterations of the shared dimensions that make up `minWork`.
Value SharedLoop::getGrain(int64_t minWork) {
  Value work = countWork(index, loop, loop.getRegion());
  for (Value inner : ArrayRef<Value>(trips).drop_front(shared))
    work = index.multiply(work, inner);
  work = index.create<arith::MaxSIOp>(work, index.constant(1));
  return index.create<arith::CeilDivSIOp>(index.constant(minWork), work);
}

/// Writes a loop over the iterations `range` of the shared dimensions.
/// `mapping` replaces values from outside.
void SharedLoop::cloneBody(OpBuilder &builder, ValueRange range,
                           IRMapping &mapping) {
  Location loc = loop.getLoc();
  IndexArithmetic inside{builder, loc};
  auto outer =
      scf::ForOp::create(builder, loc, range[0], range[1], inside.constant(1));
  builder.setInsertionPointToStart(outer.getBody());
  SmallVector<Value> positions(trips.size());
  Value rest = outer.getInductionVar();
  for (size_t i = shared; i-- > 0;) {
    Value size = mapping.lookup(trips[i]);
    positions[i] = i ? inside.create<arith::RemSIOp>(rest, size) : rest;
    if (i)
      rest = inside.create<arith::DivSIOp>(rest, size);
  }
  for (size_t i = shared; i < trips.size(); ++i) {
    auto inner =
        scf::ForOp::create(builder, loc, inside.constant(0),
                           mapping.lookup(trips[i]), inside.constant(1));
    positions[i] = inner.getInductionVar();
    builder.setInsertionPointToStart(inner.getBody());
  }
  for (auto [variable, position, lower, step] :
       llvm::zip_equal(loop.getInductionVars(), positions, loop.getLowerBound(),
                       loop.getStep()))
    mapping.map(variable,
                inside.add(mapping.lookup(lower),
                           inside.multiply(position, mapping.lookup(step))));
  for (Operation &op : loop.getBody()->without_terminator())
    builder.clone(op, mapping);
}

func::FuncOp SharedLoop::createFunction(SymbolTable &symbols) {
  MLIRContext *context = loop.getContext();
  SmallVector<Type> types(2, builder.getIndexType());
  llvm::append_range(types, ValueRange(captures).getTypes());
  // The symbol that the lowering derives from the name must be free, too.
  auto parent = loop->getParentOfType<FunctionOpInterface>();
  unsigned counter = 0;
  auto name = SymbolTable::generateSymbolName<64>(
      (parent.getName() + "_loop").str(),
      [&](StringRef name) {
        return symbols.lookup(name) || symbols.lookup((name + "_range").str());
      },
      counter);
  OpBuilder inside(context);
  auto function = func::FuncOp::create(inside, loop.getLoc(), name,
                                       inside.getFunctionType(types, {}));
  function.setPrivate();
  function->setAttr("llvm.linkage",
                    LLVM::LinkageAttr::get(context, LLVM::Linkage::Internal));
  symbols.insert(function);
  Block *block = function.addEntryBlock();
  inside.setInsertionPointToStart(block);
  IRMapping mapping;
  mapping.map(captures, block->getArguments().drop_front(2));
  for (Value value : constants)
    if (!mapping.contains(value))
      inside.clone(*value.getDefiningOp(), mapping);
  cloneBody(inside, block->getArguments().take_front(2), mapping);
  inside.setInsertionPointToEnd(block);
  func::ReturnOp::create(inside, loop.getLoc());
  return function;
}

void SharedLoop::outline(SymbolTable &symbols, int64_t minWork) {
  Value size = trips[0];
  for (size_t i = 1; i < shared; ++i)
    size = index.multiply(size, trips[i]);
  Value grain = getGrain(minWork);
  std::optional<int64_t> knownSize = getConstantIntValue(size),
                         knownGrain = getConstantIntValue(grain);
  if (knownSize && knownGrain && *knownSize < 2 * *knownGrain)
    return;
  func::FuncOp function = createFunction(symbols);
  RtParallelForOp::create(builder, loop.getLoc(),
                          FlatSymbolRefAttr::get(function), size, grain,
                          captures);
  loop.erase();
}

namespace {
struct ParallelizeLoopsPass
    : public fusion::impl::FusionParallelizeLoopsBase<ParallelizeLoopsPass> {
  using FusionParallelizeLoopsBase::FusionParallelizeLoopsBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (minWork < 1)
      return emitError(UnknownLoc::get(context))
             << "'min-work' must be at least 1, got " << int64_t(minWork);
    return success();
  }

  void runOnOperation() override {
    SmallVector<scf::ParallelOp> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ParallelOp loop) {
      if (isShareable(loop))
        loops.push_back(loop);
      return WalkResult::skip();
    });
    SymbolTable symbols(getOperation());
    for (scf::ParallelOp loop : loops)
      SharedLoop(loop).outline(symbols, minWork);
  }
};
} // namespace
