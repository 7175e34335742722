//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSPOSABLEOPINTERFACE_TD
#define FUSION_TRANSPOSABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def Fusion_TransposableOpInterface : OpInterface<"TransposableOpInterface"> {
  let cppNamespace = "::fusion";
  let description = [{
    An op that can compute the same on transposed tensors. `fusion-propagate-layout` moves
    transposes across such ops. Ops of tensor and linalg, and `fusion.pool`, implement it by
    external models. An op with upstream's traits of element-wise ops takes part without it,
    if its results are ranked tensors.

    A permutation is that of `linalg.transpose`: dimension `i` of the transposed tensor is
    dimension `permutation[i]` of the other one, so that `[0, 2, 3, 1]` brings NCHW to NHWC.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the operands whose transposed tensors the op may be computed on, also those
        of ops in its body; none if it takes no part. By default these are all tensors.
      }],
      "::llvm::SmallVector<::mlir::OpOperand *>", "getTransposableOperands", (ins), "", [{
        ::llvm::SmallVector<::mlir::OpOperand *> operands;
        for (::mlir::OpOperand &operand : $_op->getOpOperands())
          if (::llvm::isa<::mlir::TensorType>(operand.get().getType()))
            operands.push_back(&operand);
        return operands;
      }]>,
    InterfaceMethod<[{
        Computes the op with `operand`, one of `getTransposableOperands`, transposed by
        `permutation`, which has a number for each of its dimensions. The ops for this are
        created where `rewriter` stands, in front of the op, which stays as it is.
        `fusion::reorder` gives the transposed tensor of an operand. That of `operand` is
        there already and costs nothing; other operands are transposed as their meaning
        wants it.

        Returns for each result a tensor, and the permutation that brings the result to it.
        The tensor has the element type, the encoding and the permuted sizes of the result.
        The permutation may be another one than that of `operand`, and of another rank.

        An op that cannot be computed so creates nothing, and returns
        `rewriter.notifyMatchFailure(op, reason)`. The pass then asks with the next operand.
      }],
      "::llvm::FailureOr<::llvm::SmallVector<::fusion::TransposedValue>>",
      "getTransposedImplementation",
      (ins "::mlir::RewriterBase &":$rewriter, "::mlir::OpOperand &":$operand,
           "::llvm::ArrayRef<int64_t>":$permutation)>,
  ];
}

#endif // FUSION_TRANSPOSABLEOPINTERFACE_TD
