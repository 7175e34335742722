//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PARTITION_PATTERNFILE_H
#define FUSION_LIB_PARTITION_PATTERNFILE_H

#include "CompositeMatch.h"
#include "mlir/Dialect/PDL/IR/PDLOps.h"

namespace fusion {

/// The patterns of a file that mlir-pdll has made of a user's PDLL.
/// FusionDialect/Transforms/Partition.pdll declares the functions they may use.
class PatternFile {
public:
  /// Reads the file at `path`. Emits an error if it cannot be read, or has a
  /// pattern that Fusion cannot apply.
  static mlir::FailureOr<PatternFile> load(llvm::StringRef path,
                                           mlir::MLIRContext *context);

  /// The names of the patterns, as the file has them.
  llvm::SmallVector<llvm::StringRef> getNames();

  /// The pattern called `name`.
  std::unique_ptr<CompositeMatcher>
  createMatcher(llvm::StringRef name, const PartitionOptions &options,
                ChainCache &chains);

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace fusion

#endif // FUSION_LIB_PARTITION_PATTERNFILE_H
