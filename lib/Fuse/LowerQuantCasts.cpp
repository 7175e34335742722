//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Casts of the quant dialect leave it to a pipeline how they round. Upstream's
// lowering truncates and wraps around. This one rounds to the nearest integer
// and saturates, in the form that the laws on integers read.

#include "FusionDialect/Support/Refusal.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/Moves.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONLOWERQUANTCASTS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
/// The parameters of a quantised type of a tensor.
struct QuantizedForm {
  /// True if a difference of two stored integers fits in i32.
  bool isNarrow() const { return type.getStorageTypeIntegralWidth() <= 16; }

  bool hasZeroPoint() const {
    return llvm::any_of(zeroPoints, [](int64_t zero) { return zero != 0; });
  }

  quant::QuantizedType type;
  /// One for the tensor, or one for each channel.
  SmallVector<double> scales;
  SmallVector<int64_t> zeroPoints;
  /// The dimension of the channels.
  std::optional<int64_t> channel;
};
} // namespace

/// Reads the element type of `tensor`.
static FailureOr<QuantizedForm> readQuantization(Type tensor,
                                                 Refusal &refusal) {
  if (!isa<RankedTensorType>(tensor))
    return refusal.because("unsupported: '", tensor, "' is no ranked tensor");
  Type type = getElementTypeOrSelf(tensor);
  if (auto uniform = dyn_cast<quant::UniformQuantizedType>(type))
    return QuantizedForm{
        uniform, {uniform.getScale()}, {uniform.getZeroPoint()}, std::nullopt};
  if (auto axis = dyn_cast<quant::UniformQuantizedPerAxisType>(type))
    return QuantizedForm{axis, llvm::to_vector(axis.getScales()),
                         llvm::to_vector(axis.getZeroPoints()),
                         axis.getQuantizedDimension()};
  return refusal.because("unsupported: scale of '", type,
                         "' is neither one nor one for each channel");
}

static Type getStoredType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  auto element = cast<quant::QuantizedType>(type.getElementType());
  return type.clone(element.getStorageType());
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

namespace {
/// Makes the generic op of a cast.
class CastBuilder {
public:
  CastBuilder(ImplicitLocOpBuilder &b, const QuantizedForm &quantization)
      : b(b), quantization(quantization) {}

  Value dequantize(Value stored);
  Value quantize(Value tensor);

private:
  /// A number of the body: a constant, or the element of an operand.
  using Number = std::function<Value(ValueRange)>;

  Number addNumbers(ArrayRef<TypedAttr> numbers);
  Number addScale();
  Number addZeroPoint(Type type);
  Value createOp(Value init,
                 function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> emit);

  ImplicitLocOpBuilder &b;
  const QuantizedForm &quantization;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
};
} // namespace

/// Makes a constant of numbers that are all the same, else an operand.
CastBuilder::Number CastBuilder::addNumbers(ArrayRef<TypedAttr> numbers) {
  if (llvm::all_equal(numbers)) {
    Value constant = arith::ConstantOp::create(b, numbers.front());
    return [=](ValueRange) { return constant; };
  }
  auto type = RankedTensorType::get(static_cast<int64_t>(numbers.size()),
                                    numbers.front().getType());
  SmallVector<Attribute> elements(numbers.begin(), numbers.end());
  inputs.push_back(
      arith::ConstantOp::create(b, DenseElementsAttr::get(type, elements)));
  int64_t rank = cast<ShapedType>(inputs.front().getType()).getRank();
  maps.push_back(AffineMap::get(rank, /*symbolCount=*/0,
                                b.getAffineDimExpr(*quantization.channel)));
  size_t number = inputs.size() - 1;
  return [=](ValueRange args) { return args[number]; };
}

CastBuilder::Number CastBuilder::addScale() {
  Type type = quantization.type.getExpressedType();
  return addNumbers(
      llvm::map_to_vector(quantization.scales, [&](double scale) -> TypedAttr {
        return b.getFloatAttr(type, scale);
      }));
}

CastBuilder::Number CastBuilder::addZeroPoint(Type type) {
  return addNumbers(llvm::map_to_vector(
      quantization.zeroPoints, [&](int64_t zero) -> TypedAttr {
        if (isa<FloatType>(type))
          return b.getFloatAttr(type, static_cast<double>(zero));
        return b.getIntegerAttr(type, zero);
      }));
}

Value CastBuilder::createOp(
    Value init, function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> emit) {
  int64_t rank = cast<ShapedType>(init.getType()).getRank();
  maps.push_back(b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, init.getType(), inputs, init, maps, iterators,
             [&](OpBuilder &builder, Location loc, ValueRange args) {
               ImplicitLocOpBuilder body(loc, builder);
               linalg::YieldOp::create(body, emit(body, args));
             })
      .getResult(0);
}

/// The float that `stored` is, less `zero` if that is not null.
static Value emitDifference(ImplicitLocOpBuilder &b, Value stored, Value zero,
                            const QuantizedForm &quantization) {
  Type type = quantization.type.getExpressedType();
  bool isSigned = quantization.type.isSigned();
  if (quantization.isNarrow()) {
    Type i32 = b.getI32Type();
    Value wide = isSigned ? arith::ExtSIOp::create(b, i32, stored).getResult()
                          : arith::ExtUIOp::create(b, i32, stored).getResult();
    if (zero)
      wide = arith::SubIOp::create(b, wide, zero);
    return arith::SIToFPOp::create(b, type, wide);
  }
  Value number = isSigned
                     ? arith::SIToFPOp::create(b, type, stored).getResult()
                     : arith::UIToFPOp::create(b, type, stored).getResult();
  return zero ? arith::SubFOp::create(b, number, zero).getResult() : number;
}

Value CastBuilder::dequantize(Value stored) {
  Type type = quantization.type.getExpressedType();
  inputs.push_back(stored);
  maps.push_back(
      b.getMultiDimIdentityMap(cast<ShapedType>(stored.getType()).getRank()));
  Number scale = addScale(), zero;
  if (quantization.hasZeroPoint())
    zero = addZeroPoint(quantization.isNarrow() ? b.getI32Type() : type);
  return createOp(createEmptyLike(b, stored, type),
                  [&](ImplicitLocOpBuilder &body, ValueRange args) -> Value {
                    Value offset = zero ? zero(args) : Value();
                    Value number =
                        emitDifference(body, args[0], offset, quantization);
                    return arith::MulFOp::create(body, number, scale(args));
                  });
}

/// The float next to `bound`, or less far from 0, that is an integer.
static TypedAttr getBound(FloatType type, int64_t bound) {
  APFloat number(type.getFloatSemantics());
  (void)number.convertFromAPInt(APInt(64, static_cast<uint64_t>(bound)),
                                /*IsSigned=*/true, APFloat::rmTowardZero);
  return FloatAttr::get(type, number);
}

Value CastBuilder::quantize(Value tensor) {
  auto type = cast<FloatType>(quantization.type.getExpressedType());
  Type storage = quantization.type.getStorageType();
  inputs.push_back(tensor);
  maps.push_back(
      b.getMultiDimIdentityMap(cast<ShapedType>(tensor.getType()).getRank()));
  Number scale = addScale(), zero;
  if (quantization.hasZeroPoint())
    zero = addZeroPoint(type);
  Value low = arith::ConstantOp::create(
      b, getBound(type, quantization.type.getStorageTypeMin()));
  Value high = arith::ConstantOp::create(
      b, getBound(type, quantization.type.getStorageTypeMax()));
  auto emit = [&](ImplicitLocOpBuilder &body, ValueRange args) -> Value {
    Value number = arith::DivFOp::create(body, args[0], scale(args));
    number = math::RoundEvenOp::create(body, number);
    if (zero)
      number = arith::AddFOp::create(body, number, zero(args));
    number = arith::MaximumFOp::create(body, number, low);
    number = arith::MinimumFOp::create(body, number, high);
    if (quantization.type.isSigned())
      return arith::FPToSIOp::create(body, storage, number);
    return arith::FPToUIOp::create(body, storage, number);
  };
  return createOp(createEmptyLike(b, tensor, storage), emit);
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// The integers of a quantised tensor.
static Value getStored(ImplicitLocOpBuilder &b, Value tensor) {
  Type type = getStoredType(tensor.getType());
  if (auto storage = tensor.getDefiningOp<quant::StorageCastOp>();
      storage && storage.getInput().getType() == type)
    return storage.getInput();
  return quant::StorageCastOp::create(b, type, tensor);
}

/// Replaces `op`, which is a `quant.dcast` or a `quant.qcast`.
static LogicalResult lowerCast(RewriterBase &rewriter, Operation *op,
                               Refusal &refusal) {
  Value input = op->getOperand(0);
  bool dequantizes = isa<quant::DequantizeCastOp>(op);
  Type quantized = dequantizes ? input.getType() : op->getResult(0).getType();
  FailureOr<QuantizedForm> quantization = readQuantization(quantized, refusal);
  if (failed(quantization))
    return failure();
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(op->getLoc(), rewriter);
  CastBuilder builder(b, *quantization);
  Value result =
      dequantizes
          ? builder.dequantize(getStored(b, input))
          : quant::StorageCastOp::create(b, quantized, builder.quantize(input))
                .getResult();
  rewriter.replaceOp(op, result);
  return success();
}

/// Drops casts of integers to a quantised type and back.
static void dropStorageCasts(RewriterBase &rewriter, Operation *root) {
  SmallVector<quant::StorageCastOp> casts;
  root->walk([&](quant::StorageCastOp op) { casts.push_back(op); });
  for (quant::StorageCastOp op : casts) {
    auto before = op.getInput().getDefiningOp<quant::StorageCastOp>();
    if (before && before.getInput().getType() == op.getType())
      rewriter.replaceAllUsesWith(op.getResult(), before.getInput());
  }
  for (quant::StorageCastOp op : llvm::reverse(casts))
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
}

namespace {
struct LowerQuantCastsPass
    : public fusion::impl::FusionLowerQuantCastsBase<LowerQuantCastsPass> {
  void runOnOperation() override {
    // A network without such types has not even loaded the dialect.
    if (!getContext().getLoadedDialect<quant::QuantDialect>())
      return;
    // Patterns would fold a cast and its inverse to nothing first, as upstream
    // does.
    SmallVector<Operation *> casts;
    getOperation()->walk([&](Operation *op) {
      if (isa<quant::DequantizeCastOp, quant::QuantizeCastOp>(op))
        casts.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : casts) {
      Refusal refusal;
      if (failed(lowerCast(rewriter, op, refusal)))
        remark::missed(op->getLoc(),
                       remark::RemarkOpts::name("fusion-lower-quant-casts")
                           .category("fusion"))
            << remark::reason("{0}", refusal.str());
    }
    dropStorageCasts(rewriter, getOperation());
  }
};
} // namespace
