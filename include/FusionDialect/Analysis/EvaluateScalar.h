//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_EVALUATESCALAR_H
#define FUSION_ANALYSIS_EVALUATESCALAR_H

#include "FusionDialect/Analysis/ScalarExpr.h"

namespace fusion {

/// True if `evaluateScalar` and `emitScalar` can compute nodes of this kind,
/// which have operands.
bool isComputable(ScalarExpr::Kind kind);

/// Computes `node`, which must be computable, in f64 for each element of
/// `result`, from the numbers of its operands. Narrowings round, and so do
/// nodes that compute in a type narrower than f32.
void evaluateScalar(const ScalarExpr::Node &node,
                    llvm::ArrayRef<llvm::ArrayRef<double>> operands,
                    llvm::MutableArrayRef<double> result);

} // namespace fusion

#endif // FUSION_ANALYSIS_EVALUATESCALAR_H
