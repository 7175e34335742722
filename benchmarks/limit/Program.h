//===- Program.h - The primitives of a network, ready to run ----*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_BENCHMARKS_LIMIT_PROGRAM_H
#define FUSION_BENCHMARKS_LIMIT_PROGRAM_H

#include "Network.h"

#include <dnnl.hpp>

#include <map>
#include <unordered_map>

namespace limit {

/// The choices for a whole network.
struct Configuration {
  /// f32; bf16; or u8 and s8, for weights of s8 and a bias of s32. With s8 the
  /// images that convolutions read and write have a zero point.
  dnnl::memory::data_type type;
  bool nhwc; // plain channels last everywhere, or each primitive's choice
  bool sum;  // residuals accumulate in place, or are an operand of their own
  /// Channels of the network's input, with padding; 0 if the first convolution
  /// is in f32 and the rest in bf16.
  int64_t inputChannels;
  /// Convolutions of 3x3 with stride 1 run by minimal filtering, if oneDNN has
  /// it and their results are at least so high and wide; 0 for none.
  int64_t winogradFrom = 0;

  std::string name(const Network &network) const;
};

/// Every configuration that differs from the others for this network.
std::vector<Configuration> configurations(const Network &network,
                                          dnnl::memory::data_type type,
                                          bool allowWinograd);

struct Step {
  std::string name, kernel;
  dnnl::primitive primitive;
  std::unordered_map<int, dnnl::memory> arguments;

  bool isReference() const { return kernel.find("ref") != std::string::npos; }
};

/// The primitives in order, with packed weights and a buffer for each result.
/// The input is f32 in NCHW, and so is the result if it is an image.
class Program {
public:
  Program(const Network &network, const Configuration &configuration,
          const dnnl::engine &engine);

  std::vector<Step> steps;
  size_t intermediateBytes = 0; // of results between input and output

  int referenceKernels() const;

private:
  using Dims = dnnl::memory::dims;
  using Type = dnnl::memory::data_type;

  /// A result: one memory, and the same values in other formats if primitives
  /// need them.
  struct Buffer {
    Dims dims;
    Type type;
    std::vector<dnnl::memory> versions;
  };

  /// The residual of a layer, if it has one.
  struct Residual {
    dnnl::memory memory;
    bool isInPlace = false;
  };

  void addInput(const Layer &layer);
  void addConvolution(size_t index);
  void addPooling(const Layer &layer);
  void addLinear(const Layer &layer);
  void addOutput(const Layer &layer);

  bool isFiltered(const Layer &layer, const Dims &dst) const;
  Residual addResidual(size_t index, Type type, dnnl::memory::desc &dst,
                       dnnl::post_ops &ops);
  dnnl::memory::desc wanted(const Dims &dims, Type type) const;
  dnnl::memory makeMemory(const dnnl::memory::desc &desc);
  dnnl::memory makeWeights(const dnnl::memory::desc &desc, Type type,
                           int64_t fanIn);
  dnnl::memory makeBias(int64_t channels, Type type);
  void scaleSums(const Layer &layer, int64_t fanIn, dnnl::primitive_attr &attr,
                 std::unordered_map<int, dnnl::memory> &arguments);
  void addZeroPoints(dnnl::primitive_attr &attr,
                     std::unordered_map<int, dnnl::memory> &arguments);
  dnnl::memory inFormat(int64_t number, const dnnl::memory::desc &desc);
  dnnl::memory padInput(const Dims &dims);
  void addReorder(dnnl::memory &from, dnnl::memory &to);
  void addResult(int64_t number, const Dims &dims, Type type,
                 const dnnl::memory &result);

  const Network &network;
  const Configuration &configuration;
  const dnnl::engine &engine;
  std::map<int64_t, Buffer> buffers;
  uint32_t random = 1;
};

} // namespace limit

#endif // FUSION_BENCHMARKS_LIMIT_PROGRAM_H
