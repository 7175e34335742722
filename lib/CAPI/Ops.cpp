//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect-c/Ops.h"
#include "FusionDialect/IR/FusionOps.h"
#include "UsableLocation.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace fusion;

namespace {
/// Collects the parts of an op. It reports the first part that is wrong; after
/// that its values are useless, and `finish` gives null.
class OpParts {
public:
  explicit OpParts(Location loc) : loc(loc) {}

  bool isValid() const { return ok; }

  /// An operand; null if it is absent and not required.
  Value getOperand(StringRef name, MlirValue value, bool isRequired) {
    if (mlirValueIsNull(value)) {
      if (isRequired)
        fail() << "'" << name << "' must not be null";
      return {};
    }
    if (unwrap(value).getContext() != loc->getContext())
      fail() << "'" << name << "' must be of the context of the location";
    return unwrap(value);
  }

  /// The length of the arrays.
  intptr_t getSpatialRank(intptr_t rank) {
    if (rank >= 1 && rank <= 3)
      return rank;
    fail() << "'spatialRank' must be 1, 2 or 3, got "
           << static_cast<int64_t>(rank);
    return 0;
  }

  ActivationAttr getActivation(MlirAttribute attribute) {
    Attribute activation = unwrap(attribute);
    if (!activation)
      return {};
    if (activation.getContext() != loc->getContext())
      fail() << "'activation' must be of the context of the location";
    else if (!isa<ActivationAttr>(activation))
      fail() << "'activation' must be a #fusion.activation, got " << activation;
    return dyn_cast<ActivationAttr>(activation);
  }

  LayoutAttr getLayout(MlirStringRef letters) {
    if (!letters.data && letters.length != 0) {
      fail() << "a layout of " << letters.length << " letters must not be null";
      return {};
    }
    return LayoutAttr::getChecked([&] { return fail(); }, loc->getContext(),
                                  unwrap(letters));
  }

  NaNMode getNaNMode(FusionNaNMode mode) {
    std::optional<NaNMode> known = symbolizeNaNMode(mode);
    if (!known)
      fail() << "unknown NaN mode " << static_cast<int64_t>(mode);
    return known.value_or(NaNMode::Fast);
  }

  Pooling getPooling(FusionPooling pooling) {
    std::optional<Pooling> known = symbolizePooling(pooling);
    if (!known)
      fail() << "unknown pooling " << static_cast<int64_t>(pooling);
    return known.value_or(Pooling::Max);
  }

  /// Reports an error.
  InFlightDiagnostic fail() {
    ok = false;
    return emitError(loc);
  }

private:
  Location loc;
  bool ok = true;
};
} // namespace

/// `rank` values; `fallback` for each where `values` is null.
static SmallVector<int64_t> getSpatial(const int64_t *values, intptr_t rank,
                                       int64_t fallback) {
  if (!values)
    return SmallVector<int64_t>(rank, fallback);
  return SmallVector<int64_t>(values, values + rank);
}

/// An op on tensors returns its destination.
static Type getResultType(Value init) {
  return isa<TensorType>(init.getType()) ? init.getType() : Type();
}

/// The op if it verifies, else null. The verifier has reported the error.
static MlirOperation finish(Operation *op) {
  if (succeeded(verify(op)))
    return wrap(op);
  op->destroy();
  return {nullptr};
}

/// The location if `parameters` is not null; otherwise reports an error.
static std::optional<Location> getUsableLocation(MlirLocation location,
                                                 const void *parameters) {
  std::optional<Location> loc = fusion::getUsableLocation(location);
  if (!loc || parameters)
    return loc;
  emitError(*loc) << "parameters of an op must not be null";
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Convolutions and matrix multiplications
//===----------------------------------------------------------------------===//

namespace {
/// The parts that convolutions and matrix multiplications both have.
struct Operands {
  /// `parameters` is a FusionConvolution or FusionMatmul.
  template <typename Parameters>
  Operands(OpParts &parts, const Parameters &parameters)
      : input(parts.getOperand("input", parameters.input, true)),
        filter(parts.getOperand("filter", parameters.filter, true)),
        bias(parts.getOperand("bias", parameters.bias, false)),
        residual(parts.getOperand("residual", parameters.residual, false)),
        init(parts.getOperand("init", parameters.init, true)),
        inputLayout(parts.getLayout(parameters.inputLayout)),
        filterLayout(parts.getLayout(parameters.filterLayout)),
        outputLayout(parts.getLayout(parameters.outputLayout)),
        activation(parts.getActivation(parameters.activation)),
        nanMode(parts.getNaNMode(parameters.nanMode)),
        residualAfterActivation(parameters.residualAfterActivation) {}

  Value input, filter, bias, residual, init;
  LayoutAttr inputLayout, filterLayout, outputLayout;
  ActivationAttr activation;
  NaNMode nanMode;
  bool residualAfterActivation;
};

struct Window {
  Window(OpParts &parts, const FusionConvolution &conv)
      : rank(parts.getSpatialRank(conv.spatialRank)),
        strides(getSpatial(conv.strides, rank, 1)),
        dilations(getSpatial(conv.dilations, rank, 1)),
        padLow(getSpatial(conv.padLow, rank, 0)),
        padHigh(getSpatial(conv.padHigh, rank, 0)),
        groups(conv.groups == 0 ? 1 : conv.groups) {}

  intptr_t rank;
  SmallVector<int64_t> strides, dilations, padLow, padHigh;
  int64_t groups;
};

struct QuantizationParts {
  QuantizationParts(OpParts &parts, const FusionQuantization *given,
                    NaNMode nanMode) {
    if (!given) {
      parts.fail() << "the quantization must not be null";
      return;
    }
    if (nanMode != NaNMode::Fast)
      parts.fail() << "'nanMode' must be fast: integers have no NaN";
    numbers = *given;
    scale = parts.getOperand("scale", given->scale, false);
  }

  /// A factor of the op; 0 is 1.
  static APFloat getFactor(float number) {
    return APFloat(number == 0.0f ? 1.0f : number);
  }

  FusionQuantization numbers = {};
  Value scale;
};
} // namespace

template <typename OpTy>
static MlirOperation createConvolution(MlirLocation location,
                                       const FusionConvolution *conv) {
  std::optional<Location> loc = getUsableLocation(location, conv);
  if (!loc)
    return {nullptr};
  OpParts parts(*loc);
  Operands op(parts, *conv);
  Window window(parts, *conv);
  if (!parts.isValid())
    return {nullptr};
  OpBuilder builder((*loc)->getContext());
  return finish(OpTy::create(
      builder, *loc, getResultType(op.init), op.input, op.filter, op.bias,
      op.residual, op.init, window.strides, window.dilations, window.padLow,
      window.padHigh, window.groups, op.inputLayout, op.filterLayout,
      op.outputLayout, op.activation, op.nanMode, op.residualAfterActivation));
}

MlirOperation
fusionFusedConvBiasActCreate(MlirLocation location,
                             const FusionConvolution *convolution) {
  return createConvolution<FusedConvBiasActOp>(location, convolution);
}

MlirOperation
fusionFusedDeconvBiasActCreate(MlirLocation location,
                               const FusionConvolution *convolution) {
  return createConvolution<FusedDeconvBiasActOp>(location, convolution);
}

MlirOperation
fusionQuantizedConvBiasActCreate(MlirLocation location,
                                 const FusionConvolution *convolution,
                                 const FusionQuantization *quantization) {
  std::optional<Location> loc = getUsableLocation(location, convolution);
  if (!loc)
    return {nullptr};
  OpParts parts(*loc);
  Operands op(parts, *convolution);
  Window window(parts, *convolution);
  QuantizationParts quantized(parts, quantization, op.nanMode);
  if (!parts.isValid())
    return {nullptr};
  const FusionQuantization &numbers = quantized.numbers;
  OpBuilder builder((*loc)->getContext());
  return finish(QuantizedConvBiasActOp::create(
      builder, *loc, getResultType(op.init), op.input, op.filter, op.bias,
      quantized.scale, op.residual, op.init, window.strides, window.dilations,
      window.padLow, window.padHigh, window.groups, op.inputLayout,
      op.filterLayout, op.outputLayout, op.activation,
      op.residualAfterActivation, numbers.inputZeroPoint,
      numbers.outputZeroPoint, numbers.residualZeroPoint,
      quantized.getFactor(numbers.residualScale),
      quantized.getFactor(numbers.outputScale), numbers.inputUnsigned,
      numbers.outputUnsigned, numbers.residualUnsigned,
      numbers.roundActivation));
}

MlirOperation fusionFusedMatmulBiasActCreate(MlirLocation location,
                                             const FusionMatmul *matmul) {
  std::optional<Location> loc = getUsableLocation(location, matmul);
  if (!loc)
    return {nullptr};
  OpParts parts(*loc);
  Operands op(parts, *matmul);
  if (!parts.isValid())
    return {nullptr};
  OpBuilder builder((*loc)->getContext());
  return finish(FusedMatmulBiasActOp::create(
      builder, *loc, getResultType(op.init), op.input, op.filter, op.bias,
      op.residual, op.init, op.inputLayout, op.filterLayout, op.outputLayout,
      op.activation, op.nanMode, op.residualAfterActivation));
}

MlirOperation
fusionQuantizedMatmulBiasActCreate(MlirLocation location,
                                   const FusionMatmul *matmul,
                                   const FusionQuantization *quantization) {
  std::optional<Location> loc = getUsableLocation(location, matmul);
  if (!loc)
    return {nullptr};
  OpParts parts(*loc);
  Operands op(parts, *matmul);
  QuantizationParts quantized(parts, quantization, op.nanMode);
  if (!parts.isValid())
    return {nullptr};
  const FusionQuantization &numbers = quantized.numbers;
  OpBuilder builder((*loc)->getContext());
  return finish(QuantizedMatmulBiasActOp::create(
      builder, *loc, getResultType(op.init), op.input, op.filter, op.bias,
      quantized.scale, op.residual, op.init, op.inputLayout, op.filterLayout,
      op.outputLayout, op.activation, op.residualAfterActivation,
      numbers.inputZeroPoint, numbers.outputZeroPoint,
      numbers.residualZeroPoint, quantized.getFactor(numbers.residualScale),
      quantized.getFactor(numbers.outputScale), numbers.inputUnsigned,
      numbers.outputUnsigned, numbers.residualUnsigned,
      numbers.roundActivation));
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

MlirOperation fusionPoolCreate(MlirLocation location, const FusionPool *pool) {
  std::optional<Location> loc = getUsableLocation(location, pool);
  if (!loc)
    return {nullptr};
  OpParts parts(*loc);
  Value input = parts.getOperand("input", pool->input, true);
  Value init = parts.getOperand("init", pool->init, true);
  LayoutAttr layout = parts.getLayout(pool->layout);
  Pooling pooling = parts.getPooling(pool->pooling);
  if (!pool->kernel)
    parts.fail() << "'kernel' must not be null";
  intptr_t rank = parts.getSpatialRank(pool->spatialRank);
  auto kernel = getSpatial(pool->kernel, rank, 1);
  auto strides = getSpatial(pool->strides, rank, 1);
  auto padLow = getSpatial(pool->padLow, rank, 0);
  auto padHigh = getSpatial(pool->padHigh, rank, 0);
  if (!parts.isValid())
    return {nullptr};
  OpBuilder builder((*loc)->getContext());
  return finish(PoolOp::create(builder, *loc, getResultType(init), input, init,
                               pooling, kernel, strides, padLow, padHigh,
                               layout, pool->inputUnsigned));
}
