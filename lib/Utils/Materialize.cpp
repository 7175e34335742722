//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/Materialize.h"
#include "FusionDialect/Utils/EmitScalar.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

using Node = ScalarExpr::Node;

/// `value`, a float, as f32: narrow floats widened. i32 stays as it is.
static Value convertScalarToF32(OpBuilder &builder, Location loc, Value value) {
  Type f32 = builder.getF32Type();
  if (value.getType() == f32 || value.getType().isInteger(32))
    return value;
  if (value.getType().getIntOrFloatBitWidth() < 32)
    return arith::ExtFOp::create(builder, loc, f32, value);
  return arith::TruncFOp::create(builder, loc, f32, value);
}

static TypedAttr getNumberAttr(Type type, double number) {
  if (type.isInteger())
    return IntegerAttr::get(type, static_cast<int64_t>(number));
  return FloatAttr::get(type, static_cast<float>(number));
}

/// A vector of `type` with the same value for each channel.
static Value materializeUniform(OpBuilder &builder, Location loc,
                                const ChannelVector &vector,
                                OpFoldResult channels, Type type) {
  std::optional<int64_t> size = getConstantIntValue(channels);
  Value scalar = vector.base;
  if (vector.number) {
    TypedAttr number = getNumberAttr(type, *vector.number);
    if (size)
      return arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(RankedTensorType::get({*size}, type),
                                 Attribute(number)));
    scalar = arith::ConstantOp::create(builder, loc, number);
  } else if (auto tensor = dyn_cast<RankedTensorType>(scalar.getType())) {
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    SmallVector<Value> indices(tensor.getRank(), zero);
    scalar = tensor::ExtractOp::create(builder, loc, scalar, indices);
  }
  scalar = convertScalarToF32(builder, loc, scalar);
  Value empty = tensor::EmptyOp::create(builder, loc, channels, type);
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

/// The tensor<Cxtype> of the values of `vector`.
static Value materializeAs(OpBuilder &builder, Location loc,
                           const ChannelVector &vector, OpFoldResult channels,
                           Type elementType) {
  if (!vector.dim)
    return materializeUniform(builder, loc, vector, channels, elementType);
  Value value = vector.base;
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() > 1) {
    ReassociationIndices all =
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    value = tensor::CollapseShapeOp::create(
        builder, loc, value, ArrayRef<ReassociationIndices>(all));
    type = cast<RankedTensorType>(value.getType());
  }
  if (type.getElementType() == elementType)
    return value;
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, value),
      builder.getF32Type());
  AffineMap identity = builder.getMultiDimIdentityMap(1);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), value, empty,
             ArrayRef<AffineMap>{identity, identity},
             utils::IteratorType::parallel,
             [](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc,
                                       convertScalarToF32(b, loc, args[0]));
             })
      .getResult(0);
}

Value fusion::materialize(OpBuilder &builder, Location loc,
                          const ChannelVector &vector, OpFoldResult channels) {
  return materializeAs(builder, loc, vector, channels, builder.getF32Type());
}

Value fusion::materializeI32(OpBuilder &builder, Location loc,
                             const ChannelVector &vector,
                             OpFoldResult channels) {
  return materializeAs(builder, loc, vector, channels, builder.getI32Type());
}

Value fusion::materialize(OpBuilder &builder, Location loc,
                          const ChannelExpr &expr, OpFoldResult channels) {
  const ChannelExpr::Leaves &leaves = expr.getLeaves();
  if (auto leaf = leaves.find(expr.getRoot()); leaf != leaves.end())
    return materialize(builder, loc, leaf->second, channels);
  SmallVector<Value> inputs;
  DenseMap<Node *, unsigned> argumentOf;
  for (Node *inside : expr.getNodes()) {
    auto leaf = leaves.find(inside);
    if (leaf == leaves.end() || leaf->second.number)
      continue;
    argumentOf[inside] = inputs.size();
    inputs.push_back(materialize(builder, loc, leaf->second, channels));
  }
  Type f32 = builder.getF32Type();
  Value empty = tensor::EmptyOp::create(builder, loc, channels, f32);
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              builder.getMultiDimIdentityMap(1));
  auto buildBody = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    DenseMap<Node *, Value> valueOf;
    for (Node *inside : expr.getNodes()) {
      Value &value = valueOf[inside];
      auto leaf = leaves.find(inside);
      if (leaf == leaves.end())
        value = emitScalar(b, loc, *inside,
                           llvm::map_to_vector(inside->operands, [&](Node *n) {
                             return valueOf.at(n);
                           }));
      else if (leaf->second.number)
        value = arith::ConstantOp::create(
            b, loc,
            b.getF32FloatAttr(static_cast<float>(*leaf->second.number)));
      else
        value = arguments[argumentOf.at(inside)];
    }
    linalg::YieldOp::create(b, loc, valueOf.at(expr.getRoot()));
  };
  return linalg::GenericOp::create(builder, loc, empty.getType(), inputs, empty,
                                   maps, utils::IteratorType::parallel,
                                   buildBody)
      .getResult(0);
}
