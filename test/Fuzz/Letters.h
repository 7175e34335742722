//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_FUZZ_LETTERS_H
#define FUSION_TEST_FUZZ_LETTERS_H

#include "CaseDescription.h"
#include "ModuleText.h"

namespace fusion::fuzz {

/// Permutes the letters, but keeps a group in front of its channels.
std::string shuffle(llvm::StringRef letters, llvm::StringRef pair,
                    Random &random);

/// The layout without groups: "ngchw" is "nchw", "nwgf" is "nwc".
std::string flatten(llvm::StringRef letters);

/// The value in the layout without groups. It has no name yet.
Value makeFlat(const Value &value);

/// `[[0], [1, 2], [3]]` for the letters "ngch".
std::string formatGroups(llvm::StringRef letters);

/// `d3 * 2 + d6`, if the loops have the letters h and H for an output row and a
/// kernel row.
std::string formatInputMap(llvm::StringRef loops, llvm::StringRef letters,
                           const Geometry &geometry, Random &random);

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_LETTERS_H
