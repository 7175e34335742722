//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/ExecutionEngine/Executable.h"
#include "FusionDialect/Conversion/FusionToRuntime.h"
#include "FusionDialect/ExecutionEngine/MemoryMeter.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "JitSymbols.h"
#include "Optimize.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"

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
      ": expected a ranked tensor, a memref without a layout, or a scalar, of "
      "f16, bf16, f32, f64, i1, i8, i16, i32, i64 or index");
}

static std::string getParameterName(Attribute name) {
  auto text = dyn_cast_if_present<StringAttr>(name);
  return text ? text.str() : "";
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
    signature.argumentNames.push_back(
        getParameterName(function.getArgAttr(index, kNameArgAttr)));
    signature.constantArguments.push_back(
        bool(function.getArgAttr(index, kConstantArgAttr)));
  }
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    std::optional<HostType> hostType = getHostType(type);
    if (!hostType)
      return unsupportedType(
          "result " + Twine(index) + " of '" + signature.name + "'", type);
    signature.results.push_back(std::move(*hostType));
    signature.resultNames.push_back(
        getParameterName(function.getResultAttr(index, kNameArgAttr)));
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

/// Compiles `module` and lists the functions that it calls and does not define.
/// Only `symbols` can be looked up.
static llvm::Expected<std::unique_ptr<mlir::ExecutionEngine>>
createEngine(ModuleOp module, const llvm::StringSet<> &symbols,
             unsigned optLevel, SmallVectorImpl<std::string> &declared,
             ScheduleGate &gate) {
  // Programs may be compiled on several threads.
  static const bool isReady = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)isReady;
  // One machine is for the optimizer. The other one generates code, and the
  // engine keeps it.
  auto optimizerMachine = createHostMachine(optLevel);
  if (!optimizerMachine)
    return optimizerMachine.takeError();
  auto codeMachine = createHostMachine(optLevel);
  if (!codeMachine)
    return codeMachine.takeError();

  // A function with a memref for each weight has thousands of parameters, most
  // of them unused. LLVM takes time quadratic in their number for each call of
  // it, unless it may change the function: its wrappers are such calls.
  auto translate = [&](Operation *op, llvm::LLVMContext &context) {
    auto translated = translateModuleToLLVMIR(op, context);
    if (translated)
      llvm::internalizeModule(*translated, [&](const llvm::GlobalValue &value) {
        return value.isDeclaration() || symbols.contains(value.getName());
      });
    return translated;
  };
  auto transformer = [&](llvm::Module *module) {
    llvm::Error error = optimize(*module, optLevel, **optimizerMachine);
    gate.add(*module);
    module->getContext().setOptPassGate(gate);
    for (const llvm::Function &function : *module)
      if (function.isDeclaration() && !function.isIntrinsic())
        declared.push_back(function.getName().str());
    return error;
  };
  ExecutionEngineOptions options;
  options.llvmModuleBuilder = translate;
  options.transformer = transformer;
  options.jitCodeGenOptLevel = (*codeMachine)->getOptLevel();
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  return ExecutionEngine::create(module, options, std::move(*codeMachine));
}

static SmallVector<fusion_rt_value_desc>
describeValues(ArrayRef<HostType> types,
               SmallVectorImpl<SmallVector<int64_t>> &sizes) {
  SmallVector<fusion_rt_value_desc> values;
  for (const HostType &type : types) {
    SmallVector<int64_t> &own = sizes.emplace_back(type.shape);
    for (int64_t &size : own)
      size = ShapedType::isDynamic(size) ? -1 : size;
    values.push_back({getName(type.kind).data(), type.isScalar,
                      static_cast<int32_t>(own.size()), nullptr});
  }
  return values;
}

Executable::EntryCode::EntryCode(const Signature &from) : signature(from) {
  arguments = describeValues(signature.arguments, sizes);
  results = describeValues(signature.results, sizes);
  // The sizes stay where they are from now on.
  const SmallVector<int64_t> *next = sizes.begin();
  for (fusion_rt_value_desc &value :
       llvm::concat<fusion_rt_value_desc>(arguments, results))
    value.sizes = (next++)->data();
  runtimeSignature = {FUSION_RT_ABI_VERSION,
                      sizeof(fusion_rt_signature),
                      signature.name.c_str(),
                      static_cast<int32_t>(arguments.size()),
                      static_cast<int32_t>(results.size()),
                      arguments.data(),
                      results.data(),
                      /*results_size=*/0};
}

llvm::Expected<std::unique_ptr<Executable>>
Executable::create(ModuleOp module, ArrayRef<Signature> signatures,
                   ConstantTable constants, unsigned optLevel, Host host) {
  std::unique_ptr<Executable> executable(new Executable());
  executable->constants = std::move(constants);
  executable->host = host;

  dropForeignAttributes(module);
  SmallVector<std::string> prepares = getMarkedFunctions(module, kPrepareAttr),
                           releases = getMarkedFunctions(module, kReleaseAttr),
                           declared;
  llvm::StringSet<> symbols;
  symbols.insert_range(llvm::concat<std::string>(prepares, releases));
  for (const Signature &signature : signatures)
    symbols.insert(getInterfaceName(signature.symbol));
  auto gate = std::make_unique<ScheduleGate>();
  auto engine = createEngine(module, symbols, optLevel, declared, *gate);
  if (!engine)
    return engine.takeError();
  executable->scheduleGate = std::move(gate);
  executable->engine = std::move(*engine);
  registerJitSymbols(*executable->engine, executable->constants, declared,
                     host);
  executable->engine->initialize();

  for (const Signature &signature : signatures) {
    auto function =
        executable->engine->lookupPacked(getInterfaceName(signature.symbol));
    if (!function)
      return function.takeError();
    executable->entries.push_back(std::make_unique<EntryCode>(signature));
    executable->entries.back()->function = *function;
  }
  for (auto [names, functions] :
       {std::pair(&prepares, &executable->prepareFunctions),
        {&releases, &executable->releaseFunctions}})
    for (const std::string &name : *names) {
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

fusion_rt_status Executable::prepareGuarded() {
  static constexpr fusion_rt_signature signature = {
      FUSION_RT_ABI_VERSION, sizeof(fusion_rt_signature), "prepare",
      /*num_arguments=*/0,
      /*num_results=*/0,
      /*arguments=*/nullptr,
      /*results=*/nullptr,
      /*results_size=*/0};
  return fusion_rt_call(
      &signature,
      [](void *self, void *const *) {
        static_cast<Executable *>(self)->prepare();
      },
      this, /*arguments=*/nullptr);
}

void Executable::releaseRuntimeHandles() {
  for (auto release : releaseFunctions)
    release(nullptr);
}

void Executable::freeBlock(void *block) const {
  if (host == Host::Tool)
    memory::release(block);
  else
    fusion_rt_free(block);
}

Executable::~Executable() { releaseRuntimeHandles(); }
