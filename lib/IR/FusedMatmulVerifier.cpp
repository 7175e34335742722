//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The constraints of `fusion.fused_matmul_bias_act`, numbered as in
// docs/FusedMatmulBiasAct.md. The constraints that ODS checks are marked in
// FusionOps.td. Those of all fused ops are in FusedOpVerifier.cpp.

#include "FusedOpVerifier.h"
#include "FusionDialect/IR/FusionOps.h"

using namespace mlir;
using namespace fusion;

/// Fails unless `layout` has the letters of `needed`, letters of `optional` and
/// no others, one for each dimension of `value`.
static LogicalResult verifyLetters(FusedOpInterface op, StringRef name,
                                   Value value, LayoutAttr layout,
                                   StringRef needed, StringRef optional) {
  int64_t rank = cast<ShapedType>(value.getType()).getRank();
  bool hasNeeded =
      llvm::all_of(needed, [&](char letter) { return layout.has(letter); });
  bool hasNoOthers = llvm::all_of(layout.getLetters(), [&](char letter) {
    return needed.contains(letter) || optional.contains(letter);
  });
  if (hasNeeded && hasNoOthers && layout.getRank() == rank)
    return success();
  return op->emitOpError() << "'" << name << "' must name " << rank
                           << " dimensions, those of \"" << needed
                           << "\" and any of \"" << optional << "\", got \""
                           << layout.getLetters() << "\"";
}

/// matmul_c5, matmul_c6, matmul_c7, matmul_c8
static LogicalResult verifyLayouts(FusedOpInterface op) {
  if (failed(verifyLetters(op, "input_layout", op.getInput(),
                           op.getInputLayout(), "k", "bm")) ||
      failed(verifyLetters(op, "filter_layout", op.getFilter(),
                           op.getFilterLayout(), "kn", "b")))
    return failure();
  std::string letters = op.getInputLayout().getLetters().str();
  llvm::replace(letters, 'k', 'n');
  if (failed(verifyLayout(op, "output_layout", op.getOutputLayout(), letters)))
    return failure();
  int64_t rank = cast<ShapedType>(op.getInit().getType()).getRank();
  if (static_cast<int64_t>(letters.size()) != rank)
    return op->emitOpError() << "'init' must have the rank of 'input' ("
                             << letters.size() << "), got " << rank;
  if (op.getFilterLayout().has('b') && !op.getInputLayout().has('b'))
    return op->emitOpError()
           << "'filter_layout' may have 'b' only if 'input_layout' (\""
           << op.getInputLayout().getLetters() << "\") has it, got \""
           << op.getFilterLayout().getLetters() << "\"";
  return success();
}

namespace {
/// An operand with its layout.
struct Named {
  StringRef name;
  Value value;
  LayoutAttr layout;

  int64_t getSize(char letter) const {
    return layout.getDimSize(value, letter);
  }
};
} // namespace

/// Verifies that `operand` has the size of `other` in dimension `letter`, if
/// both have it.
static LogicalResult verifySize(FusedOpInterface op, const Named &operand,
                                const Named &other, char letter) {
  if (!operand.layout.has(letter) || !other.layout.has(letter) ||
      areCompatible(operand.getSize(letter), other.getSize(letter)))
    return success();
  return op->emitOpError() << "'" << operand.name << "' must have the size of '"
                           << other.name << "' in dimension '" << letter
                           << "' (" << other.getSize(letter) << "), got "
                           << operand.getSize(letter);
}

/// matmul_c9, matmul_c10, matmul_c11, matmul_c12
static LogicalResult verifySizes(FusedOpInterface op) {
  Named input{"input", op.getInput(), op.getInputLayout()};
  Named filter{"filter", op.getFilter(), op.getFilterLayout()};
  Named init{"init", op.getInit(), op.getOutputLayout()};
  if (failed(verifySize(op, filter, input, 'k')) ||
      failed(verifySize(op, filter, input, 'b')) ||
      failed(verifySize(op, init, input, 'b')) ||
      failed(verifySize(op, init, input, 'm')) ||
      failed(verifySize(op, init, filter, 'n')))
    return failure();
  int64_t channels = init.getSize('n');
  return verifyBias(op, ShapedType::isDynamic(channels) ? filter.getSize('n')
                                                        : channels);
}

static LogicalResult verifyMatmul(FusedOpInterface op) {
  if (failed(verifyOperands(op)) || failed(verifyLayouts(op)) ||
      failed(verifySizes(op)) || failed(verifyResidualOrder(op)))
    return failure();
  return verifyNoAlias(op);
}

LogicalResult FusedMatmulBiasActOp::verify() { return verifyMatmul(*this); }

LogicalResult QuantizedMatmulBiasActOp::verify() {
  return failure(failed(verifyMatmul(*this)) ||
                 failed(verifyQuantization(*this)));
}
