//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Execute/Program.h"

#include "FusionDialect/Execute/Decompose.h"
#include "FusionDialect/InitAll.h"
#include "FusionDialect/Support/TensorSize.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace fusion;
using llvm::createStringError;

DialectRegistry fusion::makeRegistry() {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  fusion::registerAllDialects(registry);
  fusion::registerAllExtensions(registry);
  return registry;
}

Program::Program() : context(makeRegistry()) {
  diagnostics.emplace(sources, &context);
  // Messages have the location and the line. The whole function is too much.
  context.printOpOnDiagnostic(false);
}

Program::Program(std::function<void(Diagnostic &)> handler)
    : context(makeRegistry()) {
  context.printOpOnDiagnostic(false);
  context.getDiagEngine().registerHandler(std::move(handler));
}

std::vector<Signature> Program::getSignatures() const {
  std::vector<Signature> signatures = {signature};
  for (const Entry &other : others)
    signatures.push_back(other.signature);
  return signatures;
}

static std::string formatPlace(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto place = dyn_cast<FileLineColLoc>(loc))
    os << place.getFilename().getValue() << ":" << place.getLine() << ":"
       << place.getColumn();
  else
    loc.print(os);
  return text;
}

//===----------------------------------------------------------------------===//
// Files that cannot be read
//===----------------------------------------------------------------------===//

/// A hint how to lower `dialect` to linalg on tensors.
static std::string getDialectHint(StringRef dialect) {
  StringRef hint =
      llvm::StringSwitch<StringRef>(dialect)
          .Cases({"torch", "torch_c"},
                 "lower it with torch-mlir first: torch-mlir-opt "
                 "--torch-backend-to-linalg-on-tensors-backend-pipeline")
          .Cases({"stablehlo", "chlo", "mhlo", "vhlo"},
                 "lower it with StableHLO first: stablehlo-opt "
                 "--chlo-legalize-to-stablehlo --stablehlo-legalize-to-linalg")
          .Cases({"onnx", "krnl"},
                 "import the model through torch-mlir or TOSA instead of "
                 "onnx-mlir")
          .Cases({"tf", "tfl", "tf_executor"},
                 "convert the model to TOSA or StableHLO first")
          .Cases({"util", "flow", "hal", "stream", "iree_linalg_ext"},
                 "it belongs to IREE: use the file as it was before IREE's "
                 "passes")
          .Default("lower it to linalg on tensors first");
  return hint.str();
}

/// The dialect that a message of MLIR's parser complains about; "" if it is
/// about something else.
static std::string getUnknownDialect(StringRef message, StringRef sourceLine) {
  // Dialect `stablehlo' not found for custom op 'stablehlo.add'
  StringRef rest = message;
  if (rest.consume_front("Dialect `"))
    return rest.take_until([](char c) { return c == '\''; }).str();
  // `!"torch"<"vtensor<[1,3],f32>">` type created with unregistered dialect
  if (message.contains("created with unregistered dialect"))
    return message.split('"').second.split('"').first.str();
  // The message has no name, but the source line has: %0 = "stablehlo.add"(%a,
  // %b).
  if (message.contains("an unregistered dialect"))
    return sourceLine.split('"').second.split('.').first.str();
  return "";
}

/// Turns the first message about a file into one sentence with advice.
static llvm::Error explainParseError(const std::string &place,
                                     StringRef message, StringRef sourceLine,
                                     bool isParsed) {
  std::string dialect = getUnknownDialect(message, sourceLine);
  if (!dialect.empty())
    return createStringError(place + ": dialect '" + dialect +
                             "' cannot be run as it is; " +
                             getDialectHint(dialect));
  std::string error = place + ": " + message.trim().str();
  if (isParsed)
    return createStringError(
        error +
        "\nThe file parses, but is not valid in MLIR " LLVM_VERSION_STRING
        ". If another version wrote it, export it anew.");
  return createStringError(
      error + "\nThe file does not parse with MLIR " LLVM_VERSION_STRING
              ". If another version wrote it, rewrite it with that version's "
              "mlir-opt --mlir-print-op-generic, or export it anew.");
}

/// Line `number`, counted from 1, of `text`; "" if it has fewer.
static std::string getLine(StringRef text, unsigned number) {
  for (StringRef line : llvm::split(text, '\n'))
    if (--number == 0)
      return line.str();
  return "";
}

static llvm::Error parse(const llvm::MemoryBuffer &source, Program &program) {
  program.sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(source.getMemBufferRef(),
                                       /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  std::string place, message, sourceLine;
  ScopedDiagnosticHandler handler(
      &program.context, [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error ||
            !message.empty())
          return success();
        message = diagnostic.str();
        place = formatPlace(diagnostic.getLocation());
        if (auto loc = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
          sourceLine = getLine(source.getBuffer(), loc.getLine());
        return success();
      });
  program.module = parseSourceFile<ModuleOp>(
      program.sources,
      ParserConfig(&program.context, /*verifyAfterParse=*/false));
  bool isParsed = bool(program.module);
  if (isParsed && succeeded(verify(*program.module)))
    return llvm::Error::success();
  program.module = nullptr;
  return explainParseError(place, message, sourceLine, isParsed);
}

//===----------------------------------------------------------------------===//
// Modules that cannot be run
//===----------------------------------------------------------------------===//

/// The command that lowers the dialect of `op`, or nothing. Such a dialect is
/// registered and parses, but upstream's passes of the reference, or ours, take
/// none of it.
static StringRef getLoweringCommand(Operation *op) {
  Dialect *dialect = op->getDialect();
  if (isa_and_nonnull<tosa::TosaDialect>(dialect))
    return "--pass-pipeline='builtin.module(func.func("
           "tosa-optional-decompositions,tosa-to-linalg-named,tosa-to-linalg,"
           "tosa-to-arith{include-apply-rescale=true},"
           "tosa-to-tensor,canonicalize))'";
  if (isa_and_nonnull<quant::QuantDialect>(dialect))
    return "--fusion-lower-quant-casts --strip-func-quant-types "
           "--lower-quant-ops --canonicalize";
  return "";
}

/// Refuses dialects that have to be lowered first.
static llvm::Error checkDialects(ModuleOp module) {
  Operation *found = nullptr;
  module.walk([&](Operation *op) {
    if (getLoweringCommand(op).empty())
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  if (!found)
    return llvm::Error::success();
  return createStringError(formatPlace(found->getLoc()) + ": dialect '" +
                           found->getDialect()->getNamespace() +
                           "' cannot be run as it is; lower it first: "
                           "fusion-opt " +
                           getLoweringCommand(found));
}

/// The first constant whose data was elided when the file was written.
static Operation *findElidedConstant(ModuleOp module) {
  Operation *found = nullptr;
  module.walk([&](Operation *op) {
    for (NamedAttribute attr : op->getAttrs()) {
      auto resource = dyn_cast<DenseResourceElementsAttr>(attr.getValue());
      if (resource && !resource.getRawHandle().getResource()->getBlob()) {
        found = op;
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  });
  return found;
}

llvm::Error fusion::checkWeights(ModuleOp module) {
  Operation *op = findElidedConstant(module);
  if (!op)
    return llvm::Error::success();
  return createStringError(
      formatPlace(op->getLoc()) +
      ": the weights were left out when the file was written "
      "(dense_resource<__elided__>); export it with its weights");
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

static llvm::Error noFunctions(ModuleOp module, StringRef path) {
  auto modules = module.getOps<ModuleOp>();
  if (modules.empty())
    return createStringError("'" + path + "' has no function to run");
  return createStringError(
      "'" + path + "' holds " +
      Twine(std::distance(modules.begin(), modules.end())) +
      " modules; put the one to run into a file of its own (mlir-opt "
      "--split-input-file cuts at '// -----')");
}

static std::string joinNames(ArrayRef<FunctionOpInterface> functions) {
  SmallVector<std::string> names;
  for (FunctionOpInterface function : functions)
    names.push_back(function.getName().str());
  return llvm::join(names, ", ");
}

namespace {
/// The functions of a module, those that have a body first.
struct Functions {
  explicit Functions(ModuleOp module) {
    for (auto function : module.getOps<FunctionOpInterface>()) {
      bool isDeclared = function.isExternal();
      (isDeclared ? declared : all).push_back(function);
      if (!isDeclared && function.isPublic())
        visible.push_back(function);
    }
  }

  /// The function of that name, or null.
  FunctionOpInterface find(StringRef name) const {
    auto *it = llvm::find_if(
        all, [&](FunctionOpInterface f) { return f.getName() == name; });
    return it == all.end() ? FunctionOpInterface() : *it;
  }

  llvm::Error explainMissing(const std::string &name) const {
    bool isDeclared = llvm::any_of(
        declared, [&](FunctionOpInterface f) { return f.getName() == name; });
    return createStringError((isDeclared
                                  ? "the function '" + name + "' has no body"
                                  : "there is no function '" + name + "'") +
                             "; there are: " + joinNames(all));
  }

  SmallVector<FunctionOpInterface> all, visible;
  /// Those without a body.
  SmallVector<FunctionOpInterface> declared;
};
} // namespace

static llvm::Expected<FunctionOpInterface> findEntry(const Functions &functions,
                                                     bool takeFirst) {
  for (StringRef name : {"main", "forward"})
    if (FunctionOpInterface function = functions.find(name))
      return function;
  const SmallVector<FunctionOpInterface> &visible = functions.visible;
  if (visible.size() == 1 || (takeFirst && !visible.empty()))
    return visible.front();
  if (visible.empty())
    return createStringError("there is no public function; name one as the "
                             "entry: " +
                             joinNames(functions.all));
  return createStringError("several functions could be run; name one as the "
                           "entry: " +
                           joinNames(visible));
}

/// The entry, and others to keep.
static llvm::Expected<llvm::SetVector<FunctionOpInterface>>
chooseEntries(const Functions &functions, const LoadOptions &options) {
  llvm::SetVector<FunctionOpInterface> chosen;
  for (const std::string &name : options.entries) {
    FunctionOpInterface function = functions.find(name);
    if (!function)
      return functions.explainMissing(name);
    chosen.insert(function);
  }
  if (chosen.empty()) {
    auto entry = findEntry(functions, options.keepPublic);
    if (!entry)
      return entry.takeError();
    chosen.insert(*entry);
  }
  if (options.keepPublic)
    chosen.insert(functions.visible.begin(), functions.visible.end());
  return chosen;
}

/// Finds the entries of the module and reads their signatures.
static llvm::Error findEntries(StringRef path, const LoadOptions &options,
                               Program &program) {
  Functions functions(*program.module);
  if (functions.all.empty())
    return noFunctions(*program.module, path);
  auto chosen = chooseEntries(functions, options);
  if (!chosen)
    return chosen.takeError();
  for (FunctionOpInterface function : *chosen) {
    auto signature = getSignature(function);
    if (!signature)
      return signature.takeError();
    program.others.push_back({function, std::move(*signature)});
  }
  program.entry = program.others.front().function;
  program.signature = std::move(program.others.front().signature);
  program.others.erase(program.others.begin());
  return llvm::Error::success();
}

/// Erases modules within the module, which cannot be called, and need not be
/// lowerable.
static void dropInnerModules(ModuleOp module) {
  for (ModuleOp inner : llvm::make_early_inc_range(module.getOps<ModuleOp>()))
    inner.erase();
}

/// Erases explicit frees. Deallocation is inserted later, so that every buffer
/// would be freed twice.
static void dropManualFrees(ModuleOp module) {
  module.walk([](bufferization::DeallocTensorOp op) { op.erase(); });
}

llvm::Error fusion::parseProgram(const llvm::MemoryBuffer &source,
                                 Program &program) {
  if (llvm::Error error = parse(source, program))
    return error;
  return checkDialects(*program.module);
}

llvm::Error fusion::loadProgram(const llvm::MemoryBuffer &source,
                                const LoadOptions &options, Program &program) {
  if (llvm::Error error = parseProgram(source, program))
    return error;
  ModuleOp module = *program.module;
  if (!options.allowElided)
    if (llvm::Error error = checkWeights(module))
      return error;
  if (llvm::Error error =
          findEntries(source.getBufferIdentifier(), options, program))
    return error;
  dropInnerModules(module);
  dropManualFrees(module);
  decomposeAggregates(module);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Functions and their tensors
//===----------------------------------------------------------------------===//

llvm::SetVector<Operation *> fusion::findFunctions(Program &program) {
  llvm::SetVector<Operation *> functions;
  functions.insert(program.entry);
  for (const Entry &other : program.others)
    functions.insert(other.function);
  for (size_t i = 0; i != functions.size(); ++i) {
    auto uses = SymbolTable::getSymbolUses(functions[i]);
    if (!uses)
      continue;
    for (SymbolTable::SymbolUse use : *uses)
      if (Operation *symbol = SymbolTable::lookupNearestSymbolFrom(
              use.getUser(), use.getSymbolRef()))
        functions.insert(symbol);
  }
  return functions;
}

llvm::Error fusion::checkTensorSizes(Program &program) {
  auto isTooLarge = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || !shaped.hasRank() || !shaped.hasStaticShape())
      return false;
    std::optional<ElementKind> kind = getElementKind(shaped.getElementType());
    return !countBytes(shaped.getShape(), kind ? getByteWidth(*kind) : 1);
  };
  auto check = [&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (isTooLarge(type)) {
        op->emitError("a tensor must have at most 2^47 bytes, got ") << type;
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  };
  for (Operation *function : findFunctions(program))
    if (function->walk(check).wasInterrupted())
      return createStringError("'" + program.signature.name +
                               "' does not fit into memory");
  return llvm::Error::success();
}

/// The name by which compiled code calls `function`, which has no body.
static std::string getCalledName(FunctionOpInterface function) {
  bool isWrapped =
      function->hasAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName());
  return isWrapped ? getInterfaceName(function.getName())
                   : function.getName().str();
}

llvm::Error fusion::checkDeclarations(Program &program, Host host) {
  SymbolTableCollection symbols;
  for (Operation *from : findFunctions(program)) {
    auto uses = SymbolTable::getSymbolUses(from);
    if (!uses)
      continue;
    for (SymbolTable::SymbolUse use : *uses) {
      auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
          use.getUser(), use.getSymbolRef());
      if (!function || !function.isExternal() ||
          isProvided(getCalledName(function), host))
        continue;
      return createStringError(
          formatPlace(use.getUser()->getLoc()) + ": the function '" +
          function.getName() + "', declared at " +
          formatPlace(function->getLoc()) +
          ", has no body, and no loaded library has a function of that name; "
          "write its body into the file, or load a library that defines it");
    }
  }
  return llvm::Error::success();
}
