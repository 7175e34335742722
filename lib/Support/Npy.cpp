//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Support/Npy.h"
#include "FusionDialect/Support/ReadFile.h"
#include "FusionDialect/Support/TensorSize.h"
#include "FusionDialect/Support/WriteFile.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace fusion;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;
using llvm::Twine;

static constexpr StringRef kMagic("\x93NUMPY", 6);

static llvm::Error fileError(StringRef path, const Twine &reason) {
  return llvm::createStringError("cannot read '" + path + "': " + reason);
}

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

namespace {
/// The dictionary at the start of a .npy file.
struct Header {
  std::string descr;
  bool fortranOrder = false;
  SmallVector<int64_t> shape;
};
} // namespace

/// The text behind `'key':` in `dict`, without leading blanks; "" if there is
/// none.
static StringRef findValue(StringRef dict, StringRef key) {
  for (char quote : {'\'', '"'}) {
    size_t at = dict.find((Twine(quote) + key + Twine(quote)).str());
    if (at == StringRef::npos)
      continue;
    StringRef rest = dict.drop_front(at + key.size() + 2).ltrim();
    if (rest.consume_front(":"))
      return rest.ltrim();
  }
  return "";
}

/// Parses "(1, 3, )" into sizes.
static bool parseShape(StringRef text, SmallVectorImpl<int64_t> &shape) {
  if (!text.consume_front("("))
    return false;
  size_t end = text.find(')');
  if (end == StringRef::npos)
    return false;
  SmallVector<StringRef> parts;
  text.take_front(end).split(parts, ',');
  for (StringRef part : parts) {
    part = part.trim();
    if (part.empty())
      continue;
    int64_t size;
    if (part.getAsInteger(10, size) || size < 0)
      return false;
    shape.push_back(size);
  }
  return true;
}

static bool parseHeader(StringRef dict, Header &header) {
  StringRef descr = findValue(dict, "descr");
  if (descr.empty() || (descr[0] != '\'' && descr[0] != '"'))
    return false;
  size_t end = descr.find(descr[0], 1);
  if (end == StringRef::npos)
    return false;
  header.descr = descr.slice(1, end).str();

  StringRef order = findValue(dict, "fortran_order");
  if (!order.starts_with("True") && !order.starts_with("False"))
    return false;
  header.fortranOrder = order.starts_with("True");
  return parseShape(findValue(dict, "shape"), header.shape);
}

/// Splits `file` into the text of the header and the data behind it.
static llvm::Error splitFile(StringRef path, StringRef file, StringRef &dict,
                             StringRef &data) {
  if (!file.consume_front(kMagic))
    return fileError(path, "not a .npy file (it does not begin with "
                           "'\\x93NUMPY')");
  if (file.size() < 2)
    return fileError(path, "the file ends within the header");
  unsigned version = static_cast<unsigned char>(file[0]);
  if (version < 1 || version > 3)
    return fileError(path, "format version " + Twine(version) +
                               " is unknown, expected 1, 2 or 3");
  file = file.drop_front(2);
  size_t lengthBytes = version == 1 ? 2 : 4;
  size_t length = 0;
  for (size_t i = 0; i < lengthBytes && i < file.size(); ++i)
    length |= size_t(static_cast<unsigned char>(file[i])) << (8 * i);
  if (file.size() < lengthBytes + length)
    return fileError(path, "the file ends within the header");
  dict = file.substr(lengthBytes, length);
  data = file.drop_front(lengthBytes + length);
  return llvm::Error::success();
}

static std::optional<ElementKind> getKind(StringRef descr) {
  // Single bytes have no order; '=' is the order of this machine.
  if (!descr.empty() && StringRef("<|=").contains(descr.front()))
    descr = descr.drop_front();
  return llvm::StringSwitch<std::optional<ElementKind>>(descr)
      .Cases({"b1", "?"}, ElementKind::I1)
      .Cases({"i1", "u1"}, ElementKind::I8)
      .Cases({"i2", "u2", "V2"}, ElementKind::I16)
      .Cases({"i4", "u4"}, ElementKind::I32)
      .Cases({"i8", "u8"}, ElementKind::I64)
      .Case("f2", ElementKind::F16)
      .Case("f4", ElementKind::F32)
      .Case("f8", ElementKind::F64)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Copies column-major `source` into `tensor`.
static void copyFromFortranOrder(StringRef source, HostTensor &tensor) {
  size_t width = getByteWidth(tensor.getKind());
  ArrayRef<int64_t> shape = tensor.getShape();
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    // `i` counts row by row; the first dimension is the fastest in `source`.
    int64_t rest = i;
    int64_t offset = 0;
    int64_t total = tensor.getNumElements();
    for (size_t dim = shape.size(); dim-- > 0;) {
      total /= shape[dim];
      offset += rest % shape[dim] * total;
      rest /= shape[dim];
    }
    std::memcpy(tensor.data() + i * width,
                source.substr(offset * width, width).data(), width);
  }
}

llvm::Expected<NpyArray> fusion::readNpy(StringRef path) {
  auto buffer = readFile(path, /*isText=*/false);
  if (!buffer)
    return fileError(path, llvm::toString(buffer.takeError()));
  StringRef dict, data;
  if (llvm::Error error = splitFile(path, (*buffer)->getBuffer(), dict, data))
    return error;
  Header header;
  if (!parseHeader(dict, header))
    return fileError(path, "the header is not understood: " + dict.trim());
  std::optional<ElementKind> kind = getKind(header.descr);
  if (!kind)
    return fileError(path,
                     "element type '" + header.descr + "' is not supported");

  std::optional<int64_t> bytes = countBytes(header.shape, getByteWidth(*kind));
  if (!bytes)
    return fileError(path, "the shape is too large");
  if (data.size() < static_cast<size_t>(*bytes))
    return fileError(path, "truncated: expected " + Twine(*bytes) +
                               " bytes of data, got " + Twine(data.size()));

  HostTensor tensor(HostType{*kind, /*isScalar=*/false, header.shape});
  if (header.fortranOrder)
    copyFromFortranOrder(data, tensor);
  else
    std::memcpy(tensor.data(), data.data(), *bytes);
  return NpyArray{std::move(tensor), header.descr};
}

/// Converts `array` to the kind of `tensor`: unchanged, as raw 16-bit words, or
/// rounded. False if that is not possible.
static bool convertElements(const NpyArray &array, HostTensor &tensor) {
  ElementKind from = array.tensor.getKind();
  ElementKind to = tensor.getKind();
  bool isSame =
      from == to || (from == ElementKind::I64 && to == ElementKind::Index);
  bool isRawBF16 = to == ElementKind::BF16 && from == ElementKind::I16;
  if (isSame || isRawBF16) {
    std::memcpy(tensor.data(), array.tensor.data(), tensor.getNumBytes());
    return true;
  }
  if (to == ElementKind::BF16 && from == ElementKind::F32) {
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      tensor.set(i, array.tensor.get(i));
    return true;
  }
  return false;
}

static bool fits(ArrayRef<int64_t> shape, ArrayRef<int64_t> expected) {
  return shape.size() == expected.size() &&
         llvm::all_of(llvm::zip_equal(shape, expected), [](auto sizes) {
           auto [size, wanted] = sizes;
           return mlir::ShapedType::isDynamic(wanted) || size == wanted;
         });
}

llvm::Expected<HostTensor>
fusion::readNpyAs(StringRef path, const HostType &type, const Twine &what) {
  llvm::Expected<NpyArray> array = readNpy(path);
  if (!array)
    return array.takeError();
  const HostType &found = array->tensor.getType();
  if (!fits(found.shape, type.shape))
    return llvm::createStringError("'" + path + "' does not fit " + what +
                                   ": expected " + type.str() + ", got " +
                                   found.str());
  HostType target = type;
  target.shape = found.shape;
  HostTensor tensor(target);
  if (!convertElements(*array, tensor))
    return llvm::createStringError(
        "'" + path + "' does not fit " + what + ": expected elements of " +
        getName(type.kind) + ", got '" + array->descr + "'");
  return tensor;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static StringRef getDescr(ElementKind kind) {
  switch (kind) {
  case ElementKind::I1:
    return "|b1";
  case ElementKind::I8:
    return "|i1";
  case ElementKind::I16:
    return "<i2";
  case ElementKind::I32:
    return "<i4";
  case ElementKind::I64:
  case ElementKind::Index:
    return "<i8";
  case ElementKind::F16:
    return "<f2";
  case ElementKind::BF16:
  case ElementKind::F32:
    return "<f4";
  case ElementKind::F64:
    return "<f8";
  }
  llvm_unreachable("all kinds are handled");
}

static std::string makeHeader(const HostTensor &tensor) {
  // As Python prints tuples: (), (3,), (3, 4).
  std::string shape = llvm::join(
      llvm::map_range(tensor.getShape(),
                      [](int64_t size) { return std::to_string(size); }),
      ", ");
  if (tensor.getShape().size() == 1)
    shape += ",";
  std::string dict = ("{'descr': '" + getDescr(tensor.getKind()) +
                      "', 'fortran_order': False, 'shape': (" + shape + "), }")
                         .str();
  // Data begin at a multiple of 64; the header ends in a newline.
  size_t start = kMagic.size() + 4;
  size_t length = llvm::alignTo(start + dict.size() + 1, 64) - start;
  dict.resize(length - 1, ' ');
  std::string prefix = kMagic.str();
  for (unsigned char byte : {1, 0, int(length & 0xff), int(length >> 8)})
    prefix += byte;
  return prefix + dict + "\n";
}

llvm::Error fusion::writeNpy(StringRef path, const HostTensor &tensor) {
  return writeFile(path, [&](llvm::raw_ostream &os) {
    os << makeHeader(tensor);
    if (tensor.getKind() == ElementKind::BF16) {
      for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
        float value = tensor.get(i);
        os.write(reinterpret_cast<const char *>(&value), sizeof(value));
      }
    } else {
      os.write(tensor.data(), tensor.getNumBytes());
    }
    return llvm::Error::success();
  });
}
