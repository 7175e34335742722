//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formula.h"

using namespace fusion::fuzz;
using Node = Formula::Node;

Node Formula::addLeaf(Leaf leaf) {
  NodeData data{"leaf", {}};
  data.leaf = leaves.size();
  leaves.push_back(std::move(leaf));
  nodes.push_back(std::move(data));
  return nodes.size() - 1;
}

Node Formula::constant(double value) {
  // Equal constants share a node, as after CSE.
  for (Node node = 0; node < static_cast<Node>(nodes.size()); ++node)
    if (nodes[node].op == "constant" && nodes[node].value == value)
      return node;
  nodes.push_back({"constant", {}, value});
  return nodes.size() - 1;
}

Node Formula::op(llvm::StringRef name, llvm::ArrayRef<Node> operands) {
  nodes.push_back({name.str(), llvm::SmallVector<Node, 3>(operands)});
  return nodes.size() - 1;
}
