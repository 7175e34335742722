//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FUSION_LIB_CONVERSION_FUSIONTOLLVM_SLOTS_H
#define FUSION_LIB_CONVERSION_FUSIONTOLLVM_SLOTS_H

#include "FusionDialect/IR/FusionOps.h"
#include "FusionRuntime/fusion_runtime.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace fusion {

/// The function that executes a call site, the one that prepares it, the number
/// of the first, and the dimensions of the operands in the runtime's order.
struct Callee {
  llvm::StringRef function, prepare;
  int32_t number;
  std::string input, filter, output;
};
Callee getCallee(RtCreateOp op);

/// The call site `callee` of `op`, found in `symbols` if it is not null; or
/// null.
RtCreateOp findCallSite(mlir::Operation *op, mlir::FlatSymbolRefAttr callee,
                        mlir::SymbolTableCollection *symbols);

/// True if the calls are on integers, with `fusion_rt_quantized_args`.
bool isQuantized(RtCreateOp op);

/// For each dimension of an operand in the runtime's order its place in the
/// memref, or -1 for one that it is without.
struct Places {
  llvm::SmallVector<int64_t> input, filter, output;
};
Places getPlaces(RtCreateOp op);

/// A tensor of `type`, a memref, without an address; zeros if there is none.
/// `positions` gives for each dimension in logical order its place in the
/// memref, or -1 for one that it is without, which gets size 1.
fusion_rt_tensor createTensor(std::optional<mlir::Type> type,
                              llvm::ArrayRef<int64_t> positions);

/// The bytes of a struct of the runtime's header.
template <typename Struct> std::string getBytes(const Struct &value) {
  return std::string(reinterpret_cast<const char *>(&value), sizeof(value));
}

/// The global `name` of these bytes.
void createBytes(mlir::OpBuilder &builder, mlir::Location loc,
                 const std::string &name, llvm::StringRef bytes,
                 bool isConstant = true);

/// The slot of the call site `name`, which points at the global `name`_desc and
/// holds the state; and the text of its location.
void createSlot(mlir::ConversionPatternRewriter &rewriter, mlir::Location loc,
                const std::string &name);

/// The address of the slot of the call site `name`.
mlir::Value createSlotAddress(mlir::OpBuilder &builder, mlir::Location loc,
                              llvm::StringRef name);

/// A name for one more symbol that belongs to `callSite`, NAME followed by
/// `suffix` and perhaps a number. The symbol has to be created directly behind
/// `callSite`, where the others are.
std::string createSymbolName(RtCreateOp callSite, llvm::StringRef suffix);

/// A call of a function of the runtime.
mlir::FailureOr<mlir::LLVM::CallOp>
createRuntimeCall(mlir::ConversionPatternRewriter &rewriter,
                  mlir::Operation *op, llvm::StringRef name,
                  mlir::Type resultType, mlir::ValueRange operands);

/// Room for `type` on the stack of the function around `op`: made once at its
/// entry, so that a loop does not pile it up.
mlir::Value createStackSlot(mlir::ConversionPatternRewriter &rewriter,
                            mlir::Operation *op, mlir::Type type);

/// Adds the pattern that converts `fusion.rt.execute`.
void populateExecuteToLLVMPatterns(const mlir::LLVMTypeConverter &converter,
                                   mlir::RewritePatternSet &patterns,
                                   mlir::SymbolTableCollection *symbols);

/// Adds the pattern that converts `fusion.rt.parallel_for`.
void populateParallelForToLLVMPatterns(const mlir::LLVMTypeConverter &converter,
                                       mlir::RewritePatternSet &patterns);

/// Adds the pattern that converts `fusion.rt.prepare`.
void populatePrepareToLLVMPatterns(const mlir::LLVMTypeConverter &converter,
                                   mlir::RewritePatternSet &patterns,
                                   mlir::SymbolTableCollection *symbols);

/// Adds the pattern that converts `fusion.rt.once`.
void populateOnceToLLVMPatterns(const mlir::LLVMTypeConverter &converter,
                                mlir::RewritePatternSet &patterns);

} // namespace fusion

#endif // FUSION_LIB_CONVERSION_FUSIONTOLLVM_SLOTS_H
