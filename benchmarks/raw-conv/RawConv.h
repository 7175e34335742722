//===- RawConv.h - One convolution as a bare oneDNN primitive ---*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_BENCHMARKS_RAWCONV_H
#define FUSION_BENCHMARKS_RAWCONV_H

#include <dnnl.hpp>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace rawconv {

struct Layer {
  int64_t batch, inputs, outputs, height, width, kernel, stride, pad, groups;

  int64_t outputSize(int64_t size) const {
    return (size + 2 * pad - kernel) / stride + 1;
  }
};

/// A type and layout in which a layer may run.
struct Candidate {
  std::string name;
  dnnl::memory::data_type type;
  dnnl::memory::format_tag tag; // of src and dst
  int64_t channels;             // of src, with those of zeros
};

/// The candidates in f32 and, with `bf16`, those in bf16.
std::vector<Candidate> candidates(const Layer &layer, bool bf16);

/// A layer with bias and relu, ready to run. Throws dnnl::error if the machine
/// cannot run it.
struct Program {
  Program(const Layer &layer, const Candidate &candidate,
          const dnnl::engine &engine);

  void run(dnnl::stream &stream) {
    convolution.execute(stream, arguments);
    stream.wait();
  }
  bool isReference() const { return kernel.find("ref") != std::string::npos; }

  dnnl::convolution_forward convolution;
  std::string kernel;
  std::unordered_map<int, dnnl::memory> arguments;
};

} // namespace rawconv

#endif // FUSION_BENCHMARKS_RAWCONV_H
