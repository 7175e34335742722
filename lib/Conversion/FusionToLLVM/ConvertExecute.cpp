//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FusionDialect/IR/FusionOps.h"
#include "FusionRuntime/fusion_runtime.h"
#include "Slots.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace fusion;

namespace {
/// A field of `fusion_rt_quantized_args`: where it is, and its value, if that
/// is not a constant.
struct Field {
  SmallVector<LLVM::GEPArg, 3> path;
  Value value;
  int64_t constant = 0;
};

/// `fusion.rt.execute` becomes a call of a function that writes the operands
/// out as `fusion_rt_conv_args`, five tensors of a pointer, five sizes, five
/// strides, or `fusion_rt_quantized_args`, which have the scales as a sixth,
/// and calls the runtime. Without that function a network would be one block
/// with fifty stores for each op, and the time that LLVM takes for a block
/// grows with the square of their number.
struct ConvertExecute : public ConvertOpToLLVMPattern<RtExecuteOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RtExecuteOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto callSite = SymbolTable::lookupNearestSymbolFrom<RtCreateOp>(
        op, op.getCalleeAttr());
    if (!callSite)
      return rewriter.notifyMatchFailure(op, "call site is not in the module");
    Places places = getPlaces(callSite);
    const int64_t vector[] = {0};
    SmallVector<std::tuple<Value, Value, ArrayRef<int64_t>>> operands = {
        {op.getInput(), adaptor.getInput(), places.input},
        {op.getFilter(), adaptor.getFilter(), places.filter},
        {op.getBias(), adaptor.getBias(), vector},
        {op.getResidual(), adaptor.getResidual(), places.output},
        {op.getInit(), adaptor.getInit(), places.output}};
    if (isQuantized(callSite))
      operands.emplace_back(op.getScale(), adaptor.getScale(), vector);
    SmallVector<Field> fields;
    for (auto [i, operand] : llvm::enumerate(operands)) {
      auto [memref, descriptor, positions] = operand;
      if (memref)
        addTensor(rewriter, i, memref, descriptor, positions, fields);
      else
        fields.push_back(
            {{static_cast<int32_t>(i), 0},
             LLVM::ZeroOp::create(rewriter, op.getLoc(), getPointer())});
    }
    SmallVector<Value> values;
    for (const Field &field : fields)
      if (field.value)
        values.push_back(field.value);
    FailureOr<LLVM::LLVMFuncOp> function =
        createFunction(rewriter, op, callSite, operands.size(), fields, values);
    if (failed(function))
      return failure();
    LLVM::CallOp::create(rewriter, op.getLoc(), *function, values);
    rewriter.eraseOp(op);
    return success();
  }

private:
  Type getPointer() const {
    return LLVM::LLVMPointerType::get(
        getTypeConverter()->getDialect()->getContext());
  }

  Type getTensorType() const {
    Type words = LLVM::LLVMArrayType::get(
        IntegerType::get(getPointer().getContext(), 64), FUSION_RT_MAX_RANK);
    return LLVM::LLVMStructType::getLiteral(getPointer().getContext(),
                                            {getPointer(), words, words});
  }

  /// Adds the fields of operand number `number`. `positions` gives for each
  /// dimension in logical order its place in the memref, or -1 for one that it
  /// is without, which gets size 1.
  void addTensor(OpBuilder &builder, int32_t number, Value memref,
                 Value descriptor, ArrayRef<int64_t> positions,
                 SmallVectorImpl<Field> &fields) const {
    auto type = cast<MemRefType>(memref.getType());
    auto [strides, offset] = type.getStridesAndOffset();
    Location loc = memref.getLoc();
    MemRefDescriptor view(descriptor);
    fields.push_back(
        {{number, 0}, view.bufferPtr(builder, loc, *getTypeConverter(), type)});
    for (auto [i, position] : llvm::enumerate(positions)) {
      int32_t index = static_cast<int32_t>(i);
      Field size{{number, 1, index}, Value(), 1};
      Field stride{{number, 2, index}, Value(), 1};
      if (position >= 0) {
        size.constant = type.getDimSize(position);
        stride.constant = strides[position];
        if (ShapedType::isDynamic(size.constant))
          size.value = view.size(builder, loc, position);
        if (ShapedType::isDynamic(stride.constant))
          stride.value = view.stride(builder, loc, position);
      }
      fields.push_back(size);
      fields.push_back(stride);
    }
  }

  /// The function that gets `values`, those of `fields` of `numTensors` tensors
  /// that are no constants.
  FailureOr<LLVM::LLVMFuncOp>
  createFunction(ConversionPatternRewriter &rewriter, RtExecuteOp op,
                 RtCreateOp callSite, size_t numTensors, ArrayRef<Field> fields,
                 ValueRange values) const {
    OpBuilder::InsertionGuard guard(rewriter);
    Location loc = op.getLoc();
    Type none = LLVM::LLVMVoidType::get(rewriter.getContext());
    rewriter.setInsertionPointAfter(callSite);
    auto function = LLVM::LLVMFuncOp::create(
        rewriter, loc, createSymbolName(callSite, "_call"),
        LLVM::LLVMFunctionType::get(none, llvm::to_vector(values.getTypes())),
        LLVM::Linkage::Internal);
    function.setNoInline(true);
    Block *block = function.addEntryBlock(rewriter);
    rewriter.setInsertionPointToStart(block);
    Type type = LLVM::LLVMArrayType::get(getTensorType(), numTensors);
    Value one = createConstant(rewriter, loc, 1);
    Value args = LLVM::AllocaOp::create(rewriter, loc, getPointer(), type, one,
                                        /*alignment=*/8);
    auto argument = block->args_begin();
    for (const Field &field : fields) {
      Value value = field.value ? Value(*argument++)
                                : createConstant(rewriter, loc, field.constant);
      Value address = LLVM::GEPOp::create(rewriter, loc, getPointer(),
                                          getTensorType(), args, field.path);
      LLVM::StoreOp::create(rewriter, loc, value, address);
    }
    Value slot = createSlotAddress(rewriter, loc, op.getCallee());
    if (failed(createRuntimeCall(rewriter, op, getCallee(callSite).function,
                                 none, ValueRange{slot, args})))
      return failure();
    LLVM::ReturnOp::create(rewriter, loc, ValueRange());
    return function;
  }

  static Value createConstant(OpBuilder &builder, Location loc, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc,
                                    builder.getI64IntegerAttr(value));
  }
};
} // namespace

void fusion::populateExecuteToLLVMPatterns(const LLVMTypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<ConvertExecute>(converter);
}
