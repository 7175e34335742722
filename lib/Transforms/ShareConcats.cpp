//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONSHARECONCATS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

namespace {
/// The concatenations of a block, by their operands.
class Concats {
public:
  /// Lets `op` begin with the longest concatenation before it that has the
  /// first operands of `op`.
  void share(tensor::ConcatOp op) {
    SmallVector<Value> operands(op.getInputs());
    llvm::hash_code hash = llvm::hash_value(op.getDim());
    tensor::ConcatOp longest;
    size_t length = 0;
    for (auto [i, operand] : llvm::enumerate(operands)) {
      hash = llvm::hash_combine(hash, operand.getAsOpaquePointer());
      if (i == 0)
        continue; // a concatenation of one tensor is that tensor
      ArrayRef<Value> prefix = ArrayRef(operands).take_front(i + 1);
      if (tensor::ConcatOp other = find(hash, op.getDim(), prefix)) {
        longest = other;
        length = prefix.size();
      }
    }
    byHash[hash].push_back({op, operands});
    if (!longest)
      return;
    SmallVector<Value> rest = {longest.getResult()};
    llvm::append_range(rest, ArrayRef(operands).drop_front(length));
    op.getInputsMutable().assign(rest);
  }

private:
  struct Entry {
    tensor::ConcatOp op;
    /// Those that `op` had at first.
    SmallVector<Value> operands;
  };

  tensor::ConcatOp find(size_t hash, uint64_t dim,
                        ArrayRef<Value> operands) const {
    auto entries = byHash.find(hash);
    if (entries == byHash.end())
      return nullptr;
    for (const Entry &entry : entries->second)
      if (tensor::ConcatOp(entry.op).getDim() == dim &&
          ArrayRef(entry.operands) == operands)
        return entry.op;
    return nullptr;
  }

  DenseMap<size_t, SmallVector<Entry, 1>> byHash;
};

struct ShareConcatsPass
    : public fusion::impl::FusionShareConcatsBase<ShareConcatsPass> {
  void runOnOperation() override {
    getOperation()->walk([](Block *block) {
      Concats concats;
      for (auto op : block->getOps<tensor::ConcatOp>())
        concats.share(op);
    });
  }
};
} // namespace
