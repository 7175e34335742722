//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransformsTest.h"

#include "FusionDialect/Transforms/BindParams.h"

using namespace mlir;

namespace {
class BindParamsTest : public TransformsTest {
protected:
  static FunctionOpInterface getMain(ModuleOp module) {
    return module.lookupSymbol<FunctionOpInterface>("main");
  }

  /// A tensor of `size` ones.
  TypedAttr makeOnes(int64_t size) {
    Builder builder(&context);
    auto type = RankedTensorType::get({size}, builder.getF32Type());
    return DenseElementsAttr::get(type, builder.getF32FloatAttr(1.0f));
  }
};
} // namespace

// The text has neither constants nor casts.
static constexpr char dynamicText[] = R"mlir(
  func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
    %r = math.atan2 %x, %y : tensor<?xf32>
    return %r : tensor<?xf32>
  }
)mlir";

TEST_F(BindParamsTest, ArgumentBecomesConstant) {
  OwningOpRef<ModuleOp> module = parse(dynamicText);
  fusion::ParamConstants constants;
  constants.insert({1, makeOnes(3)});
  ASSERT_TRUE(
      succeeded(fusion::bindArguments(*module, getMain(*module), constants)));
  FunctionOpInterface main = getMain(*module);
  EXPECT_EQ(main.getNumArguments(), 1u);
  EXPECT_EQ(countOps<arith::ConstantOp>(*module), 1u);
  auto type = cast<RankedTensorType>(main.getResultTypes().front());
  EXPECT_EQ(type.getShape(), ArrayRef<int64_t>({3}));
}

TEST_F(BindParamsTest, ConflictChangesNothing) {
  OwningOpRef<ModuleOp> module = parse(dynamicText);
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
  fusion::ParamConstants constants;
  constants.insert({0, makeOnes(3)});
  constants.insert({1, makeOnes(4)});
  EXPECT_TRUE(
      failed(fusion::bindArguments(*module, getMain(*module), constants)));
  EXPECT_NE(message.find("do not fit together"), std::string::npos) << message;
  EXPECT_EQ(getMain(*module).getNumArguments(), 2u);
}
