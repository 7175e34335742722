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
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace fusion;

namespace {
/// `fusion.rt.once` becomes a call of the runtime with the addresses of the
/// constants, which gives those of the results; beside it a slot, its
/// descriptor, and a function with the signature that the runtime calls.
struct ConvertOnce : public ConvertOpToLLVMPattern<RtOnceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RtOnceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!llvm::all_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>) ||
        !llvm::all_of(op->getResultTypes(), llvm::IsaPred<MemRefType>))
      return rewriter.notifyMatchFailure(
          op, "unsupported: 'fusion.rt.once' on tensors; bufferize first");
    Location loc = op.getLoc();
    std::string name = op.getCallee().str();
    if (failed(createGlobals(op, name, rewriter)))
      return failure();
    Type pointer = LLVM::LLVMPointerType::get(rewriter.getContext());
    Value keys = createKeys(op, adaptor.getConstants(), rewriter);
    Value slot = createSlotAddress(rewriter, loc, name);
    FailureOr<LLVM::CallOp> call =
        createRuntimeCall(rewriter, op, "fusion_rt_once_checked", pointer,
                          ValueRange{slot, keys});
    if (failed(call))
      return failure();
    SmallVector<Value> results;
    for (auto [i, type] : llvm::enumerate(op->getResultTypes())) {
      Value data = loadPointer(rewriter, loc, call->getResult(), 2 * i + 1);
      results.push_back(MemRefDescriptor::fromStaticShape(
          rewriter, loc, *getTypeConverter(), cast<MemRefType>(type), data));
    }
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  static Value createElementAddress(OpBuilder &builder, Location loc,
                                    Value array, int32_t index) {
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    return LLVM::GEPOp::create(builder, loc, pointer, pointer, array,
                               ArrayRef<LLVM::GEPArg>{index});
  }

  static Value loadPointer(OpBuilder &builder, Location loc, Value array,
                           int32_t index) {
    return LLVM::LoadOp::create(
        builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
        createElementAddress(builder, loc, array, index));
  }

  /// The addresses of the constants, on the stack.
  Value createKeys(RtOnceOp op, ValueRange descriptors,
                   ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(rewriter.getContext());
    Value keys;
    {
      OpBuilder::InsertionGuard guard(rewriter);
      auto function = op->getParentOfType<FunctionOpInterface>();
      rewriter.setInsertionPointToStart(&function.getFunctionBody().front());
      Value count = LLVM::ConstantOp::create(
          rewriter, loc,
          rewriter.getI64IntegerAttr(std::max<int64_t>(1, descriptors.size())));
      keys = LLVM::AllocaOp::create(rewriter, loc, pointer, pointer, count);
    }
    for (auto [i, operands] :
         llvm::enumerate(llvm::zip_equal(op.getConstants(), descriptors))) {
      auto [constant, descriptor] = operands;
      Value data = MemRefDescriptor(descriptor)
                       .bufferPtr(rewriter, loc, *getTypeConverter(),
                                  cast<MemRefType>(constant.getType()));
      LLVM::StoreOp::create(rewriter, loc, data,
                            createElementAddress(rewriter, loc, keys, i));
    }
    return keys;
  }

  /// Creates descriptor, slot and `compute`, once for all ops of the callee.
  LogicalResult createGlobals(RtOnceOp op, const std::string &name,
                              ConversionPatternRewriter &rewriter) const {
    auto module = op->getParentOfType<ModuleOp>();
    if (module.lookupSymbol(name + "_desc"))
      return success();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToEnd(module.getBody());
    FailureOr<LLVM::LLVMFuncOp> release =
        LLVM::lookupOrCreateFreeFn(rewriter, module);
    if (failed(release))
      return rewriter.notifyMatchFailure(
          op, "the module has another symbol called 'free'");
    rewriter.setInsertionPointToEnd(module.getBody());
    createCompute(op, name, rewriter);
    rewriter.setInsertionPointToEnd(module.getBody());
    createDescriptor(op, name, *release, rewriter);
    createSlot(rewriter, op.getLoc(), name);
    return success();
  }

  /// `void name_compute(void **results, void *const *keys)`: calls the callee
  /// as functions on memrefs are called, and writes where its results are.
  void createCompute(RtOnceOp op, const std::string &name,
                     ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    MLIRContext *context = rewriter.getContext();
    Type pointer = LLVM::LLVMPointerType::get(context);
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                            {pointer, pointer});
    auto function = LLVM::LLVMFuncOp::create(rewriter, loc, name + "_compute",
                                             type, LLVM::Linkage::Internal);
    Block *block = function.addEntryBlock(rewriter);
    rewriter.setInsertionPointToStart(block);
    const LLVMTypeConverter &converter = *getTypeConverter();
    SmallVector<Value> constants;
    for (auto [i, type] : llvm::enumerate(op->getOperandTypes())) {
      Value data = loadPointer(rewriter, loc, block->getArgument(1), i);
      constants.push_back(MemRefDescriptor::fromStaticShape(
          rewriter, loc, converter, cast<MemRefType>(type), data));
    }
    auto call = LLVM::CallOp::create(
        rewriter, loc, converter.packFunctionResults(op->getResultTypes()),
        op.getCallee(),
        converter.promoteOperands(loc, op.getConstants(), constants, rewriter));
    for (auto [i, type] : llvm::enumerate(op->getResultTypes())) {
      Value result = call.getResult();
      if (op->getNumResults() > 1)
        result = LLVM::ExtractValueOp::create(rewriter, loc, result, i);
      MemRefDescriptor descriptor(result);
      Value pointers[] = {descriptor.allocatedPtr(rewriter, loc),
                          descriptor.bufferPtr(rewriter, loc, converter,
                                               cast<MemRefType>(type))};
      for (auto [j, value] : llvm::enumerate(pointers))
        LLVM::StoreOp::create(rewriter, loc, value,
                              createElementAddress(rewriter, loc,
                                                   block->getArgument(0),
                                                   2 * i + j));
    }
    LLVM::ReturnOp::create(rewriter, loc, ValueRange());
  }

  /// The `fusion_rt_once_desc`, which has addresses of functions and so is no
  /// string of bytes.
  static void createDescriptor(RtOnceOp op, const std::string &name,
                               LLVM::LLVMFuncOp release,
                               ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    MLIRContext *context = rewriter.getContext();
    Type i32 = rewriter.getI32Type();
    Type pointer = LLVM::LLVMPointerType::get(context);
    Type type = LLVM::LLVMStructType::getLiteral(
        context, {i32, i32, i32, i32, pointer, pointer});
    auto global = LLVM::GlobalOp::create(
        rewriter, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
        name + "_desc", Attribute(), /*alignment=*/8);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.createBlock(&global.getInitializerRegion());
    auto number = [&](int64_t value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc, i32,
                                      rewriter.getI32IntegerAttr(value));
    };
    auto address = [&](StringRef symbol) -> Value {
      return LLVM::AddressOfOp::create(rewriter, loc, pointer, symbol);
    };
    Value fields[] = {
        number(FUSION_RT_ABI_VERSION), number(sizeof(fusion_rt_once_desc)),
        number(op->getNumOperands()),  number(op->getNumResults()),
        address(name + "_compute"),    address(release.getSymName())};
    Value value = LLVM::UndefOp::create(rewriter, loc, type);
    for (auto [i, field] : llvm::enumerate(fields))
      value = LLVM::InsertValueOp::create(rewriter, loc, value, field, i);
    LLVM::ReturnOp::create(rewriter, loc, value);
  }
};
} // namespace

void fusion::populateOnceToLLVMPatterns(const LLVMTypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<ConvertOnce>(converter);
}
