//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SurroundingEmitter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fusion::fuzz;

std::string fusion::fuzz::joinNames(llvm::ArrayRef<Value> values) {
  return llvm::join(
      llvm::map_range(values, [](const Value &v) { return v.name; }), ", ");
}

std::string fusion::fuzz::joinTypes(llvm::ArrayRef<Value> values) {
  return llvm::join(
      llvm::map_range(values, [](const Value &v) { return v.getType(); }),
      ", ");
}

//===----------------------------------------------------------------------===//
// Values of a given type
//===----------------------------------------------------------------------===//

/// Writes arithmetic that stays in the range of its operand.
Value SurroundingEmitter::compute(const Value &value) {
  std::string type = value.getType();
  switch (random.below(3)) {
  case 0:
    return text.define(value, "math.absf " + value.name + " : " + type);
  case 1:
    return text.define(value, "arith.negf " + value.name + " : " + type);
  default:
    return text.define(value, "arith.maximumf " + value.name + ", " +
                                  value.name + " : " + type);
  }
}

Value SurroundingEmitter::makeOther(const Value &like) {
  std::vector<Value> candidates;
  for (const Value &value : visible)
    if (isInterchangeable(value, like))
      candidates.push_back(value);
  if (!candidates.empty() && random.chance(40))
    return random.pick(llvm::ArrayRef(candidates));
  if (like.isStatic() && random.chance(30)) {
    int64_t size = 1;
    for (int64_t extent : like.shape)
      size *= extent;
    if (size <= 600 && random.chance(70))
      return text.addRandomConstant(like, {-1, 1}, random);
    return text.addSplat(like, 0.25);
  }
  Value argument = text.addArgument(like, {-1, 1});
  return random.chance(40) ? compute(argument) : argument;
}

/// A value of the type of the first one that the block yields, and as many
/// companions as the block has, of it or of anything.
std::vector<Value> SurroundingEmitter::makeOthers(const Block &block) {
  std::vector<Value> others = {makeOther(block.yields.front())};
  std::vector<Value> companions;
  text.setSizeSource(others.front());
  if (random.chance(70))
    companions = addCompanions(others.front());
  for (size_t i = 1; i < block.yields.size(); ++i) {
    bool isCompanion = i - 1 < companions.size();
    others.push_back(isCompanion ? companions[i - 1]
                                 : makeOther(block.yields[i]));
    others.back().layout = block.yields[i].layout;
    others.back().shape = block.yields[i].shape;
  }
  return others;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

SurroundingEmitter::Window SurroundingEmitter::drawWindow(const Value &part,
                                                          Random &choices) {
  Window window;
  window.whole = part;
  for (int64_t &size : window.whole.shape) {
    bool isMoved = !Value::isDynamic(size) && choices.chance(50);
    window.offsets.push_back(isMoved ? choices.below(2) : 0);
    window.steps.push_back(isMoved ? choices.pick<int64_t>({1, 1, 2, 2, 3})
                                   : 1);
    if (isMoved)
      size = window.offsets.back() + (size - 1) * window.steps.back() + 1 +
             choices.below(3);
  }
  return window;
}

static std::string formatNumbers(llvm::ArrayRef<int64_t> numbers) {
  std::vector<std::string> texts;
  for (int64_t number : numbers)
    texts.push_back(std::to_string(number));
  return "[" + llvm::join(texts, ", ") + "]";
}

std::string SurroundingEmitter::formatWindow(const Window &window,
                                             const Value &part) {
  std::vector<std::string> sizes;
  for (size_t i = 0; i < part.shape.size(); ++i)
    sizes.push_back(text.getSizeOf(part, i));
  return formatNumbers(window.offsets) + " [" + llvm::join(sizes, ", ") + "] " +
         formatNumbers(window.steps);
}

/// The part of the whole. One static size may be hidden from the compiler.
Value SurroundingEmitter::extract(const Window &window, const Value &part,
                                  const Value &measured, bool isDynamic,
                                  Random &choices) {
  Value result = part;
  std::vector<std::string> sizes;
  for (size_t i = 0; i < part.shape.size(); ++i) {
    bool isHidden = isDynamic && !Value::isDynamic(part.shape[i]) &&
                    (i + 1 == part.shape.size() || choices.chance(30));
    sizes.push_back(isHidden ? text.addIndexArgument(part.shape[i])
                    : Value::isDynamic(part.shape[i])
                        ? text.getSizeOf(measured, i)
                        : std::to_string(part.shape[i]));
    if (isHidden)
      result.shape[i] = Value::hide(part.shape[i]);
  }
  return text.define(
      result, "tensor.extract_slice " + window.whole.name +
                  formatNumbers(window.offsets) + " [" +
                  llvm::join(sizes, ", ") + "] " + formatNumbers(window.steps) +
                  " : " + window.whole.getType() + " to " + result.getType());
}

//===----------------------------------------------------------------------===//
// Companions
//===----------------------------------------------------------------------===//

Value SurroundingEmitter::addView(const Value &value, Random &choices) {
  size_t rank = value.shape.size();
  size_t place = choices.below(rank);
  bool isExpand = rank < 2 || choices.chance(30);
  Value view = value;
  std::vector<std::string> groups;
  for (size_t i = 0, dim = 0; i < rank; ++i, ++dim) {
    bool isPair = isExpand ? i == place : i == place % (rank - 1);
    groups.push_back("[" + std::to_string(dim) +
                     (isPair ? ", " + std::to_string(dim + 1) : "") + "]");
    dim += isPair;
    if (isPair && !isExpand)
      ++i;
  }
  if (isExpand) {
    view.shape.insert(view.shape.begin() + place, 1);
    view.layout.insert(place, "1");
  } else {
    place %= rank - 1;
    int64_t size = view.shape[place], other = view.shape[place + 1];
    bool isStatic = !Value::isDynamic(size) && !Value::isDynamic(other);
    int64_t product = Value::getExtent(size) * Value::getExtent(other);
    view.shape[place] = isStatic ? product : Value::hide(product);
    view.shape.erase(view.shape.begin() + place + 1);
    view.layout.erase(place + 1, 1);
  }
  return text.reshape(value, view, "[" + llvm::join(groups, ", ") + "]",
                      isExpand);
}

/// A slice that leaves out a part if possible.
Value SurroundingEmitter::addPart(const Value &value, Random &choices) {
  Window window;
  window.whole = value;
  Value part = value;
  for (int64_t &size : part.shape) {
    bool isCut = size > 1 && choices.chance(60);
    window.offsets.push_back(isCut ? choices.below(2) : 0);
    window.steps.push_back(isCut ? choices.pick<int64_t>({1, 1, 2}) : 1);
    if (isCut)
      size = std::max<int64_t>(1, (size - window.offsets.back()) /
                                          window.steps.back() -
                                      choices.below(2));
  }
  bool isDynamic = choices.chance(50);
  return extract(window, part, value, isDynamic, choices);
}

Value SurroundingEmitter::addWhole(const Value &value, Random &choices) {
  Window window = drawWindow(value, choices);
  Value target = choices.chance(50) ? text.fill(window.whole, 0.5)
                                    : text.addArgument(window.whole, {-1, 1});
  return text.define(target, "tensor.insert_slice " + value.name + " into " +
                                 target.name + formatWindow(window, value) +
                                 " : " + value.getType() + " into " +
                                 target.getType());
}

Value SurroundingEmitter::addCompanion(Companion kind, const Value &value,
                                       Random choices) {
  switch (kind) {
  case Companion::Same:
    return value;
  case Companion::View:
    return addView(value, choices);
  case Companion::Part:
    return addPart(value, choices);
  case Companion::Whole:
    return addWhole(value, choices);
  case Companion::Outer:
    if (!visible.empty() && choices.chance(70))
      return visible[choices.below(visible.size())];
    return text.addArgument(value, {-1, 1});
  case Companion::Constant: {
    Value like{"", {2, 3}, value.element, "AB"};
    return text.addRandomConstant(like, {-1, 1}, choices);
  }
  }
  return value;
}

/// Adds companions. Another value gets companions of the same types, because
/// the choices are the same.
std::vector<Value> SurroundingEmitter::addCompanions(const Value &value) {
  std::vector<Value> companions;
  for (auto [i, kind] : llvm::enumerate(around.companions))
    companions.push_back(addCompanion(kind, value, Random(around.choices + i)));
  return companions;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

SurroundingEmitter::Block SurroundingEmitter::writeBlock(const Value *begin) {
  Block block;
  Passage passage = text.capture([&] {
    Value value = emit(begin);
    bool isVisible = llvm::any_of(
        visible, [&](const Value &other) { return other.name == value.name; });
    if (around.computes && !isVisible)
      value = compute(value);
    text.setSizeSource(value);
    block.yields = addCompanions(value);
    block.yields.insert(block.yields.begin(), value);
  });
  block.lines = std::move(passage.lines);
  for (const Result &result : passage.results) {
    block.yields.push_back(result.value);
    block.readings.push_back(result.reading);
  }
  return block;
}

SurroundingEmitter::Block SurroundingEmitter::writeOther(const Block &block) {
  Block other;
  Passage passage = text.capture([&] { other.yields = makeOthers(block); });
  other.lines = std::move(passage.lines);
  return other;
}

Surrounded SurroundingEmitter::finish(const Block &block,
                                      std::vector<Value> values) {
  size_t numCompanions = around.companions.size();
  for (const Value &value : values)
    text.remember(value);
  text.setSizeSource(values.front());
  Surrounded result{values.front(), {}};
  for (size_t i = 1; i < values.size(); ++i) {
    Reading reading = around.hasReaders   ? Reading::Compute
                      : random.chance(60) ? Reading::Return
                                          : Reading::Copy;
    if (i > numCompanions)
      reading = block.readings[i - 1 - numCompanions];
    else
      result.companions.push_back(values[i]);
    text.addResult(values[i], reading);
  }
  return result;
}

std::string SurroundingEmitter::nameResults(llvm::ArrayRef<Value> like,
                                            std::vector<Value> &results) {
  std::string name = text.fresh();
  for (auto [i, value] : llvm::enumerate(like)) {
    results.push_back(value);
    results.back().name =
        like.size() == 1 ? name : name + "#" + std::to_string(i);
  }
  return like.size() == 1 ? name : name + ":" + std::to_string(like.size());
}

//===----------------------------------------------------------------------===//
// Without regions
//===----------------------------------------------------------------------===//

Surrounded SurroundingEmitter::runHere() {
  Block block = writeBlock(start);
  text.append(block.lines);
  return finish(block, block.yields);
}

/// Makes an argument a slice of a larger one. Inserts another value into a
/// larger one and extracts it again.
Surrounded SurroundingEmitter::runSlice() {
  Value part = emit(start);
  Window window = drawWindow(part, random);
  if (text.isFreshArgument(part)) {
    text.resizeArgument(window.whole);
  } else {
    window.whole = text.fill(window.whole, 0.5);
    window.whole =
        text.define(window.whole,
                    "tensor.insert_slice " + part.name + " into " +
                        window.whole.name + formatWindow(window, part) + " : " +
                        part.getType() + " into " + window.whole.getType());
  }
  if (around.computes)
    window.whole = compute(window.whole);
  text.setSizeSource(window.whole);
  bool isDynamic = random.chance(50);
  Value slice = extract(window, part, window.whole, isDynamic, random);
  if (!isInterchangeable(slice, part))
    slice = text.define(part, "tensor.cast " + slice.name + " : " +
                                  slice.getType() + " to " + part.getType());
  Block block;
  block.yields = addCompanions(slice);
  block.yields.insert(block.yields.begin(), slice);
  return finish(block, block.yields);
}

/// Makes an argument the elements of a larger image of zeros. Another value
/// stays what it is.
Surrounded SurroundingEmitter::runStretch() {
  Value image = emit(start);
  if (!text.isFreshArgument(image) || !image.isStatic())
    return finish({}, {image});
  Value part = image;
  Window window;
  for (auto [size, letter] : llvm::zip(part.shape, part.layout)) {
    bool isSpatial = llvm::is_contained({'d', 'h', 'w'}, letter);
    int64_t step = isSpatial ? random.pick<int64_t>({1, 2, 2, 3}) : 1;
    int64_t offset = isSpatial && size > 1 ? random.below(2) : 0;
    window.steps.push_back(step);
    window.offsets.push_back(offset);
    size = (size - 1 - offset) / step + 1;
  }
  text.resizeArgument(part);
  window.whole = text.fill(image, 0);
  text.setSizeSource(window.whole);
  return finish({}, {text.define(image, "tensor.insert_slice " + part.name +
                                            " into " + window.whole.name +
                                            formatWindow(window, part) + " : " +
                                            part.getType() + " into " +
                                            image.getType())});
}

Surrounded SurroundingEmitter::run() {
  switch (around.kind) {
  case SurroundingKind::None:
    return runHere();
  case SurroundingKind::Slice:
    return runSlice();
  case SurroundingKind::Stretch:
    return runStretch();
  case SurroundingKind::If:
    return runIf();
  case SurroundingKind::Switch:
    return runSwitch();
  case SurroundingKind::For:
    return runFor();
  case SurroundingKind::While:
    return runWhile();
  case SurroundingKind::Call:
    return runCall();
  }
  return runHere();
}

//===----------------------------------------------------------------------===//
// All that surrounds a place
//===----------------------------------------------------------------------===//

static Surrounded emitAround(ModuleText &text,
                             llvm::ArrayRef<const Surrounding *> around,
                             llvm::ArrayRef<Value> visible, EmitFn emit,
                             const Value *start) {
  if (around.empty())
    return {emit(start), {}};
  auto emitInside = [&](const Value *begin) {
    return emitAround(text, around.drop_back(), visible, emit, begin).value;
  };
  return SurroundingEmitter(text, *around.back(), visible, emitInside, start)
      .run();
}

Surrounded fusion::fuzz::emitSurrounded(ModuleText &text,
                                        const ConvDescription &conv,
                                        Place place,
                                        llvm::ArrayRef<Value> visible,
                                        EmitFn emit, const Value *start) {
  std::vector<const Surrounding *> around;
  for (const Surrounding &candidate : conv.surroundings)
    if (candidate.place == place)
      around.push_back(&candidate);
  return emitAround(text, around, visible, emit, start);
}

Value fusion::fuzz::emitOperand(ModuleText &text, const ConvDescription &conv,
                                Place place, const Value &like,
                                ArgumentRange range) {
  auto emit = [&](const Value *) { return text.addArgument(like, range); };
  return emitSurrounded(text, conv, place, {}, emit).value;
}
