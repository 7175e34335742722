//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/FusionToRuntime.h"
#include "FusionDialect/Conversion/FusionToLLVM.h"
#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/Utils/EmitActivation.h"
#include "FusionDialect/Utils/EmitEpilogue.h"
#include "ModuleFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

namespace fusion {
#define GEN_PASS_DEF_CONVERTFUSIONTORUNTIME
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

/// True if the contents of `value` never change between calls: a constant
/// global, an argument marked so, or a result of `fusion.rt.once`, behind casts
/// and reshapes.
static bool isConstantBuffer(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
      auto definition = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
          op, global.getNameAttr());
      return definition && definition.getConstant();
    }
    if (isa<RtOnceOp>(op))
      return true;
    if (!isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(
            op))
      return false;
    value = op->getOperand(0);
  }
  return isConstantArgument(value);
}

/// The element type of `operand`. A call says of an integer whether it has a
/// sign.
static Type describeElement(Value operand, bool isUnsigned) {
  Type type = getElementTypeOrSelf(operand);
  if (!type.isInteger())
    return type;
  return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth(),
                          isUnsigned ? IntegerType::Unsigned
                                     : IntegerType::Signed);
}

static OperandAttr describeOperand(LayoutAttr layout, Value operand,
                                   bool isUnsigned = false) {
  return OperandAttr::get(layout.getContext(), layout,
                          describeElement(operand, isUnsigned));
}

/// The parameters that only a call on integers has; null for one on floats.
static QuantizationAttr describeQuantization(FusedOpInterface op) {
  auto quantized = dyn_cast<QuantizedOpInterface>(op.getOperation());
  if (!quantized)
    return nullptr;
  Value bias = op.getBias(), scale = quantized.getScale();
  bool isConstant = (bias || scale) && (!bias || isConstantBuffer(bias)) &&
                    (!scale || isConstantBuffer(scale));
  Type f32 = Float32Type::get(op->getContext());
  return QuantizationAttr::get(
      op->getContext(), quantized.getInputZeroPoint(),
      quantized.getOutputZeroPoint(), quantized.getResidualZeroPoint(),
      FloatAttr::get(f32, quantized.getResidualScale()),
      FloatAttr::get(f32, quantized.getOutputScale()),
      bias && getElementTypeOrSelf(bias).isInteger(), scale != nullptr,
      isConstant, quantized.getRoundActivation());
}

/// The symbol table for the call site of `op`. `builder` is set to its end.
static SymbolTable &prepareSymbolTable(OpBuilder &builder, Operation *op,
                                       SymbolTableCollection &symbols) {
  SymbolTable &table =
      symbols.getSymbolTable(SymbolTable::getNearestSymbolTable(op));
  builder.setInsertionPointToEnd(&table.getOp()->getRegion(0).front());
  return table;
}

/// Inserts `callSite` under a name such that the symbols that the lowering
/// derives from it are free, too. `counter` is where the last search ended.
static void insertPrivate(SymbolTable &table, RtCreateOp callSite,
                          unsigned &counter) {
  auto isTaken = [&](StringRef name) {
    return llvm::any_of(ArrayRef<StringRef>{"", "_desc", "_loc", "_slot"},
                        [&](StringRef suffix) {
                          return table.lookup((name + suffix).str()) != nullptr;
                        });
  };
  if (isTaken(callSite.getSymName()))
    callSite.setSymName(SymbolTable::generateSymbolName<32>(
        callSite.getSymName(), isTaken, counter));
  SymbolTable::setSymbolVisibility(callSite, SymbolTable::Visibility::Private);
  table.insert(callSite);
}

namespace {
struct ConvertFusedOp : public OpInterfaceRewritePattern<FusedOpInterface> {
  ConvertFusedOp(MLIRContext *context, SymbolTableCollection &symbols,
                 bool allowWinograd)
      : OpInterfaceRewritePattern(context), symbols(symbols),
        allowWinograd(allowWinograd) {}

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 0)
      return rewriter.notifyMatchFailure(
          op, "unsupported: fusion op on tensors; bufferize first");
    ActivationAttr activation = op.getActivationAttr();
    bool isKeptOutside = activation && op.getNanMode() == NaNMode::Propagate &&
                         !activation.propagatesNaN();
    if (isKeptOutside && op.getResidualAfterActivation()) {
      finishOutside(rewriter, op);
    } else {
      execute(rewriter, op, isKeptOutside ? nullptr : activation,
              op.getResidual(), op.getInit());
      if (isKeptOutside)
        applyInPlace(rewriter, op->getLoc(), activation, op.getInit());
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  void execute(PatternRewriter &rewriter, FusedOpInterface op,
               ActivationAttr activation, Value residual, Value init) const {
    RtCreateOp callSite =
        createCallSite(rewriter, op, activation, residual, init);
    auto quantized = dyn_cast<QuantizedOpInterface>(op.getOperation());
    RtExecuteOp::create(rewriter, op->getLoc(), callSite.getSymName(),
                        op.getInput(), op.getFilter(), op.getBias(), residual,
                        init, quantized ? quantized.getScale() : Value());
  }

  /// Computes activation and residual outside of the kernel. The sum is not
  /// rounded, and needs memory of its own: the residual may be the init.
  void finishOutside(PatternRewriter &rewriter, FusedOpInterface op) const {
    Location loc = op->getLoc();
    Value sum = memref::AllocOp::create(
        rewriter, loc, memref::getMixedSizes(rewriter, loc, op.getInit()),
        rewriter.getF32Type());
    execute(rewriter, op, /*activation=*/nullptr, /*residual=*/nullptr, sum);
    emitEpilogue(rewriter, op, sum, /*bias=*/nullptr);
    memref::DeallocOp::create(rewriter, loc, sum);
  }

  RtCreateOp createCallSite(PatternRewriter &rewriter, FusedOpInterface op,
                            ActivationAttr activation, Value residual,
                            Value init) const {
    OpBuilder::InsertionGuard guard(rewriter);
    SymbolTable &table = prepareSymbolTable(rewriter, op, symbols);
    auto [symbol, descriptor] = describe(op, activation, residual, init);
    auto callSite = RtCreateOp::create(rewriter, op->getLoc(), symbol,
                                       /*sym_visibility=*/nullptr, descriptor);
    insertPrivate(table, callSite, counter);
    return callSite;
  }

  /// The name of a call site of `op`, and its descriptor.
  std::pair<StringRef, Attribute> describe(FusedOpInterface op,
                                           ActivationAttr activation,
                                           Value residual, Value init) const {
    MLIRContext *context = op->getContext();
    auto quantized = dyn_cast<QuantizedOpInterface>(op.getOperation());
    QuantizationAttr quantization = describeQuantization(op);
    OperandAttr input =
        describeOperand(op.getInputLayout(), op.getInput(),
                        quantized && quantized.getInputUnsigned());
    OperandAttr filter = describeOperand(op.getFilterLayout(), op.getFilter());
    OperandAttr output = describeOperand(
        op.getOutputLayout(), init, quantized && quantized.getOutputUnsigned());
    bool hasBias = op.getBias() != nullptr;
    Type residualType;
    if (residual)
      residualType = describeElement(
          residual, quantized && quantized.getResidualUnsigned());
    bool isAfter = residual && op.getResidualAfterActivation();
    bool isConstant = isConstantBuffer(op.getFilter());
    auto describeWindow = [&](auto op, bool isTransposed) {
      return ConvDescAttr::get(
          context, input, filter, output, op.getStridesAttr(),
          op.getDilationsAttr(), op.getPadLowAttr(), op.getPadHighAttr(),
          op.getGroups(), isTransposed,
          allowWinograd && !isTransposed && !quantization, hasBias, activation,
          residualType, isAfter, isConstant, quantization);
    };
    using Result = std::pair<StringRef, Attribute>;
    return TypeSwitch<Operation *, Result>(op)
        .Case([&](FusedConvBiasActOp conv) -> Result {
          return {"fusion_conv", describeWindow(conv, false)};
        })
        .Case([&](FusedDeconvBiasActOp deconv) -> Result {
          return {"fusion_deconv", describeWindow(deconv, true)};
        })
        .Case([&](QuantizedConvBiasActOp conv) -> Result {
          return {"fusion_quantized_conv", describeWindow(conv, false)};
        })
        .Default([&](Operation *) -> Result {
          return {quantization ? "fusion_quantized_matmul" : "fusion_matmul",
                  MatmulDescAttr::get(context, input, filter, output, hasBias,
                                      activation, residualType, isAfter,
                                      isConstant, quantization)};
        });
  }

  static void applyInPlace(PatternRewriter &rewriter, Location loc,
                           ActivationAttr activation, Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    linalg::GenericOp::create(
        rewriter, loc, ValueRange(), buffer, ArrayRef<AffineMap>{identity},
        iterators, [&](OpBuilder &b, Location loc, ValueRange args) {
          Type f32 = b.getF32Type();
          bool isNarrow = args[0].getType() != f32;
          Value x =
              isNarrow ? arith::ExtFOp::create(b, loc, f32, args[0]) : args[0];
          x = emitActivation(b, loc, activation, x);
          if (isNarrow)
            x = arith::TruncFOp::create(b, loc, args[0].getType(), x);
          linalg::YieldOp::create(b, loc, x);
        });
  }

  SymbolTableCollection &symbols;
  bool allowWinograd;
  mutable unsigned counter = 0;
};

struct ConvertPool : public OpRewritePattern<PoolOp> {
  ConvertPool(MLIRContext *context, SymbolTableCollection &symbols)
      : OpRewritePattern(context), symbols(symbols) {}

  LogicalResult matchAndRewrite(PoolOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getResult())
      return rewriter.notifyMatchFailure(
          op, "unsupported: pool on tensors; bufferize first");
    RtCreateOp callSite = createCallSite(rewriter, op);
    rewriter.replaceOpWithNewOp<RtExecuteOp>(
        op, callSite.getSymName(), op.getInput(), /*filter=*/nullptr,
        /*bias=*/nullptr, /*residual=*/nullptr, op.getInit(),
        /*scale=*/nullptr);
    return success();
  }

private:
  RtCreateOp createCallSite(PatternRewriter &rewriter, PoolOp op) const {
    OpBuilder::InsertionGuard guard(rewriter);
    SymbolTable &table = prepareSymbolTable(rewriter, op, symbols);
    auto descriptor = PoolDescAttr::get(
        op.getContext(), op.getPooling(),
        describeOperand(op.getLayout(), op.getInput(), op.getInputUnsigned()),
        op.getKernelAttr(), op.getStridesAttr(), op.getPadLowAttr(),
        op.getPadHighAttr());
    auto callSite = RtCreateOp::create(rewriter, op.getLoc(), "fusion_pool",
                                       /*sym_visibility=*/nullptr, descriptor);
    insertPrivate(table, callSite, counter);
    return callSite;
  }

  SymbolTableCollection &symbols;
  mutable unsigned counter = 0;
};

struct FusionToRuntimePass
    : public fusion::impl::ConvertFusionToRuntimeBase<FusionToRuntimePass> {
  using ConvertFusionToRuntimeBase::ConvertFusionToRuntimeBase;

  /// Registers the interface that `convert-to-llvm` needs for the ops of this
  /// pass, for tools that do not register the extensions.
  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertFusionToRuntimeBase::getDependentDialects(registry);
    registerConvertFusionToLLVMInterface(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkNames(module)))
      return signalPassFailure();
    unmarkChangingArguments(module, isConstantBuffer);
    SymbolTableCollection symbols;
    RewritePatternSet patterns(&getContext());
    populateFusionToRuntimePatterns(patterns, symbols, allowWinograd);
    walkAndApplyPatterns(module, std::move(patterns));
    WalkResult left = module.walk([](Operation *op) {
      if (!isa<FusedOpInterface, PoolOp>(op))
        return WalkResult::advance();
      op->emitOpError("cannot become a call of the runtime: it is on tensors, "
                      "bufferize first");
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      return signalPassFailure();
    module.walk([&](ModuleOp inner) {
      createPrepareFunction(inner, symbols.getSymbolTable(inner));
      createReleaseFunction(inner, symbols.getSymbolTable(inner));
    });
  }

  /// Refuses functions whose names compiled code uses for something else.
  static LogicalResult checkNames(ModuleOp module) {
    for (auto function : module.getOps<FunctionOpInterface>()) {
      StringRef name = function.getName(), entry = name;
      bool isWrapper = entry.consume_front("_mlir_ciface_");
      if (isWrapper) {
        Operation *wrapped = module.lookupSymbol(entry);
        isWrapper =
            wrapped &&
            wrapped->hasAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName());
      }
      bool isCalled =
          name.starts_with("fusion_rt_") ||
          llvm::is_contained({"malloc", "free", "aligned_alloc", "memrefCopy"},
                             name);
      if (!function.isExternal() && (isWrapper || isCalled))
        return function.emitError() << "a function must not be called '" << name
                                    << "': that is what compiled code calls "
                                    << (isWrapper ? "the C interface of another"
                                                  : "for something else");
    }
    return success();
  }
};
} // namespace

void fusion::populateFusionToRuntimePatterns(RewritePatternSet &patterns,
                                             SymbolTableCollection &symbols,
                                             bool allowWinograd) {
  patterns.add<ConvertFusedOp>(patterns.getContext(), symbols, allowWinograd);
  patterns.add<ConvertPool>(patterns.getContext(), symbols);
}
