//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RUN_INPUTDATA_H
#define FUSION_TOOLS_FUSION_RUN_INPUTDATA_H

#include "Program.h"

namespace fusion::run {

/// Creates the arguments of the entry: from the files that --input names, else
/// random by role or as --random says.
llvm::Expected<std::vector<HostTensor>> makeArguments(const Program &program,
                                                      const Options &options);

/// The first number of an input file that is not finite, in words: "argument 0
/// ('x.npy') has a NaN at [2]"; "" if all are finite.
std::string findNonFinite(llvm::ArrayRef<HostTensor> arguments,
                          const Options &options);

/// The arguments of `program`, in which nothing is bound: `arguments`, and
/// between them the arrays that --bind names.
llvm::Expected<std::vector<HostTensor>>
addBoundArguments(const Program &program, llvm::ArrayRef<HostTensor> arguments,
                  const Options &options);

/// Replaces splat weights, and constants without data, by random values. It
/// runs before any pass, since equal constants are merged. Splats with a
/// meaning in the network stay: bounds of activations, divisors, epsilons,
/// zeros to sum into, scalars.
void randomizeConstants(Program &program, const Options &options);

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_INPUTDATA_H
