//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ObjectEntry.h"

#include "FusionRuntime/fusion_runtime.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static llvm::Type *getScalarType(llvm::LLVMContext &context, ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
    return llvm::Type::getHalfTy(context);
  case ElementKind::BF16:
    return llvm::Type::getBFloatTy(context);
  case ElementKind::F32:
    return llvm::Type::getFloatTy(context);
  case ElementKind::F64:
    return llvm::Type::getDoubleTy(context);
  case ElementKind::I1:
    return llvm::Type::getInt1Ty(context);
  default:
    return llvm::Type::getIntNTy(context, 8 * getByteWidth(kind));
  }
}

/// The field of a memref's descriptor, or of a scalar, in the struct of
/// results.
static llvm::Type *getFieldType(llvm::LLVMContext &context,
                                const HostType &type) {
  if (type.isScalar)
    return getScalarType(context, type.kind);
  llvm::Type *pointer = llvm::PointerType::get(context, 0);
  llvm::Type *word = llvm::Type::getInt64Ty(context);
  llvm::Type *words = llvm::ArrayType::get(word, type.shape.size());
  return llvm::StructType::get(pointer, pointer, word, words, words);
}

static uint64_t getResultsSize(llvm::Module &module,
                               const Signature &signature) {
  SmallVector<llvm::Type *> fields;
  for (const HostType &result : signature.results)
    fields.push_back(getFieldType(module.getContext(), result));
  return module.getDataLayout().getTypeAllocSize(
      llvm::StructType::get(module.getContext(), fields));
}

//===----------------------------------------------------------------------===//
// The signature as data
//===----------------------------------------------------------------------===//

namespace {
/// Makes the `fusion_rt_entry_info` of an entry.
class EntryData {
public:
  explicit EntryData(llvm::Module &module)
      : module(module), context(module.getContext()),
        pointer(llvm::PointerType::get(context, 0)),
        i32(llvm::Type::getInt32Ty(context)),
        i64(llvm::Type::getInt64Ty(context)) {}

  llvm::Constant *create(const Signature &signature, const ObjectCpu &cpu,
                         llvm::Function *call);

private:
  llvm::Constant *store(llvm::Constant *value) {
    return new llvm::GlobalVariable(module, value->getType(),
                                    /*isConstant=*/true,
                                    llvm::GlobalValue::PrivateLinkage, value);
  }
  llvm::Constant *createString(StringRef text) {
    return store(llvm::ConstantDataArray::getString(context, text));
  }
  llvm::Constant *createNumber(int64_t value) {
    return llvm::ConstantInt::get(i32, value);
  }
  llvm::Constant *createNames(ArrayRef<std::string> names);
  llvm::Constant *createValues(ArrayRef<HostType> types);
  llvm::Constant *createSignature(const Signature &signature);

  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::Type *pointer, *i32, *i64;
};
} // namespace

llvm::Constant *EntryData::createNames(ArrayRef<std::string> names) {
  auto strings = llvm::map_to_vector(
      names, [&](const std::string &name) { return createString(name); });
  return store(llvm::ConstantArray::get(
      llvm::ArrayType::get(pointer, strings.size()), strings));
}

/// An array of `fusion_rt_value_desc`.
llvm::Constant *EntryData::createValues(ArrayRef<HostType> types) {
  auto *type = llvm::StructType::get(pointer, i32, i32, pointer);
  SmallVector<llvm::Constant *> values;
  for (const HostType &value : types) {
    SmallVector<uint64_t> sizes;
    for (int64_t size : value.shape)
      sizes.push_back(ShapedType::isDynamic(size) ? -1 : size);
    values.push_back(llvm::ConstantStruct::get(
        type, createString(getName(value.kind)), createNumber(value.isScalar),
        createNumber(sizes.size()),
        store(llvm::ConstantDataArray::get(context, sizes))));
  }
  return store(llvm::ConstantArray::get(
      llvm::ArrayType::get(type, values.size()), values));
}

llvm::Constant *EntryData::createSignature(const Signature &signature) {
  return store(llvm::ConstantStruct::getAnon(
      {createNumber(FUSION_RT_ABI_VERSION),
       createNumber(sizeof(fusion_rt_signature)), createString(signature.name),
       createNumber(signature.arguments.size()),
       createNumber(signature.results.size()),
       createValues(signature.arguments), createValues(signature.results),
       llvm::ConstantInt::get(i64, getResultsSize(module, signature))}));
}

llvm::Constant *EntryData::create(const Signature &signature,
                                  const ObjectCpu &cpu, llvm::Function *call) {
  auto constants = llvm::to_vector_of<uint8_t>(signature.constantArguments);
  return store(llvm::ConstantStruct::getAnon(
      {createNumber(FUSION_RT_ABI_VERSION),
       createNumber(sizeof(fusion_rt_entry_info)), createSignature(signature),
       createNames(signature.argumentNames), createNames(signature.resultNames),
       store(llvm::ConstantDataArray::get(context, constants)),
       createString(cpu.name), llvm::ConstantInt::get(i64, cpu.features),
       call}));
}

//===----------------------------------------------------------------------===//
// The entry
//===----------------------------------------------------------------------===//

/// `void call(void *results, void *const *arguments)`, which calls `interface`.
static llvm::Function *createCall(llvm::Module &module,
                                  const Signature &signature,
                                  llvm::Function &interface) {
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Type *pointer = builder.getPtrTy();
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer}, false),
      llvm::GlobalValue::InternalLinkage, interface.getName() + ".call",
      module);
  builder.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "", function));
  llvm::Value *results = function->getArg(0);
  bool isReturned = !interface.getReturnType()->isVoidTy();
  SmallVector<llvm::Value *> operands;
  if (!isReturned && !signature.results.empty())
    operands.push_back(results);
  for (auto [i, type] : llvm::enumerate(signature.arguments)) {
    llvm::Value *operand = builder.CreateLoad(
        pointer, builder.CreateConstGEP1_32(pointer, function->getArg(1), i));
    if (type.isScalar)
      operand = builder.CreateLoad(
          getScalarType(module.getContext(), type.kind), operand);
    operands.push_back(operand);
  }
  llvm::Value *result = builder.CreateCall(&interface, operands);
  if (isReturned)
    builder.CreateStore(result, results);
  builder.CreateRetVoid();
  return function;
}

void fusion::runOnEveryCpu(llvm::Function &function) {
  const llvm::Triple &triple = function.getParent()->getTargetTriple();
  function.addFnAttr("target-cpu", triple.isX86() ? "x86-64" : "generic");
  function.addFnAttr("target-features", "");
}

llvm::Constant *fusion::addEntryInfo(llvm::Module &module,
                                     const Signature &signature,
                                     llvm::Function &interface,
                                     const ObjectCpu &cpu) {
  return EntryData(module).create(signature, cpu,
                                  createCall(module, signature, interface));
}

void fusion::addStatusEntry(llvm::Module &module, const Signature &signature,
                            llvm::Constant *info, StringRef callee,
                            StringRef symbol) {
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::Type *pointer = builder.getPtrTy(), *i32 = builder.getInt32Ty();
  bool hasResults = !signature.results.empty();
  SmallVector<llvm::Type *> types(hasResults, pointer);
  for (const HostType &type : signature.arguments)
    types.push_back(type.isScalar ? getScalarType(context, type.kind)
                                  : pointer);
  auto *entry = llvm::Function::Create(
      llvm::FunctionType::get(i32, types, false),
      llvm::GlobalValue::ExternalLinkage, symbol, module);
  runOnEveryCpu(*entry);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", entry));

  auto *array = llvm::ArrayType::get(pointer, signature.arguments.size());
  llvm::Value *arguments = builder.CreateAlloca(array);
  for (auto [i, type] : llvm::enumerate(signature.arguments)) {
    llvm::Value *argument = entry->getArg(i + hasResults);
    if (type.isScalar) {
      llvm::Value *place = builder.CreateAlloca(argument->getType());
      builder.CreateStore(argument, place);
      argument = place;
    }
    builder.CreateStore(argument,
                        builder.CreateConstGEP1_32(pointer, arguments, i));
  }
  llvm::FunctionCallee call =
      module.getOrInsertFunction(callee, i32, pointer, pointer, pointer);
  llvm::Value *results =
      hasResults ? static_cast<llvm::Value *>(entry->getArg(0))
                 : llvm::ConstantPointerNull::get(builder.getPtrTy());
  builder.CreateRet(builder.CreateCall(call, {info, results, arguments}));
}

void fusion::addSignatureFunction(llvm::Module &module, llvm::Constant *info,
                                  StringRef symbol) {
  llvm::IRBuilder<> builder(module.getContext());
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(builder.getPtrTy(), false),
      llvm::GlobalValue::ExternalLinkage, symbol, module);
  runOnEveryCpu(*function);
  builder.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "", function));
  builder.CreateRet(info);
}

//===----------------------------------------------------------------------===//
// Failures in compiled code
//===----------------------------------------------------------------------===//

/// Redirects calls of `from`, of the C library, to `to`, of the runtime.
static void redirect(llvm::Module &module, StringRef from, StringRef to) {
  llvm::Function *function = module.getFunction(from);
  if (!function || !function->isDeclaration())
    return;
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(to, function->getFunctionType());
  function->replaceAllUsesWith(callee.getCallee());
  function->eraseFromParent();
}

void fusion::redirectAssertions(llvm::Module &module) {
  redirect(module, "puts", "fusion_rt_assertion_message");
  redirect(module, "abort", "fusion_rt_assertion_failed");
  if (llvm::Function *end = module.getFunction("fusion_rt_assertion_failed")) {
    end->setDoesNotReturn();
    end->addFnAttr(llvm::Attribute::Cold);
  }
}

void fusion::redirectAllocations(llvm::Module &module) {
  redirect(module, "malloc", "fusion_rt_malloc_checked");
  redirect(module, "calloc", "fusion_rt_calloc_checked");
  redirect(module, "aligned_alloc", "fusion_rt_aligned_alloc_checked");
  redirect(module, "free", "fusion_rt_free");
}
