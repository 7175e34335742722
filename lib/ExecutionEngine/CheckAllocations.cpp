//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"

#include "FusionDialect/Support/ElementSize.h"
#include "FusionDialect/Support/TensorSize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace fusion;

/// Checks in front of `place` that a tensor may have the sizes of `buffer`,
/// where `dynamicSizes` stand for those that are dynamic. Upstream would
/// allocate their product modulo 2^64.
static void requireSizes(Checks &checks, Operation *place,
                         TypedValue<MemRefType> buffer,
                         ValueRange dynamicSizes) {
  MemRefType type = buffer.getType();
  Operation *op = buffer.getDefiningOp();
  ImplicitLocOpBuilder b(op->getLoc(), place);
  SmallVector<Value> sizes;
  for (int64_t size : type.getShape()) {
    if (ShapedType::isStatic(size)) {
      sizes.push_back(arith::ConstantIndexOp::create(b, size));
      continue;
    }
    sizes.push_back(dynamicSizes.front());
    dynamicSizes = dynamicSizes.drop_front();
  }
  SizeProduct elements = multiplySizes(b, sizes);
  int64_t width = DataLayout::closest(op).getTypeSize(type.getElementType());
  Value most = arith::ConstantIntOp::create(b, maxTensorBytes / width, 64);
  Value isBeyond =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, elements.value, most);
  std::string text = "a tensor must have sizes of at least 0 and at most 2^47 "
                     "bytes, got " +
                     elements.text + "x";
  llvm::raw_string_ostream(text) << type.getElementType();
  checks.failIf(b, op, arith::OrIOp::create(b, elements.fails, isBeyond), text,
                elements.sizes);
}

void fusion::checkAllocation(Checks &checks, memref::AllocOp op) {
  if (!op.getDynamicSizes().empty())
    requireSizes(checks, op, op.getMemref(), op.getDynamicSizes());
}

/// Bytes of a buffer for each unit of its one dynamic size.
static int64_t getBytesOfUnit(memref::ViewOp view) {
  SmallVector<int64_t> shape(view.getType().getShape());
  std::replace(shape.begin(), shape.end(), ShapedType::kDynamic, int64_t(1));
  Type element = view.getType().getElementType();
  int64_t width = element.isIntOrFloat()
                      ? getElementBytes(element.getIntOrFloatBitWidth())
                      : DataLayout::closest(view).getTypeSize(element);
  return countBytes(shape, width).value_or(maxTensorBytes);
}

void fusion::checkArena(Checks &checks, RtArenaBeginOp op) {
  // Of buffers with one dynamic size the largest is enough. The size of the
  // arena is made of these sizes, so that they are there in front of it.
  llvm::MapVector<Value, memref::ViewOp> largest;
  for (Operation *user : op->getUsers()) {
    auto view = dyn_cast<memref::ViewOp>(user);
    if (!view || view.getSizes().empty())
      continue;
    memref::ViewOp &other = largest[view.getSizes().front()];
    if (!other || getBytesOfUnit(view) > getBytesOfUnit(other))
      other = view;
  }
  for (auto [size, view] : largest)
    requireSizes(checks, op, view.getResult(), view.getSizes());
}
