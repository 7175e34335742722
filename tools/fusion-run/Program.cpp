//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "FusionDialect/Support/ReadFile.h"
#include "FusionDialect/Transforms/BindParams.h"

using namespace mlir;
using namespace fusion;
using namespace fusion::run;
using llvm::createStringError;

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
fusion::run::readSource(StringRef path) {
  auto source = path == "-"
                    ? llvm::errorOrToExpected(llvm::MemoryBuffer::getSTDIN())
                    : readFile(path);
  if (!source)
    return createStringError("cannot open '" + path +
                             "': " + llvm::toString(source.takeError()));
  return std::move(*source);
}

llvm::Expected<std::unique_ptr<Program>>
fusion::run::loadProgram(const llvm::MemoryBuffer &source,
                         const Options &options) {
  LoadOptions load;
  load.entries = options.entries;
  load.allowElided = true;
  auto program = std::make_unique<Program>();
  if (llvm::Error error = loadProgram(source, load, *program))
    return error;
  if (options.randomizeConstants)
    return program;
  if (llvm::Error error = checkWeights(*program->module))
    return createStringError(llvm::toString(std::move(error)) +
                             ", or use --randomize-constants");
  return program;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static llvm::Error readSignature(Program &program) {
  auto signature = getSignature(program.entry);
  if (!signature)
    return signature.takeError();
  program.signature = std::move(*signature);
  return llvm::Error::success();
}

static llvm::Error bindFiles(Program &program, const Options &options) {
  if (options.bindings.empty())
    return llvm::Error::success();
  BindParamsOptions bindOptions;
  bindOptions.function = program.entry.getName().str();
  bindOptions.bindings = options.bindings;
  if (failed(bindParams(*program.module, bindOptions)))
    return createStringError("--bind: no argument has been bound");
  return readSignature(program);
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
  return readSignature(program);
}

llvm::Error fusion::run::prepareArguments(Program &program,
                                          const Options &options) {
  if (llvm::Error error = bindFiles(program, options))
    return error;
  return markConstantArguments(program, options);
}
