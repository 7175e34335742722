//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TransformsTest.h"

#include "FusionDialect/Analysis/Quantization.h"

using namespace mlir;
using fusion::Dequantization;
using fusion::Quantization;
using fusion::Refusal;

namespace {
class QuantizationTest : public TransformsTest {
protected:
  /// Parses a generic on tensors of 3 rows and 2 columns, which also reads
  /// `scale` and `zero` along the rows.
  linalg::GenericOp parseBody(StringRef in, StringRef out, const Twine &body,
                              StringRef scale = "dense<[0.5, 0.25, 3.0]>",
                              StringRef zero = "dense<[0, 0, 0]>") {
    std::string x = ("tensor<3x2x" + in + ">").str();
    std::string y = ("tensor<3x2x" + out + ">").str();
    std::string text =
        R"mlir(
      #id = affine_map<(d0, d1) -> (d0, d1)>
      #row = affine_map<(d0, d1) -> (d0)>
      func.func @f(%x: )mlir" +
        x + ") -> " + y + " {\n%ks = arith.constant " + scale.str() +
        " : tensor<3xf32>\n%kz = arith.constant " + zero.str() +
        " : tensor<3xi64>\n%e = tensor.empty() : " + y + R"mlir(
      %r = linalg.generic {indexing_maps = [#id, #row, #row, #id],
                           iterator_types = ["parallel", "parallel"]}
             ins(%x, %ks, %kz : )mlir" +
        x + ", tensor<3xf32>, tensor<3xi64>) outs(%e : " + y +
        ") {\n^bb0(%in: " + in.str() +
        ", %scale: f32, %zero: i64, %out: " + out.str() + "):\n" + body.str() +
        "\n} -> " + y + "\nreturn %r : " + y + "\n}";
    return parseGeneric(text, module);
  }

  OwningOpRef<ModuleOp> module;
};
} // namespace

/// torch-mlir's quantized_decomposed.dequantize_per_channel.
static constexpr char dequantize[] = R"mlir(
  %0 = arith.extsi %in : i8 to i64
  %1 = arith.subi %0, %zero : i64
  %2 = arith.sitofp %1 : i64 to f32
  %3 = arith.mulf %2, %scale : f32
  linalg.yield %3 : f32
)mlir";

TEST_F(QuantizationTest, DequantizesAlongRows) {
  linalg::GenericOp op = parseBody("i8", "f32", dequantize);
  Refusal refusal;
  FailureOr<Dequantization> form =
      Dequantization::match(op.getResult(0), refusal);
  ASSERT_TRUE(succeeded(form)) << refusal.str().str();
  EXPECT_EQ(form->source, op.getOperand(0));
  EXPECT_EQ(form->dim, 0u);
  EXPECT_EQ(form->scale, (fusion::AffineRounding::Numbers{0.5, 0.25, 3.0}));
  EXPECT_EQ(form->zeroPoint, 0);
  EXPECT_FALSE(form->isUnsigned);
}

TEST_F(QuantizationTest, KeepsAZeroPointThatAllRowsHave) {
  linalg::GenericOp op = parseBody("i8", "f32", dequantize,
                                   "dense<[0.1, 0.37, 1.0e-7]>", "dense<-77>");
  Refusal refusal;
  FailureOr<Dequantization> form =
      Dequantization::match(op.getResult(0), refusal);
  ASSERT_TRUE(succeeded(form)) << refusal.str().str();
  EXPECT_EQ(form->zeroPoint, -77);
}

TEST_F(QuantizationTest, MayHaveScalesOfAnySign) {
  linalg::GenericOp op = parseBody("i8", "f32", dequantize,
                                   "dense<[0.0, -0.5, 0.25]>", "dense<-77>");
  Refusal refusal;
  FailureOr<Dequantization> form =
      Dequantization::match(op.getResult(0), refusal, /*isPositive=*/false);
  ASSERT_TRUE(succeeded(form)) << refusal.str().str();
  EXPECT_EQ(form->scale, (fusion::AffineRounding::Numbers{0.0, -0.5, 0.25}));
  EXPECT_EQ(form->zeroPoint, -77);
}

TEST_F(QuantizationTest, SaysWhyItDoesNotDequantize) {
  auto refuse = [&](linalg::GenericOp op) {
    Refusal refusal;
    EXPECT_TRUE(failed(Dequantization::match(op.getResult(0), refusal)));
    return refusal.str().str();
  };
  EXPECT_EQ(refuse(parseBody("i8", "f32", dequantize, "dense<2.0>",
                             "dense<[4, 4, 5]>")),
            "unsupported: zero points are 4 and 5, expected the same "
            "everywhere");
  EXPECT_EQ(
      refuse(parseBody("i8", "f32", dequantize, "dense<[1.0, 2.0, 0.0]>")),
      "unsupported: a scale is 0.000000e+00, expected a positive number");
  EXPECT_EQ(
      refuse(parseBody("i8", "f32", dequantize, "dense<1.0>", "dense<128>")),
      "unsupported: a zero point is 1.280000e+02, expected an integer "
      "of the quantised type");
  EXPECT_EQ(refuse(parseBody("i32", "f32", R"mlir(
    %0 = arith.sitofp %in : i32 to f32
    linalg.yield %0 : f32
  )mlir")),
            "not from i8 to f32");
  EXPECT_EQ(refuse(parseBody("i8", "f32", R"mlir(
    %k = arith.constant 100.0 : f32
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.minimumf %0, %k : f32
    linalg.yield %1 : f32
  )mlir")),
            "the value is rounded or bounded");
}

/// ONNX multiplies by the reciprocal of the scale, and a relu may be merged.
static constexpr char quantize[] = R"mlir(
  %s = arith.constant 8.0 : f32
  %c0 = arith.constant 0.0 : f32
  %zp = arith.constant 5.0 : f32
  %max = arith.constant 255.0 : f32
  %p = arith.cmpf ogt, %in, %c0 : f32
  %relu = arith.select %p, %in, %c0 : f32
  %0 = arith.mulf %relu, %s : f32
  %1 = math.roundeven %0 : f32
  %2 = arith.addf %1, %zp : f32
  %3 = arith.maximumf %2, %c0 : f32
  %4 = arith.minimumf %3, %max : f32
  %5 = arith.fptoui %4 : f32 to i8
  linalg.yield %5 : i8
)mlir";

TEST_F(QuantizationTest, QuantizesWithRelu) {
  linalg::GenericOp op = parseBody("f32", "i8", quantize);
  Refusal refusal;
  FailureOr<Quantization> form = Quantization::match(op, refusal);
  ASSERT_TRUE(succeeded(form)) << refusal.str().str();
  EXPECT_EQ(form->source, op.getOperand(0));
  EXPECT_EQ(form->scale, 8.0);
  EXPECT_EQ(form->zeroPoint, 5);
  EXPECT_EQ(form->lower, 5);
  EXPECT_EQ(form->upper, 255);
  EXPECT_TRUE(form->isUnsigned);
  EXPECT_EQ(form->rounding, fusion::Rounding::HalfEven);
}

TEST_F(QuantizationTest, QuantizesWithTheZeroPointInFront) {
  linalg::GenericOp op = parseBody("f32", "i8", R"mlir(
    %s = arith.constant 0.25 : f32
    %zp = arith.constant -128.0 : f32
    %max = arith.constant 127.0 : f32
    %0 = arith.divf %in, %s : f32
    %1 = arith.addf %0, %zp : f32
    %2 = arith.maximumf %1, %zp : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  )mlir");
  Refusal refusal;
  FailureOr<Quantization> form = Quantization::match(op, refusal);
  ASSERT_TRUE(succeeded(form)) << refusal.str().str();
  EXPECT_EQ(form->scale, 4.0);
  EXPECT_EQ(form->zeroPoint, -128);
  EXPECT_EQ(form->lower, -128);
  EXPECT_EQ(form->upper, 127);
  EXPECT_FALSE(form->isUnsigned);
}

TEST_F(QuantizationTest, SaysWhyItDoesNotQuantize) {
  auto refuse = [&](const Twine &body) {
    Refusal refusal;
    EXPECT_TRUE(
        failed(Quantization::match(parseBody("f32", "i8", body), refusal)));
    return refusal.str().str();
  };
  EXPECT_EQ(refuse(R"mlir(
    %0 = arith.fptosi %in : f32 to i8
    linalg.yield %0 : i8
  )mlir"),
            "unsupported: quantisation truncates, expected rounding to the "
            "nearest integer");
  EXPECT_EQ(refuse(R"mlir(
    %0 = arith.divf %in, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.fptosi %1 : f32 to i8
    linalg.yield %2 : i8
  )mlir"),
            "unsupported: the scale or zero point of a result varies along "
            "dimension 0");
  EXPECT_EQ(refuse(R"mlir(
    %0 = math.floor %in : f32
    %1 = arith.fptosi %0 : f32 to i8
    linalg.yield %1 : i8
  )mlir"),
            "unsupported: quantisation rounds down, expected rounding to the "
            "nearest integer");
}
