//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FusionDialect/IR/FusionOps.h"
#include "Slots.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace fusion;

/// The address of field `i` of the struct of `type` at `context`.
static Value createFieldAddress(OpBuilder &builder, Location loc, Type type,
                                Value context, int32_t i) {
  return LLVM::GEPOp::create(builder, loc,
                             LLVM::LLVMPointerType::get(builder.getContext()),
                             type, context, ArrayRef<LLVM::GEPArg>{0, i});
}

namespace {
/// `fusion.rt.parallel_for` becomes a call of the runtime, with the captured
/// values in a struct on the stack; beside it a function with the signature
/// that the runtime calls, which takes them out again.
struct ConvertParallelFor : public ConvertOpToLLVMPattern<RtParallelForOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RtParallelForOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (getIndexType() != rewriter.getI64Type())
      return rewriter.notifyMatchFailure(
          op, "unsupported: 'index' of another width than 64 bits");
    Location loc = op.getLoc();
    SmallVector<Value, 4> captures = getTypeConverter()->promoteOperands(
        loc, op.getCaptures(), adaptor.getCaptures(), rewriter);
    Type type = LLVM::LLVMStructType::getLiteral(
        rewriter.getContext(),
        llvm::map_to_vector(captures, [](Value v) { return v.getType(); }));
    std::string name = (op.getCallee() + "_range").str();
    createRangeFunction(op, name, type, rewriter);

    Value context = createStackSlot(rewriter, op, type);
    for (auto [i, value] : llvm::enumerate(captures))
      LLVM::StoreOp::create(
          rewriter, loc, value,
          createFieldAddress(rewriter, loc, type, context, i));
    Value function = LLVM::AddressOfOp::create(
        rewriter, loc, LLVM::LLVMPointerType::get(rewriter.getContext()), name);
    if (failed(
            createRuntimeCall(rewriter, op, "fusion_rt_parallel_for_checked",
                              LLVM::LLVMVoidType::get(rewriter.getContext()),
                              ValueRange{adaptor.getSize(), adaptor.getGrain(),
                                         function, context})))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// `void name(i64 begin, i64 end, void *context)`, once for all ops of the
  /// callee.
  static void createRangeFunction(RtParallelForOp op, const std::string &name,
                                  Type type,
                                  ConversionPatternRewriter &rewriter) {
    auto module = op->getParentOfType<ModuleOp>();
    if (module.lookupSymbol(name))
      return;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToEnd(module.getBody());
    Location loc = op.getLoc();
    MLIRContext *context = rewriter.getContext();
    Type i64 = rewriter.getI64Type();
    auto functionType = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(context),
        {i64, i64, LLVM::LLVMPointerType::get(context)});
    auto function = LLVM::LLVMFuncOp::create(rewriter, loc, name, functionType,
                                             LLVM::Linkage::Internal);
    Block *block = function.addEntryBlock(rewriter);
    rewriter.setInsertionPointToStart(block);
    SmallVector<Value> operands(block->getArguments().take_front(2));
    ArrayRef<Type> fields = cast<LLVM::LLVMStructType>(type).getBody();
    for (auto [i, field] : llvm::enumerate(fields))
      operands.push_back(LLVM::LoadOp::create(
          rewriter, loc, field,
          createFieldAddress(rewriter, loc, type, block->getArgument(2), i)));
    LLVM::CallOp::create(rewriter, loc, TypeRange(), op.getCallee(), operands);
    LLVM::ReturnOp::create(rewriter, loc, ValueRange());
  }
};
} // namespace

void fusion::populateParallelForToLLVMPatterns(
    const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertParallelFor>(converter);
}
