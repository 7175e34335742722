//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "Decompose.h"

#include "FusionDialect/InitAll.h"
#include "FusionDialect/Transforms/BindParams.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
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
using namespace fusion::run;
using llvm::createStringError;

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  fusion::registerAllDialects(registry);
  fusion::registerAllExtensions(registry);
  return registry;
}

Program::Program() : context(makeRegistry()), diagnostics(sources, &context) {
  // Messages have the location and the line. The whole function is too much.
  context.printOpOnDiagnostic(false);
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

/// Turns the first message of a failed parse into one sentence with advice.
static llvm::Error explainParseError(const std::string &place,
                                     StringRef message, StringRef sourceLine) {
  std::string dialect = getUnknownDialect(message, sourceLine);
  if (!dialect.empty())
    return createStringError(place + ": dialect '" + dialect +
                             "' cannot be run as it is; " +
                             getDialectHint(dialect));
  return createStringError(
      place + ": " + StringRef(message).trim() +
      "\nThe file does not parse with MLIR " LLVM_VERSION_STRING
      ". If another version wrote it, rewrite it with that version's mlir-opt "
      "--mlir-print-op-generic, or export it anew.");
}

/// Line `number`, counted from 1, of `text`; "" if it has fewer.
static std::string getLine(StringRef text, unsigned number) {
  for (StringRef line : llvm::split(text, '\n'))
    if (--number == 0)
      return line.str();
  return "";
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
fusion::run::readSource(StringRef path) {
  auto source = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!source)
    return createStringError("cannot open '" + path +
                             "': " + source.getError().message());
  return std::move(*source);
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
  program.module = parseSourceFile<ModuleOp>(program.sources,
                                             ParserConfig(&program.context));
  if (program.module)
    return llvm::Error::success();
  return explainParseError(place, message, sourceLine);
}

//===----------------------------------------------------------------------===//
// Modules that cannot be run
//===----------------------------------------------------------------------===//

/// Refuses TOSA: it is registered and parses, but none of our passes lowers it.
static llvm::Error checkDialects(ModuleOp module) {
  Operation *found = nullptr;
  module.walk([&](Operation *op) {
    if (!isa_and_nonnull<tosa::TosaDialect>(op->getDialect()))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  if (!found)
    return llvm::Error::success();
  return createStringError(
      formatPlace(found->getLoc()) +
      ": dialect 'tosa' cannot be run as it is; lower it first: fusion-opt "
      "--pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,"
      "tosa-to-linalg,tosa-to-arith,tosa-to-tensor))'");
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

static llvm::Error checkWeights(ModuleOp module) {
  Operation *op = findElidedConstant(module);
  if (!op)
    return llvm::Error::success();
  return createStringError(
      formatPlace(op->getLoc()) +
      ": the weights were left out when the file was written "
      "(dense_resource<__elided__>); export it with its weights, or use "
      "--randomize-constants");
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

static llvm::Expected<FunctionOpInterface> findEntry(ModuleOp module,
                                                     const Options &options) {
  SmallVector<FunctionOpInterface> all, visible;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isExternal())
      continue;
    all.push_back(function);
    if (function.isPublic())
      visible.push_back(function);
  }
  if (all.empty())
    return noFunctions(module, options.inputFile);
  auto find = [&](StringRef name) -> FunctionOpInterface {
    auto *it = llvm::find_if(
        all, [&](FunctionOpInterface f) { return f.getName() == name; });
    return it == all.end() ? FunctionOpInterface() : *it;
  };
  if (!options.entry.empty()) {
    if (FunctionOpInterface function = find(options.entry))
      return function;
    return createStringError("there is no function '" + options.entry +
                             "'; there are: " + joinNames(all));
  }
  for (StringRef name : {"main", "forward"})
    if (FunctionOpInterface function = find(name))
      return function;
  if (visible.size() == 1)
    return visible.front();
  if (visible.empty())
    return createStringError("there is no public function; name one with "
                             "--entry: " +
                             joinNames(all));
  return createStringError("several functions could be run; name one with "
                           "--entry: " +
                           joinNames(visible));
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

llvm::Expected<std::unique_ptr<Program>>
fusion::run::loadProgram(const llvm::MemoryBuffer &source,
                         const Options &options) {
  auto program = std::make_unique<Program>();
  if (llvm::Error error = parse(source, *program))
    return error;
  ModuleOp module = *program->module;
  if (llvm::Error error = checkDialects(module))
    return error;
  if (!options.randomizeConstants)
    if (llvm::Error error = checkWeights(module))
      return error;
  auto entry = findEntry(module, options);
  if (!entry)
    return entry.takeError();
  program->entry = *entry;
  auto signature = getSignature(program->entry);
  if (!signature)
    return signature.takeError();
  program->signature = std::move(*signature);
  dropInnerModules(module);
  dropManualFrees(module);
  decomposeAggregates(module);
  return program;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static llvm::Error bindFiles(Program &program, const Options &options) {
  if (options.bindings.empty())
    return llvm::Error::success();
  BindParamsOptions bindOptions;
  bindOptions.function = program.entry.getName().str();
  bindOptions.bindings = options.bindings;
  if (failed(bindParams(*program.module, bindOptions)))
    return createStringError("--bind: no argument has been bound");
  auto signature = getSignature(program.entry);
  if (!signature)
    return signature.takeError();
  program.signature = std::move(*signature);
  return llvm::Error::success();
}

static llvm::Error markConstantArguments(Program &program,
                                         const Options &options) {
  if (options.constantArgs.empty())
    return llvm::Error::success();
  auto indices =
      parseIndexList(options.constantArgs, program.entry.getNumArguments());
  if (!indices)
    return indices.takeError();
  for (unsigned index : *indices)
    program.entry.setArgAttr(index, kConstantArgAttr,
                             UnitAttr::get(&program.context));
  return llvm::Error::success();
}

llvm::Error fusion::run::prepareArguments(Program &program,
                                          const Options &options) {
  if (llvm::Error error = bindFiles(program, options))
    return error;
  if (llvm::Error error = markConstantArguments(program, options))
    return error;
  for (unsigned i = 0; i < program.entry.getNumArguments(); ++i)
    program.constantArguments.push_back(
        bool(program.entry.getArgAttr(i, kConstantArgAttr)));
  return llvm::Error::success();
}
