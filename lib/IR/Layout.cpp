//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Layout.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

StringRef fusion::getSpatialLetters(int64_t spatialRank) {
  return StringRef("dhw").take_back(spatialRank);
}

std::string fusion::getActivationLetters(int64_t spatialRank) {
  return ("nc" + getSpatialLetters(spatialRank)).str();
}

std::string fusion::getChannelsLast(StringRef layout) {
  auto spatialRank = static_cast<int64_t>(layout.size()) - 2;
  return ("n" + getSpatialLetters(spatialRank) + "c").str();
}

std::string fusion::getFilterLetters(int64_t spatialRank) {
  return ("fc" + getSpatialLetters(spatialRank)).str();
}

bool fusion::isPermutationOf(StringRef layout, StringRef letters) {
  return layout.size() == letters.size() &&
         llvm::all_of(letters, [&](char c) { return layout.count(c) == 1; });
}

SmallVector<int64_t> fusion::getPositions(StringRef layout, StringRef letters) {
  return llvm::map_to_vector(letters, [&](char letter) -> int64_t {
    return static_cast<int64_t>(layout.find(letter));
  });
}

std::string fusion::permuteLayout(StringRef layout,
                                  ArrayRef<int64_t> permutation) {
  std::string result;
  for (int64_t source : permutation)
    result.push_back(layout[source]);
  return result;
}

int64_t fusion::getDimSize(mlir::Value value, StringRef layout, char letter) {
  return cast<mlir::ShapedType>(value.getType())
      .getDimSize(layout.find(letter));
}
