//===- BareAllocations.cpp - What bare oneDNN allocates -------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BareAllocations.h"

#include "RawConv.h"

int64_t fusion::test::bareAllocations(const ConvSpec &spec, int calls,
                                      const std::atomic<int64_t> &counter) {
  const rawconv::Layer layer{spec.batch,    spec.inputs,   spec.outputs,
                             spec.image[0], spec.image[1], spec.kernel[0],
                             /*stride=*/1,  /*pad=*/0,
                             /*groups=*/1};
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  rawconv::Program program(layer,
                           {"f32 nhwc", dnnl::memory::data_type::f32,
                            dnnl::memory::format_tag::nhwc, layer.inputs},
                           engine);
  program.run(stream);
  int64_t before = counter;
  for (int i = 0; i < calls; ++i)
    program.run(stream);
  return counter - before;
}

int64_t
fusion::test::bareReorderAllocations(int calls,
                                     const std::atomic<int64_t> &counter) {
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const dnnl::memory::dims sizes{2, 5, 11, 8};
  dnnl::memory from(
      {sizes, dnnl::memory::data_type::f32, dnnl::memory::format_tag::nhwc},
      engine);
  dnnl::memory to(
      {sizes, dnnl::memory::data_type::f32, dnnl::memory::format_tag::nchw},
      engine);
  dnnl::reorder reorder(from, to);
  const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, from.get()},
                                       {DNNL_ARG_TO, to.get()}};
  auto run = [&] {
    dnnl_primitive_execute(reorder.get(), stream.get(), 2, arguments);
    stream.wait();
  };
  run();
  int64_t before = counter;
  for (int i = 0; i < calls; ++i)
    run();
  return counter - before;
}
