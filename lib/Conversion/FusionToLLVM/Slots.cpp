//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Slots.h"
#include "FusionDialect/IR/LocationText.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace fusion;

static std::string getSlotName(StringRef name) {
  return (name + "_slot").str();
}

RtCreateOp fusion::findCallSite(Operation *op, FlatSymbolRefAttr callee,
                                SymbolTableCollection *symbols) {
  if (symbols)
    return symbols->lookupNearestSymbolFrom<RtCreateOp>(op, callee);
  return SymbolTable::lookupNearestSymbolFrom<RtCreateOp>(op, callee);
}

fusion_rt_tensor fusion::createTensor(std::optional<Type> type,
                                      ArrayRef<int64_t> positions) {
  fusion_rt_tensor tensor = {};
  if (!type)
    return tensor;
  auto memref = cast<MemRefType>(*type);
  auto [strides, offset] = memref.getStridesAndOffset();
  for (auto [i, position] : llvm::enumerate(positions)) {
    tensor.sizes[i] = position < 0 ? 1 : memref.getDimSize(position);
    tensor.strides[i] = position < 0 ? 1 : strides[position];
  }
  return tensor;
}

void fusion::createBytes(OpBuilder &builder, Location loc,
                         const std::string &name, StringRef bytes,
                         bool isConstant) {
  Type type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  LLVM::GlobalOp::create(builder, loc, type, isConstant,
                         LLVM::Linkage::Internal, name,
                         builder.getStringAttr(bytes), /*alignment=*/8);
}

void fusion::createSlot(ConversionPatternRewriter &rewriter, Location loc,
                        const std::string &name) {
  std::string text = getLocationText(loc);
  createBytes(rewriter, loc, name + "_loc",
              StringRef(text.c_str(), text.size() + 1));
  Type pointer = LLVM::LLVMPointerType::get(rewriter.getContext());
  Type slotType = LLVM::LLVMStructType::getLiteral(rewriter.getContext(),
                                                   {pointer, pointer, pointer});
  auto slot =
      LLVM::GlobalOp::create(rewriter, loc, slotType,
                             /*isConstant=*/false, LLVM::Linkage::Internal,
                             getSlotName(name), Attribute());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.createBlock(&slot.getInitializerRegion());
  Value value = LLVM::ZeroOp::create(rewriter, loc, slotType);
  for (auto [field, suffix] : {std::pair(0, "_desc"), std::pair(1, "_loc")}) {
    Value address =
        LLVM::AddressOfOp::create(rewriter, loc, pointer, name + suffix);
    value = LLVM::InsertValueOp::create(rewriter, loc, value, address, field);
  }
  LLVM::ReturnOp::create(rewriter, loc, value);
}

Value fusion::createSlotAddress(OpBuilder &builder, Location loc,
                                StringRef name) {
  return LLVM::AddressOfOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      getSlotName(name));
}

std::string fusion::createSymbolName(RtCreateOp callSite, StringRef suffix) {
  std::string first = (callSite.getSymName() + suffix).str();
  std::string name = first;
  // Not a lookup in the module, which has several symbols for each call site.
  unsigned count = 0;
  for (Operation *op = callSite->getNextNode(); op; op = op->getNextNode()) {
    auto other =
        op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    if (!other || !other.getValue().starts_with(callSite.getSymName()))
      break;
    if (other.getValue().starts_with(first))
      name = first + "_" + std::to_string(count++);
  }
  return name;
}

FailureOr<LLVM::CallOp>
fusion::createRuntimeCall(ConversionPatternRewriter &rewriter, Operation *op,
                          StringRef name, Type resultType,
                          ValueRange operands) {
  auto module = op->getParentOfType<ModuleOp>();
  SmallVector<Type> types(operands.getTypes());
  FailureOr<LLVM::LLVMFuncOp> function =
      LLVM::lookupOrCreateFn(rewriter, module, name, types, resultType);
  if (failed(function))
    return rewriter.notifyMatchFailure(
        op, "the module has another symbol called '" + name + "'");
  return LLVM::CallOp::create(rewriter, op->getLoc(), *function, operands);
}

Value fusion::createStackSlot(ConversionPatternRewriter &rewriter,
                              Operation *op, Type type) {
  OpBuilder::InsertionGuard guard(rewriter);
  auto function = op->getParentOfType<FunctionOpInterface>();
  rewriter.setInsertionPointToStart(&function.getFunctionBody().front());
  Value one = LLVM::ConstantOp::create(rewriter, op->getLoc(),
                                       rewriter.getI64IntegerAttr(1));
  return LLVM::AllocaOp::create(rewriter, op->getLoc(),
                                LLVM::LLVMPointerType::get(op->getContext()),
                                type, one, /*alignment=*/8);
}
