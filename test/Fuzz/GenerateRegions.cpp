//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SurroundingEmitter.h"

#include "llvm/ADT/STLExtras.h"

using namespace fusion::fuzz;

static std::string formatYield(llvm::ArrayRef<Value> values) {
  return "  scf.yield " + joinNames(values) + " : " + joinTypes(values) + "\n";
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

Surrounded SurroundingEmitter::runIf() {
  bool isFirst = random.chance(50), isTaken = random.chance(75);
  std::string selector = text.addIndexArgument(isFirst == isTaken);
  Block block = writeBlock(start);
  Block other = writeOther(block);
  std::string condition =
      text.define({"", {}, "i1", ""}, "arith.cmpi eq, " + selector + ", " +
                                          text.addIndex(1) + " : index")
          .name;
  const Block &then = isFirst ? block : other;
  const Block &otherwise = isFirst ? other : block;
  std::vector<Value> results;
  std::string names = nameResults(block.yields, results);
  text.line(names + " = scf.if " + condition + " -> (" +
            joinTypes(block.yields) + ") {");
  text.append(then.lines + formatYield(then.yields));
  text.line("} else {");
  text.append(otherwise.lines + formatYield(otherwise.yields));
  text.line("}");
  return finish(block, results);
}

Surrounded SurroundingEmitter::runSwitch() {
  bool isDefault = random.chance(50), isTaken = random.chance(75);
  std::string selector = text.addIndexArgument(isDefault == isTaken ? 2 : 1);
  Block block = writeBlock(start);
  Block other = writeOther(block);
  const Block &first = isDefault ? other : block;
  const Block &last = isDefault ? block : other;
  std::vector<Value> results;
  std::string names = nameResults(block.yields, results);
  text.line(names + " = scf.index_switch " + selector + " -> " +
            joinTypes(block.yields));
  text.line("case 1 {");
  text.append(first.lines + formatYield(first.yields));
  text.line("}");
  if (random.chance(30)) {
    Block third = writeOther(block);
    text.line("case 3 {");
    text.append(third.lines + formatYield(third.yields));
    text.line("}");
  }
  text.line("default {");
  text.append(last.lines + formatYield(last.yields));
  text.line("}");
  return finish(block, results);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The number of iterations, which is at least one if it is a constant.
std::string SurroundingEmitter::addBound() {
  if (random.chance(50))
    return text.addIndex(random.between(1, 3));
  return text.addIndexArgument(random.pick<int64_t>({0, 1, 1, 2, 2, 3}));
}

/// Names for the values that a loop carries, with the types of `inits`. The
/// caller writes `%name = init`.
static std::vector<Value> nameCarried(ModuleText &text,
                                      llvm::ArrayRef<Value> inits) {
  std::vector<Value> carried(inits.begin(), inits.end());
  for (Value &value : carried) {
    value.name = text.fresh();
    text.remember(value);
  }
  return carried;
}

/// Writes the block of a loop. It begins with the value that the loop carries,
/// if that has the right type and sizes.
SurroundingEmitter::Block
SurroundingEmitter::writeLoopBlock(llvm::ArrayRef<Value> inits,
                                   llvm::ArrayRef<Value> carried) {
  bool isCarried = start && isInterchangeable(*start, carried.front());
  Block block = writeBlock(isCarried ? &carried.front() : start);
  if (around.computes && random.chance(50)) {
    Passage passage = text.capture([&] {
      Value &value = block.yields.front();
      value = text.define(value, "arith.maximumf " + value.name + ", " +
                                     carried.front().name + " : " +
                                     value.getType());
    });
    block.lines += passage.lines;
  }
  // The loop may yield the result of the iteration before.
  if (block.yields.size() > 1 && random.chance(15) &&
      isInterchangeable(block.yields[1], carried.front()))
    block.yields[1] = carried.front();
  return block;
}

/// The initial values of a loop, of the types that its block yields.
std::vector<Value> SurroundingEmitter::makeInits() {
  // Writes the block once to learn the types, and drops it.
  ModuleText saved = text;
  Block types = writeBlock(start);
  text = saved;
  std::vector<Value> inits = makeOthers(types);
  if (start && isInterchangeable(*start, inits.front()))
    inits.front() = *start;
  return inits;
}

Surrounded SurroundingEmitter::runFor() {
  std::string low = text.addIndex(0), step = text.addIndex(1);
  std::string bound = addBound();
  std::vector<Value> inits = makeInits();
  std::vector<Value> carried = nameCarried(text, inits);
  Block block = writeLoopBlock(inits, carried);

  std::vector<Value> results;
  std::string names = nameResults(block.yields, results);
  std::string pairs;
  for (auto [name, init] : llvm::zip(carried, inits))
    pairs += (pairs.empty() ? "" : ", ") + name.name + " = " + init.name;
  text.line(names + " = scf.for " + text.fresh() + " = " + low + " to " +
            bound + " step " + step + " iter_args(" + pairs + ") -> (" +
            joinTypes(block.yields) + ") {");
  text.append(block.lines + formatYield(block.yields));
  text.line("}");
  return finish(block, results);
}

Surrounded SurroundingEmitter::runWhile() {
  std::string low = text.addIndex(0), step = text.addIndex(1);
  std::string bound = addBound();
  std::vector<Value> inits = makeInits();
  std::vector<Value> before = nameCarried(text, inits);
  std::vector<Value> carried = nameCarried(text, inits);
  Block block = writeLoopBlock(inits, carried);

  Value counter{"", {}, "index", ""};
  counter.name = low;
  auto withCounter = [&](std::vector<Value> values, const std::string &name) {
    counter.name = name;
    values.insert(values.begin(), counter);
    return values;
  };
  std::string outer = text.fresh(), inner = text.fresh(), next = text.fresh(),
              condition = text.fresh();
  std::vector<Value> results;
  std::string names = nameResults(withCounter(block.yields, low), results);
  std::string types1 = joinTypes(withCounter(block.yields, low));
  std::string pairs = outer + " = " + low;
  std::string arguments = inner + ": index";
  for (size_t i = 0; i < inits.size(); ++i) {
    pairs += ", " + before[i].name + " = " + inits[i].name;
    arguments += ", " + carried[i].name + ": " + carried[i].getType();
  }
  text.line(names + " = scf.while (" + pairs + ") : (" + types1 + ") -> (" +
            types1 + ") {");
  text.line("  " + condition + " = arith.cmpi slt, " + outer + ", " + bound +
            " : index");
  text.line("  scf.condition(" + condition + ") " +
            joinNames(withCounter(before, outer)) + " : " + types1);
  text.line("} do {");
  text.line("^bb0(" + arguments + "):");
  text.append(block.lines);
  text.line("  " + next + " = arith.addi " + inner + ", " + step + " : index");
  text.append(formatYield(withCounter(block.yields, next)));
  text.line("}");
  results.erase(results.begin());
  return finish(block, results);
}
