//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/BindParams.h"

#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/Support/ConstantAttr.h"
#include "FusionDialect/Support/Npy.h"
#include "FusionDialect/Transforms/Passes.h"
#include "RefineSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONBINDPARAMS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;
using llvm::createStringError;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The `fusion.name` of an argument; "" if it has none.
static StringRef getParamName(FunctionOpInterface function, unsigned index) {
  auto name = function.getArgAttrOfType<StringAttr>(index, kNameArgAttr);
  return name ? name.getValue() : StringRef();
}

/// "argument 2 ('conv1.weight')", or without the name.
static std::string describe(FunctionOpInterface function, unsigned index) {
  std::string text = "argument " + std::to_string(index);
  StringRef name = getParamName(function, index);
  return name.empty() ? text : text + " ('" + name.str() + "')";
}

static std::string listArguments(FunctionOpInterface function) {
  SmallVector<std::string> names;
  for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i)
    names.push_back(describe(function, i));
  return names.empty() ? "it has none" : "it has " + llvm::join(names, ", ");
}

llvm::Expected<ParamBinding> fusion::parseParamBinding(StringRef text) {
  auto [argument, file] = text.split('=');
  if (argument.empty() || file.empty())
    return createStringError("expected NAME_OR_INDEX=FILE.npy, got '" + text +
                             "'");
  return ParamBinding{argument.str(), file.str()};
}

/// The argument of `function` with that `fusion.name`; none if there is none.
static llvm::Expected<std::optional<unsigned>>
findNamedParam(FunctionOpInterface function, StringRef name) {
  std::optional<unsigned> found;
  for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i) {
    if (getParamName(function, i) != name)
      continue;
    if (found)
      return createStringError("arguments " + Twine(*found) + " and " +
                               Twine(i) + " of '" + function.getName() +
                               "' are both named '" + name +
                               "': bind them by index");
    found = i;
  }
  return found;
}

llvm::Expected<unsigned> fusion::findParam(FunctionOpInterface function,
                                           StringRef name) {
  llvm::Expected<std::optional<unsigned>> named =
      findNamedParam(function, name);
  if (!named)
    return named.takeError();
  unsigned index;
  bool isNumber = !name.getAsInteger(10, index);
  if (isNumber && index < function.getNumArguments()) {
    // If a name is a number, it may also be an index.
    if (*named && **named != index)
      return createStringError("'" + name + "' is argument " + Twine(index) +
                               " of '" + function.getName() +
                               "' and the name of argument " + Twine(**named) +
                               ": rename the latter");
    return index;
  }
  if (*named)
    return **named;
  return createStringError("'" + function.getName() + "' has no argument " +
                           (isNumber ? "" : "named '") + name +
                           (isNumber ? "" : "'") + ": " +
                           listArguments(function));
}

//===----------------------------------------------------------------------===//
// Binding constants
//===----------------------------------------------------------------------===//

/// Fails if `function` is used: its callers would go on passing the argument,
/// which must not be dropped silently.
static LogicalResult checkIsUnused(ModuleOp module,
                                   FunctionOpInterface function) {
  auto uses = SymbolTable::getSymbolUses(function.getOperation(),
                                         module.getOperation());
  if (!uses)
    return emitError(function.getLoc())
           << "arguments of '" << function.getName()
           << "' cannot be bound: an op that is not registered may use it";
  if (uses->empty())
    return success();
  InFlightDiagnostic error =
      emitError(uses->begin()->getUser()->getLoc())
      << "arguments of '" << function.getName()
      << "' cannot be bound: it is used here, with arguments of the user's; "
         "bind those of the caller, or inline the call";
  error.attachNote(function.getLoc()) << "the function";
  return error;
}

/// True for the type of a constant, or one that is refined to that.
static bool isBindable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? !tensor.getEncoding() : type.isIntOrIndexOrFloat();
}

static LogicalResult checkType(FunctionOpInterface function, unsigned index,
                               Type given) {
  Type type = function.getArgument(index).getType();
  Location loc = function.getArgument(index).getLoc();
  if (!isBindable(type))
    return emitError(loc) << describe(function, index)
                          << " cannot be bound: it must be a ranked tensor "
                             "without encoding, or a scalar, got "
                          << type;
  if (type == given)
    return success();
  auto tensor = dyn_cast<RankedTensorType>(given);
  if (tensor && tensor.hasStaticShape() &&
      tensor::CastOp::areCastCompatible(given, type))
    return success();
  return emitError(loc) << describe(function, index)
                        << " cannot be bound to a constant of type " << given
                        << ": its type is " << type;
}

static LogicalResult checkIsBindable(ModuleOp module,
                                     FunctionOpInterface function) {
  if (function.isExternal())
    return emitError(function.getLoc())
           << "arguments of '" << function.getName()
           << "' cannot be bound: it has no body";
  return checkIsUnused(module, function);
}

static LogicalResult replaceArguments(FunctionOpInterface function,
                                      const ParamConstants &constants) {
  auto builder = OpBuilder::atBlockBegin(&function.getFunctionBody().front());
  BitVector bound(function.getNumArguments());
  for (const auto &[index, attr] : constants) {
    BlockArgument argument = function.getArgument(index);
    Value constant =
        arith::ConstantOp::create(builder, argument.getLoc(), attr);
    if (constant.getType() != argument.getType())
      constant = tensor::CastOp::create(builder, argument.getLoc(),
                                        argument.getType(), constant);
    argument.replaceAllUsesWith(constant);
    bound.set(index);
  }
  if (succeeded(function.eraseArguments(bound)))
    return success();
  return emitError(function.getLoc())
         << "arguments of '" << function.getName() << "' cannot be bound: '"
         << function->getName() << "' has no type without them";
}

LogicalResult fusion::bindArguments(ModuleOp module,
                                    FunctionOpInterface function,
                                    const ParamConstants &constants) {
  // Loads the dependent dialects of the pass, for callers outside of a pass.
  module.getContext()
      ->loadDialect<FusionDialect, arith::ArithDialect, linalg::LinalgDialect,
                    tensor::TensorDialect>();
  if (failed(checkIsBindable(module, function)))
    return failure();
  for (const auto &[index, attr] : constants)
    if (failed(checkType(function, index, attr.getType())))
      return failure();
  // Works on a copy, so that a conflict of sizes changes nothing.
  OwningOpRef<Operation *> copy(function->clone());
  auto bound = cast<FunctionOpInterface>(*copy);
  if (failed(replaceArguments(bound, constants)) || failed(refineSizes(bound)))
    return failure();
  function.getFunctionBody().takeBody(bound.getFunctionBody());
  function->copyProperties(bound->getPropertiesStorage());
  return success();
}

//===----------------------------------------------------------------------===//
// Binding files
//===----------------------------------------------------------------------===//

static FunctionOpInterface findFunction(ModuleOp module, StringRef name) {
  auto function =
      dyn_cast_or_null<FunctionOpInterface>(module.lookupSymbol(name));
  if (function)
    return function;
  SmallVector<std::string> names;
  for (auto other : module.getOps<FunctionOpInterface>())
    names.push_back("'" + other.getName().str() + "'");
  emitError(module.getLoc())
      << "there is no function '" << name << "' whose arguments to bind"
      << (names.empty() ? "" : ", there are: ") << llvm::join(names, ", ");
  return nullptr;
}

/// Reads the constant from the file of `binding`, for argument `index`.
static FailureOr<TypedAttr> readConstant(FunctionOpInterface function,
                                         unsigned index,
                                         const ParamBinding &binding) {
  BlockArgument argument = function.getArgument(index);
  Type type = argument.getType();
  std::optional<HostType> hostType = getHostType(type);
  if (!isBindable(type) || !hostType) {
    // This gives the reason if no constant can be bound. Otherwise arrays
    // have no such elements.
    if (failed(checkType(function, index, type)))
      return failure();
    return emitError(argument.getLoc())
           << describe(function, index)
           << " cannot be bound: no array has elements of type "
           << getElementTypeOrSelf(type);
  }
  llvm::Expected<HostTensor> tensor =
      readNpyAs(binding.file, *hostType, describe(function, index));
  if (!tensor)
    return emitError(argument.getLoc()) << llvm::toString(tensor.takeError());
  StringRef name = getParamName(function, index);
  return makeConstantAttr(
      type, *tensor, name.empty() ? "arg" + std::to_string(index) : name.str());
}

LogicalResult fusion::bindParams(ModuleOp module,
                                 const BindParamsOptions &options) {
  FunctionOpInterface function = findFunction(module, options.function);
  if (!function || failed(checkIsBindable(module, function)))
    return failure();
  ParamConstants constants;
  for (const ParamBinding &binding : options.bindings) {
    llvm::Expected<unsigned> index = findParam(function, binding.argument);
    if (!index)
      return emitError(function.getLoc()) << llvm::toString(index.takeError());
    if (constants.contains(*index))
      return emitError(function.getArgument(*index).getLoc())
             << describe(function, *index) << " is bound twice";
    auto constant = readConstant(function, *index, binding);
    if (failed(constant))
      return failure();
    constants.insert({*index, *constant});
  }
  return bindArguments(module, function, constants);
}

namespace {
struct BindParamsPass
    : public fusion::impl::FusionBindParamsBase<BindParamsPass> {
  using FusionBindParamsBase::FusionBindParamsBase;

  void runOnOperation() override {
    BindParamsOptions options;
    options.function = function;
    for (const std::string &text : bind) {
      llvm::Expected<ParamBinding> binding = parseParamBinding(text);
      if (!binding) {
        emitError(getOperation().getLoc())
            << "option 'bind': " << llvm::toString(binding.takeError());
        return signalPassFailure();
      }
      options.bindings.push_back(*binding);
    }
    // Without bindings the function is not checked.
    if (!options.bindings.empty() &&
        failed(bindParams(getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace
