//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"

#include "FusionDialect/IR/LocationText.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

Value fusion::getSize(OpBuilder &builder, Location loc, Value buffer,
                      int64_t dim) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!type.isDynamicDim(dim))
    return arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
  return memref::DimOp::create(builder, loc, buffer, dim);
}

/// `text` for printf, in which each {} is a number if it `hasNumbers`.
static std::string makeFormat(StringRef text, bool hasNumbers) {
  std::string format;
  while (!text.empty()) {
    if (hasNumbers && text.consume_front("{}")) {
      format += "%lld";
      continue;
    }
    format += text.front();
    if (text.front() == '%')
      format += '%';
    text = text.drop_front();
  }
  return format;
}

LLVM::LLVMFuncOp Checks::getFunction(OpBuilder &builder) {
  if (function)
    return function;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  MLIRContext *context = module.getContext();
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                          LLVM::LLVMPointerType::get(context),
                                          /*isVarArg=*/true);
  function = LLVM::LLVMFuncOp::create(builder, builder.getUnknownLoc(),
                                      "fusion_rt_check_failed", type);
  function.setPassthroughAttr(builder.getStrArrayAttr({"cold", "noreturn"}));
  return function;
}

Value Checks::getFormat(OpBuilder &builder, Location loc, StringRef text) {
  LLVM::GlobalOp &global = formats[text];
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    std::string name = "__fusion_check_" + std::to_string(formats.size());
    std::string value = text.str() + '\0';
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), value.size());
    global = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                    LLVM::Linkage::Internal, name,
                                    builder.getStringAttr(value));
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

void Checks::failIf(OpBuilder &builder, Operation *op, Value fails,
                    StringRef text, ValueRange numbers) {
  if (matchPattern(fails, m_Zero()))
    return;
  Location loc = op->getLoc();
  std::string place = getLocationText(loc);
  std::string sentence = makeFormat(text, /*hasNumbers=*/true);
  if (!place.empty())
    sentence += " (" + makeFormat(place, /*hasNumbers=*/false) + ")";
  auto ifOp = scf::IfOp::create(builder, loc, fails);
  OpBuilder inner = ifOp.getThenBodyBuilder();
  SmallVector<Value> operands = {getFormat(inner, loc, sentence)};
  for (Value number : numbers)
    operands.push_back(getValueOrCreateCastToIndexLike(
        inner, loc, inner.getI64Type(), number));
  LLVM::CallOp::create(inner, loc, getFunction(inner), operands);
}

Value fusion::toI64(ImplicitLocOpBuilder &b, Value index) {
  return arith::IndexCastOp::create(b, b.getI64Type(), index);
}

SizeProduct fusion::multiplySizes(ImplicitLocOpBuilder &b, ValueRange sizes) {
  using Predicate = arith::CmpIPredicate;
  Value zero = arith::ConstantIntOp::create(b, 0, 64);
  SizeProduct product;
  product.value = arith::ConstantIntOp::create(b, 1, 64);
  product.fails = arith::ConstantIntOp::create(b, 0, 1);
  for (Value index : sizes) {
    Value size = toI64(b, index);
    auto next = arith::MulUIExtendedOp::create(b, product.value, size);
    Value overflows =
        arith::CmpIOp::create(b, Predicate::ne, next.getHigh(), zero);
    Value isNegative = arith::CmpIOp::create(b, Predicate::slt, size, zero);
    for (Value more : {overflows, isNegative})
      product.fails = arith::OrIOp::create(b, product.fails, more);
    product.value = next.getLow();
    product.text += product.text.empty() ? "{}" : "x{}";
    product.sizes.push_back(size);
  }
  return product;
}
