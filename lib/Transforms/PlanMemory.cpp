//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONPLANMEMORY
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

/// Cache lines, and the vectors that kernels load.
static constexpr int64_t alignment = 64;

namespace {
/// A buffer between the op that allocates it and the one that frees it.
struct Buffer {
  memref::AllocOp alloc;
  memref::DeallocOp dealloc;
  int64_t bytes;
  int64_t offset = 0;

  bool livesWith(const Buffer &other) const {
    return alloc->isBeforeInBlock(other.dealloc) &&
           other.alloc->isBeforeInBlock(dealloc);
  }
};
} // namespace

/// The bytes of `type`, rounded up so that what follows is aligned; none if
/// they are known only at run time.
static std::optional<int64_t> getSize(MemRefType type) {
  Type element = type.getElementType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getMemorySpace() || !element.isIntOrFloat())
    return std::nullopt;
  int64_t bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  return llvm::alignTo(type.getNumElements() * bytes, alignment);
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

/// Sets the offsets and returns the size of the arena.
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

/// Puts `buffers`, of one block, into an arena of `bytes`.
static void createArena(ArrayRef<Buffer> buffers, int64_t bytes) {
  Operation *first = buffers.front().alloc, *last = buffers.front().dealloc;
  for (const Buffer &buffer : buffers)
    if (last->isBeforeInBlock(buffer.dealloc))
      last = buffer.dealloc;
  IRRewriter rewriter(first->getContext());
  rewriter.setInsertionPoint(first);
  auto type = MemRefType::get({bytes}, rewriter.getI8Type());
  Value arena = RtArenaBeginOp::create(rewriter, first->getLoc(), type);
  rewriter.setInsertionPointAfter(last);
  RtArenaEndOp::create(rewriter, last->getLoc(), arena);
  for (const Buffer &buffer : buffers) {
    memref::AllocOp alloc = buffer.alloc;
    rewriter.eraseOp(buffer.dealloc);
    rewriter.setInsertionPoint(alloc);
    Value offset =
        arith::ConstantIndexOp::create(rewriter, alloc.getLoc(), buffer.offset);
    rewriter.replaceOpWithNewOp<memref::ViewOp>(alloc, alloc.getType(), arena,
                                                offset, ValueRange());
  }
}

namespace {
struct PlanMemoryPass
    : public fusion::impl::FusionPlanMemoryBase<PlanMemoryPass> {
  void runOnOperation() override {
    getOperation()->walk([](FunctionOpInterface function) {
      if (!function.isExternal())
        planFunction(function);
    });
  }

  static void planFunction(FunctionOpInterface function) {
    SmallVector<Buffer> buffers =
        findBuffers(function.getFunctionBody().front());
    if (buffers.empty())
      return;
    int64_t sum = 0;
    for (const Buffer &buffer : buffers)
      sum += buffer.bytes;
    int64_t bytes = assignOffsets(buffers);
    remark::analysis(
        function.getLoc(),
        remark::RemarkOpts::name("fusion-plan-memory").category("fusion"))
        << llvm::formatv("an arena of {0} bytes for {1} buffers of {2} bytes",
                         bytes, buffers.size(), sum)
               .str();
    createArena(buffers, bytes);
  }
};
} // namespace
