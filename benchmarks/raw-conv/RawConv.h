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
#include <map>
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

/// The types by name: f32, bf16, u8, and s8, which comes with zero points.
/// Weights of integers are s8.
const std::map<std::string, dnnl::memory::data_type> &types();

/// The candidates in f32 and those of the type with this name.
std::vector<Candidate> candidates(const Layer &layer, const std::string &type);

/// A layer with bias and relu, and a scale for each channel if it is quantised,
/// ready to run. Throws dnnl::error if the machine
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

private:
  void addQuantization(const Layer &layer, dnnl::memory::data_type type,
                       const dnnl::engine &engine);
};

} // namespace rawconv

#endif // FUSION_BENCHMARKS_RAWCONV_H
