//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/ExecutionEngine/ObjectFile.h"
#include "FusionDialect/Conversion/FusionToRuntime.h"
#include "FusionDialect/ExecutionEngine/SymbolNames.h"
#include "FusionDialect/Support/LLVMCompat.h"
#include "FusionDialect/Support/WriteFile.h"
#include "ObjectEntry.h"
#include "Optimize.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace mlir;
using namespace fusion;

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(StringRef cpu, unsigned optLevel) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return llvm::createStringError(message);

  llvm::SubtargetFeatures features;
  if (cpu == "native") {
    cpu = llvm::sys::getHostCPUName();
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
  }
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu, features.getString(), llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt, *llvm::CodeGenOpt::getLevel(optLevel)));
  if (!dereference(machine->getMCSubtargetInfo()).isCPUStringValid(cpu))
    return llvm::createStringError("unknown cpu '" + cpu + "' for " +
                                   triple.str());
  return machine;
}

/// The instruction sets that code for `machine` needs.
static ObjectCpu describeCpu(const llvm::TargetMachine &machine) {
  ObjectCpu cpu{machine.getTargetCPU().str(), 0};
  if (!machine.getTargetTriple().isX86())
    return cpu;
  const llvm::MCSubtargetInfo &subtarget =
      dereference(machine.getMCSubtargetInfo());
  auto add = [&](StringRef name, unsigned number) {
    if (subtarget.checkFeatures(("+" + name).str()))
      cpu.features |= uint64_t(1) << number;
  };
#define FUSION_CPU_FEATURE(NAME, name, number, ...) add(name, number);
#include "FusionRuntime/cpu_features.def"
  return cpu;
}

/// Defines the declared constants with their data.
static void defineConstants(llvm::Module &module,
                            const ConstantTable &constants) {
  for (const ConstantEntry &entry : constants.entries) {
    llvm::GlobalVariable *declaration = module.getNamedGlobal(entry.symbol);
    if (!declaration)
      continue;
    // An array of bytes, whatever type the code reads.
    StringRef bytes(entry.data.data(), entry.data.size());
    llvm::Constant *data = llvm::ConstantDataArray::getString(
        module.getContext(), bytes, /*AddNull=*/false);
    auto *definition =
        new llvm::GlobalVariable(module, data->getType(), /*isConstant=*/true,
                                 llvm::GlobalValue::PrivateLinkage, data);
    definition->setAlignment(llvm::Align(64));
    declaration->replaceAllUsesWith(definition);
    declaration->eraseFromParent();
    definition->setName(entry.symbol);
  }
}

/// Hides all symbols, so that a function `main` of the module does not become
/// the program's.
static void hideSymbols(llvm::Module &module) {
  for (llvm::GlobalValue &value : module.global_values()) {
    if (value.isDeclaration() || value.hasLocalLinkage())
      continue;
    value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    value.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  if (llvm::Function *main = module.getFunction("main"))
    main->setName("main.entry");
}

/// Frees the name `symbol` in `module`, or fails if that is not possible.
static llvm::Error makeRoom(llvm::Module &module, StringRef symbol) {
  llvm::GlobalValue *other = module.getNamedValue(symbol);
  if (!other)
    return llvm::Error::success();
  if (other->isDeclaration())
    return llvm::createStringError("'" + symbol +
                                   "' would be two things: the module calls "
                                   "another function of that name");
  other->setName(symbol + ".hidden");
  return llvm::Error::success();
}

/// Renames `function` to `symbol` and makes it visible.
static void show(llvm::Function &function, const std::string &symbol) {
  function.setName(symbol);
  function.setLinkage(llvm::GlobalValue::ExternalLinkage);
}

/// Adds the function `symbol`, which calls `functions`.
static llvm::Function *addCalls(llvm::Module &module, const std::string &symbol,
                                ArrayRef<llvm::Function *> functions,
                                llvm::GlobalValue::LinkageTypes linkage) {
  llvm::IRBuilder<> builder(module.getContext());
  auto *all = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), false), linkage, symbol,
      module);
  builder.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "", all));
  for (llvm::Function *function : functions)
    builder.CreateCall(function);
  builder.CreateRetVoid();
  return all;
}

namespace {
/// Functions without parameters that the compiler adds to a module, by name.
struct ModuleFunctions {
  SmallVector<std::string> prepare, release;
};
} // namespace

/// Finds `names`, and calls each of them `newName`, so that none is in the way
/// of another.
static SmallVector<llvm::Function *>
rename(llvm::Module &module, ArrayRef<std::string> names, StringRef newName) {
  return llvm::map_to_vector(names, [&](const std::string &name) {
    llvm::Function *function = module.getFunction(name);
    function->setName(newName);
    return function;
  });
}

static ObjectFileInfo::Entry nameEntry(const Signature &signature,
                                       StringRef moduleName, StringRef prefix) {
  ObjectFileInfo::Entry entry;
  std::string name = toIdentifier(signature.name);
  bool returnsTensors = llvm::any_of(
      signature.results, [](const HostType &type) { return !type.isScalar; });
  if (prefix.empty()) {
    entry.interfaceSymbol = toIdentifier(getInterfaceName(signature.name));
    entry.statusSymbol = toIdentifier(("_fusion_call_" + moduleName).str());
    if (returnsTensors)
      entry.intoSymbol = toIdentifier(("_fusion_into_" + moduleName).str());
    entry.signatureSymbol =
        toIdentifier(("_fusion_signature_" + moduleName).str());
    entry.resultsName = name + "_results";
    return entry;
  }
  entry.statusSymbol = (prefix + "_" + name).str();
  if (returnsTensors)
    entry.intoSymbol = entry.statusSymbol + "_into";
  entry.signatureSymbol = entry.statusSymbol + "_signature";
  entry.resultsName = entry.statusSymbol + "_results";
  return entry;
}

/// The names of the functions of the interface.
static ObjectFileInfo nameInterface(ArrayRef<Signature> signatures,
                                    const ModuleFunctions &functions,
                                    StringRef moduleName, StringRef prefix) {
  ObjectFileInfo info;
  for (const Signature &signature : signatures)
    info.entries.push_back(nameEntry(signature, moduleName, prefix));
  if (prefix.empty()) {
    if (!functions.prepare.empty())
      info.prepareSymbol = toIdentifier(functions.prepare.front());
    for (const std::string &function : functions.release)
      info.releaseSymbols.push_back(toIdentifier(function));
  } else {
    if (!functions.prepare.empty())
      info.prepareSymbol = (prefix + "_prepare").str();
    info.releaseSymbols.push_back((prefix + "_release").str());
  }
  return info;
}

/// Frees the names of the interface in `module`, whose own symbols are hidden.
static llvm::Error makeRoom(llvm::Module &module, const ObjectFileInfo &info) {
  SmallVector<StringRef> shown(info.releaseSymbols.begin(),
                               info.releaseSymbols.end());
  shown.push_back(info.prepareSymbol);
  for (const ObjectFileInfo::Entry &entry : info.entries)
    shown.append({entry.interfaceSymbol, entry.statusSymbol, entry.intoSymbol,
                  entry.signatureSymbol});
  for (StringRef symbol : shown)
    if (!symbol.empty())
      if (llvm::Error error = makeRoom(module, symbol))
        return error;
  return llvm::Error::success();
}

/// Creates the functions of the interface. Only these are visible.
static llvm::Error addInterface(llvm::Module &module,
                                ArrayRef<Signature> signatures,
                                const ModuleFunctions &functions,
                                const ObjectCpu &cpu,
                                const ObjectFileInfo &info) {
  hideSymbols(module);
  SmallVector<llvm::Function *> interfaces;
  for (const Signature &signature : signatures) {
    interfaces.push_back(
        module.getFunction(getInterfaceName(signature.symbol)));
    interfaces.back()->setName("interface");
  }
  SmallVector<llvm::Function *> prepares =
      rename(module, functions.prepare, "prepare");
  SmallVector<llvm::Function *> releases =
      rename(module, functions.release, "release");
  for (llvm::Function *release : releases)
    runOnEveryCpu(*release);
  if (llvm::Error error = makeRoom(module, info))
    return error;
  bool hasPrefix = info.entries.front().interfaceSymbol.empty();
  if (hasPrefix)
    runOnEveryCpu(*addCalls(module, info.releaseSymbols.front(), releases,
                            llvm::GlobalValue::ExternalLinkage));
  else
    for (auto [release, symbol] :
         llvm::zip_equal(releases, info.releaseSymbols))
      show(*release, symbol);
  for (auto [signature, interface, entry] :
       llvm::zip_equal(signatures, interfaces, info.entries)) {
    if (!hasPrefix)
      show(*interface, entry.interfaceSymbol);
    llvm::Constant *data = addEntryInfo(module, signature, *interface, cpu);
    addStatusEntry(module, signature, data, "fusion_rt_call_entry",
                   entry.statusSymbol);
    if (!entry.intoSymbol.empty())
      addStatusEntry(module, signature, data, "fusion_rt_call_entry_into",
                     entry.intoSymbol);
    addSignatureFunction(module, data, entry.signatureSymbol);
  }
  if (prepares.empty())
    return llvm::Error::success();
  Signature prepare{"prepare", "prepare", {}, {}, {}, {}, {}};
  llvm::Function *all = addCalls(module, "prepare_all", prepares,
                                 llvm::GlobalValue::InternalLinkage);
  addStatusEntry(module, prepare, addEntryInfo(module, prepare, *all, cpu),
                 "fusion_rt_call_entry", info.prepareSymbol);
  return llvm::Error::success();
}

/// Refuses names that the header cannot declare.
static llvm::Error checkNames(ArrayRef<Signature> signatures,
                              StringRef prefix) {
  if (prefix.empty()) {
    if (signatures.size() > 1)
      return llvm::createStringError(
          "an object file of several functions needs a prefix for its symbols");
    return llvm::Error::success();
  }
  if (llvm::Error error = checkSymbolPrefix(prefix))
    return error;
  llvm::StringSet<> taken;
  for (StringRef ours : {"prepare", "release", "release_results"})
    taken.insert((prefix + "_" + ours).str());
  for (const Signature &signature : signatures) {
    ObjectFileInfo::Entry entry = nameEntry(signature, "", prefix);
    for (const std::string &symbol : {entry.statusSymbol, entry.intoSymbol,
                                      entry.signatureSymbol, entry.resultsName})
      if (!symbol.empty() && !taken.insert(symbol).second)
        return llvm::createStringError("'" + symbol +
                                       "' would be two things: give the "
                                       "function '" +
                                       signature.name + "' another name");
    if (llvm::Error error = checkNoKeyword(entry.statusSymbol))
      return error;
  }
  return llvm::Error::success();
}

static llvm::Error emitObject(llvm::Module &module,
                              llvm::TargetMachine &machine, StringRef path) {
  return writeFile(path, [&](llvm::raw_pwrite_stream &os) -> llvm::Error {
    llvm::legacy::PassManager passes;
    if (machine.addPassesToEmitFile(passes, os, /*DwoOut=*/nullptr,
                                    llvm::CodeGenFileType::ObjectFile))
      return llvm::createStringError("this target cannot write object files");
    passes.run(module);
    return llvm::Error::success();
  });
}

llvm::Expected<ObjectFileInfo>
fusion::writeObjectFile(ModuleOp module, ArrayRef<Signature> signatures,
                        const ConstantTable &constants, StringRef cpu,
                        unsigned optLevel, StringRef path,
                        StringRef symbolPrefix) {
  if (llvm::Error error = checkNames(signatures, symbolPrefix))
    return error;
  auto machine = createMachine(cpu, optLevel);
  if (!machine)
    return machine.takeError();
  dropForeignAttributes(module);
  ScheduleGate gate;
  llvm::LLVMContext context;
  context.setOptPassGate(gate);
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, context);
  if (!llvmModule)
    return llvm::createStringError(
        "the module cannot be translated to LLVM IR");
  llvmModule->setTargetTriple((*machine)->getTargetTriple());
  llvmModule->setDataLayout((*machine)->createDataLayout());

  ModuleFunctions functions{getMarkedFunctions(module, kPrepareAttr),
                            getMarkedFunctions(module, kReleaseAttr)};
  ObjectFileInfo info =
      nameInterface(signatures, functions,
                    module.getSymName().value_or("module"), symbolPrefix);
  if (llvm::Error error = addInterface(*llvmModule, signatures, functions,
                                       describeCpu(**machine), info))
    return error;
  redirectAssertions(*llvmModule);
  // The optimizer sees declarations only. The data is added after it.
  if (llvm::Error error = optimize(*llvmModule, optLevel, **machine))
    return error;
  gate.add(*llvmModule);
  redirectAllocations(*llvmModule);
  defineConstants(*llvmModule, constants);
  if (llvm::Error error = emitObject(*llvmModule, **machine, path))
    return error;
  return info;
}
