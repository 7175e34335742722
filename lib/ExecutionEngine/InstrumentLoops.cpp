//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/ExecutionEngine/InstrumentLoops.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Support/ElementSize.h"
#include "FusionDialect/Support/TensorSize.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace fusion;

namespace {
class InstrumentLoopsPass
    : public PassWrapper<InstrumentLoopsPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InstrumentLoopsPass)

  StringRef getArgument() const override { return "fusion-instrument-loops"; }
  StringRef getDescription() const override {
    return "report the time of each loop nest to the runtime's trace";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<func::FuncDialect, LLVM::LLVMDialect>();
  }
  void runOnOperation() override;

private:
  func::FuncOp declare(OpBuilder &builder, StringRef name, FunctionType type);
  Value getString(OpBuilder &builder, Location loc, StringRef text);
  void instrument(Operation *op);

  func::FuncOp traceBegin;
  func::FuncOp traceEnd;
  llvm::StringMap<LLVM::GlobalOp> strings;
};
} // namespace

static bool becomesLoopNest(Operation *op) {
  return isa<linalg::LinalgOp, LoopLikeOpInterface, memref::CopyOp>(op);
}

/// True for loops around kernels, over a batch for instance. They are not
/// instrumented, because the runtime reports its kernels itself.
static bool hasKernels(Operation *op) {
  WalkResult result = op->walk([](Operation *inner) {
    return isa<FusedOpInterface, PoolOp>(inner) ? WalkResult::interrupt()
                                                : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// True if `op` computes nothing: it copies, transposes or broadcasts.
static bool onlyMoves(Operation *op) {
  if (isa<memref::CopyOp>(op))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumDpsInits() != 1 ||
      !llvm::hasSingleElement(*linalgOp.getBlock()))
    return false;
  auto moved = dyn_cast<BlockArgument>(
      linalgOp.getBlock()->getTerminator()->getOperand(0));
  return moved &&
         isa<MemRefType>(op->getOperand(moved.getArgNumber()).getType());
}

/// The name of `op` in the trace, with the bytes that it moves if it does
/// nothing else.
static std::string getNestName(Operation *op) {
  std::string name = op->getName().getStringRef().str();
  if (!onlyMoves(op))
    return name;
  auto type = dyn_cast<MemRefType>(op->getOperands().back().getType());
  std::optional<int64_t> bytes =
      type && type.hasStaticShape() && type.getElementType().isIntOrFloat()
          ? countBytes(type.getShape(),
                       getElementBytes(type.getElementTypeBitWidth()))
          : std::nullopt;
  std::string size = bytes ? std::to_string(*bytes) : "all";
  return name + kMovesText.str() + size + " bytes";
}

func::FuncOp InstrumentLoopsPass::declare(OpBuilder &builder, StringRef name,
                                          FunctionType type) {
  if (auto existing = getOperation().lookupSymbol<func::FuncOp>(name))
    return existing;
  auto function =
      func::FuncOp::create(builder, builder.getUnknownLoc(), name, type);
  function.setPrivate();
  return function;
}

/// A pointer to `text`, in a global that is shared by equal texts.
Value InstrumentLoopsPass::getString(OpBuilder &builder, Location loc,
                                     StringRef text) {
  LLVM::GlobalOp &global = strings[text];
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(getOperation().getBody());
    std::string name =
        "__fusion_trace_string_" + std::to_string(strings.size());
    std::string value = text.str() + '\0';
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), value.size());
    global = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                    LLVM::Linkage::Internal, name,
                                    builder.getStringAttr(value));
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

void InstrumentLoopsPass::instrument(Operation *op) {
  Location loc = op->getLoc();
  OpBuilder builder(op);
  Value name = getString(builder, loc, getNestName(op));
  Value location = getString(builder, loc, getLocationText(loc));
  Value begin =
      func::CallOp::create(builder, loc, traceBegin, ValueRange()).getResult(0);
  builder.setInsertionPointAfter(op);
  func::CallOp::create(builder, loc, traceEnd,
                       ValueRange{begin, name, location});
}

void InstrumentLoopsPass::runOnOperation() {
  SmallVector<Operation *> nests;
  getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!becomesLoopNest(op) || hasKernels(op))
      return WalkResult::advance();
    nests.push_back(op);
    return WalkResult::skip();
  });
  if (nests.empty())
    return;

  OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
  Type i64 = builder.getI64Type();
  Type pointer = LLVM::LLVMPointerType::get(&getContext());
  traceBegin = declare(builder, "fusion_rt_trace_begin",
                       builder.getFunctionType({}, i64));
  traceEnd = declare(builder, "fusion_rt_trace_end",
                     builder.getFunctionType({i64, pointer, pointer}, {}));
  for (Operation *op : nests)
    instrument(op);
}

std::unique_ptr<Pass> fusion::createInstrumentLoopsPass() {
  return std::make_unique<InstrumentLoopsPass>();
}
