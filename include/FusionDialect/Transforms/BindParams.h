//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_BINDPARAMS_H
#define FUSION_TRANSFORMS_BINDPARAMS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace fusion {

/// An argument, and the file whose array takes its place.
struct ParamBinding {
  /// The argument's `fusion.name`, or its index.
  std::string argument;
  /// A .npy file.
  std::string file;
};

struct BindParamsOptions {
  std::string function = "main";
  std::vector<ParamBinding> bindings;
};

/// Reads "NAME_OR_INDEX=FILE.npy".
llvm::Expected<ParamBinding> parseParamBinding(llvm::StringRef text);

/// The index of the argument of `function` whose `fusion.name` or index is
/// `name`. The error lists the arguments, or says that `name` is the name of
/// one and the index of another.
llvm::Expected<unsigned> findParam(mlir::FunctionOpInterface function,
                                   llvm::StringRef name);

/// Constants by the index of the argument that they replace.
using ParamConstants = llvm::MapVector<unsigned, mlir::TypedAttr>;

/// Replaces arguments of `function` by constants from anywhere, and takes them
/// out of its signature. A constant has the type of its argument, with static
/// sizes in place of dynamic ones. Types that depend on these sizes are refined
/// in the whole function, its results included. Loads the dialects of the ops
/// that it creates; a pass that calls this must have them as dependent ones.
/// Fails with a diagnostic, and changes nothing, if `function` has no body or
/// is used in `module`, if a type does not fit, or if an op needs two sizes to
/// be equal that differ.
mlir::LogicalResult bindArguments(mlir::ModuleOp module,
                                  mlir::FunctionOpInterface function,
                                  const ParamConstants &constants);

/// Reads the files of `options` and binds their arrays, as the pass
/// `fusion-bind-params` does. Fails with a diagnostic, and changes nothing, if
/// `bindArguments` does, for a name or index that does not exist, is ambiguous
/// or comes twice, and for a file that cannot be read or does not fit.
mlir::LogicalResult bindParams(mlir::ModuleOp module,
                               const BindParamsOptions &options);

} // namespace fusion

#endif // FUSION_TRANSFORMS_BINDPARAMS_H
