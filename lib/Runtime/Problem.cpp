//===- Problem.cpp - A validated convolution call -------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem.h"

#include "Support.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace fusion::runtime;

/// Largest size, stride of the window, dilation and pad; with it no sum of
/// theirs can overflow.
static constexpr int64_t maxDim = INT32_MAX;

static fusion_rt_status invalid() { return FUSION_RT_INVALID_ARGUMENT; }
static long long number(int64_t value) { return value; }

//===----------------------------------------------------------------------===//
// Descriptor
//===----------------------------------------------------------------------===//

static bool isFloatType(int32_t type) {
  return type == FUSION_RT_TYPE_F32 || type == FUSION_RT_TYPE_BF16 ||
         type == FUSION_RT_TYPE_F16;
}

static fusion_rt_status validateVersion(const fusion_rt_conv_desc &desc) {
  unsigned major = desc.abi_version >> 16, minor = desc.abi_version & 0xffff;
  if (major != FUSION_RT_ABI_MAJOR || minor > FUSION_RT_ABI_MINOR)
    return fail(FUSION_RT_UNSUPPORTED_VERSION,
                "'abi_version' must be %d.0 to %d.%d, got %u.%u",
                FUSION_RT_ABI_MAJOR, FUSION_RT_ABI_MAJOR, FUSION_RT_ABI_MINOR,
                major, minor);
  if (desc.struct_size != sizeof(fusion_rt_conv_desc))
    return fail(FUSION_RT_UNSUPPORTED_VERSION,
                "'struct_size' must be %zu in version %u.%u, got %u",
                sizeof(fusion_rt_conv_desc), major, minor, desc.struct_size);
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validateTypes(const fusion_rt_conv_desc &desc) {
  if (!isFloatType(desc.src_type))
    return fail(invalid(), "'src_type' must be f32, bf16 or f16, got %d",
                desc.src_type);
  if (desc.weights_type != desc.src_type &&
      desc.weights_type != FUSION_RT_TYPE_F32)
    return fail(invalid(),
                "'weights_type' must be 'src_type' (%d) or f32 (1), got %d",
                desc.src_type, desc.weights_type);
  if (!isFloatType(desc.dst_type))
    return fail(invalid(), "'dst_type' must be f32, bf16 or f16, got %d",
                desc.dst_type);
  if (!(desc.flags & FUSION_RT_HAS_RESIDUAL)) {
    if (desc.residual_type != FUSION_RT_TYPE_NONE)
      return fail(invalid(),
                  "'residual_type' must be none (0) without "
                  "FUSION_RT_HAS_RESIDUAL, got %d",
                  desc.residual_type);
  } else if (desc.residual_type != desc.dst_type &&
             desc.residual_type != FUSION_RT_TYPE_F32) {
    return fail(invalid(),
                "'residual_type' must be 'dst_type' (%d) or f32 (1), got %d",
                desc.dst_type, desc.residual_type);
  }
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validateActivation(const fusion_rt_conv_desc &desc) {
  if (desc.activation < FUSION_RT_ACT_NONE ||
      desc.activation > FUSION_RT_ACT_EXP)
    return fail(invalid(), "'activation' must be between %d and %d, got %d",
                FUSION_RT_ACT_NONE, FUSION_RT_ACT_EXP, desc.activation);
  if (std::isnan(desc.alpha))
    return fail(invalid(), "'alpha' must be a number, got NaN");
  if (std::isnan(desc.beta))
    return fail(invalid(), "'beta' must be a number, got NaN");
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validateEntries(const char *name, const int64_t *values,
                                        int count, int64_t least) {
  for (int i = 0; i < count; ++i)
    if (values[i] < least || values[i] > maxDim)
      return fail(invalid(),
                  "'%s' must be between %lld and %lld, got %lld in entry %d",
                  name, number(least), number(maxDim), number(values[i]), i);
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validateWindow(const fusion_rt_conv_desc &desc) {
  int count = desc.spatial_rank;
  if (desc.groups < 1 || desc.groups > maxDim)
    return fail(invalid(), "'groups' must be between 1 and %lld, got %lld",
                number(maxDim), number(desc.groups));
  if (auto status = validateEntries("strides", desc.strides, count, 1))
    return status;
  if (auto status = validateEntries("dilations", desc.dilations, count, 1))
    return status;
  if (auto status = validateEntries("pad_low", desc.pad_low, count, 0))
    return status;
  return validateEntries("pad_high", desc.pad_high, count, 0);
}

fusion_rt_status
fusion::runtime::validateDescriptor(const fusion_rt_conv_desc *desc,
                                    Descriptor &out) {
  constexpr uint32_t knownFlags =
      FUSION_RT_HAS_BIAS | FUSION_RT_HAS_RESIDUAL | FUSION_RT_CONSTANT_WEIGHTS;
  if (!desc)
    return fail(invalid(), "'desc' must not be null");
  if (auto status = validateVersion(*desc))
    return status;
  if (desc->flags & ~knownFlags)
    return fail(invalid(), "'flags' must have no bits but 0x%x, got 0x%x",
                knownFlags, desc->flags);
  if (desc->reserved != 0)
    return fail(invalid(), "'reserved' must be 0, got %d", desc->reserved);
  if (desc->spatial_rank < 1 || desc->spatial_rank > FUSION_RT_MAX_SPATIAL_RANK)
    return fail(invalid(), "'spatial_rank' must be between 1 and %d, got %d",
                FUSION_RT_MAX_SPATIAL_RANK, desc->spatial_rank);
  if (auto status = validateTypes(*desc))
    return status;
  if (auto status = validateActivation(*desc))
    return status;
  if (auto status = validateWindow(*desc))
    return status;
  out.raw = *desc;
  return FUSION_RT_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Checks that sizes and strides make sense and that no offset overflows.
static fusion_rt_status validateTensor(const char *name, const View &view) {
  int64_t elements = 1, last = 0;
  for (int dim = 0; dim < view.rank; ++dim) {
    int64_t size = view.sizes[dim];
    if (size < 0 || size > maxDim)
      return fail(invalid(),
                  "'%s' must have sizes between 0 and %lld, got %lld in "
                  "dimension %d",
                  name, number(maxDim), number(size), dim);
    if (__builtin_mul_overflow(elements, size, &elements))
      return fail(invalid(), "'%s' must have fewer than 2^63 elements", name);
  }
  if (elements == 0)
    return FUSION_RT_SUCCESS;
  for (int dim = 0; dim < view.rank; ++dim) {
    int64_t size = view.sizes[dim], stride = view.strides[dim], reach;
    if (size > 1 && stride < 1)
      return fail(invalid(),
                  "'%s' must have positive strides, got %lld in dimension %d",
                  name, number(stride), dim);
    if (size > 1 &&
        (__builtin_mul_overflow(size, stride, &reach) ||
         __builtin_add_overflow(last, reach, &last) || last > INT64_MAX / 8))
      return fail(invalid(), "'%s' must not reach over 2^60 elements", name);
  }
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validateDistinct(const char *name, const View &view) {
  if (view.elements() == 0 || hasDistinctElements(view))
    return FUSION_RT_SUCCESS;
  return fail(invalid(), "'%s' must have strides that keep its elements apart",
              name);
}

static fusion_rt_status validateChannels(const Descriptor &descriptor,
                                         const Problem &problem) {
  int64_t groups = descriptor.raw.groups;
  int64_t outputs = problem.weights.sizes[0];
  int64_t inputs = problem.weights.sizes[1];
  if (inputs * groups != problem.src.sizes[1])
    return fail(invalid(),
                "'src' must have the input channels of 'weights' times groups "
                "(%lld x %lld), got %lld",
                number(inputs), number(groups), number(problem.src.sizes[1]));
  if (outputs % groups != 0)
    return fail(invalid(),
                "'weights' must have an output channel count divisible by "
                "groups (%lld), got %lld",
                number(groups), number(outputs));
  if (problem.dst.sizes[0] != problem.src.sizes[0])
    return fail(invalid(),
                "'dst' must have the batch size of 'src' (%lld), "
                "got %lld",
                number(problem.src.sizes[0]), number(problem.dst.sizes[0]));
  if (problem.dst.sizes[1] != outputs)
    return fail(invalid(),
                "'dst' must have one channel per output channel (%lld), got "
                "%lld",
                number(outputs), number(problem.dst.sizes[1]));
  if (descriptor.hasBias() && problem.bias.sizes[0] != outputs)
    return fail(invalid(),
                "'bias' must have one element per output channel (%lld), got "
                "%lld",
                number(outputs), number(problem.bias.sizes[0]));
  return FUSION_RT_SUCCESS;
}

/// floor((in + lo + hi - ((k - 1) * dilation + 1)) / stride) + 1, at least 0.
static int64_t outputSize(const fusion_rt_conv_desc &desc, int spatial,
                          int64_t in, int64_t kernel) {
  int64_t reach = (kernel - 1) * desc.dilations[spatial] + 1;
  int64_t room = in + desc.pad_low[spatial] + desc.pad_high[spatial] - reach;
  return room < 0 ? 0 : room / desc.strides[spatial] + 1;
}

static fusion_rt_status validateSpatialSizes(const Descriptor &descriptor,
                                             const Problem &problem) {
  for (int spatial = 0; spatial < descriptor.raw.spatial_rank; ++spatial) {
    int dim = spatial + 2;
    int64_t expected =
        outputSize(descriptor.raw, spatial, problem.src.sizes[dim],
                   problem.weights.sizes[dim]);
    if (problem.dst.sizes[dim] != expected)
      return fail(invalid(),
                  "'dst' must have size %lld in dimension %d ('src' %lld, "
                  "kernel %lld, stride %lld, dilation %lld, pads %lld and "
                  "%lld), got %lld",
                  number(expected), dim, number(problem.src.sizes[dim]),
                  number(problem.weights.sizes[dim]),
                  number(descriptor.raw.strides[spatial]),
                  number(descriptor.raw.dilations[spatial]),
                  number(descriptor.raw.pad_low[spatial]),
                  number(descriptor.raw.pad_high[spatial]),
                  number(problem.dst.sizes[dim]));
  }
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validateResidual(const Problem &problem) {
  for (int dim = 0; dim < problem.dst.rank; ++dim)
    if (problem.residual.sizes[dim] != problem.dst.sizes[dim])
      return fail(invalid(),
                  "'residual' must have the size of 'dst' in dimension %d "
                  "(%lld), got %lld",
                  dim, number(problem.dst.sizes[dim]),
                  number(problem.residual.sizes[dim]));
  return FUSION_RT_SUCCESS;
}

/// Where the sizes leave the order open, src and dst follow each other: oneDNN
/// has good kernels for equal orders only.
static void canonicalizeAll(Problem &problem, bool hasResidual) {
  Order srcOrder = classify(problem.src, Order::Other);
  Order dstOrder = classify(problem.dst, srcOrder);
  srcOrder = classify(problem.src, dstOrder);
  canonicalize(problem.src, srcOrder);
  canonicalize(problem.dst, dstOrder);
  if (hasResidual)
    canonicalize(problem.residual, classify(problem.residual, dstOrder));
  canonicalize(problem.weights, Order::Other);
}

fusion_rt_status
fusion::runtime::validateShapes(const Descriptor &descriptor,
                                const fusion_rt_conv_args &args, Problem &out) {
  int rank = descriptor.rank();
  out.src = makeView(args.src, descriptor.srcType(), rank);
  out.weights = makeView(args.weights, descriptor.weightsType(), rank);
  out.dst = makeView(args.dst, descriptor.dstType(), rank);
  out.inPlace = isInPlace(descriptor, args);
  if (descriptor.hasBias())
    out.bias = makeView(args.bias, FUSION_RT_TYPE_F32, 1);
  if (descriptor.hasResidual())
    out.residual = makeView(args.residual, descriptor.residualType(), rank);

  const std::pair<const char *, const View *> operands[] = {
      {"src", &out.src},
      {"weights", &out.weights},
      {"bias", &out.bias},
      {"residual", &out.residual},
      {"dst", &out.dst}};
  for (auto [name, view] : operands)
    if (auto status = validateTensor(name, *view))
      return status;
  if (auto status = validateChannels(descriptor, out))
    return status;
  if (auto status = validateSpatialSizes(descriptor, out))
    return status;
  if (descriptor.hasResidual())
    if (auto status = validateResidual(out))
      return status;
  for (auto [name, view] : operands)
    if (auto status = validateDistinct(name, *view))
      return status;
  canonicalizeAll(out, descriptor.hasResidual());
  return FUSION_RT_SUCCESS;
}

static bool matchesTensor(const View &view, const fusion_rt_tensor &tensor) {
  for (int dim = 0; dim < view.rank; ++dim) {
    if (view.sizes[dim] != tensor.sizes[dim])
      return false;
    // Strides of dimensions of size 1 were made canonical and do not matter.
    if (view.sizes[dim] > 1 && view.strides[dim] != tensor.strides[dim])
      return false;
  }
  return true;
}

bool fusion::runtime::matches(const Problem &problem,
                              const fusion_rt_conv_args &args, bool inPlace) {
  // Views of absent operands have rank 0 and match anything.
  return problem.inPlace == inPlace && matchesTensor(problem.src, args.src) &&
         matchesTensor(problem.dst, args.dst) &&
         matchesTensor(problem.weights, args.weights) &&
         matchesTensor(problem.bias, args.bias) &&
         matchesTensor(problem.residual, args.residual);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

static fusion_rt_status failNull(const char *name) {
  return fail(invalid(), "'%s' must not be null", name);
}

static fusion_rt_status failOverlap(const char *name) {
  return fail(invalid(), "'dst' must not overlap '%s'", name);
}

fusion_rt_status
fusion::runtime::validateAddresses(const Descriptor &descriptor,
                                   const Problem &problem,
                                   const fusion_rt_conv_args &args) {
  if (problem.isEmpty())
    return FUSION_RT_SUCCESS;
  if (!args.dst.data)
    return failNull("dst");
  if (!problem.isReductionEmpty()) {
    if (!args.src.data)
      return failNull("src");
    if (!args.weights.data)
      return failNull("weights");
    if (overlap(problem.dst, args.dst.data, problem.src, args.src.data))
      return failOverlap("src");
    if (overlap(problem.dst, args.dst.data, problem.weights, args.weights.data))
      return failOverlap("weights");
  }
  if (descriptor.hasBias()) {
    if (!args.bias.data)
      return failNull("bias");
    if (overlap(problem.dst, args.dst.data, problem.bias, args.bias.data))
      return failOverlap("bias");
  }
  if (!descriptor.hasResidual())
    return FUSION_RT_SUCCESS;
  if (!args.residual.data)
    return failNull("residual");
  bool isSame = problem.inPlace && problem.residual.type == problem.dst.type &&
                haveSameStrides(problem.residual, problem.dst);
  if (!isSame &&
      overlap(problem.dst, args.dst.data, problem.residual, args.residual.data))
    return fail(invalid(), "'residual' must be exactly 'dst' (same address, "
                           "type and strides) or apart from it");
  return FUSION_RT_SUCCESS;
}
