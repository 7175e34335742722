//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Support/ElementSize.h"
#include "FusionDialect/Support/TensorSize.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONPLANMEMORY
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

/// The size of a cache line, and of the widest vectors that kernels load.
static constexpr int64_t alignment = 64;

namespace {
/// A buffer between the op that allocates it and the one that frees it.
struct Buffer {
  memref::AllocOp alloc;
  memref::DeallocOp dealloc;
  /// The size in bytes, or the bytes per unit of the one dynamic size.
  int64_t bytes;
  int64_t offset = 0;

  Value getUnit() const {
    OperandRange sizes = memref::AllocOp(alloc).getDynamicSizes();
    return sizes.empty() ? Value() : sizes.front();
  }
  bool livesWith(const Buffer &other) const {
    return alloc->isBeforeInBlock(other.dealloc) &&
           other.alloc->isBeforeInBlock(dealloc);
  }
};

/// The buffers of static size, or those whose sizes are multiples of one value,
/// such as the batch. They have a part of the arena for themselves.
struct Part {
  /// Null if sizes are static.
  Value unit;
  SmallVector<Buffer> buffers;
  /// The size in bytes per unit.
  int64_t bytes = 0;
};
} // namespace

/// Whether a buffer of `type` exceeds the address space. Upstream would
/// allocate the product of its sizes modulo 2^64.
static bool isTooLargeForMemory(MemRefType type) {
  Type element = type.getElementType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 8;
  return type.hasStaticShape() &&
         !countBytes(type.getShape(), getElementBytes(bits));
}

/// The bytes of `type` per unit of its dynamic size, rounded up so that the
/// next buffer is aligned. None if several sizes are dynamic, if they are too
/// many, or if rounding up loses so much per unit that an allocation is better.
static std::optional<int64_t> getSize(MemRefType type) {
  Type element = type.getElementType();
  if (type.getNumDynamicDims() > 1 || !type.getLayout().isIdentity() ||
      type.getMemorySpace() || !element.isIntOrFloat())
    return std::nullopt;
  SmallVector<int64_t> shape(type.getShape());
  std::replace(shape.begin(), shape.end(), ShapedType::kDynamic, int64_t(1));
  std::optional<int64_t> bytes =
      countBytes(shape, getElementBytes(element.getIntOrFloatBitWidth()));
  if (!bytes)
    return std::nullopt;
  int64_t aligned = llvm::alignTo(*bytes, alignment);
  if (!type.hasStaticShape() && aligned - *bytes > *bytes / 4)
    return std::nullopt;
  return aligned;
}

/// The buffers of `block` that are freed in it.
static SmallVector<Buffer> findBuffers(Block &block) {
  SmallVector<Buffer> buffers;
  for (auto alloc : block.getOps<memref::AllocOp>()) {
    std::optional<int64_t> bytes = getSize(alloc.getType());
    if (!bytes || alloc.getAlignment().value_or(1) > alignment)
      continue;
    memref::DeallocOp dealloc;
    for (Operation *user : alloc->getUsers())
      if (auto found = dyn_cast<memref::DeallocOp>(user))
        dealloc = found;
    if (dealloc && dealloc->getBlock() == &block)
      buffers.push_back({alloc, dealloc, *bytes});
  }
  return buffers;
}

/// Whether `unit` is known at `first`, where the arena begins.
static bool isKnownAt(Value unit, Operation *first) {
  Operation *definingOp = unit ? unit.getDefiningOp() : nullptr;
  return !definingOp || definingOp->getBlock() != first->getBlock() ||
         definingOp->isBeforeInBlock(first);
}

/// The buffers by unit; those of static size come first. Leaves out buffers
/// whose size is not known when the first one is allocated.
static SmallVector<Part> findParts(Block &block) {
  SmallVector<Buffer> buffers = findBuffers(block);
  SmallVector<Part> parts(1);
  for (const Buffer &buffer : buffers) {
    Value unit = buffer.getUnit();
    if (!isKnownAt(unit, buffers.front().alloc))
      continue;
    auto part = llvm::find_if(
        parts, [&](const Part &part) { return part.unit == unit; });
    if (part == parts.end())
      part = parts.insert(part, Part{unit, {}});
    part->buffers.push_back(buffer);
  }
  if (parts.front().buffers.empty())
    parts.erase(parts.begin());
  return parts;
}

/// Sets the offsets of the buffers, and returns the size of the arena.
static int64_t assignOffsets(MutableArrayRef<Buffer> buffers) {
  SmallVector<Buffer *> bySize;
  for (Buffer &buffer : buffers)
    bySize.push_back(&buffer);
  llvm::sort(bySize, [](const Buffer *a, const Buffer *b) {
    return a->bytes != b->bytes ? a->bytes > b->bytes
                                : a->alloc->isBeforeInBlock(b->alloc);
  });
  SmallVector<const Buffer *> placed; // by offset
  int64_t total = 0;
  for (Buffer *buffer : bySize) {
    for (const Buffer *other : placed)
      if (buffer->livesWith(*other) &&
          buffer->offset + buffer->bytes > other->offset)
        buffer->offset = std::max(buffer->offset, other->offset + other->bytes);
    placed.insert(llvm::upper_bound(placed, buffer,
                                    [](const Buffer *a, const Buffer *b) {
                                      return a->offset < b->offset;
                                    }),
                  buffer);
    total = std::max(total, buffer->offset + buffer->bytes);
  }
  return total;
}

/// `unit` times `bytes`, or `bytes` if `unit` is null.
static OpFoldResult multiply(OpBuilder &builder, Location loc, Value unit,
                             int64_t bytes) {
  if (!unit)
    return builder.getIndexAttr(bytes);
  if (bytes == 0)
    return builder.getIndexAttr(0);
  Value factor = arith::ConstantIndexOp::create(builder, loc, bytes);
  return arith::MulIOp::create(builder, loc, unit, factor).getResult();
}

static OpFoldResult add(OpBuilder &builder, Location loc, OpFoldResult a,
                        OpFoldResult b) {
  std::optional<int64_t> constantA = getConstantIntValue(a),
                         constantB = getConstantIntValue(b);
  if (constantA && constantB)
    return builder.getIndexAttr(*constantA + *constantB);
  if (constantA == 0)
    return b;
  if (constantB == 0)
    return a;
  return arith::AddIOp::create(builder, loc,
                               getValueOrCreateConstantIndexOp(builder, loc, a),
                               getValueOrCreateConstantIndexOp(builder, loc, b))
      .getResult();
}

/// Begins an arena that holds `parts` one after the other. `begins` gets the
/// offset of each.
static Value beginArena(OpBuilder &builder, Location loc, ArrayRef<Part> parts,
                        SmallVectorImpl<OpFoldResult> &begins) {
  OpFoldResult total = builder.getIndexAttr(0);
  for (const Part &part : parts) {
    begins.push_back(total);
    total =
        add(builder, loc, total, multiply(builder, loc, part.unit, part.bytes));
  }
  SmallVector<int64_t> shape;
  SmallVector<Value> size;
  dispatchIndexOpFoldResult(total, size, shape);
  return RtArenaBeginOp::create(builder, loc,
                                MemRefType::get(shape, builder.getI8Type()),
                                size.empty() ? Value() : size.front());
}

/// Moves all buffers of `parts`, which belong to one block, into an arena.
static void createArena(ArrayRef<Part> parts) {
  Operation *first = nullptr, *last = nullptr;
  for (const Part &part : parts)
    for (const Buffer &buffer : part.buffers) {
      memref::AllocOp alloc = buffer.alloc;
      if (!first || alloc->isBeforeInBlock(first))
        first = alloc;
      if (!last || last->isBeforeInBlock(buffer.dealloc))
        last = buffer.dealloc;
    }
  IRRewriter rewriter(first->getContext());
  rewriter.setInsertionPoint(first);
  SmallVector<OpFoldResult> begins;
  Value arena = beginArena(rewriter, first->getLoc(), parts, begins);
  rewriter.setInsertionPointAfter(last);
  RtArenaEndOp::create(rewriter, last->getLoc(), arena);
  for (auto [part, begin] : llvm::zip_equal(parts, begins))
    for (const Buffer &buffer : part.buffers) {
      memref::AllocOp alloc = buffer.alloc;
      Location loc = alloc.getLoc();
      rewriter.eraseOp(buffer.dealloc);
      rewriter.setInsertionPoint(alloc);
      OpFoldResult offset =
          add(rewriter, loc, begin,
              multiply(rewriter, loc, part.unit, buffer.offset));
      rewriter.replaceOpWithNewOp<memref::ViewOp>(
          alloc, alloc.getType(), arena,
          getValueOrCreateConstantIndexOp(rewriter, loc, offset),
          alloc.getDynamicSizes());
    }
}

/// Reports the size of `part` of the arena of `function`.
static void emitRemark(FunctionOpInterface function, const Part &part) {
  int64_t sum = 0;
  for (const Buffer &buffer : part.buffers)
    sum += buffer.bytes;
  remark::analysis(
      function.getLoc(),
      remark::RemarkOpts::name("fusion-plan-memory").category("fusion"))
      << llvm::formatv("an arena of {0} bytes{3} for {1} buffers of {2} bytes",
                       part.bytes, part.buffers.size(), sum,
                       part.unit ? " for each unit of a dynamic size" : "")
             .str();
}

namespace {
struct PlanMemoryPass
    : public fusion::impl::FusionPlanMemoryBase<PlanMemoryPass> {
  void runOnOperation() override {
    auto isTooLarge = [](memref::AllocOp alloc) {
      if (!isTooLargeForMemory(alloc.getType()))
        return WalkResult::advance();
      alloc.emitError("a buffer must have at most 2^47 bytes, got ")
          << alloc.getType();
      return WalkResult::interrupt();
    };
    if (getOperation()->walk(isTooLarge).wasInterrupted())
      return signalPassFailure();
    getOperation()->walk([](FunctionOpInterface function) {
      if (function.isExternal())
        return;
      planBlock(function, function.getFunctionBody().front());
      function->walk(
          [&](scf::ForOp loop) { planBlock(function, *loop.getBody()); });
    });
  }

  static void planBlock(FunctionOpInterface function, Block &block) {
    SmallVector<Part> parts = findParts(block);
    for (Part &part : parts) {
      part.bytes = assignOffsets(part.buffers);
      emitRemark(function, part);
    }
    if (!parts.empty())
      createArena(parts);
  }
};
} // namespace
