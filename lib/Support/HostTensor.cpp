//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Support/HostTensor.h"
#include "FusionDialect/Support/TensorSize.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// ElementKind
//===----------------------------------------------------------------------===//

std::optional<ElementKind> fusion::getElementKind(Type type) {
  if (type.isF32())
    return ElementKind::F32;
  if (type.isF64())
    return ElementKind::F64;
  if (type.isF16())
    return ElementKind::F16;
  if (type.isBF16())
    return ElementKind::BF16;
  if (type.isIndex())
    return ElementKind::Index;
  if (!type.isSignlessInteger())
    return std::nullopt;
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return ElementKind::I1;
  case 8:
    return ElementKind::I8;
  case 16:
    return ElementKind::I16;
  case 32:
    return ElementKind::I32;
  case 64:
    return ElementKind::I64;
  default:
    return std::nullopt;
  }
}

size_t fusion::getByteWidth(ElementKind kind) {
  switch (kind) {
  case ElementKind::I1:
  case ElementKind::I8:
    return 1;
  case ElementKind::I16:
  case ElementKind::F16:
  case ElementKind::BF16:
    return 2;
  case ElementKind::I32:
  case ElementKind::F32:
    return 4;
  case ElementKind::I64:
  case ElementKind::Index:
  case ElementKind::F64:
    return 8;
  }
  llvm_unreachable("all kinds are handled");
}

StringRef fusion::getName(ElementKind kind) {
  switch (kind) {
  case ElementKind::I1:
    return "i1";
  case ElementKind::I8:
    return "i8";
  case ElementKind::I16:
    return "i16";
  case ElementKind::I32:
    return "i32";
  case ElementKind::I64:
    return "i64";
  case ElementKind::Index:
    return "index";
  case ElementKind::F16:
    return "f16";
  case ElementKind::BF16:
    return "bf16";
  case ElementKind::F32:
    return "f32";
  case ElementKind::F64:
    return "f64";
  }
  llvm_unreachable("all kinds are handled");
}

bool fusion::isFloat(ElementKind kind) { return kind >= ElementKind::F16; }

template <typename T> static T load(const void *data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

template <typename T> static void store(void *data, T value) {
  std::memcpy(data, &value, sizeof(T));
}

static uint16_t toHalf(double value) {
  llvm::APFloat half(value);
  bool losesInfo;
  half.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven,
               &losesInfo);
  return half.bitcastToAPInt().getZExtValue();
}

static double fromHalf(uint16_t bits) {
  llvm::APFloat half(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits));
  return half.convertToDouble();
}

/// Rounds to nearest, ties to even; a NaN stays a NaN.
static uint16_t toBFloat(double value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(static_cast<float>(value));
  if ((bits & 0x7fffffff) > 0x7f800000)
    return (bits >> 16) | 0x40;
  return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}

double fusion::loadElement(ElementKind kind, const void *data) {
  switch (kind) {
  case ElementKind::I1:
    return load<uint8_t>(data) & 1;
  case ElementKind::I8:
    return load<int8_t>(data);
  case ElementKind::I16:
    return load<int16_t>(data);
  case ElementKind::I32:
    return load<int32_t>(data);
  case ElementKind::I64:
  case ElementKind::Index:
    return static_cast<double>(load<int64_t>(data));
  case ElementKind::F16:
    return fromHalf(load<uint16_t>(data));
  case ElementKind::BF16:
    return llvm::bit_cast<float>(uint32_t(load<uint16_t>(data)) << 16);
  case ElementKind::F32:
    return load<float>(data);
  case ElementKind::F64:
    return load<double>(data);
  }
  llvm_unreachable("all kinds are handled");
}

void fusion::storeElement(ElementKind kind, void *data, double value) {
  switch (kind) {
  case ElementKind::I1:
    return store<uint8_t>(data, value != 0);
  case ElementKind::I8:
    return store<int8_t>(data, static_cast<int8_t>(value));
  case ElementKind::I16:
    return store<int16_t>(data, static_cast<int16_t>(value));
  case ElementKind::I32:
    return store<int32_t>(data, static_cast<int32_t>(value));
  case ElementKind::I64:
  case ElementKind::Index:
    return store<int64_t>(data, static_cast<int64_t>(value));
  case ElementKind::F16:
    return store<uint16_t>(data, toHalf(value));
  case ElementKind::BF16:
    return store<uint16_t>(data, toBFloat(value));
  case ElementKind::F32:
    return store<float>(data, static_cast<float>(value));
  case ElementKind::F64:
    return store<double>(data, value);
  }
  llvm_unreachable("all kinds are handled");
}

//===----------------------------------------------------------------------===//
// HostType
//===----------------------------------------------------------------------===//

bool HostType::hasStaticShape() const {
  return llvm::none_of(shape, ShapedType::isDynamic);
}

std::string HostType::str() const {
  std::string text;
  for (int64_t size : shape)
    text += (ShapedType::isDynamic(size) ? "?" : std::to_string(size)) + "x";
  return text + getName(kind).str();
}

std::optional<HostType> fusion::getHostType(Type type) {
  HostType result;
  Type elementType = type;
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    auto memref = dyn_cast<MemRefType>(type);
    bool isDense = isa<RankedTensorType>(type) ||
                   (memref && memref.getLayout().isIdentity());
    if (!isDense)
      return std::nullopt;
    result.shape.assign(shaped.getShape().begin(), shaped.getShape().end());
    elementType = shaped.getElementType();
  } else {
    result.isScalar = true;
  }
  std::optional<ElementKind> kind = getElementKind(elementType);
  if (!kind)
    return std::nullopt;
  result.kind = *kind;
  return result;
}

//===----------------------------------------------------------------------===//
// HostTensor
//===----------------------------------------------------------------------===//

void AlignedFree::operator()(void *block) const { std::free(block); }

/// From so many bytes on, the available memory is looked up: Linux would grant
/// more, and kill the process that uses it.
static constexpr size_t kLargeBytes = size_t(1) << 26;

AlignedBytes fusion::allocateAligned(size_t bytes) {
  if (bytes > maxTensorBytes ||
      (bytes >= kLargeBytes && bytes > getAvailableMemory()))
    llvm::report_bad_alloc_error("a tensor does not fit into memory");
  // aligned_alloc needs a multiple of the alignment, and no block is empty.
  size_t size = llvm::alignTo(std::max<size_t>(bytes, 1), 64);
  auto *block = static_cast<char *>(std::aligned_alloc(64, size));
  if (!block)
    llvm::report_bad_alloc_error("a tensor does not fit into memory");
  return AlignedBytes(block);
}

static AlignedBytes allocate(const HostType &type) {
  std::optional<int64_t> bytes =
      countBytes(type.shape, getByteWidth(type.kind));
  return allocateAligned(bytes.value_or(maxTensorBytes + 1));
}

HostTensor::HostTensor(HostType type)
    : type(std::move(type)), bytes(allocate(this->type)),
      numElements(*countElements(this->type.shape)) {
  std::memset(bytes.get(), 0, getNumBytes());
}

double HostTensor::get(int64_t index) const {
  return loadElement(type.kind, data() + index * getByteWidth(type.kind));
}

void HostTensor::set(int64_t index, double value) {
  storeElement(type.kind, data() + index * getByteWidth(type.kind), value);
}

HostTensor HostTensor::clone() const {
  HostTensor copy(type);
  std::memcpy(copy.data(), data(), getNumBytes());
  return copy;
}

std::string fusion::formatPosition(ArrayRef<int64_t> shape, int64_t index) {
  SmallVector<std::string> position(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    position[dim] = std::to_string(index % shape[dim]);
    index /= shape[dim];
  }
  return "[" + llvm::join(position, ", ") + "]";
}
