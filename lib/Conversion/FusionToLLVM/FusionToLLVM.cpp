//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/FusionToLLVM.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionRuntime/fusion_runtime.h"
#include "Slots.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// The descriptor of a call site
//===----------------------------------------------------------------------===//

// In the IR a pooling is its number in the runtime.
static_assert(static_cast<int>(Pooling::Max) == FUSION_RT_POOL_MAX);
static_assert(static_cast<int>(Pooling::Sum) == FUSION_RT_POOL_SUM);

static int32_t getRuntimeType(Type type) {
  if (type.isSignedInteger(32))
    return FUSION_RT_TYPE_S32;
  if (type.isInteger())
    return type.isSignedInteger() ? FUSION_RT_TYPE_S8 : FUSION_RT_TYPE_U8;
  if (type.isBF16())
    return FUSION_RT_TYPE_BF16;
  return type.isF16() ? FUSION_RT_TYPE_F16 : FUSION_RT_TYPE_F32;
}

/// Fills what the descriptors of ops with a filter have.
template <typename Attr, typename Desc>
static void fillDescriptor(Attr attr, Desc &desc) {
  desc.abi_version = FUSION_RT_ABI_VERSION;
  desc.struct_size = sizeof(desc);
  desc.src_type = getRuntimeType(attr.getInput().getElementType());
  desc.weights_type = getRuntimeType(attr.getFilter().getElementType());
  desc.dst_type = getRuntimeType(attr.getInit().getElementType());
  if (attr.getBias())
    desc.flags |= FUSION_RT_HAS_BIAS;
  if (Type type = attr.getResidual()) {
    desc.flags |= FUSION_RT_HAS_RESIDUAL;
    desc.residual_type = getRuntimeType(type);
  }
  if (attr.getResidualAfterActivation())
    desc.flags |= FUSION_RT_RESIDUAL_AFTER_ACTIVATION;
  if (attr.getConstantFilter())
    desc.flags |= FUSION_RT_CONSTANT_WEIGHTS;
  if (ActivationAttr activation = attr.getActivation()) {
    desc.activation = static_cast<int32_t>(activation.getKind());
    desc.alpha = activation.getAlpha().convertToFloat();
    desc.beta = activation.getBeta().convertToFloat();
  }
}

/// Fills what the descriptors of calls on integers have besides.
template <typename Attr, typename Desc>
static void fillQuantized(Attr attr, Desc &desc) {
  desc.abi_version = FUSION_RT_ABI_VERSION;
  desc.struct_size = sizeof(desc);
  QuantizationAttr from = attr.getQuantization();
  fusion_rt_quantization &to = desc.quantization;
  to.src_zero_point = from.getInputZeroPoint();
  to.dst_zero_point = from.getOutputZeroPoint();
  to.residual_zero_point = from.getResidualZeroPoint();
  to.residual_scale = from.getResidualScale().getValue().convertToFloat();
  to.dst_scale = from.getOutputScale().getValue().convertToFloat();
  if (attr.getBias())
    to.bias_type =
        from.getIntegerBias() ? FUSION_RT_TYPE_S32 : FUSION_RT_TYPE_F32;
  if (from.getScale())
    to.flags |= FUSION_RT_HAS_SCALES;
  if (from.getConstantScale())
    to.flags |= FUSION_RT_CONSTANT_SCALES;
  if (from.getRoundActivation())
    to.flags |= FUSION_RT_ROUND_ACTIVATION;
}

static std::string createDescriptor(MatmulDescAttr attr) {
  fusion_rt_matmul_desc desc = {};
  fillDescriptor(attr, desc);
  if (!attr.getQuantization())
    return getBytes(desc);
  fusion_rt_quantized_matmul_desc quantized = {};
  quantized.matmul = desc;
  fillQuantized(attr, quantized);
  return getBytes(quantized);
}

static std::string createDescriptor(ConvDescAttr attr) {
  fusion_rt_conv_desc desc = {};
  fillDescriptor(attr, desc);
  if (attr.getAllowWinograd())
    desc.flags |= FUSION_RT_ALLOW_WINOGRAD;
  desc.spatial_rank = static_cast<int32_t>(attr.getStrides().size());
  desc.groups = attr.getGroups();
  llvm::copy(attr.getStrides().asArrayRef(), desc.strides);
  llvm::copy(attr.getDilations().asArrayRef(), desc.dilations);
  llvm::copy(attr.getPadLow().asArrayRef(), desc.pad_low);
  llvm::copy(attr.getPadHigh().asArrayRef(), desc.pad_high);
  if (!attr.getQuantization())
    return getBytes(desc);
  fusion_rt_quantized_conv_desc quantized = {};
  quantized.conv = desc;
  fillQuantized(attr, quantized);
  return getBytes(quantized);
}

static std::string createDescriptor(PoolDescAttr attr) {
  fusion_rt_pool_desc desc = {};
  desc.abi_version = FUSION_RT_ABI_VERSION;
  desc.struct_size = sizeof(desc);
  desc.pooling = static_cast<int32_t>(attr.getPooling());
  desc.spatial_rank = static_cast<int32_t>(attr.getStrides().size());
  desc.type = getRuntimeType(attr.getInput().getElementType());
  llvm::copy(attr.getKernel().asArrayRef(), desc.kernel);
  llvm::copy(attr.getStrides().asArrayRef(), desc.strides);
  llvm::copy(attr.getPadLow().asArrayRef(), desc.pad_low);
  llvm::copy(attr.getPadHigh().asArrayRef(), desc.pad_high);
  return getBytes(desc);
}

/// The struct that the runtime reads. The compiler and the runtime share one
/// header, so that there is no second description of its layout.
static std::string createDescriptor(RtCreateOp op) {
  return TypeSwitch<Attribute, std::string>(op.getDescriptor())
      .Case<ConvDescAttr, MatmulDescAttr, PoolDescAttr>(
          [](auto attr) { return createDescriptor(attr); });
}

bool fusion::isQuantized(RtCreateOp op) {
  return TypeSwitch<Attribute, bool>(op.getDescriptor())
      .Case<ConvDescAttr, MatmulDescAttr>(
          [](auto attr) { return attr.getQuantization() != nullptr; })
      .Default(false);
}

/// The function that executes a call site, and its number.
static std::pair<StringRef, fusion_rt_function> getFunction(RtCreateOp op) {
  if (isa<PoolDescAttr>(op.getDescriptor()))
    return {"fusion_rt_pool_checked", FUSION_RT_FUNCTION_POOL};
  if (isa<MatmulDescAttr>(op.getDescriptor())) {
    if (isQuantized(op))
      return {"fusion_rt_quantized_matmul_checked",
              FUSION_RT_FUNCTION_QUANTIZED_MATMUL};
    return {"fusion_rt_matmul_checked", FUSION_RT_FUNCTION_MATMUL};
  }
  if (isQuantized(op))
    return {"fusion_rt_quantized_conv_checked",
            FUSION_RT_FUNCTION_QUANTIZED_CONV};
  if (cast<ConvDescAttr>(op.getDescriptor()).getTransposed())
    return {"fusion_rt_deconv_checked", FUSION_RT_FUNCTION_DECONV};
  return {"fusion_rt_conv_checked", FUSION_RT_FUNCTION_CONV};
}

Callee fusion::getCallee(RtCreateOp op) {
  auto [function, number] = getFunction(op);
  StringRef prepare = isQuantized(op) ? "fusion_rt_prepare_quantized_checked"
                                      : "fusion_rt_prepare_checked";
  if (isa<MatmulDescAttr>(op.getDescriptor()))
    return {function, prepare, number, "bmk", "bkn", "bmn"};
  int64_t rank = op.getCallOperands().input.getLayout().getRank() - 2;
  std::string letters = getActivationLetters(rank);
  std::string filter;
  if (isa<ConvDescAttr>(op.getDescriptor()))
    filter = getFilterLetters(rank);
  return {function, prepare, number, letters, filter, letters};
}

Places fusion::getPlaces(RtCreateOp op) {
  Callee callee = getCallee(op);
  RtCreateOp::Operands operands = op.getCallOperands();
  Places places;
  places.input = operands.input.getLayout().getPositions(callee.input);
  places.output = operands.init.getLayout().getPositions(callee.output);
  if (operands.filter)
    places.filter = operands.filter.getLayout().getPositions(callee.filter);
  return places;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {

/// `fusion.rt.create` becomes three globals: the descriptor, the location, and
/// the slot that points at both and holds the state.
struct ConvertCreate : public ConvertOpToLLVMPattern<RtCreateOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RtCreateOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    std::string name = op.getSymName().str();
    createBytes(rewriter, loc, name + "_desc", createDescriptor(op));
    createSlot(rewriter, loc, name);
    rewriter.eraseOp(op);
    return success();
  }
};

/// A call of a function `void name(ptr...)` of the runtime.
static LogicalResult createCall(ConversionPatternRewriter &rewriter,
                                Operation *op, StringRef name,
                                ValueRange pointers) {
  return createRuntimeCall(rewriter, op, name,
                           LLVM::LLVMVoidType::get(rewriter.getContext()),
                           pointers);
}

struct ConvertRelease : public ConvertOpToLLVMPattern<RtReleaseOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RtReleaseOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value slot = createSlotAddress(rewriter, op.getLoc(), op.getCallee());
    StringRef name =
        op.getOnce() ? "fusion_rt_once_release" : "fusion_rt_release";
    if (failed(createCall(rewriter, op, name, slot)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

/// The address that the runtime gives becomes a memref of bytes.
struct ConvertArenaBegin : public ConvertOpToLLVMPattern<RtArenaBeginOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RtArenaBeginOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MemRefType type = op.getArena().getType();
    Location loc = op.getLoc();
    Value bytes = adaptor.getSize();
    if (!bytes)
      bytes = LLVM::ConstantOp::create(
          rewriter, loc, rewriter.getI64IntegerAttr(type.getDimSize(0)));
    FailureOr<LLVM::CallOp> call = createRuntimeCall(
        rewriter, op, "fusion_rt_arena_begin_checked",
        LLVM::LLVMPointerType::get(rewriter.getContext()), bytes);
    if (failed(call))
      return failure();
    Value address = call->getResult();
    rewriter.replaceOp(
        op, {createMemRefDescriptor(
                loc, type, address, address, {bytes},
                {createIndexAttrConstant(rewriter, loc, getIndexType(), 1)},
                rewriter)});
    return success();
  }
};

struct ConvertArenaEnd : public ConvertOpToLLVMPattern<RtArenaEndOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RtArenaEndOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value address =
        MemRefDescriptor(adaptor.getArena()).alignedPtr(rewriter, op.getLoc());
    if (failed(
            createCall(rewriter, op, "fusion_rt_arena_end_checked", address)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

struct FusionToLLVMInterface : public ConvertToLLVMPatternInterface {
  // That of the base is protected in LLVM 23.
  explicit FusionToLLVMInterface(Dialect *dialect)
      : ConvertToLLVMPatternInterface(dialect) {}

  void loadDependentDialects(MLIRContext *context) const override {
    context->loadDialect<LLVM::LLVMDialect>();
  }

  void populateConvertToLLVMConversionPatterns(
      ConversionTarget &target, LLVMTypeConverter &typeConverter,
      RewritePatternSet &patterns) const override {
    populateFusionToLLVMPatterns(target, typeConverter, patterns);
  }
};

} // namespace

void fusion::populateFusionToLLVMPatterns(ConversionTarget &target,
                                          const LLVMTypeConverter &converter,
                                          RewritePatternSet &patterns,
                                          SymbolTableCollection *symbols) {
  target
      .addIllegalOp<RtCreateOp, RtExecuteOp, RtPrepareOp, RtOnceOp, RtReleaseOp,
                    RtArenaBeginOp, RtArenaEndOp, RtParallelForOp>();
  patterns
      .add<ConvertCreate, ConvertRelease, ConvertArenaBegin, ConvertArenaEnd>(
          converter);
  populateOnceToLLVMPatterns(converter, patterns);
  populatePrepareToLLVMPatterns(converter, patterns, symbols);
  populateExecuteToLLVMPatterns(converter, patterns, symbols);
  populateParallelForToLLVMPatterns(converter, patterns);
}

void fusion::registerConvertFusionToLLVMInterface(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, FusionDialect *dialect) {
    dialect->addInterfaces<FusionToLLVMInterface>();
  });
}
