//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InputData.h"

#include "FusionDialect/Support/Npy.h"
#include "FusionDialect/Support/TensorSize.h"
#include "Numbers.h"
#include "Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include <cmath>

using namespace mlir;
using namespace fusion;
using namespace fusion::run;
using llvm::createStringError;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static llvm::Error checkIndex(StringRef option, unsigned index,
                              const Program &program) {
  size_t numArguments = program.signature.arguments.size();
  if (index < numArguments)
    return llvm::Error::success();
  return createStringError(option + ": there is no argument " + Twine(index) +
                           ", '" + program.signature.name + "' has " +
                           Twine(numArguments));
}

static bool hasFile(unsigned index, const Options &options) {
  return index < options.inputs.size() && !options.inputs[index].empty();
}

static llvm::Error checkOptions(const Program &program,
                                const Options &options) {
  size_t numArguments = program.signature.arguments.size();
  if (options.inputs.size() > numArguments)
    return createStringError(
        "--input names " + count(options.inputs.size(), "file") + ", '" +
        program.signature.name + "' has " + count(numArguments, "argument"));
  for (const auto &[index, range] : options.ranges) {
    if (llvm::Error error = checkIndex("--random", index, program))
      return error;
    if (hasFile(index, options))
      return createStringError("--random: argument " + Twine(index) +
                               " is not random, --input gives '" +
                               options.inputs[index] + "'");
  }
  for (const auto &[index, shape] : options.shapes)
    if (llvm::Error error = checkIndex("--shape", index, program))
      return error;
  return llvm::Error::success();
}

/// Replaces the dynamic sizes of argument `index` by those of --shape, if there
/// are any.
static llvm::Expected<HostType> applyShape(unsigned index, HostType type,
                                           const Options &options) {
  auto shape = options.shapes.find(index);
  if (shape == options.shapes.end())
    return type;
  HostType given = type;
  given.shape = shape->second;
  bool fits = given.shape.size() == type.shape.size();
  for (auto [size, wanted] : llvm::zip(given.shape, type.shape))
    fits &= ShapedType::isDynamic(wanted) || size == wanted;
  if (!fits)
    return createStringError("--shape does not fit argument " + Twine(index) +
                             ": expected " + type.str() + ", got " +
                             given.str());
  return given;
}

/// Shapes come from files and options. A tensor that does not fit into memory
/// is reported, not allocated.
static llvm::Error checkMemory(unsigned index, const HostType &type) {
  std::optional<int64_t> bytes =
      countBytes(type.shape, getByteWidth(type.kind));
  if (bytes && static_cast<size_t>(*bytes) <= getAvailableMemory())
    return llvm::Error::success();
  return createStringError("argument " + Twine(index) + " is too large: " +
                           type.str() + " does not fit into memory");
}

static llvm::Expected<HostTensor> makeArgument(unsigned index,
                                               const Program &program,
                                               const Scales &scales,
                                               const Options &options) {
  auto type = applyShape(index, program.signature.arguments[index], options);
  if (!type)
    return type.takeError();
  if (hasFile(index, options))
    return readNpyAs(options.inputs[index], *type,
                     (options.shapes.contains(index) ? "--shape of argument "
                                                     : "argument ") +
                         Twine(index));
  if (!type->hasStaticShape())
    return createStringError("argument " + Twine(index) +
                             " has dynamic sizes: " + type->str() +
                             "; say which with --shape=" + Twine(index) +
                             ":SIZExSIZE... or give a file with --input");
  if (llvm::Error error = checkMemory(index, *type))
    return error;
  HostTensor tensor(*type);
  auto range = options.ranges.find(index);
  Value argument = const_cast<Program &>(program).entry.getArgument(index);
  fillRandom(tensor, options.seed, index,
             range != options.ranges.end()
                 ? range->second
                 : getInterval(inferRole(argument, scales), *type));
  return tensor;
}

llvm::Expected<std::vector<HostTensor>>
fusion::run::makeArguments(const Program &program, const Options &options) {
  if (llvm::Error error = checkOptions(program, options))
    return error;
  Scales scales(*program.module);
  std::vector<HostTensor> arguments;
  for (size_t i = 0; i < program.signature.arguments.size(); ++i) {
    auto argument = makeArgument(i, program, scales, options);
    if (!argument)
      return argument.takeError();
    arguments.push_back(std::move(*argument));
  }
  return arguments;
}

std::string fusion::run::findNonFinite(ArrayRef<HostTensor> arguments,
                                       const Options &options) {
  for (auto [index, tensor] : llvm::enumerate(arguments)) {
    if (!hasFile(index, options) || !isFloat(tensor.getKind()))
      continue;
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      if (double value = tensor.get(i); !std::isfinite(value))
        return ("argument " + Twine(index) + " ('" + options.inputs[index] +
                "') has " + (std::isnan(value) ? "a NaN" : "an infinity") +
                " at " + formatPosition(tensor.getShape(), i))
            .str();
  }
  return "";
}

llvm::Expected<std::vector<HostTensor>>
fusion::run::addBoundArguments(const Program &program,
                               ArrayRef<HostTensor> arguments,
                               const Options &options) {
  llvm::SmallDenseMap<unsigned, StringRef> files;
  for (const ParamBinding &binding : options.bindings) {
    llvm::Expected<unsigned> index = findParam(program.entry, binding.argument);
    if (!index)
      return index.takeError();
    files[*index] = binding.file;
  }
  std::vector<HostTensor> all;
  for (auto [index, type] : llvm::enumerate(program.signature.arguments)) {
    auto file = files.find(index);
    if (file == files.end()) {
      all.push_back(arguments.consume_front().clone());
      continue;
    }
    auto bound = readNpyAs(file->second, type, "argument " + Twine(index));
    if (!bound)
      return bound.takeError();
    all.push_back(std::move(*bound));
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static bool isElided(ElementsAttr attr) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(attr);
  return resource && !resource.getRawHandle().getResource()->getBlob();
}

/// The value of a splat of floats or 8-bit integers with several elements.
static std::optional<double> getSplat(ElementsAttr attr) {
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense || !dense.isSplat() || dense.getNumElements() < 2)
    return std::nullopt;
  if (isa<FloatType>(dense.getElementType()))
    return dense.getSplatValue<APFloat>().convertToDouble();
  if (dense.getElementType().isSignlessInteger(8))
    return dense.getSplatValue<APInt>().getSExtValue();
  return std::nullopt;
}

/// True if `type` has one value per channel: [C], [1,C], [C,1,1].
static bool isVector(ShapedType type) {
  return llvm::count_if(type.getShape(),
                        [](int64_t size) { return size != 1; }) <= 1;
}

static bool isDestination(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return op && op.isDpsInit(&use);
  });
}

/// Whether a splat is a weight and not part of the network's computation.
static bool isWeight(arith::ConstantOp constant, double splat, Role role) {
  auto type = cast<ShapedType>(constant.getType());
  if (!isa<FloatType>(type.getElementType()))
    return role.kind == Role::Filter;
  switch (role.kind) {
  case Role::Filter:
    return true;
  case Role::Scale:
    return isVector(type);
  case Role::Positive:
    // A variance is never as small as an epsilon.
    return splat > 2e-3 || splat == 0;
  case Role::Fixed:
    return false;
  case Role::Data:
    return isVector(type) && !(splat == 0 && isDestination(constant));
  }
  llvm_unreachable("all roles are handled");
}

/// The type at the boundary; none if `constant` keeps its value.
static std::optional<HostType> getRandomType(arith::ConstantOp constant,
                                             Role role) {
  auto attr = dyn_cast<ElementsAttr>(constant.getValue());
  if (!attr)
    return std::nullopt;
  if (!isElided(attr)) {
    std::optional<double> splat = getSplat(attr);
    if (!splat || !isWeight(constant, *splat, role))
      return std::nullopt;
  }
  return getHostType(constant.getType());
}

/// A scale keeps its magnitude, which fits the numbers that it scales.
static Interval getConstantInterval(arith::ConstantOp constant, Role role,
                                    const HostType &type) {
  auto attr = cast<ElementsAttr>(constant.getValue());
  std::optional<double> splat = getSplat(attr);
  if (role.kind != Role::Scale || !splat)
    return getInterval(role, type);
  return {0.5 * *splat, 1.5 * *splat};
}

void fusion::run::randomizeConstants(Program &program, const Options &options) {
  // The streams of constants and of arguments differ.
  uint64_t stream = uint64_t(1) << 32;
  Scales scales(*program.module);
  program.module->walk([&](arith::ConstantOp constant) {
    if (!isa<RankedTensorType>(constant.getType()))
      return;
    Role role = inferRole(constant, scales);
    std::optional<HostType> type = getRandomType(constant, role);
    if (!type)
      return;
    HostTensor tensor(*type);
    fillRandom(tensor, options.seed, stream,
               getConstantInterval(constant, role, *type));
    ArrayRef<char> bytes(tensor.data(), tensor.getNumBytes());
    constant.setValueAttr(DenseResourceElementsAttr::get(
        cast<ShapedType>(constant.getType()),
        "fusion_random_" + std::to_string(stream & 0xffffffff),
        HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, /*align=*/64)));
    ++stream;
  });
}
