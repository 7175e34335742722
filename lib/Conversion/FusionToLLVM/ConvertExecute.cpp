//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FusionDialect/IR/FusionOps.h"
#include "Slots.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace fusion;

// The operands in the order of `fusion_rt_quantized_args`.
static constexpr StringLiteral operandNames[] = {
    "src", "weights", "bias", "residual", "dst", "scales"};

namespace {
/// A field of `fusion_rt_quantized_args` that is no constant.
struct Field {
  SmallVector<LLVM::GEPArg, 3> path;
  std::string name;
  Value value;
};

/// `fusion.rt.execute` becomes a call of a function that writes the operands
/// out as `fusion_rt_conv_args`, five tensors of a pointer, five sizes, five
/// strides, or `fusion_rt_quantized_args`, which have the scales as a sixth,
/// and calls the runtime. Sizes and strides that are constants are in a global,
/// which the function copies, so that calls with the same other fields share
/// it. Fifty stores at each call site would take LLVM much longer.
struct ConvertExecute : public ConvertOpToLLVMPattern<RtExecuteOp> {
  ConvertExecute(const LLVMTypeConverter &converter,
                 SymbolTableCollection *symbols)
      : ConvertOpToLLVMPattern(converter), symbols(symbols) {}

  LogicalResult
  matchAndRewrite(RtExecuteOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RtCreateOp callSite = findCallSite(op, op.getCalleeAttr(), symbols);
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
    std::string constants;
    SmallVector<Field> fields;
    for (auto [i, operand] : llvm::enumerate(operands)) {
      auto [memref, descriptor, positions] = operand;
      if (!memref) {
        constants += getBytes(createTensor(std::nullopt, positions));
        continue;
      }
      constants += getBytes(createTensor(memref.getType(), positions));
      addFields(rewriter, i, memref, descriptor, positions, fields);
    }
    FailureOr<LLVM::LLVMFuncOp> function = getOrCreateFunction(
        rewriter, op, getCallee(callSite).function, constants.size(), fields);
    if (failed(function))
      return failure();
    SmallVector<Value> values = {
        createSlotAddress(rewriter, op.getLoc(), op.getCallee()),
        createConstants(rewriter, op.getLoc(), callSite, constants)};
    for (const Field &field : fields)
      values.push_back(field.value);
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

  /// Adds the address of operand number `number`, and those of its sizes and
  /// strides that are dynamic. `positions` are those of `createTensor`.
  void addFields(OpBuilder &builder, int32_t number, Value memref,
                 Value descriptor, ArrayRef<int64_t> positions,
                 SmallVectorImpl<Field> &fields) const {
    auto type = cast<MemRefType>(memref.getType());
    auto [strides, offset] = type.getStridesAndOffset();
    Location loc = memref.getLoc();
    MemRefDescriptor view(descriptor);
    std::string name = operandNames[number].str();
    fields.push_back({{number, 0},
                      name,
                      view.bufferPtr(builder, loc, *getTypeConverter(), type)});
    for (auto [i, position] : llvm::enumerate(positions)) {
      if (position < 0)
        continue;
      int32_t index = static_cast<int32_t>(i);
      std::string suffix = std::to_string(i);
      if (type.isDynamicDim(position))
        fields.push_back({{number, 1, index},
                          name + "_size" + suffix,
                          view.size(builder, loc, position)});
      if (ShapedType::isDynamic(strides[position]))
        fields.push_back({{number, 2, index},
                          name + "_stride" + suffix,
                          view.stride(builder, loc, position)});
    }
  }

  /// The address of a global of `bytes`, which belongs to `callSite`.
  Value createConstants(ConversionPatternRewriter &rewriter, Location loc,
                        RtCreateOp callSite, StringRef bytes) const {
    std::string name = createSymbolName(callSite, "_args");
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointAfter(callSite);
      createBytes(rewriter, loc, name, bytes);
    }
    return LLVM::AddressOfOp::create(rewriter, loc, getPointer(), name);
  }

  /// The function that gets a slot, the address of `numBytes` bytes, and the
  /// values of `fields`, and calls `callee`. All calls of these fields share
  /// it.
  FailureOr<LLVM::LLVMFuncOp>
  getOrCreateFunction(ConversionPatternRewriter &rewriter, RtExecuteOp op,
                      StringRef callee, int64_t numBytes,
                      ArrayRef<Field> fields) const {
    StringRef kind = callee;
    kind.consume_front("fusion_rt_");
    kind.consume_back("_checked");
    std::string name = ("fusion_call_" + kind).str();
    SmallVector<Type> types(2, getPointer());
    for (const Field &field : fields) {
      name += "_" + field.name;
      types.push_back(field.value.getType());
    }
    Type none = LLVM::LLVMVoidType::get(rewriter.getContext());
    auto type = LLVM::LLVMFunctionType::get(none, types);
    auto module = op->getParentOfType<ModuleOp>();
    if (Operation *other = module.lookupSymbol(name)) {
      auto function = dyn_cast<LLVM::LLVMFuncOp>(other);
      if (function && function.getFunctionType() == type)
        return function;
      return rewriter.notifyMatchFailure(
          op, "the module has another symbol called '" + name + "'");
    }
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(module.getBody());
    auto function = LLVM::LLVMFuncOp::create(rewriter, op.getLoc(), name, type,
                                             LLVM::Linkage::Internal);
    function.setNoInline(true);
    rewriter.setInsertionPointToStart(function.addEntryBlock(rewriter));
    if (failed(createBody(rewriter, op, function, callee, numBytes, fields)))
      return failure();
    return function;
  }

  LogicalResult createBody(ConversionPatternRewriter &rewriter, RtExecuteOp op,
                           LLVM::LLVMFuncOp function, StringRef callee,
                           int64_t numBytes, ArrayRef<Field> fields) const {
    Location loc = op.getLoc();
    auto createConstant = [&](int64_t value) {
      return LLVM::ConstantOp::create(rewriter, loc,
                                      rewriter.getI64IntegerAttr(value));
    };
    Value args = LLVM::AllocaOp::create(
        rewriter, loc, getPointer(), getTensorType(),
        createConstant(numBytes / sizeof(fusion_rt_tensor)), /*alignment=*/8);
    LLVM::MemcpyOp::create(rewriter, loc, args, function.getArgument(1),
                           createConstant(numBytes), /*isVolatile=*/false);
    for (auto [i, field] : llvm::enumerate(fields)) {
      Value address = LLVM::GEPOp::create(rewriter, loc, getPointer(),
                                          getTensorType(), args, field.path);
      LLVM::StoreOp::create(rewriter, loc, function.getArgument(i + 2),
                            address);
    }
    if (failed(createRuntimeCall(rewriter, op, callee,
                                 LLVM::LLVMVoidType::get(rewriter.getContext()),
                                 ValueRange{function.getArgument(0), args})))
      return failure();
    LLVM::ReturnOp::create(rewriter, loc, ValueRange());
    return success();
  }

  SymbolTableCollection *symbols;
};
} // namespace

void fusion::populateExecuteToLLVMPatterns(const LLVMTypeConverter &converter,
                                           RewritePatternSet &patterns,
                                           SymbolTableCollection *symbols) {
  patterns.add<ConvertExecute>(converter, symbols);
}
