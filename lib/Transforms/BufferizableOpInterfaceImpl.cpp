//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/BufferizableOpInterfaceImpl.h"
#include "FusionDialect/IR/FusionOps.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace fusion;

namespace {

template <typename OpTy>
struct FusedOpBufferization
    : public DstBufferizableOpInterfaceExternalModel<FusedOpBufferization<OpTy>,
                                                     OpTy> {
  /// The destination is only written: the base class takes it as read.
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  /// Each element of the residual is read before the element of the destination
  /// at the same place is written, so the two may be one buffer.
  bool bufferizesToElementwiseAccess(Operation *op, const AnalysisState &,
                                     ArrayRef<OpOperand *> operands) const {
    // The operands themselves, not their values: one value may be the input
    // too.
    auto fused = cast<OpTy>(op);
    MutableOperandRange residual = fused.getResidualMutable();
    return llvm::all_of(operands, [&](OpOperand *operand) {
      return fused.isDpsInit(operand) ||
             (!residual.empty() && operand == &residual[0]);
    });
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return op->emitOpError("cannot bufferize operand ") << operand;
      operands.push_back(*buffer);
    }
    Value init = operands.back();
    OperationState copy(op->getLoc(), op->getName(), operands, TypeRange(),
                        op->getDiscardableAttrDictionary().getValue());
    copy.propertiesAttr = op->getPropertiesAsAttribute();
    rewriter.create(copy);
    replaceOpWithBufferizedValues(rewriter, op, init);
    return success();
  }
};

} // namespace

void fusion::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FusionDialect *) {
    FusedConvBiasActOp::attachInterface<
        FusedOpBufferization<FusedConvBiasActOp>>(*context);
    FusedDeconvBiasActOp::attachInterface<
        FusedOpBufferization<FusedDeconvBiasActOp>>(*context);
    FusedMatmulBiasActOp::attachInterface<
        FusedOpBufferization<FusedMatmulBiasActOp>>(*context);
  });
}
