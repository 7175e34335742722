//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_SUPPORT_HOSTTENSOR_H
#define FUSION_SUPPORT_HOSTTENSOR_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <optional>

namespace fusion {

/// Element types that compiled code exchanges with its caller. Apart from
/// mlir::Type, so that a tensor outlives the context it was made for.
enum class ElementKind { I1, I8, I16, I32, I64, Index, F16, BF16, F32, F64 };

/// The kind of `type`; none if its values cannot cross the boundary.
std::optional<ElementKind> getElementKind(mlir::Type type);
/// Bytes of one element in memory.
size_t getByteWidth(ElementKind kind);
/// The name that MLIR prints: "f32".
llvm::StringRef getName(ElementKind kind);
bool isFloat(ElementKind kind);
/// Reads and writes one element at `data`. Integers up to 2^53 are exact.
double loadElement(ElementKind kind, const void *data);
void storeElement(ElementKind kind, void *data, double value);

/// Type of an argument or result: a tensor or, passed by value, a scalar.
struct HostType {
  ElementKind kind = ElementKind::F32;
  bool isScalar = false;
  /// May hold mlir::ShapedType::kDynamic.
  llvm::SmallVector<int64_t> shape;

  bool hasStaticShape() const;
  /// "1x3x224x224xf32", as in tensor<...>.
  std::string str() const;
};

/// The type at the boundary; none unless `type` is a ranked tensor or memref of
/// identity layout, or a scalar, of a known element kind.
std::optional<HostType> getHostType(mlir::Type type);

struct AlignedFree {
  void operator()(void *block) const;
};
using AlignedBytes = std::unique_ptr<char, AlignedFree>;

/// At least `bytes` bytes on a boundary of 64, the cache line and the widest
/// vector. If there is no memory, LLVM's handler of failed allocations is
/// called, which by default ends the process.
AlignedBytes allocateAligned(size_t bytes);

/// A dense row-major tensor in memory of its own.
class HostTensor {
public:
  explicit HostTensor(HostType type);

  const HostType &getType() const { return type; }
  ElementKind getKind() const { return type.kind; }
  llvm::ArrayRef<int64_t> getShape() const { return type.shape; }
  int64_t getNumElements() const { return numElements; }
  size_t getNumBytes() const { return numElements * getByteWidth(type.kind); }

  char *data() { return bytes.get(); }
  const char *data() const { return bytes.get(); }
  double get(int64_t index) const;
  void set(int64_t index, double value);

  HostTensor clone() const;

private:
  HostType type;
  AlignedBytes bytes;
  int64_t numElements;
};

/// "[0, 2, 5]" for the element at row-major position `index`.
std::string formatPosition(llvm::ArrayRef<int64_t> shape, int64_t index);

} // namespace fusion

#endif // FUSION_SUPPORT_HOSTTENSOR_H
