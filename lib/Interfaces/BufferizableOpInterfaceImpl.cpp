//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Interfaces/BufferizableOpInterfaceImpl.h"
#include "FusionDialect/IR/FusionOps.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace fusion;

/// Makes `op` an op on the buffers of its operands. The last one is the
/// destination.
static LogicalResult bufferizeInPlace(Operation *op, RewriterBase &rewriter,
                                      const BufferizationOptions &options,
                                      BufferizationState &state) {
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

namespace {

template <typename OpTy>
struct FusedOpBufferization
    : public DstBufferizableOpInterfaceExternalModel<FusedOpBufferization<OpTy>,
                                                     OpTy> {
  /// The destination is only written. The base class would take it as read.
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  /// Each element of the residual is read before the element of the destination
  /// at the same place is written, so the two may be one buffer.
  bool bufferizesToElementwiseAccess(Operation *op, const AnalysisState &,
                                     ArrayRef<OpOperand *> operands) const {
    // Compares operands, not their values: one value may be both residual and
    // input.
    auto fused = cast<OpTy>(op);
    bool isRead =
        mayOverwriteResidual(cast<FusedOpInterface>(fused.getOperation()));
    return llvm::all_of(operands, [&](OpOperand *operand) {
      return fused.isDpsInit(operand) ||
             (isRead && operand == &fused.getResidualMutable()[0]);
    });
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    return bufferizeInPlace(op, rewriter, options, state);
  }
};

struct PoolBufferization
    : public DstBufferizableOpInterfaceExternalModel<PoolBufferization,
                                                     PoolOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    return bufferizeInPlace(op, rewriter, options, state);
  }
};

/// The results of `fusion.rt.once` are buffers of the runtime, to be read only.
struct RtOnceBufferization
    : public BufferizableOpInterface::ExternalModel<RtOnceBufferization,
                                                    RtOnceOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }
  bool isWritable(Operation *, Value, const AnalysisState &) const {
    return false;
  }

  FailureOr<BufferLikeType> getBufferType(Operation *, Value value,
                                          const BufferizationOptions &,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    return cast<BufferLikeType>(getMemRefTypeWithStaticIdentityLayout(
        cast<TensorType>(value.getType())));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto once = cast<RtOnceOp>(op);
    SmallVector<Value> constants;
    for (Value constant : once.getConstants()) {
      FailureOr<Value> buffer = getBuffer(rewriter, constant, options, state);
      if (failed(buffer))
        return op->emitOpError("cannot bufferize operand ") << constant;
      constants.push_back(*buffer);
    }
    SmallVector<Type> types =
        llvm::map_to_vector(op->getResultTypes(), [](Type type) -> Type {
          return getMemRefTypeWithStaticIdentityLayout(cast<TensorType>(type));
        });
    auto buffers = RtOnceOp::create(rewriter, op->getLoc(), types,
                                    once.getCalleeAttr(), constants);
    replaceOpWithBufferizedValues(rewriter, op, buffers.getResults());
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
    QuantizedConvBiasActOp::attachInterface<
        FusedOpBufferization<QuantizedConvBiasActOp>>(*context);
    QuantizedMatmulBiasActOp::attachInterface<
        FusedOpBufferization<QuantizedMatmulBiasActOp>>(*context);
    PoolOp::attachInterface<PoolBufferization>(*context);
    RtOnceOp::attachInterface<RtOnceBufferization>(*context);
  });
}
