//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formula.h"

using namespace fusion::fuzz;
using Node = Formula::Node;

// The spellings of each activation. All cases of a switch are equal in exact
// arithmetic, and in f32's precision for inputs as the generator makes them.

namespace {
class Speller {
public:
  Speller(Formula &formula, Random &random) : f(formula), random(random) {}

  Node spell(ActivationKind activation, Node x);

private:
  Formula &f;
  Random &random;

  Node relu(Node x);
  Node clip(Node x, double low, double high);
  Node leakyRelu(Node x);
  Node elu(Node x);
  Node sigmoid(Node x);
  Node tanh(Node x);
  Node swish(Node x);
  Node hardSwish(Node x);
  Node hardSigmoid(Node x);
  Node geluErf(Node x);
  Node geluTanh(Node x);
  Node softplus(Node x);
  Node abs(Node x);
  Node square(Node x);

  Node constant(double value) { return f.constant(value); }
  /// a + b, a * b in either order.
  Node sum(Node a, Node b) {
    return random.chance(50) ? f.add(a, b) : f.add(b, a);
  }
  Node product(Node a, Node b) {
    return random.chance(50) ? f.mul(a, b) : f.mul(b, a);
  }
  /// A number is a Node, too, so that these need other names.
  Node times(Node a, double b) { return product(a, constant(b)); }
  Node plus(Node a, double b) { return sum(a, constant(b)); }
  /// The smaller or larger of two.
  Node extremum(bool isMax, Node a, Node b);
  Node max(Node a, Node b) { return extremum(true, a, b); }
  Node min(Node a, Node b) { return extremum(false, a, b); }
  /// `a` if x > pivot, else `b`. Both must be equal where x is the pivot.
  Node selectAbove(Node x, Node pivot, Node a, Node b);
  Node negate(Node x);
  Node quotient(Node a, double b);
  Node cube(Node x);
};
} // namespace

Node Speller::negate(Node x) {
  switch (random.below(4)) {
  case 0:
    return times(x, -1);
  case 1:
    return f.sub(constant(0), x);
  default:
    return f.op("arith.negf", {x});
  }
}

Node Speller::quotient(Node a, double b) {
  return random.chance(50) ? f.div(a, constant(b)) : times(a, 1 / b);
}

Node Speller::selectAbove(Node x, Node pivot, Node a, Node b) {
  switch (random.below(4)) {
  case 0:
    return f.select(
        f.compare(random.pick({"ogt", "ugt", "oge", "uge"}), x, pivot), a, b);
  case 1:
    return f.select(
        f.compare(random.pick({"olt", "ult", "ole", "ule"}), x, pivot), b, a);
  case 2:
    return f.select(
        f.compare(random.pick({"olt", "ult", "ole", "ule"}), pivot, x), a, b);
  default:
    return f.select(
        f.compare(random.pick({"ogt", "ugt", "oge", "uge"}), pivot, x), b, a);
  }
}

Node Speller::extremum(bool isMax, Node a, Node b) {
  if (random.chance(50))
    std::swap(a, b);
  switch (random.below(5)) {
  case 0:
    return selectAbove(a, b, isMax ? a : b, isMax ? b : a);
  case 1:
    return f.op(isMax ? "arith.maxnumf" : "arith.minnumf", {a, b});
  default:
    return f.op(isMax ? "arith.maximumf" : "arith.minimumf", {a, b});
  }
}

Node Speller::relu(Node x) {
  // The largest f32, for an upper bound without effect.
  constexpr double kLargest = 3.40282346638528859812e+38;
  switch (random.below(8)) {
  case 0:
    return max(min(x, constant(kLargest)), constant(0));
  case 1:
    return min(max(x, constant(0)), constant(kLargest));
  case 2:
  case 3:
    return selectAbove(x, constant(0), x, constant(0));
  default:
    return max(x, constant(0));
  }
}

Node Speller::clip(Node x, double low, double high) {
  if (random.chance(50))
    return min(max(x, constant(low)), constant(high));
  return max(min(x, constant(high)), constant(low));
}

Node Speller::leakyRelu(Node x) {
  double slope = random.pick({0.01, 0.1, 0.2, 0.3, 0.5});
  switch (random.below(5)) {
  case 0:
    return max(x, times(x, slope));
  case 1:
    return sum(max(constant(0), x), times(min(constant(0), x), slope));
  case 2:
    return f.sub(max(x, constant(0)),
                 times(max(negate(x), constant(0)), slope));
  default:
    return selectAbove(x, constant(0), x, times(x, slope));
  }
}

Node Speller::elu(Node x) {
  double alpha = random.pick({1.0, 1.0, 1.0, 0.5, 1.5});
  Node argument = random.chance(25) ? min(x, constant(0)) : x;
  Node power =
      random.chance(50)
          ? f.unary("expm1", argument)
          : (random.chance(50) ? f.sub(f.unary("exp", argument), constant(1))
                               : plus(f.unary("exp", argument), -1.0));
  Node scaled = alpha == 1 && random.chance(70) ? power : times(power, alpha);
  if (random.chance(15))
    return sum(max(constant(0), x), min(constant(0), scaled));
  return selectAbove(x, constant(0), x, scaled);
}

Node Speller::sigmoid(Node x) {
  switch (random.below(7)) {
  case 0: {
    Node power = f.unary("exp", x);
    return f.div(power, plus(power, 1.0));
  }
  case 1:
    return plus(times(f.unary("tanh", times(x, 0.5)), 0.5), 0.5);
  default:
    return f.div(constant(1), plus(f.unary("exp", negate(x)), 1.0));
  }
}

Node Speller::tanh(Node x) {
  if (random.chance(12))
    return f.sub(times(sigmoid(times(x, 2)), 2), constant(1));
  return f.unary("tanh", x);
}

Node Speller::swish(Node x) {
  double beta = random.pick({1.0, 1.0, 1.0, 1.0, 1.702, 0.5});
  Node scaled = beta == 1 ? x : times(x, beta);
  if (random.chance(25))
    return f.div(x, plus(f.unary("exp", negate(scaled)), 1.0));
  return product(x, sigmoid(scaled));
}

Node Speller::hardSwish(Node x) {
  switch (random.below(4)) {
  case 0:
    return product(x, clip(plus(quotient(x, 6), 0.5), 0, 1));
  case 1:
    return product(x, quotient(clip(plus(x, 3.0), 0, 6), 6));
  case 2:
    return product(quotient(x, 6), clip(plus(x, 3.0), 0, 6));
  default:
    return quotient(product(x, clip(plus(x, 3.0), 0, 6)), 6);
  }
}

Node Speller::hardSigmoid(Node x) {
  switch (random.below(3)) {
  case 0:
    return quotient(clip(plus(x, 3.0), 0, 6), 6);
  case 1:
    return clip(plus(times(x, 0.2), 0.5), 0, 1);
  default:
    return clip(plus(quotient(x, 6), 0.5), 0, 1);
  }
}

Node Speller::geluErf(Node x) {
  constexpr double kSqrt2 = 1.41421356237309504880;
  if (random.chance(10))
    return product(times(x, 0.5), f.unary("erfc", times(x, -1 / kSqrt2)));
  Node erf = f.unary("erf", quotient(x, kSqrt2));
  Node bell = plus(erf, 1.0);
  switch (random.below(4)) {
  case 0:
    return product(times(x, 0.5), bell);
  case 1:
    return product(x, times(bell, 0.5));
  case 2:
    return product(x, plus(times(erf, 0.5), 0.5));
  default:
    return times(product(x, bell), 0.5);
  }
}

Node Speller::cube(Node x) {
  switch (random.below(4)) {
  case 0:
    return product(x, square(x));
  case 1:
    return f.op("math.powf", {x, constant(3)});
  default:
    return product(f.mul(x, x), x);
  }
}

Node Speller::geluTanh(Node x) {
  constexpr double kScale = 0.79788456080286535588;
  constexpr double kCubic = 0.044715;
  Node inner =
      random.chance(70)
          ? times(sum(x, times(cube(x), kCubic)), kScale)
          : product(times(x, kScale), plus(times(f.mul(x, x), kCubic), 1.0));
  Node bell = plus(f.unary("tanh", inner), 1.0);
  switch (random.below(3)) {
  case 0:
    return product(times(x, 0.5), bell);
  case 1:
    return product(x, times(bell, 0.5));
  default:
    return times(product(x, bell), 0.5);
  }
}

Node Speller::softplus(Node x) {
  auto log1pExp = [&](Node value) {
    Node power = f.unary("exp", value);
    return random.chance(50) ? f.unary("log1p", power)
                             : f.unary("log", plus(power, 1.0));
  };
  switch (random.below(4)) {
  case 0:
    return sum(max(x, constant(0)), log1pExp(negate(f.unary("absf", x))));
  case 1:
    // Above the threshold both are equal in f32.
    return selectAbove(x, constant(20), x, log1pExp(x));
  default:
    return log1pExp(x);
  }
}

Node Speller::abs(Node x) {
  switch (random.below(4)) {
  case 0:
    return max(x, negate(x));
  case 1:
    return selectAbove(x, constant(0), x, negate(x));
  default:
    return f.unary("absf", x);
  }
}

Node Speller::square(Node x) {
  return random.chance(20) ? f.op("math.powf", {x, constant(2)}) : f.mul(x, x);
}

Node Speller::spell(ActivationKind activation, Node x) {
  switch (activation) {
  case ActivationKind::Relu:
    return relu(x);
  case ActivationKind::Clip: {
    double low = random.pick({0.0, 0.0, 0.0, -1.0, -0.5, 0.25});
    double high = low == 0 ? random.pick({6.0, 6.0, 1.0, 0.75}) : 1.0;
    return clip(x, low, high);
  }
  case ActivationKind::LeakyRelu:
    return leakyRelu(x);
  case ActivationKind::Elu:
    return elu(x);
  case ActivationKind::Sigmoid:
    return sigmoid(x);
  case ActivationKind::Tanh:
    return tanh(x);
  case ActivationKind::Swish:
    return swish(x);
  case ActivationKind::HardSwish:
    return hardSwish(x);
  case ActivationKind::HardSigmoid:
    return hardSigmoid(x);
  case ActivationKind::GeluErf:
    return geluErf(x);
  case ActivationKind::GeluTanh:
    return geluTanh(x);
  case ActivationKind::Softplus:
    return softplus(x);
  case ActivationKind::Mish:
    return product(x, f.unary("tanh", softplus(x)));
  case ActivationKind::Abs:
    return abs(x);
  case ActivationKind::Square:
    return square(x);
  case ActivationKind::Exp:
    return random.chance(10) ? f.unary("exp2", times(x, 1.44269504088896340736))
                             : f.unary("exp", x);
  case ActivationKind::Sqrt:
    return f.unary("sqrt", x);
  }
  return x;
}

Node fusion::fuzz::addActivation(Formula &formula, ActivationKind activation,
                                 Node x, Random &random) {
  return Speller(formula, random).spell(activation, x);
}
