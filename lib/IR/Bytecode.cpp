//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The version of the dialect in bytecode files. It changes when older readers
// cannot read a new file: an op or attribute is new, or has another encoding.
// Attributes are encoded by their text, so that an older reader names an
// activation that it does not know, and the version stays. An op that has
// changed since 0.1 is encoded by a dictionary of its attributes, which may
// grow, and all others as ODS does.

#include "Bytecode.h"
#include "FusedOpAssembly.h"
#include "FusionDialect/IR/FusionOps.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include <tuple>

using namespace mlir;
using namespace fusion;

namespace {
struct FusionVersion : public DialectVersion {
  FusionVersion(uint64_t major, uint64_t minor) : major(major), minor(minor) {}

  bool isNewerThan(const FusionVersion &other) const {
    return std::tie(major, minor) > std::tie(other.major, other.minor);
  }
  std::string str() const {
    return std::to_string(major) + "." + std::to_string(minor);
  }

  uint64_t major, minor;
};

struct FusionBytecodeInterface : public BytecodeDialectInterface {
  FusionBytecodeInterface(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override {
    FusionVersion version = getCurrent();
    writer.writeVarInt(version.major);
    writer.writeVarInt(version.minor);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    uint64_t major, minor;
    if (failed(reader.readVarInt(major)) || failed(reader.readVarInt(minor)))
      return nullptr;
    auto version = std::make_unique<FusionVersion>(major, minor);
    if (!version->isNewerThan(getCurrent()))
      return version;
    reader.emitError() << "file was written by a newer fusion dialect ("
                       << version->str() << "), this is " << getCurrent().str();
    return nullptr;
  }

private:
  static FusionVersion getCurrent() { return FusionVersion(0, 5); }
};
} // namespace

//===----------------------------------------------------------------------===//
// Ops that have changed
//===----------------------------------------------------------------------===//

/// How ODS encodes an op, as older versions did: the attributes in their order.
/// Of those with a question mark there may be none. `changed` is the version
/// that encoded the op as a dictionary first.
template <typename OpTy> struct Legacy {
  static constexpr StringLiteral names[] = {
      "activation?",  "dilations", "filter_layout", "groups?",
      "input_layout", "nan_mode?", "output_layout", "pad_high",
      "pad_low",      "strides"};
  static constexpr uint64_t changed = 2;
};

template <> struct Legacy<FusedMatmulBiasActOp> {
  static constexpr StringLiteral names[] = {"activation?", "filter_layout",
                                            "input_layout", "nan_mode?",
                                            "output_layout"};
  static constexpr uint64_t changed = 2;
};
template <> struct Legacy<PoolOp> {
  static constexpr StringLiteral names[] = {"kernel",  "layout",  "pad_high",
                                            "pad_low", "pooling", "strides"};
  static constexpr uint64_t changed = 3;
};
template <> struct Legacy<RtCreateOp> {
  static constexpr StringLiteral names[] = {
      "activation?",    "constant_filter?", "dilations?", "filter_layout?",
      "filter_type?",   "groups?",          "has_bias?",  "init_type",
      "input_layout",   "input_type",       "kernel?",    "kind?",
      "output_layout",  "pad_high?",        "pad_low?",   "pooling?",
      "residual_type?", "strides?",         "sym_name",   "sym_visibility?"};
  static constexpr uint64_t changed = 2;
};

template <> struct Legacy<RtPrepareOp> {
  static constexpr StringLiteral names[] = {
      "bias_type?", "callee",     "filter_type?",  "in_place?",
      "init_type",  "input_type", "residual_type?"};
  static constexpr uint64_t changed = 4;
};

template <> struct Legacy<QuantizedConvBiasActOp> {
  static constexpr StringLiteral names[] = {"activation?",
                                            "dilations",
                                            "filter_layout",
                                            "groups?",
                                            "input_layout",
                                            "input_unsigned?",
                                            "input_zero_point?",
                                            "output_layout",
                                            "output_scale?",
                                            "output_unsigned?",
                                            "output_zero_point?",
                                            "pad_high",
                                            "pad_low",
                                            "residual_after_activation?",
                                            "residual_scale?",
                                            "residual_unsigned?",
                                            "residual_zero_point?",
                                            "strides"};
  static constexpr uint64_t changed = 5;
};
template <> struct Legacy<QuantizedMatmulBiasActOp> {
  static constexpr StringLiteral names[] = {
      "activation?",         "filter_layout",
      "input_layout",        "input_unsigned?",
      "input_zero_point?",   "output_layout",
      "output_scale?",       "output_unsigned?",
      "output_zero_point?",  "residual_after_activation?",
      "residual_scale?",     "residual_unsigned?",
      "residual_zero_point?"};
  static constexpr uint64_t changed = 5;
};

static LogicalResult readLegacy(DialectBytecodeReader &reader,
                                ArrayRef<StringLiteral> names,
                                size_t segmentCount,
                                DictionaryAttr &attributes) {
  NamedAttrList list;
  for (StringRef name : names) {
    Attribute attribute;
    if (failed(name.consume_back("?") ? reader.readOptionalAttribute(attribute)
                                      : reader.readAttribute(attribute)))
      return failure();
    if (attribute)
      list.append(name, attribute);
  }
  if (segmentCount != 0) {
    SmallVector<int32_t> segments(segmentCount);
    if (failed(reader.readSparseArray(MutableArrayRef<int32_t>(segments))))
      return failure();
    list.append("operandSegmentSizes",
                DenseI32ArrayAttr::get(reader.getContext(), segments));
  }
  attributes = list.getDictionary(reader.getContext());
  return success();
}

/// Before version 0.3 a call site had the parameters of its calls as
/// attributes, and layouts as strings. Makes a descriptor of them; null after
/// an error.
static Attribute nestDescriptor(const NamedAttrList &attributes,
                                bool allowWinograd, MLIRContext *context,
                                function_ref<InFlightDiagnostic()> emitError) {
  auto get = [&](StringRef name, auto fallback) {
    auto value = dyn_cast_or_null<decltype(fallback)>(attributes.get(name));
    return value ? value : fallback;
  };
  auto has = [&](StringRef name) { return attributes.get(name) != nullptr; };
  auto getOperand = [&](StringRef layoutName, StringRef typeName) {
    auto letters = get(layoutName, StringAttr::get(context));
    auto type = get(typeName, TypeAttr());
    auto layout =
        LayoutAttr::getChecked(emitError, context, letters.getValue());
    return layout && type ? OperandAttr::getChecked(emitError, context, layout,
                                                    type.getValue())
                          : OperandAttr();
  };
  auto none = DenseI64ArrayAttr::get(context, {});
  auto strides = get("strides", none), dilations = get("dilations", none),
       padLow = get("pad_low", none), padHigh = get("pad_high", none);
  CallKind kind =
      get("kind", CallKindAttr::get(context, CallKind::Conv)).getValue();
  auto pooling = get("pooling", PoolingAttr());
  OperandAttr input = getOperand("input_layout", "input_type");
  OperandAttr init = getOperand("output_layout", "init_type");
  if (kind == CallKind::Pool && input && pooling && init != input) {
    emitError() << "'init' of a pool must be as 'input'";
    return {};
  }
  if (kind == CallKind::Pool && input && pooling)
    return PoolDescAttr::getChecked(emitError, context, pooling.getValue(),
                                    input, get("kernel", none), strides, padLow,
                                    padHigh);
  OperandAttr filter = getOperand("filter_layout", "filter_type");
  if (kind == CallKind::Pool || !input || !filter || !init) {
    emitError() << "a call site must say what its operands are";
    return {};
  }
  auto activation = get("activation", ActivationAttr());
  auto residual = get("residual_type", TypeAttr());
  Type residualType = residual ? residual.getValue() : Type();
  bool hasBias = has("has_bias"), isConstant = has("constant_filter"),
       isAfter = has("residual_after_activation");
  if (kind == CallKind::Matmul)
    return MatmulDescAttr::getChecked(emitError, context, input, filter, init,
                                      hasBias, activation, residualType,
                                      isAfter, isConstant, QuantizationAttr());
  auto groups = get("groups", IntegerAttr());
  bool isNumber = groups && groups.getType().isSignlessInteger(64);
  return ConvDescAttr::getChecked(
      emitError, context, input, filter, init, strides, dilations, padLow,
      padHigh, isNumber ? groups.getInt() : 1, kind == CallKind::Deconv,
      allowWinograd, hasBias, activation, residualType, isAfter, isConstant,
      QuantizationAttr());
}

template <typename OpTy>
static LogicalResult read(DialectBytecodeReader &reader,
                          OperationState &state) {
  FailureOr<const DialectVersion *> version =
      reader.getDialectVersion<FusionDialect>();
  bool isLegacy =
      succeeded(version) &&
      FusionVersion(0, Legacy<OpTy>::changed)
          .isNewerThan(*static_cast<const FusionVersion *>(*version));
  size_t segmentCount = 0;
  if constexpr (OpTy::template hasTrait<OpTrait::AttrSizedOperandSegments>())
    segmentCount = typename OpTy::Properties().operandSegmentSizes.size();
  DictionaryAttr attributes;
  if (failed(isLegacy ? readLegacy(reader, Legacy<OpTy>::names, segmentCount,
                                   attributes)
                      : reader.readAttribute(attributes)))
    return failure();
  NamedAttrList list(attributes);
  auto emitError = [&] { return reader.emitError(); };
  if (failed(readLayouts(state.name, list, emitError)))
    return failure();
  if (std::is_same_v<OpTy, RtCreateOp> && !list.get("descriptor")) {
    bool allowWinograd =
        state.attributes.erase("fusion.allow_winograd") != nullptr;
    Attribute descriptor =
        nestDescriptor(list, allowWinograd, reader.getContext(), emitError);
    if (!descriptor)
      return failure();
    list.set("descriptor", descriptor);
  }
  return OpTy::setPropertiesFromAttr(
      state.getOrAddProperties<typename OpTy::Properties>(),
      list.getDictionary(reader.getContext()), emitError);
}

template <typename OpTy>
static void write(DialectBytecodeWriter &writer, OpTy op) {
  writer.writeAttribute(op->getPropertiesAsAttribute());
}

void fusion::addBytecodeInterface(FusionDialect &dialect) {
  dialect.addInterfaces<FusionBytecodeInterface>();
}

LogicalResult FusedConvBiasActOp::readProperties(DialectBytecodeReader &reader,
                                                 OperationState &state) {
  return read<FusedConvBiasActOp>(reader, state);
}
void FusedConvBiasActOp::writeProperties(DialectBytecodeWriter &writer) {
  write(writer, *this);
}

LogicalResult
FusedDeconvBiasActOp::readProperties(DialectBytecodeReader &reader,
                                     OperationState &state) {
  return read<FusedDeconvBiasActOp>(reader, state);
}
void FusedDeconvBiasActOp::writeProperties(DialectBytecodeWriter &writer) {
  write(writer, *this);
}

LogicalResult
FusedMatmulBiasActOp::readProperties(DialectBytecodeReader &reader,
                                     OperationState &state) {
  return read<FusedMatmulBiasActOp>(reader, state);
}
void FusedMatmulBiasActOp::writeProperties(DialectBytecodeWriter &writer) {
  write(writer, *this);
}

LogicalResult
QuantizedConvBiasActOp::readProperties(DialectBytecodeReader &reader,
                                       OperationState &state) {
  return read<QuantizedConvBiasActOp>(reader, state);
}
void QuantizedConvBiasActOp::writeProperties(DialectBytecodeWriter &writer) {
  write(writer, *this);
}

LogicalResult
QuantizedMatmulBiasActOp::readProperties(DialectBytecodeReader &reader,
                                         OperationState &state) {
  return read<QuantizedMatmulBiasActOp>(reader, state);
}
void QuantizedMatmulBiasActOp::writeProperties(DialectBytecodeWriter &writer) {
  write(writer, *this);
}

LogicalResult PoolOp::readProperties(DialectBytecodeReader &reader,
                                     OperationState &state) {
  return read<PoolOp>(reader, state);
}
void PoolOp::writeProperties(DialectBytecodeWriter &writer) {
  write(writer, *this);
}

LogicalResult RtCreateOp::readProperties(DialectBytecodeReader &reader,
                                         OperationState &state) {
  return read<RtCreateOp>(reader, state);
}
void RtCreateOp::writeProperties(DialectBytecodeWriter &writer) {
  write(writer, *this);
}

LogicalResult RtPrepareOp::readProperties(DialectBytecodeReader &reader,
                                          OperationState &state) {
  return read<RtPrepareOp>(reader, state);
}
void RtPrepareOp::writeProperties(DialectBytecodeWriter &writer) {
  write(writer, *this);
}
