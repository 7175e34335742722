//===- Problem.cpp - A validated convolution call -------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem.h"

#include "Support.h"

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Checks that sizes are possible and that no offset overflows.
static fusion_rt_status validateTensor(const char *name, const View &view) {
  int64_t elements = 1, reached = 0; // the lower half has a number more
  for (int dim = 0; dim < view.rank; ++dim) {
    int64_t size = view.sizes[dim];
    if (size < 0 || size > maxDim)
      return fail(invalid(),
                  "'%s' must have sizes between 0 and %lld, got %lld in "
                  "dimension %d",
                  name, number(maxDim), number(size), view.callerDims[dim]);
    if (__builtin_mul_overflow(elements, size, &elements))
      return fail(invalid(), "'%s' must have fewer than 2^63 elements", name);
  }
  if (elements == 0)
    return FUSION_RT_SUCCESS;
  for (int dim = 0; dim < view.rank; ++dim) {
    int64_t size = view.sizes[dim], stride = view.strides[dim], reach;
    if (size > 1 &&
        (__builtin_mul_overflow(size, stride < 0 ? stride : -stride, &reach) ||
         __builtin_add_overflow(reached, reach, &reached) ||
         reached < -(INT64_MAX / 8)))
      return fail(invalid(), "'%s' must not reach over 2^60 elements", name);
  }
  return FUSION_RT_SUCCESS;
}

/// Checks that each element of dst is written only once.
static fusion_rt_status validateDestination(const View &dst) {
  if (dst.elements() == 0)
    return FUSION_RT_SUCCESS;
  for (int dim = 0; dim < dst.rank; ++dim)
    if (dst.sizes[dim] > 1 && dst.strides[dim] < 1)
      return fail(invalid(),
                  "'dst' must have positive strides, got %lld in dimension %d",
                  number(dst.strides[dim]), dst.callerDims[dim]);
  if (hasDistinctElements(dst))
    return FUSION_RT_SUCCESS;
  return fail(invalid(),
              "'dst' must have strides that keep its elements apart");
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

/// Swaps the roles of src and dst for a transposed convolution. Elements of dst
/// that no window reaches, the output padding, are allowed.
static fusion_rt_status validateTransposedSizes(const Descriptor &descriptor,
                                                const Problem &problem) {
  for (int spatial = 0; spatial < descriptor.raw.spatial_rank; ++spatial) {
    int dim = spatial + 2;
    int64_t in = problem.src.sizes[dim], out = problem.dst.sizes[dim];
    int64_t kernel = problem.weights.sizes[dim];
    if (in == 0 || kernel == 0 ||
        outputSize(descriptor.raw, spatial, out, kernel) == in)
      continue;
    return fail(invalid(),
                "'dst' must have a size in dimension %d from which a "
                "convolution makes the %lld of 'src' (kernel %lld, stride "
                "%lld, dilation %lld, pads %lld and %lld), got %lld",
                dim, number(in), number(kernel),
                number(descriptor.raw.strides[spatial]),
                number(descriptor.raw.dilations[spatial]),
                number(descriptor.raw.pad_low[spatial]),
                number(descriptor.raw.pad_high[spatial]), number(out));
  }
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validateSpatialSizes(const Descriptor &descriptor,
                                             const Problem &problem,
                                             const int64_t *kernel) {
  for (int spatial = 0; spatial < descriptor.raw.spatial_rank; ++spatial) {
    int dim = spatial + 2;
    int64_t expected = outputSize(descriptor.raw, spatial,
                                  problem.src.sizes[dim], kernel[spatial]);
    if (problem.dst.sizes[dim] != expected)
      return fail(invalid(),
                  "'dst' must have size %lld in dimension %d ('src' %lld, "
                  "kernel %lld, stride %lld, dilation %lld, pads %lld and "
                  "%lld), got %lld",
                  number(expected), dim, number(problem.src.sizes[dim]),
                  number(kernel[spatial]),
                  number(descriptor.raw.strides[spatial]),
                  number(descriptor.raw.dilations[spatial]),
                  number(descriptor.raw.pad_low[spatial]),
                  number(descriptor.raw.pad_high[spatial]),
                  number(problem.dst.sizes[dim]));
  }
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validateConvolution(const Descriptor &descriptor,
                                            const Problem &problem) {
  if (auto status = validateChannels(descriptor, problem))
    return status;
  return descriptor.kind == OpKind::Deconvolution
             ? validateTransposedSizes(descriptor, problem)
             : validateSpatialSizes(descriptor, problem,
                                    problem.weights.sizes + 2);
}

static fusion_rt_status validatePool(const Descriptor &descriptor,
                                     const Problem &problem) {
  const int64_t *src = problem.src.sizes, *dst = problem.dst.sizes;
  for (int dim : {0, 1})
    if (dst[dim] != src[dim])
      return fail(invalid(),
                  "'dst' must have the size of 'src' in dimension %d (%lld), "
                  "got %lld",
                  dim, number(src[dim]), number(dst[dim]));
  if (auto status =
          validateSpatialSizes(descriptor, problem, descriptor.kernel))
    return status;
  for (int dim = 2; dim < problem.src.rank; ++dim)
    if (src[dim] == 0 && !problem.isEmpty())
      return fail(invalid(),
                  "'src' must have elements, has none in dimension %d", dim);
  return FUSION_RT_SUCCESS;
}

/// The views have the order batch, k or n, row; the weights n, k, batch.
static fusion_rt_status validateMatmul(const Descriptor &descriptor,
                                       const Problem &problem) {
  const int64_t *src = problem.src.sizes, *dst = problem.dst.sizes;
  const int64_t *weights = problem.weights.sizes;
  if (weights[1] != src[1])
    return fail(invalid(),
                "'weights' must have as many rows as 'src' has columns (%lld), "
                "got %lld",
                number(src[1]), number(weights[1]));
  if (weights[2] != 1 && weights[2] != src[0])
    return fail(invalid(),
                "'weights' must have batch size 1 or that of 'src' (%lld), got "
                "%lld",
                number(src[0]), number(weights[2]));
  if (dst[0] != src[0])
    return fail(invalid(),
                "'dst' must have the batch size of 'src' (%lld), got %lld",
                number(src[0]), number(dst[0]));
  if (dst[2] != src[2])
    return fail(invalid(), "'dst' must have the rows of 'src' (%lld), got %lld",
                number(src[2]), number(dst[2]));
  if (dst[1] != weights[0])
    return fail(invalid(),
                "'dst' must have the columns of 'weights' (%lld), got %lld",
                number(weights[0]), number(dst[1]));
  if (descriptor.hasBias() && problem.bias.sizes[0] != weights[0])
    return fail(invalid(),
                "'bias' must have one element per column of 'weights' (%lld), "
                "got %lld",
                number(weights[0]), number(problem.bias.sizes[0]));
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validateSizes(const Descriptor &descriptor,
                                      const Problem &problem) {
  switch (descriptor.kind) {
  case OpKind::Matmul:
    return validateMatmul(descriptor, problem);
  case OpKind::Pool:
    return validatePool(descriptor, problem);
  case OpKind::Convolution:
  case OpKind::Deconvolution:
    return validateConvolution(descriptor, problem);
  }
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validateScales(const Problem &problem) {
  int64_t size = problem.scales.sizes[0], outputs = problem.dst.sizes[1];
  if (size != outputs && size != 1)
    return fail(invalid(),
                "'scales' must have one element, or one per output channel "
                "(%lld), got %lld",
                number(outputs), number(size));
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validateResidual(const Problem &problem) {
  for (int dim = 0; dim < problem.dst.rank; ++dim)
    if (problem.residual.sizes[dim] != problem.dst.sizes[dim])
      return fail(invalid(),
                  "'residual' must have the size of 'dst' in dimension %d "
                  "(%lld), got %lld",
                  problem.dst.callerDims[dim], number(problem.dst.sizes[dim]),
                  number(problem.residual.sizes[dim]));
  return FUSION_RT_SUCCESS;
}

/// If the sizes leave an order open, src and dst get the same one: oneDNN has
/// good kernels for equal orders only.
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
  // A matrix multiplication as a convolution.
  static constexpr int rowsLast[] = {0, 2, 1}, batchLast[] = {2, 1, 0};
  bool isMatmul = descriptor.kind == OpKind::Matmul;
  const int *dims = isMatmul ? rowsLast : nullptr;
  const int *weightsDims = isMatmul ? batchLast : nullptr;
  out.src = makeView(args.src, descriptor.srcType(), rank, dims);
  if (descriptor.hasWeights())
    out.weights =
        makeView(args.weights, descriptor.weightsType(), rank, weightsDims);
  out.dst = makeView(args.dst, descriptor.dstType(), rank, dims);
  out.inPlace = isInPlace(descriptor, args);
  if (descriptor.hasBias())
    out.bias = makeView(args.bias, descriptor.biasType(), 1);
  if (descriptor.hasScales())
    out.scales = makeView(scalesOf(args), FUSION_RT_TYPE_F32, 1);
  if (descriptor.hasResidual())
    out.residual =
        makeView(args.residual, descriptor.residualType(), rank, dims);

  const std::pair<const char *, const View *> operands[] = {
      {"src", &out.src},       {"weights", &out.weights},   {"bias", &out.bias},
      {"scales", &out.scales}, {"residual", &out.residual}, {"dst", &out.dst}};
  for (auto [name, view] : operands)
    if (auto status = validateTensor(name, *view))
      return status;
  if (auto status = validateSizes(descriptor, out))
    return status;
  if (descriptor.hasScales())
    if (auto status = validateScales(out))
      return status;
  if (descriptor.hasResidual())
    if (auto status = validateResidual(out))
      return status;
  if (auto status = validateDestination(out.dst))
    return status;
  canonicalizeAll(out, descriptor.hasResidual());
  return FUSION_RT_SUCCESS;
}

static bool matchesTensor(const View &view, const fusion_rt_tensor &tensor) {
  for (int dim = 0; dim < view.rank; ++dim) {
    int at = view.callerDims[dim];
    if (view.sizes[dim] != tensor.sizes[at])
      return false;
    // Strides of dimensions of size 1 are canonical in the view, and do not
    // matter.
    if (view.sizes[dim] > 1 && view.strides[dim] != tensor.strides[at])
      return false;
  }
  return true;
}

bool fusion::runtime::isDepthwise(const Descriptor &descriptor,
                                  const View &weights) {
  int64_t groups = descriptor.raw.groups;
  return descriptor.kind == OpKind::Convolution && groups > 1 &&
         weights.sizes[0] == groups && weights.sizes[1] == 1;
}

bool fusion::runtime::isDepthwiseOfLines(const Descriptor &descriptor,
                                         const View &src, const View &weights) {
  bool isOfBytes =
      src.type == FUSION_RT_TYPE_S8 || src.type == FUSION_RT_TYPE_U8;
  return isDepthwise(descriptor, weights) && !isOfBytes && weights.rank == 3;
}

bool fusion::runtime::matches(const Problem &problem,
                              const fusion_rt_conv_args &args, bool inPlace) {
  // Views of absent operands have rank 0 and match anything.
  return problem.inPlace == inPlace && matchesTensor(problem.src, args.src) &&
         matchesTensor(problem.dst, args.dst) &&
         matchesTensor(problem.weights, args.weights) &&
         matchesTensor(problem.bias, args.bias) &&
         (problem.scales.rank == 0 ||
          matchesTensor(problem.scales, scalesOf(args))) &&
         matchesTensor(problem.residual, args.residual);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

static fusion_rt_status failNull(const char *name) {
  return fail(invalid(), "'%s' must not be null", name);
}

/// Fails for a null dst. Compiled code passes null if it could not allocate a
/// tensor. It computes each tensor before reading it, so that the first null is
/// a dst.
static fusion_rt_status failNullDst(const Problem &problem) {
  if (!CompiledCodeScope::isActive())
    return failNull("dst");
  return fail(FUSION_RT_OUT_OF_MEMORY,
              "cannot allocate %lld bytes for 'dst', which is null",
              number(problem.dst.extent()));
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
    return failNullDst(problem);
  if (!problem.isReductionEmpty()) {
    if (!args.src.data)
      return failNull("src");
    if (descriptor.hasWeights() && !args.weights.data)
      return failNull("weights");
    if (overlap(problem.dst, args.dst.data, problem.src, args.src.data))
      return failOverlap("src");
    if (descriptor.hasWeights() &&
        overlap(problem.dst, args.dst.data, problem.weights, args.weights.data))
      return failOverlap("weights");
  }
  if (descriptor.hasBias()) {
    if (!args.bias.data)
      return failNull("bias");
    if (overlap(problem.dst, args.dst.data, problem.bias, args.bias.data))
      return failOverlap("bias");
  }
  if (descriptor.hasScales()) {
    const void *scales = scalesOf(args).data;
    if (!scales)
      return failNull("scales");
    if (overlap(problem.dst, args.dst.data, problem.scales, scales))
      return failOverlap("scales");
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
