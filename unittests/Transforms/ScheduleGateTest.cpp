//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/ExecutionEngine/Optimize.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"

using namespace fusion;

/// Adds a function of `loads` loads, with a call of another function behind so
/// many.
static void addFunction(llvm::Module &module, llvm::StringRef name,
                        unsigned loads, unsigned callBehind) {
  llvm::IRBuilder<> builder(module.getContext());
  auto *type =
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
  auto callee = module.getOrInsertFunction("callee", type);
  auto *function = llvm::Function::Create(
      type, llvm::GlobalValue::ExternalLinkage, name, module);
  builder.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "", function));
  for (unsigned i = 0; i < loads; ++i) {
    if (i == callBehind)
      builder.CreateCall(callee, {function->getArg(0)});
    builder.CreateLoad(builder.getPtrTy(), function->getArg(0));
  }
  builder.CreateRetVoid();
}

TEST(ScheduleGateTest, LongSequencesAreNotScheduled) {
  ScheduleGate gate;
  llvm::LLVMContext context;
  llvm::Module module("module", context);
  addFunction(module, "long", 5000, 5000);
  addFunction(module, "cut", 5000, 2500);
  gate.add(module);
  EXPECT_TRUE(gate.isEnabled());
  for (llvm::StringRef pass :
       {"Machine Instruction Scheduler", "PostRA Machine Instruction Scheduler",
        "Post RA top-down list latency scheduler"}) {
    EXPECT_FALSE(gate.shouldRunPass(pass, "function (long)")) << pass.str();
    EXPECT_TRUE(gate.shouldRunPass(pass, "function (cut)")) << pass.str();
  }
  EXPECT_TRUE(gate.shouldRunPass("Machine code sinking", "function (long)"));
}

TEST(ScheduleGateTest, IsOffForShortSequences) {
  ScheduleGate gate;
  llvm::LLVMContext context;
  llvm::Module module("module", context);
  addFunction(module, "cut", 5000, 2500);
  gate.add(module);
  EXPECT_FALSE(gate.isEnabled());
}
