//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slots.h"

using namespace mlir;
using namespace fusion;

/// The bytes of the operands, without addresses.
static std::string createArgs(RtPrepareOp op, RtCreateOp callSite) {
  Places places = getPlaces(callSite);
  fusion_rt_quantized_args quantized = {};
  fusion_rt_conv_args &args = quantized.operands;
  args.src = createTensor(op.getInputType(), places.input);
  args.weights = createTensor(op.getFilterType(), places.filter);
  args.bias = createTensor(op.getBiasType(), {0});
  args.residual = createTensor(op.getResidualType(), places.output);
  args.dst = createTensor(op.getInitType(), places.output);
  // Any address tells that both are one.
  if (op.getInPlace())
    args.residual.data = args.dst.data = reinterpret_cast<void *>(1);
  if (!isQuantized(callSite))
    return getBytes(args);
  quantized.scales = createTensor(op.getScaleType(), {0});
  return getBytes(quantized);
}

namespace {
/// `fusion.rt.prepare` becomes a call with a global that has the shapes, into
/// which the address of the filter is written.
struct ConvertPrepare : public ConvertOpToLLVMPattern<RtPrepareOp> {
  ConvertPrepare(const LLVMTypeConverter &converter,
                 SymbolTableCollection *symbols)
      : ConvertOpToLLVMPattern(converter), symbols(symbols) {}

  LogicalResult
  matchAndRewrite(RtPrepareOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RtCreateOp callSite = findCallSite(op, op.getCalleeAttr(), symbols);
    if (!callSite)
      return rewriter.notifyMatchFailure(op, "call site is not in the module");
    Location loc = op.getLoc();
    std::string name = createShapes(op, callSite, rewriter);
    Type pointer = LLVM::LLVMPointerType::get(rewriter.getContext());
    Value args = LLVM::AddressOfOp::create(rewriter, loc, pointer, name);
    if (op.getFilter()) {
      auto type = cast<MemRefType>(op.getFilter().getType());
      Value filter = MemRefDescriptor(adaptor.getFilter())
                         .bufferPtr(rewriter, loc, *getTypeConverter(), type);
      // Those of integers begin with the others.
      static_assert(offsetof(fusion_rt_quantized_args, operands) == 0);
      int32_t offset = offsetof(fusion_rt_conv_args, weights.data);
      Value place =
          LLVM::GEPOp::create(rewriter, loc, pointer, rewriter.getI8Type(),
                              args, ArrayRef<LLVM::GEPArg>{offset});
      LLVM::StoreOp::create(rewriter, loc, filter, place);
    }
    Callee callee = getCallee(callSite);
    Value function = LLVM::ConstantOp::create(
        rewriter, loc, rewriter.getI32IntegerAttr(callee.number));
    Value slot = createSlotAddress(rewriter, loc, op.getCallee());
    if (failed(createRuntimeCall(rewriter, op, callee.prepare,
                                 LLVM::LLVMVoidType::get(rewriter.getContext()),
                                 ValueRange{function, slot, args})))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// The global of the operands of a call, and its name.
  static std::string createShapes(RtPrepareOp op, RtCreateOp callSite,
                                  ConversionPatternRewriter &rewriter) {
    std::string name = createSymbolName(callSite, "_shapes");
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfter(callSite);
    createBytes(rewriter, op.getLoc(), name, createArgs(op, callSite),
                /*isConstant=*/false);
    return name;
  }

  SymbolTableCollection *symbols;
};
} // namespace

void fusion::populatePrepareToLLVMPatterns(const LLVMTypeConverter &converter,
                                           RewritePatternSet &patterns,
                                           SymbolTableCollection *symbols) {
  patterns.add<ConvertPrepare>(converter, symbols);
}
