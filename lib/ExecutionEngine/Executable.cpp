//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/ExecutionEngine/Executable.h"
#include "FusionDialect/Conversion/FusionToRuntime.h"
#include "JitSymbols.h"
#include "Optimize.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Entry function
//===----------------------------------------------------------------------===//

static llvm::Error unsupportedType(const Twine &what, Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return llvm::createStringError(
      what + " has type " + text +
      ": expected a ranked tensor or a scalar of f16, bf16, f32, f64, i1, i8, "
      "i16, i32, i64 or index");
}

llvm::Expected<Signature> fusion::getSignature(FunctionOpInterface function) {
  Signature signature;
  signature.name = signature.symbol = function.getName().str();
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    std::optional<HostType> hostType = getHostType(type);
    if (!hostType)
      return unsupportedType(
          "argument " + Twine(index) + " of '" + signature.name + "'", type);
    signature.arguments.push_back(std::move(*hostType));
  }
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    std::optional<HostType> hostType = getHostType(type);
    if (!hostType)
      return unsupportedType(
          "result " + Twine(index) + " of '" + signature.name + "'", type);
    signature.results.push_back(std::move(*hostType));
  }
  return signature;
}

void fusion::prepareEntry(FunctionOpInterface function) {
  Builder builder(function.getContext());
  SymbolTable::setSymbolVisibility(function, SymbolTable::Visibility::Public);
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                    builder.getUnitAttr());
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (isa<TensorType>(type))
      function.setArgAttr(index, "bufferization.writable",
                          builder.getBoolAttr(false));
}

SmallVector<std::string> fusion::getMarkedFunctions(ModuleOp module,
                                                    StringRef attribute) {
  SmallVector<std::string> names;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (function->hasAttr(attribute))
      names.push_back(function.getName().str());
  return names;
}

std::string fusion::getInterfaceName(StringRef entry) {
  return "_mlir_ciface_" + entry.str();
}

/// Calls `removeAttr` for each attribute that is not of the LLVM dialect.
template <typename RemoveFn>
static void dropForeign(DictionaryAttr attrs, RemoveFn removeAttr) {
  if (!attrs)
    return;
  for (NamedAttribute attr : attrs)
    if (!attr.getName().getValue().starts_with("llvm."))
      removeAttr(attr.getName());
}

void fusion::dropForeignAttributes(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      dropForeign(function.getArgAttrDict(i),
                  [&](StringAttr name) { function.removeArgAttr(i, name); });
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      dropForeign(function.getResultAttrDict(i),
                  [&](StringAttr name) { function.removeResultAttr(i, name); });
  }
}

//===----------------------------------------------------------------------===//
// Executable
//===----------------------------------------------------------------------===//

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createHostMachine(unsigned optLevel) {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(*llvm::CodeGenOpt::getLevel(optLevel));
  return builder->createTargetMachine();
}

static llvm::Expected<std::unique_ptr<mlir::ExecutionEngine>>
createEngine(ModuleOp module, unsigned optLevel) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  // One machine is for the optimizer. The other one generates code, and the
  // engine keeps it.
  auto optimizerMachine = createHostMachine(optLevel);
  if (!optimizerMachine)
    return optimizerMachine.takeError();
  auto codeMachine = createHostMachine(optLevel);
  if (!codeMachine)
    return codeMachine.takeError();

  auto transformer = [&](llvm::Module *module) {
    return optimize(*module, optLevel, **optimizerMachine);
  };
  ExecutionEngineOptions options;
  options.transformer = transformer;
  options.jitCodeGenOptLevel = (*codeMachine)->getOptLevel();
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  return ExecutionEngine::create(module, options, std::move(*codeMachine));
}

llvm::Expected<std::unique_ptr<Executable>>
Executable::create(ModuleOp module, Signature signature,
                   ConstantTable constants, unsigned optLevel) {
  std::unique_ptr<Executable> executable(new Executable());
  executable->signature = std::move(signature);
  executable->constants = std::move(constants);

  dropForeignAttributes(module);
  auto engine = createEngine(module, optLevel);
  if (!engine)
    return engine.takeError();
  executable->engine = std::move(*engine);
  registerJitSymbols(*executable->engine, executable->constants);
  executable->engine->initialize();

  auto function = executable->engine->lookupPacked(
      getInterfaceName(executable->signature.symbol));
  if (!function)
    return function.takeError();
  executable->function = *function;
  for (auto [attribute, functions] :
       {std::pair(kPrepareAttr, &executable->prepareFunctions),
        {kReleaseAttr, &executable->releaseFunctions}})
    for (const std::string &name : getMarkedFunctions(module, attribute)) {
      auto marked = executable->engine->lookupPacked(name);
      if (!marked)
        return marked.takeError();
      functions->push_back(*marked);
    }
  return executable;
}

void Executable::prepare() {
  for (auto function : prepareFunctions)
    function(nullptr);
}

void Executable::releaseRuntimeHandles() {
  for (auto release : releaseFunctions)
    release(nullptr);
}

Executable::~Executable() { releaseRuntimeHandles(); }
