//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/ElementOrder.h"
#include "FusionDialect/Analysis/Transpose.h"

using namespace mlir;
using namespace fusion;

using Parts = ElementOrder::Parts;

ElementOrder::ElementOrder(ArrayRef<int64_t> shape) {
  for (auto [dim, size] : llvm::enumerate(shape)) {
    dims.emplace_back();
    if (size != 1)
      dims.back().push_back({static_cast<int64_t>(dim), size, 1});
  }
}

/// Takes the innermost `size` elements off `parts`; none if the parts cannot be
/// divided there.
static std::optional<Parts> takeInnermost(Parts &parts, int64_t size) {
  Parts taken;
  while (size > 1) {
    if (parts.empty() || ShapedType::isDynamic(parts.back().size))
      return std::nullopt;
    IndexPart &last = parts.back();
    int64_t count = std::min(last.size, size);
    if (count == 0 || last.size % count != 0 || size % count != 0)
      return std::nullopt;
    taken.insert(taken.begin(), {last.dim, count, last.step});
    size /= count;
    last.size /= count;
    last.step *= count;
    if (last.size == 1)
      parts.pop_back();
  }
  return taken;
}

/// True if `parts` are of a dimension along which elements are repeated.
static bool areRepeated(const Parts &parts) {
  return !parts.empty() && llvm::all_of(parts, [](const IndexPart &part) {
    return part.isRepeated();
  });
}

/// The parts of a dimension of `size` along which elements are repeated.
static Parts getRepeated(int64_t size) {
  return size == 1 ? Parts() : Parts{{IndexPart::repeated, size, 1}};
}

bool ElementOrder::expand(ArrayRef<ReassociationIndices> groups,
                          ArrayRef<int64_t> shape) {
  SmallVector<Parts> expanded(shape.size());
  for (auto [parts, group] : llvm::zip_equal(dims, groups)) {
    if (group.size() == 1) {
      expanded[group.front()] = parts;
      continue;
    }
    if (areRepeated(parts)) {
      for (int64_t dim : group)
        expanded[dim] = getRepeated(shape[dim]);
      continue;
    }
    for (int64_t dim : llvm::reverse(group)) {
      std::optional<Parts> taken;
      if (!ShapedType::isDynamic(shape[dim]))
        taken = takeInnermost(parts, shape[dim]);
      if (!taken)
        return false;
      expanded[dim] = *taken;
    }
    if (!parts.empty())
      return false;
  }
  dims = std::move(expanded);
  return true;
}

/// Adds `part` to `parts`, to the last one if it continues that.
static void append(Parts &parts, const IndexPart &part) {
  if (parts.empty() || parts.back().dim != part.dim)
    return parts.push_back(part);
  IndexPart &last = parts.back();
  if (part.isRepeated()) {
    bool isDynamic =
        ShapedType::isDynamic(last.size) || ShapedType::isDynamic(part.size);
    last.size = isDynamic ? ShapedType::kDynamic : last.size * part.size;
  } else if (last.step == part.size * part.step) {
    last = {part.dim, last.size * part.size, part.step};
  } else {
    parts.push_back(part);
  }
}

void ElementOrder::collapse(ArrayRef<ReassociationIndices> groups) {
  SmallVector<Parts> collapsed;
  for (const ReassociationIndices &group : groups) {
    Parts &parts = collapsed.emplace_back();
    for (int64_t dim : group)
      for (const IndexPart &part : dims[dim])
        append(parts, part);
  }
  dims = std::move(collapsed);
}

void ElementOrder::transpose(ArrayRef<int64_t> permutation) {
  SmallVector<Parts> transposed;
  for (int64_t dim : permutation)
    transposed.push_back(dims[dim]);
  dims = std::move(transposed);
}

void ElementOrder::broadcast(ArrayRef<int64_t> sources,
                             ArrayRef<int64_t> shape) {
  SmallVector<Parts> broadcast;
  for (auto [source, size] : llvm::zip_equal(sources, shape))
    broadcast.push_back(source == IndexPart::repeated ? getRepeated(size)
                                                      : dims[source]);
  dims = std::move(broadcast);
}

bool ElementOrder::isReordering(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) ||
         isTranspose(op);
}

bool ElementOrder::apply(Operation *op) {
  if (auto expandOp = dyn_cast<tensor::ExpandShapeOp>(op))
    return expand(expandOp.getReassociationIndices(),
                  expandOp.getResultType().getShape());
  if (auto collapseOp = dyn_cast<tensor::CollapseShapeOp>(op))
    collapse(collapseOp.getReassociationIndices());
  else
    transpose(matchTranspose(op)->second);
  return true;
}
