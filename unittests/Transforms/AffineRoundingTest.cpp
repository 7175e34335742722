//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TransformsTest.h"

#include "FusionDialect/Analysis/AffineRounding.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using fusion::AffineRounding;
using fusion::Refusal;
using fusion::Rounding;

namespace {
/// Reads the body of a generic, and computes it with upstream's folders.
class AffineRoundingTest : public TransformsTest {
protected:
  /// Parses a generic that reads element for element a tensor of 3 rows of `in`
  /// and, along the rows, `constants`: "tensor<...>" behind "dense<...>".
  linalg::GenericOp
  parseBody(StringRef in, StringRef out, StringRef body,
            ArrayRef<std::pair<StringRef, StringRef>> constants = {}) {
    std::string text, maps, names = "%x", types, arguments;
    llvm::raw_string_ostream stream(text);
    types = ("tensor<3x2x" + in + ">").str();
    for (auto [i, constant] : llvm::enumerate(constants)) {
      auto [elements, type] = constant;
      std::string number = std::to_string(i);
      stream << "%k" << number << " = arith.constant " << elements
             << " : tensor<3x" << type << ">\n";
      maps += ", affine_map<(d0, d1) -> (d0)>";
      names += ", %k" + number;
      types += (", tensor<3x" + type + ">").str();
      arguments += (", %c" + number + ": " + type).str();
    }
    StringRef identity = "affine_map<(d0, d1) -> (d0, d1)>";
    std::string source =
        ("func.func @f(%x: tensor<3x2x" + in + ">) -> tensor<3x2x" + out +
         "> {\n" + text + "%e = tensor.empty() : tensor<3x2x" + out +
         ">\n%r = linalg.generic {indexing_maps = [" + identity + maps + ", " +
         identity + "], iterator_types = [\"parallel\", \"parallel\"]} ins(" +
         names + " : " + types + ") outs(%e : tensor<3x2x" + out +
         ">) {\n^bb0(%in: " + in + arguments + ", %out: " + out + "):\n" +
         body + "} -> tensor<3x2x" + out + ">\nreturn %r : tensor<3x2x" + out +
         ">\n}")
            .str();
    return parseGeneric(source, module);
  }

  AffineRounding match(linalg::GenericOp op) {
    Refusal refusal;
    FailureOr<AffineRounding> form = AffineRounding::match(op, refusal);
    EXPECT_TRUE(succeeded(form)) << refusal.str().str();
    return succeeded(form) ? *form : AffineRounding();
  }

  std::string refuse(linalg::GenericOp op) {
    Refusal refusal;
    EXPECT_TRUE(failed(AffineRounding::match(op, refusal)));
    return refusal.str().str();
  }

  /// The result of the body for `input` in `row`, by upstream's folders.
  static Attribute fold(linalg::GenericOp op, Attribute input, unsigned row) {
    DenseMap<Value, Attribute> known;
    Block *body = op.getBlock();
    known[body->getArgument(0)] = input;
    for (unsigned i = 1, e = op.getNumDpsInputs(); i != e; ++i) {
      DenseElementsAttr attr;
      EXPECT_TRUE(
          matchPattern(op.getDpsInputOperand(i)->get(), m_Constant(&attr)));
      known[body->getArgument(i)] = attr.getValues<Attribute>()[row];
    }
    auto get = [&](Value value) {
      Attribute attr = known.lookup(value);
      if (!attr)
        matchPattern(value, m_Constant(&attr));
      return attr;
    };
    for (Operation &inner : body->without_terminator()) {
      SmallVector<OpFoldResult> results;
      auto operands = llvm::map_to_vector(inner.getOperands(), get);
      if (succeeded(inner.fold(operands, results)) && !results.empty())
        known[inner.getResult(0)] = isa<Attribute>(results[0])
                                        ? cast<Attribute>(results[0])
                                        : get(cast<Value>(results[0]));
    }
    return get(body->getTerminator()->getOperand(0));
  }

  static double apply(const AffineRounding &form, double input, unsigned row) {
    auto at = [&](const AffineRounding::Numbers &numbers) {
      return numbers.size() == 1 ? numbers[0] : numbers[row];
    };
    const AffineRounding::Term &term = form.terms[0];
    if (double addend = at(term.addend); addend != 0.0)
      input = static_cast<int32_t>(static_cast<int64_t>(input + addend));
    double value = at(form.offset) + at(term.factor) * input;
    if (form.rounding == Rounding::HalfEven)
      value = std::nearbyint(value);
    else if (form.rounding == Rounding::HalfUp)
      value = std::floor(value + 0.5);
    return std::clamp(value + form.added, form.lower, form.upper);
  }

  /// Compares for all of `bits`, read as the form says. A float result may
  /// differ by its rounding, an integer not at all.
  void compare(linalg::GenericOp op, const AffineRounding &form,
               ArrayRef<int64_t> bits) {
    ASSERT_EQ(form.terms.size(), 1u);
    Type type = op.getBlock()->getArgument(0).getType();
    for (unsigned row : {0, 1, 2})
      for (int64_t number : bits) {
        auto input = IntegerAttr::get(
            type, APInt(type.getIntOrFloatBitWidth(), number, true, true));
        Attribute result = fold(op, input, row);
        ASSERT_TRUE(result) << "not folded";
        double x = form.terms[0].isUnsigned
                       ? input.getValue().roundToDouble(false)
                       : input.getValue().roundToDouble(true);
        double formed = apply(form, x, row);
        if (auto integer = dyn_cast<IntegerAttr>(result))
          EXPECT_EQ(formed, integer.getValue().roundToDouble(!form.isUnsigned))
              << "for " << number << " in row " << row;
        else
          EXPECT_FLOAT_EQ(formed, cast<FloatAttr>(result).getValueAsDouble())
              << "for " << number << " in row " << row;
      }
  }

  static SmallVector<int64_t> getBytes() {
    return llvm::to_vector(llvm::seq<int64_t>(-128, 128));
  }

  /// Accumulators of both signs, small and large, ties among them.
  static SmallVector<int64_t> getAccumulators() {
    SmallVector<int64_t> numbers = {-2147483647 - 1, 2147483647, 0};
    for (int64_t number = 1; number < 2000000000; number += number / 3 + 1)
      numbers.append({number, -number, number + 7, -number - 7});
    return numbers;
  }

  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(AffineRoundingTest, ReadsDequantisation) {
  linalg::GenericOp op = parseBody("i8", "f32", R"mlir(
    %zero = arith.constant -14 : i64
    %scale = arith.constant 0.02 : f32
    %0 = arith.extsi %in : i8 to i64
    %1 = arith.subi %0, %zero : i64
    %2 = arith.sitofp %1 : i64 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  )mlir");
  AffineRounding form = match(op);
  compare(op, form, getBytes());
  EXPECT_EQ(form.rounding, Rounding::None);
  EXPECT_FALSE(form.terms[0].isUnsigned);
  EXPECT_FALSE(form.dim);
  EXPECT_FLOAT_EQ(form.terms[0].factor[0], 0.02);
  EXPECT_FLOAT_EQ(form.offset[0], 0.28);
}

TEST_F(AffineRoundingTest, ReadsUnsignedDequantisationAlongRows) {
  linalg::GenericOp op = parseBody(
      "i8", "f32", R"mlir(
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.sitofp %c1 : i8 to f32
    %2 = arith.subf %0, %1 : f32
    %3 = arith.mulf %2, %c0 : f32
    linalg.yield %3 : f32
  )mlir",
      {{"dense<[0.5, 0.25, 3.0]>", "f32"}, {"dense<[0, 100, -3]>", "i8"}});
  AffineRounding form = match(op);
  compare(op, form, getBytes());
  EXPECT_TRUE(form.terms[0].isUnsigned);
  EXPECT_EQ(form.dim, 0u);
}

TEST_F(AffineRoundingTest, ReadsTheSignOfShiftedBytes) {
  linalg::GenericOp op = parseBody("i8", "f32", R"mlir(
    %half = arith.constant -128 : i8
    %0 = arith.addi %in, %half : i8
    %1 = arith.sitofp %0 : i8 to f32
    linalg.yield %1 : f32
  )mlir");
  AffineRounding form = match(op);
  compare(op, form, getBytes());
  EXPECT_TRUE(form.terms[0].isUnsigned);
  EXPECT_EQ(form.offset[0], -128.0);
}

TEST_F(AffineRoundingTest, ReadsBoundsOfBytes) {
  linalg::GenericOp op = parseBody("i8", "i8", R"mlir(
    %low = arith.constant 3 : i8
    %high = arith.constant -56 : i8
    %0 = arith.maxui %in, %low : i8
    %1 = arith.minui %0, %high : i8
    linalg.yield %1 : i8
  )mlir");
  AffineRounding form = match(op);
  compare(op, form, getBytes());
  EXPECT_EQ(form.lower, 3.0);
  EXPECT_EQ(form.upper, 200.0);
  EXPECT_TRUE(form.isUnsigned);
}

TEST_F(AffineRoundingTest, ReadsQuantisation) {
  linalg::GenericOp op = parseBody("i32", "i8", R"mlir(
    %acc = arith.constant 4.0e-04 : f32
    %scale = arith.constant 5.0e-02 : f32
    %zero = arith.constant 3.0 : f32
    %min = arith.constant 0.0 : f32
    %max = arith.constant 255.0 : f32
    %a = arith.sitofp %in : i32 to f32
    %v = arith.mulf %a, %acc : f32
    %p = arith.cmpf ugt, %v, %min : f32
    %r = arith.select %p, %v, %min : f32
    %0 = arith.divf %r, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zero : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptoui %4 : f32 to i8
    linalg.yield %5 : i8
  )mlir");
  AffineRounding form = match(op);
  compare(op, form, getAccumulators());
  EXPECT_EQ(form.rounding, Rounding::HalfEven);
  EXPECT_FLOAT_EQ(form.terms[0].factor[0], 8.0e-3);
  EXPECT_EQ(form.added, 3.0);
  // The relu of what is rounded: at the zero point.
  EXPECT_EQ(form.lower, 3.0);
  EXPECT_EQ(form.upper, 255.0);
  EXPECT_TRUE(form.isUnsigned);
}

static constexpr char rescale[] = R"mlir(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %limit = arith.constant 31 : i32
    %up = arith.constant 1073741824 : i64
    %down = arith.constant -1073741824 : i64
    %point = arith.constant -128 : i32
    %max = arith.constant 127 : i32
    %6 = arith.extui %c1 : i8 to i32
    %7 = arith.extsi %in : i32 to i64
    %8 = arith.extsi %c0 : i32 to i64
    %9 = arith.muli %7, %8 : i64
    %10 = arith.extui %c1 : i8 to i64
    %11 = arith.shli %one, %10 : i64
    %12 = arith.shrui %11, %one : i64
    %13 = arith.addi %9, %12 : i64
    %14 = arith.cmpi sge, %in, %zero : i32
    %15 = arith.select %14, %up, %down : i64
    %16 = arith.addi %15, %13 : i64
    %17 = arith.cmpi sgt, %6, %limit : i32
    %18 = arith.select %17, %16, %13 : i64
    %19 = arith.shrsi %18, %10 : i64
    %20 = arith.trunci %19 : i64 to i32
    %21 = arith.addi %20, %point : i32
    %22 = arith.maxsi %21, %point : i32
    %23 = arith.minsi %22, %max : i32
    %24 = arith.trunci %23 : i32 to i8
    linalg.yield %24 : i8
)mlir";

TEST_F(AffineRoundingTest, ReadsSingleRounding) {
  linalg::GenericOp op = parseBody(
      "i32", "i8", rescale,
      {{"dense<[3, 500780721, 1]>", "i32"}, {"dense<[2, 31, 1]>", "i8"}});
  AffineRounding form = match(op);
  compare(op, form, getAccumulators());
  EXPECT_EQ(form.rounding, Rounding::HalfUp);
  op = parseBody(
      "i32", "i8", rescale,
      {{"dense<[3, 500780721, 1]>", "i32"}, {"dense<[1, 31, 1]>", "i8"}});
  EXPECT_EQ(refuse(op), "may wrap: i32 for -3221225473 to 3221225471");
}

TEST_F(AffineRoundingTest, ReadsDoubleRounding) {
  linalg::GenericOp op =
      parseBody("i32", "i8", rescale,
                {{"dense<[1400780721, 1500780721, 1]>", "i32"},
                 {"dense<[39, 38, 9]>", "i8"}});
  AffineRounding form = match(op);
  EXPECT_EQ(form.rounding, Rounding::DoubleRound);
  EXPECT_EQ(form.offset[2], 0.0);
  EXPECT_EQ(form.terms[0].factor[2], 1.0 / 512.0);
  EXPECT_EQ(form.added, -128.0);
  EXPECT_EQ(form.lower, -128.0);
  EXPECT_EQ(form.upper, 127.0);
}

static constexpr char biasedRescale[] = R"mlir(
  %m = arith.constant 1400780721 : i64
  %half = arith.constant 274877906944 : i64
  %shift = arith.constant 39 : i64
  %0 = arith.addi %in, %c0 : i32
  %1 = arith.extsi %0 : i32 to i64
  %2 = arith.muli %1, %m : i64
  %3 = arith.addi %2, %half : i64
  %4 = arith.shrsi %3, %shift : i64
  %5 = arith.trunci %4 : i64 to i32
  linalg.yield %5 : i32
)mlir";

TEST_F(AffineRoundingTest, ReadsABiasThatMayWrap) {
  linalg::GenericOp op = parseBody("i32", "i32", biasedRescale,
                                   {{"dense<[100, -7, 123456]>", "i32"}});
  AffineRounding form = match(op);
  compare(op, form,
          {0, 1, -1, 196, 589, 12345, -987654, 1999999999, 2147483647,
           -2147483647});
  EXPECT_EQ(form.terms[0].addend,
            AffineRounding::Numbers({100.0, -7.0, 123456.0}));
  EXPECT_EQ(form.rounding, Rounding::HalfUp);
  EXPECT_EQ(form.offset[0], 0.0);
}

TEST_F(AffineRoundingTest, FlipsTheSignOfAResult) {
  for (const char *flip : {"addi", "subi", "xori"}) {
    std::string body = (R"mlir(
  %min = arith.constant -100 : i32
  %max = arith.constant 127 : i32
  %half = arith.constant -128 : i8
  %0 = arith.maxsi %in, %min : i32
  %1 = arith.minsi %0, %max : i32
  %2 = arith.trunci %1 : i32 to i8
  %3 = arith.)mlir" + Twine(flip) +
                        R"mlir( %2, %half : i8
  linalg.yield %3 : i8
)mlir")
                           .str();
    linalg::GenericOp op = parseBody("i32", "i8", body);
    AffineRounding form = match(op);
    EXPECT_TRUE(form.isUnsigned);
    EXPECT_EQ(form.lower, 28.0);
    compare(op, form, {-2147483647, -101, -100, -1, 0, 5, 127, 128, 70000});
  }
}

TEST_F(AffineRoundingTest, RefusesOtherFlips) {
  linalg::GenericOp op = parseBody("i8", "i8", R"mlir(
  %bit = arith.constant 64 : i8
  %0 = arith.xori %in, %bit : i8
  linalg.yield %0 : i8
)mlir");
  EXPECT_EQ(refuse(op), "bits are flipped, expected that of the sign");
}

TEST_F(AffineRoundingTest, RoundsNoIntegers) {
  linalg::GenericOp op = parseBody("i8", "i32", R"mlir(
    %m = arith.constant 1073741824 : i64
    %half = arith.constant 1024 : i64
    %shift = arith.constant 11 : i64
    %0 = arith.extsi %in : i8 to i64
    %2 = arith.muli %0, %m : i64
    %3 = arith.addi %2, %half : i64
    %4 = arith.shrsi %3, %shift : i64
    %5 = arith.trunci %4 : i64 to i32
    linalg.yield %5 : i32
  )mlir");
  AffineRounding form = match(op);
  compare(op, form, getBytes());
  EXPECT_EQ(form.rounding, Rounding::None);
}

TEST_F(AffineRoundingTest, SaysWhatIsNoQuantisation) {
  auto refuseBody = [&](StringRef in, StringRef out, const Twine &body) {
    return refuse(parseBody(in, out, body.str()));
  };
  EXPECT_EQ(refuseBody("i8", "i8", R"mlir(
    %k = arith.constant 3 : i8
    %0 = arith.addi %in, %k : i8
    linalg.yield %0 : i8
  )mlir"),
            "may wrap: 3 is added in i8");
  EXPECT_EQ(refuseBody("i32", "i8", R"mlir(
    %0 = arith.trunci %in : i32 to i8
    linalg.yield %0 : i8
  )mlir"),
            "may wrap: i8 for -2147483648 to 2147483647");
  EXPECT_EQ(refuseBody("f32", "f32", R"mlir(
    %0 = math.roundeven %in : f32
    %1 = arith.addf %0, %0 : f32
    linalg.yield %1 : f32
  )mlir"),
            "a sum is rounded in parts");
  EXPECT_EQ(refuseBody("f32", "f32", R"mlir(
    %0 = arith.mulf %in, %in : f32
    linalg.yield %0 : f32
  )mlir"),
            "what is multiplied is not constant");
  EXPECT_EQ(refuseBody("f32", "f32", R"mlir(
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  )mlir"),
            "'math.exp' is not part of a quantisation");
}

TEST_F(AffineRoundingTest, TellsTruncationFromRounding) {
  linalg::GenericOp op = parseBody("f32", "i8", R"mlir(
    %scale = arith.constant 0.05 : f32
    %0 = arith.divf %in, %scale : f32
    %1 = arith.fptosi %0 : f32 to i8
    linalg.yield %1 : i8
  )mlir");
  AffineRounding form = match(op);
  EXPECT_EQ(form.rounding, Rounding::Truncate);
  EXPECT_EQ(form.lower, -128.0);
  EXPECT_EQ(form.upper, 127.0);
}
