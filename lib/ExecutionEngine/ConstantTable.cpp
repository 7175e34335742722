//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/ExecutionEngine/ConstantTable.h"
#include "FusionDialect/Support/TensorSize.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;
using namespace fusion;

size_t ConstantTable::getNumBytes() const {
  size_t bytes = 0;
  for (const ConstantEntry &entry : entries)
    bytes += entry.data.size();
  return bytes;
}

/// Repeats the stored element by copying the part that is done, until it is
/// enough.
static void expandSplat(ArrayRef<char> element, size_t bytes,
                        ConstantEntry &entry) {
  entry.owned = allocateAligned(bytes);
  char *data = entry.owned.get();
  size_t done = element.size();
  std::memcpy(data, element.data(), done);
  while (done < bytes) {
    size_t step = std::min(done, bytes - done);
    std::memcpy(data + done, data, step);
    done += step;
  }
  entry.data = ArrayRef<char>(data, bytes);
}

static void expandBooleans(DenseElementsAttr attr, size_t bytes,
                           ConstantEntry &entry) {
  entry.owned = allocateAligned(bytes);
  for (auto [index, value] : llvm::enumerate(attr.getValues<bool>()))
    entry.owned.get()[index] = value;
  entry.data = ArrayRef<char>(entry.owned.get(), bytes);
}

/// The bits of a byte that an element of `type` has, of i4 for example; none
/// for booleans and other types than integers narrower than a byte.
static std::optional<uint8_t> getNarrowMask(Type type) {
  unsigned width = type.isInteger() ? type.getIntOrFloatBitWidth() : 0;
  if (width < 2 || width > 7)
    return std::nullopt;
  return llvm::maskTrailingOnes<uint8_t>(width);
}

/// Copies bytes, of which each is an element or the only one is all of them.
/// Compiled code takes it that the bits outside of `mask` are 0.
static void copyMasked(ArrayRef<char> source, uint8_t mask, size_t bytes,
                       ConstantEntry &entry) {
  entry.owned = allocateAligned(bytes);
  for (size_t i = 0; i != bytes; ++i)
    entry.owned.get()[i] = source[source.size() == 1 ? 0 : i] & mask;
  entry.data = ArrayRef<char>(entry.owned.get(), bytes);
}

static void fillFromDense(DenseElementsAttr attr, size_t bytes,
                          ConstantEntry &entry) {
  if (attr.getElementType().isInteger(1)) {
    expandBooleans(attr, bytes, entry);
  } else if (std::optional<uint8_t> mask =
                 getNarrowMask(attr.getElementType())) {
    copyMasked(attr.getRawData(), *mask, bytes, entry);
  } else if (attr.isSplat()) {
    expandSplat(attr.getRawData(), bytes, entry);
  } else {
    entry.data = attr.getRawData();
  }
}

static llvm::Error fillFromResource(DenseResourceElementsAttr attr,
                                    size_t expected, ConstantEntry &entry) {
  DialectResourceBlobManager::BlobEntry &resource =
      *attr.getRawHandle().getResource();
  AsmResourceBlob *blob = resource.getBlob();
  if (!blob)
    return llvm::createStringError("constant 'dense_resource<" +
                                   resource.getKey() + ">' has no data");
  if (blob->getData().size() != expected)
    return llvm::createStringError("constant 'dense_resource<" +
                                   resource.getKey() + ">' must have " +
                                   std::to_string(expected) + " bytes, got " +
                                   std::to_string(blob->getData().size()));
  if (std::optional<uint8_t> mask = getNarrowMask(attr.getElementType()))
    copyMasked(blob->getData(), *mask, expected, entry);
  else
    entry.data = blob->getData();
  return llvm::Error::success();
}

/// The bytes of an element of `type` in memory; none for other types than those
/// of tensors at run time and narrow integers, which have a byte each.
static std::optional<int64_t> getElementBytes(Type type) {
  if (std::optional<ElementKind> kind = getElementKind(type))
    return getByteWidth(*kind);
  return getNarrowMask(type) ? std::optional<int64_t>(1) : std::nullopt;
}

/// The bytes of a constant of `type`; none if they are more than a tensor can
/// have.
static std::optional<int64_t> countBytes(ShapedType type) {
  return fusion::countBytes(type.getShape(),
                            *getElementBytes(type.getElementType()));
}

static llvm::Error fill(ElementsAttr attr, ConstantEntry &entry) {
  ShapedType type = attr.getShapedType();
  std::optional<int64_t> bytes = countBytes(type);
  if (!bytes) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return llvm::createStringError(
        "a constant must have at most 2^47 bytes, got one of " + text);
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    return fillFromResource(resource, *bytes, entry);
  auto dense = cast<DenseElementsAttr>(attr);
  // A splat is small until it is written out.
  if (dense.isSplat() && static_cast<size_t>(*bytes) > getAvailableMemory())
    return llvm::createStringError("out of memory: a constant has " +
                                   std::to_string(*bytes) + " bytes");
  fillFromDense(dense, *bytes, entry);
  return llvm::Error::success();
}

/// True for values to pass as data and not as code. A resource always is: the
/// export to LLVM IR cannot read it.
static bool isExternalizable(Attribute attr, size_t minBytes) {
  if (!isa_and_nonnull<DenseElementsAttr, DenseResourceElementsAttr>(attr))
    return false;
  auto elements = cast<ElementsAttr>(attr);
  if (!getElementBytes(elements.getElementType()))
    return false;
  std::optional<int64_t> bytes = countBytes(elements.getShapedType());
  return bytes != 0 && (!bytes || static_cast<size_t>(*bytes) >= minBytes ||
                        isa<DenseResourceElementsAttr>(attr));
}

/// Compiled code may load as many bytes at once as the alignment promises. So
/// it must not promise more than `data` has.
static void setAlignment(LLVM::GlobalOp global, const void *data) {
  uint64_t address = reinterpret_cast<uint64_t>(data);
  global.setAlignment(llvm::MinAlign(address, 64));
}

llvm::Expected<ConstantTable> fusion::externalizeConstants(ModuleOp module,
                                                           size_t minBytes) {
  ConstantTable table;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    Attribute value = global.getValueAttr();
    if (!isExternalizable(value, minBytes))
      continue;
    ConstantEntry entry;
    if (llvm::Error error = fill(cast<ElementsAttr>(value), entry))
      return error;
    entry.symbol = global.getSymName().str();
    global.removeValueAttr();
    global.setLinkage(LLVM::Linkage::External);
    setAlignment(global, entry.data.data());
    table.entries.push_back(std::move(entry));
  }
  return table;
}

/// Calls `visit` with the key and the data of each resource that has data.
static void
forEachResource(MLIRContext &context,
                function_ref<void(StringRef, ArrayRef<char>)> visit) {
  DenseResourceElementsHandle::getManagerInterface(&context)
      .getBlobManager()
      .getBlobMap([&](const auto &blobs) {
        for (const auto &[key, entry] : blobs)
          if (const AsmResourceBlob *blob = entry.getBlob())
            visit(key, blob->getData());
      });
}

void fusion::releaseOtherResources(MLIRContext &context,
                                   const ConstantTable &table) {
  llvm::DenseSet<const char *> used;
  for (const ConstantEntry &entry : table.entries)
    used.insert(entry.data.data());
  std::vector<std::string> unused;
  forEachResource(context, [&](StringRef key, ArrayRef<char> data) {
    if (!used.contains(data.data()))
      unused.push_back(key.str());
  });
  for (const std::string &key : unused)
    DenseResourceElementsHandle::getManagerInterface(&context)
        .getBlobManager()
        .update(key, AsmResourceBlob());
}
