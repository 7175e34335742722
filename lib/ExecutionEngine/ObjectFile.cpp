//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/ExecutionEngine/ObjectFile.h"
#include "Optimize.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/ToolOutputFile.h"
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
  if (!machine->getMCSubtargetInfo()->isCPUStringValid(cpu))
    return llvm::createStringError("unknown cpu '" + cpu + "' for " +
                                   triple.str());
  return machine;
}

/// Gives the declarations of constants their data.
static void defineConstants(llvm::Module &module,
                            const ConstantTable &constants) {
  for (const ConstantEntry &entry : constants.entries) {
    llvm::GlobalVariable *declaration = module.getNamedGlobal(entry.symbol);
    if (!declaration)
      continue;
    // An array of bytes: its type is none of the code's business.
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

/// Hides all functions but those of the interface, so that a function `main` of
/// the module does not become the program's.
static ObjectFileInfo hideSymbols(llvm::Module &module, StringRef entry) {
  ObjectFileInfo info;
  info.entrySymbol = getInterfaceName(entry);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (function.getName() == info.entrySymbol)
      continue;
    if (function.getName().starts_with("_fusion_release_")) {
      info.releaseSymbols.push_back(function.getName().str());
      continue;
    }
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    if (function.getName() == "main")
      function.setName("main.entry");
  }
  return info;
}

static llvm::Error emitObject(llvm::Module &module,
                              llvm::TargetMachine &machine, StringRef path) {
  std::error_code failure;
  llvm::ToolOutputFile file(path, failure, llvm::sys::fs::OF_None);
  if (failure)
    return llvm::createStringError("cannot write '" + path +
                                   "': " + failure.message());
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, file.os(), /*DwoOut=*/nullptr,
                                  llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("this target cannot write object files");
  passes.run(module);
  file.os().flush();
  if (file.os().has_error()) {
    file.os().clear_error();
    return llvm::createStringError("cannot write '" + path + "'");
  }
  file.keep();
  return llvm::Error::success();
}

llvm::Expected<ObjectFileInfo>
fusion::writeObjectFile(ModuleOp module, const Signature &signature,
                        const ConstantTable &constants, StringRef cpu,
                        unsigned optLevel, StringRef path) {
  auto machine = createMachine(cpu, optLevel);
  if (!machine)
    return machine.takeError();
  dropForeignAttributes(module);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, context);
  if (!llvmModule)
    return llvm::createStringError(
        "the module cannot be translated to LLVM IR");
  llvmModule->setTargetTriple((*machine)->getTargetTriple());
  llvmModule->setDataLayout((*machine)->createDataLayout());

  ObjectFileInfo info = hideSymbols(*llvmModule, signature.name);
  // The optimizer sees declarations; the data comes when it is done.
  if (llvm::Error error = optimize(*llvmModule, optLevel, **machine))
    return error;
  defineConstants(*llvmModule, constants);
  if (llvm::Error error = emitObject(*llvmModule, **machine, path))
    return error;
  return info;
}
