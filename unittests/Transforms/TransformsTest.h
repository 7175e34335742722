//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_TRANSFORMS_TRANSFORMSTEST_H
#define FUSION_UNITTESTS_TRANSFORMS_TRANSFORMSTEST_H

#include "FusionDialect/IR/FusionDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

/// A context in which the dialects of the texts are registered, and those of
/// the current text are loaded.
class TransformsTest : public testing::Test {
protected:
  TransformsTest() : context(getRegistry()) {}

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << "the text does not parse";
    return module;
  }

  /// The generic of a text that has one; null after an error. `module` owns it.
  mlir::linalg::GenericOp
  parseGeneric(llvm::StringRef text,
               mlir::OwningOpRef<mlir::ModuleOp> &module) {
    module = parse(text);
    mlir::linalg::GenericOp result;
    if (module)
      module->walk([&](mlir::linalg::GenericOp op) { result = op; });
    return result;
  }

  /// The number of ops of type `Op` in a module, which must be valid.
  template <typename Op> static unsigned countOps(mlir::ModuleOp module) {
    EXPECT_TRUE(succeeded(verify(module)));
    unsigned count = 0;
    module->walk([&](Op) { ++count; });
    return count;
  }

  mlir::MLIRContext context;

private:
  static mlir::DialectRegistry getRegistry() {
    mlir::DialectRegistry registry;
    registry.insert<fusion::FusionDialect, mlir::arith::ArithDialect,
                    mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                    mlir::math::MathDialect, mlir::tensor::TensorDialect>();
    return registry;
  }
};

#endif // FUSION_UNITTESTS_TRANSFORMS_TRANSFORMSTEST_H
