//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Laws.h"
#include <cmath>

using namespace mlir;
using namespace fusion;

std::optional<ScaledTensor> fusion::matchConstantScale(linalg::LinalgOp op) {
  Refusal unread = Refusal::unread();
  FailureOr<AffineRounding> form = AffineRounding::match(op, unread);
  bool isScale =
      succeeded(form) && form->terms.size() == 1 &&
      form->rounding == Rounding::None && std::isinf(form->lower) &&
      std::isinf(form->upper) &&
      llvm::all_of(form->offset, [](double number) { return number == 0.0; });
  if (!isScale)
    return std::nullopt;
  const AffineRounding::Term &term = form->terms[0];
  Value tensor = op->getOperand(term.input);
  if (!getElementTypeOrSelf(tensor).isF32() ||
      !getElementTypeOrSelf(op->getResult(0)).isF32())
    return std::nullopt;
  return ScaledTensor{tensor, term.factor, form->dim};
}
