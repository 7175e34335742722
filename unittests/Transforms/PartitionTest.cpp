//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransformsTest.h"

#include "FusionDialect/Partition/Partition.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include <fstream>

using namespace mlir;

namespace {
class PartitionTest : public TransformsTest {
protected:
  static std::vector<std::string> getComposites(ModuleOp module) {
    std::vector<std::string> names;
    for (auto function : module.getOps<func::FuncOp>())
      if (auto name =
              function->getAttrOfType<StringAttr>(fusion::kCompositeAttr))
        names.push_back(name.str());
    return names;
  }
};
} // namespace

using Names = std::vector<std::string>;

// relu(conv(x, w)) + y
static constexpr char text[] = R"mlir(
  func.func @main(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>,
                  %y: tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32> {
    %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
    %e = tensor.empty() : tensor<1x5x7x10xf32>
    %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
    %r = linalg.max ins(%c, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
    %s = linalg.add ins(%r, %y : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
    return %s : tensor<1x5x7x10xf32>
  }
)mlir";

static constexpr char patternText[] = R"mlir(
  pdl.pattern @any_add : benefit(0) {
    %types = types
    %inputs = operands
    %root = operation "linalg.add"(%inputs : !pdl.range<value>) -> (%types : !pdl.range<type>)
    %value = result 0 of %root
    apply_native_constraint "IsElementwise"(%root : !pdl.operation)
    rewrite %root {
      %name = attribute = "acme.any_add"
      apply_native_rewrite "Composite"(%name, %value, %root : !pdl.attribute, !pdl.value, !pdl.operation)
    }
  }
)mlir";

TEST_F(PartitionTest, Partition) {
  OwningOpRef<ModuleOp> module = parse(text);
  fusion::PartitionOptions options;
  options.patterns = {"conv2d_relu", "add"};
  ASSERT_TRUE(succeeded(fusion::partition(*module, options)));
  EXPECT_EQ(getComposites(*module), Names({"dnnl.conv2d_relu", "dnnl.add"}));
  EXPECT_EQ(countOps<func::CallOp>(*module), 2u);
}

TEST_F(PartitionTest, PatternFile) {
  OwningOpRef<ModuleOp> module = parse(text);
  fusion::PartitionOptions options;
  options.patternFile = testing::TempDir() + "any_add.pdl.mlir";
  std::ofstream(options.patternFile) << patternText;
  ASSERT_TRUE(succeeded(fusion::partition(*module, options)));
  EXPECT_EQ(getComposites(*module), Names({"acme.any_add"}));
}

TEST_F(PartitionTest, UnknownPattern) {
  OwningOpRef<ModuleOp> module = parse(text);
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
  fusion::PartitionOptions options;
  options.patterns = {"conv4d"};
  EXPECT_TRUE(failed(fusion::partition(*module, options)));
  EXPECT_NE(message.find("'conv4d'"), std::string::npos) << message;
}

TEST_F(PartitionTest, MergeComposites) {
  OwningOpRef<ModuleOp> module = parse(R"mlir(
    func.func @main(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
      %a = call @abs(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
      %b = call @abs(%a) : (tensor<5x3xf32>) -> tensor<5x3xf32>
      return %b : tensor<5x3xf32>
    }
    func.func private @abs(%x: tensor<5x3xf32>) -> tensor<5x3xf32>
        attributes {fusion.composite = "dnnl.abs", no_inline} {
      %r = math.absf %x : tensor<5x3xf32>
      return %r : tensor<5x3xf32>
    }
  )mlir");
  fusion::mergeComposites(*module);
  auto region = module->lookupSymbol<func::FuncOp>("dnnl_region");
  ASSERT_TRUE(region);
  EXPECT_TRUE(region->hasAttr(fusion::kCodegenAttr));
  // One call replaces both, which are in the region now.
  EXPECT_EQ(countOps<func::CallOp>(*module), 3u);
}

TEST_F(PartitionTest, Pass) {
  OwningOpRef<ModuleOp> module = parse(text);
  fusion::FusionPartitionOptions options;
  options.patterns = {"conv2d_relu"};
  options.annotateCodegen = true;
  PassManager passes(&context);
  passes.addPass(fusion::createFusionPartition(options));
  ASSERT_TRUE(succeeded(passes.run(*module)));
  EXPECT_EQ(getComposites(*module), Names({"dnnl.conv2d_relu"}));
  EXPECT_TRUE(module->lookupSymbol("fused_conv2d_relu")
                  ->hasAttr(fusion::kGlobalSymbolAttr));
}
