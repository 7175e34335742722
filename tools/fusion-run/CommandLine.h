//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RUN_COMMANDLINE_H
#define FUSION_TOOLS_FUSION_RUN_COMMANDLINE_H

#include "Options.h"
#include "llvm/Support/CommandLine.h"

namespace fusion::run {

namespace cl = llvm::cl;

/// The options as they are written on the command line.
struct CommandLine {
  cl::OptionCategory category{"fusion-run options"};
  cl::opt<std::string> inputFile{cl::Positional, cl::Required,
                                 cl::desc("FILE.mlir"), cl::cat(category)};
  cl::list<std::string> entry{
      "entry", cl::CommaSeparated, cl::value_desc("name,..."),
      cl::cat(category),
      cl::desc("Function to run (default: main, forward, or the only public "
               "function); several with --emit-object and --symbol-prefix")};
  cl::opt<uint64_t> seed{"seed", cl::init(0), cl::value_desc("n"),
                         cl::cat(category),
                         cl::desc("Seed of random values (default: 0)")};
  cl::opt<std::string> input{
      "input", cl::value_desc("a.npy,b.npy"), cl::cat(category),
      cl::desc("Arguments in order; where a name is empty or missing, random "
               "values")};
  cl::list<std::string> bind{
      "bind", cl::CommaSeparated, cl::value_desc("arg=a.npy,arg=b.npy"),
      cl::cat(category),
      cl::desc(
          "Arguments, by fusion.name or index, to make constants of; other "
          "options count those that are left")};
  cl::opt<std::string> output{"output", cl::value_desc("dir"),
                              cl::cat(category),
                              cl::desc("Write result N to dir/resultN.npy")};
  cl::opt<std::string> expect{
      "expect", cl::value_desc("a.npy,b.npy"), cl::cat(category),
      cl::desc("Compare the results, in order, with those of another system")};
  cl::list<std::string> random{
      "random", cl::value_desc("arg:low:high"), cl::cat(category),
      cl::desc("Draw random values of an argument from [low, high)")};
  cl::list<std::string> shape{
      "shape", cl::value_desc("arg:1x3x224x224"), cl::cat(category),
      cl::desc("Shape of an argument that has dynamic sizes")};
  cl::opt<bool> randomizeConstants{
      "randomize-constants", cl::cat(category),
      cl::desc("Give splat and elided weights random values by their role")};
  cl::opt<Mode> mode{
      "mode", cl::init(Mode::Fused), cl::cat(category),
      cl::desc("How convolutions run (default: fused)"),
      cl::values(clEnumValN(Mode::Fused, "fused",
                            "a kernel with all that could be folded into it"),
                 clEnumValN(Mode::Unfused, "unfused",
                            "a kernel that only convolves"))};
  cl::opt<Precision> precision{
      "precision", cl::init(Precision::F32), cl::cat(category),
      cl::desc("Element type of convolutions (default: f32)"),
      cl::values(clEnumValN(Precision::F32, "f32", "as in the file"),
                 clEnumValN(Precision::BF16, "bf16",
                            "converted to bf16, accumulated in f32"),
                 clEnumValN(Precision::F16, "f16",
                            "converted to f16, accumulated in f32"))};
  cl::opt<unsigned> optLevel{
      "O",
      cl::Prefix,
      cl::init(2),
      cl::value_desc("n"),
      cl::cat(category),
      cl::desc("Optimization of what is no kernel: 0 none, 1 quick, 2 and 3 as "
               "LLVM does (default: 2)")};
  cl::opt<bool> allowReshape{
      "allow-reshape", cl::init(true), cl::cat(category),
      cl::desc("Fold a bias that comes through a reshape (default: true)")};
  cl::opt<bool> allowContractRounding{
      "allow-contract-rounding", cl::init(true), cl::cat(category),
      cl::desc("Round once what the file rounds between steps (default: "
               "true)")};
  cl::opt<bool> allowWinograd{
      "allow-winograd", cl::init(false), cl::cat(category),
      cl::desc("Let kernels compute 3x3 convolutions of f32 by Winograd's "
               "minimal filtering, which rounds differently (default: false)")};
  cl::opt<int64_t> cacheBytes{
      "cache-bytes", cl::value_desc("n"), cl::cat(category),
      cl::desc("Bytes of tensors of a batch that fit the cache; larger batches "
               "are computed a few images at a time (0: never; default: that "
               "of fusion-compile)")};
  cl::opt<NaNMode> nanMode{
      "nan-mode", cl::init(NaNMode::Fast), cl::cat(category),
      cl::desc("Result of an activation for a NaN (default: fast)"),
      cl::values(clEnumValN(NaNMode::Fast, "fast", "as the kernel does it"),
                 clEnumValN(NaNMode::Propagate, "propagate", "NaN"))};
  cl::opt<QuantRounding> quantRounding{
      "quant-rounding", cl::init(QuantRounding::Nearest), cl::cat(category),
      cl::desc("Quantisation that may become part of an op (default: nearest)"),
      cl::values(clEnumValN(QuantRounding::Nearest, "nearest",
                            "any that rounds to the nearest integer: at most 1 "
                            "off"),
                 clEnumValN(QuantRounding::Exact, "exact",
                            "one that the op computes in the same way"))};
  cl::list<std::string> disable{"disable", cl::CommaSeparated,
                                cl::value_desc("law,law"), cl::cat(category),
                                cl::desc("Laws of fusion to switch off")};
  cl::opt<std::string> constantArgs{
      "constant-args", cl::value_desc("1-"), cl::cat(category),
      cl::desc("Arguments that are weights: indices and ranges, 1,3-5,7-")};
  cl::opt<int> threads{
      "threads", cl::init(0), cl::value_desc("n"), cl::cat(category),
      cl::desc("Most threads of a kernel or loop (default: one for each "
               "core)")};
  cl::opt<bool> prepare{
      "prepare", cl::init(false), cl::cat(category),
      cl::desc("Create kernels and pack weights before the first run, where "
               "shapes are static, and print the time (default: false)")};
  cl::opt<unsigned> repeat{
      "repeat", cl::init(1), cl::value_desc("n"), cl::cat(category),
      cl::desc("Timed runs after the first run and the warm-up (default: 1)")};
  cl::opt<unsigned> warmup{"warmup", cl::init(0), cl::value_desc("n"),
                           cl::cat(category),
                           cl::desc("Untimed runs after the first (default: "
                                    "0)")};
  cl::opt<unsigned> callers{
      "callers", cl::init(1), cl::value_desc("n"), cl::cat(category),
      cl::desc("Threads that run at once after the first run, each with "
               "arguments and results of its own, --warmup and --repeat times "
               "(default: 1)")};
  cl::opt<bool> requests{
      "requests", cl::cat(category),
      cl::desc("After the report, run as often as each line of standard input "
               "says, and print the times as a line of JSON")};
  cl::opt<std::string> verify{
      "verify", cl::ValueOptional, cl::value_desc("rtol"), cl::cat(category),
      cl::desc(
          "Compare with the file lowered by upstream passes alone: |a-b| "
          "<= ATOL + RTOL*max|b| (default: 1e-4; 3e-2 if the entry or what "
          "it calls computes in bf16 or f16)")};
  cl::opt<double> atol{"atol", cl::init(1e-6), cl::value_desc("x"),
                       cl::cat(category),
                       cl::desc("Absolute tolerance of --verify and --expect "
                                "(default: 1e-6)")};
  cl::opt<double> rtol{"rtol", cl::value_desc("x"), cl::cat(category),
                       cl::desc("Relative tolerance of --verify and --expect")};
  cl::opt<unsigned> lsb{
      "lsb", cl::value_desc("n"), cl::cat(category),
      cl::desc("Largest difference of integers under --verify and --expect "
               "(default: 1 for 8 bits, which are mostly rounded; else 0)")};
  cl::opt<bool> json{"json", cl::cat(category),
                     cl::desc("Print one JSON object on standard output")};
  cl::opt<std::string> profile{
      "profile", cl::ValueOptional, cl::value_desc("trace.json"),
      cl::cat(category),
      cl::desc("Print the time of each kernel and loop nest; the file opens in "
               "Perfetto")};
  cl::opt<std::string> emitObject{
      "emit-object", cl::value_desc("file.o"), cl::cat(category),
      cl::desc("Compile ahead of time instead of running")};
  cl::opt<std::string> emitHeader{"emit-header", cl::value_desc("file.h"),
                                  cl::cat(category),
                                  cl::desc("C header of the object file")};
  cl::opt<std::string> symbolPrefix{
      "symbol-prefix", cl::value_desc("name"), cl::cat(category),
      cl::desc("Prefix of the functions of the object file: name_ENTRY "
               "and name_release, and no other symbol")};
  cl::opt<std::string> cpu{
      "mcpu", cl::init("native"), cl::value_desc("name"), cl::cat(category),
      cl::desc("CPU of the object file (default: native, this machine's)")};
};

/// Reads the options that are lists, ranges, shapes or tolerances.
llvm::Error readValues(const CommandLine &line, Options &options);

/// Fails if a number is out of bounds, or if options contradict each other.
llvm::Error checkCommandLine(const CommandLine &line, const Options &options);

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_COMMANDLINE_H
