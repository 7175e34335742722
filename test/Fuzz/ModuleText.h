//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_FUZZ_MODULETEXT_H
#define FUSION_TEST_FUZZ_MODULETEXT_H

#include "Random.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <map>
#include <string>
#include <vector>

namespace fusion::fuzz {

/// A tensor in the text. The layout has a letter for each dimension; 1 is a
/// dimension of size 1 without a meaning. A size that the type hides is stored
/// as the negated extent at run time.
struct Value {
  std::string name;
  llvm::SmallVector<int64_t> shape;
  std::string element;
  std::string layout;

  static bool isDynamic(int64_t size) { return size < 0; }
  static int64_t hide(int64_t size) { return isDynamic(size) ? size : -size; }
  static int64_t getExtent(int64_t size) {
    return isDynamic(size) ? -size : size;
  }
  /// Enlarges `size`, which stays dynamic if it is.
  static int64_t grow(int64_t size, int64_t count) {
    return isDynamic(size) ? size - count : size + count;
  }

  bool isStatic() const;
  std::string getType() const;
  llvm::SmallVector<int64_t> getExtents() const;
  int64_t getSize(char letter) const;
};

/// Whether one value can replace the other: hidden sizes are equal, too.
bool isInterchangeable(const Value &a, const Value &b);

/// An argument of the function: the range of its values.
struct ArgumentRange {
  double low = -1, high = 1;
  /// The only values, if there are some.
  std::vector<double> choices = {};
  /// All values are multiples of it, unless it is 0.
  double step = 0;

  double draw(Random &random) const;
};

/// The data that an argument gets: sizes and values.
struct ArgumentData {
  llvm::SmallVector<int64_t> shape;
  ArgumentRange range;
  bool isIndex = false, isDynamic = false;
};

/// How a result of the function is read, at its end.
enum class Reading { Return, Copy, Compute };

struct Result {
  Value value;
  Reading reading = Reading::Return;
};

/// Lines written separately, and the values to be read behind them.
struct Passage {
  std::string lines;
  std::vector<Result> results;
};

/// A value that lines use but do not define.
struct Free {
  Value value;
  /// Its definition if it is a constant.
  std::string constant;
};

/// An operand of a linalg op. Each letter is the loop that indexes the
/// dimension; 1 is index 0.
struct Operand {
  Value value;
  std::string access;
};

/// Writes one function of a module, and others behind it. Constants are at its
/// beginning.
class ModuleText {
public:
  /// Writes the lines of a body. Gets the names of the block's arguments and
  /// returns the name of the yielded value.
  using BodyFn =
      llvm::function_ref<std::string(llvm::ArrayRef<std::string> arguments)>;

  std::string fresh() { return "%v" + std::to_string(numValues++); }
  void line(const llvm::Twine &text) { body += "  " + text.str() + "\n"; }
  /// Lines as they are.
  void append(llvm::StringRef lines) { body += lines; }
  /// `%v = text`, a value like `like`.
  Value define(const Value &like, const llvm::Twine &text);

  Value addArgument(Value like, ArgumentRange range);
  /// An argument of type index, whose value compilers do not know.
  std::string addIndexArgument(int64_t value);
  /// A scalar that is always `value`, which compilers do not know.
  std::string addScalarArgument(llvm::StringRef element, double value);
  /// Whether `value` is the newest argument and has no readers, so that its
  /// type may still change.
  bool isFreshArgument(const Value &value) const;
  /// Gives the argument the sizes of `value`.
  void resizeArgument(const Value &value);
  std::string addIndex(int64_t value);
  std::string addScalarInteger(int64_t value);
  std::string addScalar(double value, llvm::StringRef element);
  Value addSplat(Value like, double value);
  Value addRandomConstant(Value like, ArgumentRange range, Random &random);
  void addResult(const Value &value, Reading reading = Reading::Return) {
    results.push_back({value, reading});
  }

  /// Sets the value whose dynamic dimensions give the sizes of later values.
  void setSizeSource(const Value &value);
  /// Gives dimensions of the letter the size `name`.
  void setSize(char letter, llvm::StringRef name);
  /// A number, or the name of a size that is read from the value.
  std::string getSizeOf(const Value &value, size_t dim);
  /// `[%n, 3, 4]` for reshapes.
  std::string formatSizes(const Value &value);
  /// `(%n)` and the like, for ops that create a tensor: a name for each dynamic
  /// size.
  std::string listDynamicSizes(const Value &value);

  /// Writes lines that are not part of the body yet: those of a region, or of
  /// another function.
  Passage capture(llvm::function_ref<void()> write);
  /// Makes the type of `value` known to `findFree`.
  void remember(const Value &value);
  std::vector<Free> findFree(llvm::StringRef lines) const;
  std::string freshFunction() { return "f" + std::to_string(numFunctions++); }
  void addFunction(const llvm::Twine &text) { functions += text.str(); }

  Value empty(const Value &like);
  Value fill(const Value &like, double value);
  /// A linalg.generic; `iterators` has p or r for each letter of `loops`.
  Value generic(llvm::StringRef loops, llvm::ArrayRef<Operand> inputs,
                const Operand &output, BodyFn makeBody,
                llvm::StringRef iterators = {});
  /// Collapses or expands. The letters tell which dimensions form a group.
  Value reshape(const Value &from, const Value &to,
                llvm::StringRef reassociation, bool isExpand);

  /// The module.
  std::string finish();
  const std::vector<ArgumentData> &getArguments() const { return data; }

private:
  /// The value that gives a dynamic size, or the name of the size.
  struct Size {
    Value source;
    std::string name;
  };

  unsigned numValues = 0, numFunctions = 0;
  std::string constants, body, functions;
  std::vector<Value> arguments;
  std::vector<Result> results;
  std::vector<ArgumentData> data;
  /// Names of constants by their text, and texts by name.
  std::map<std::string, std::string> constantNames, constantTexts;
  std::map<std::string, Value> known;
  std::map<char, Size> sizes;

  std::string getSize(char letter);
  std::string nameConstant(const std::string &text);
};

/// `affine_map<(d0, d1) -> (d1)>` for the loops "nc" and the access "c".
std::string formatMap(llvm::StringRef loops, llvm::StringRef access);
/// `affine_map<...>` of given results.
std::string formatMap(size_t numLoops, llvm::ArrayRef<std::string> results);
/// A number of type `element` in MLIR's syntax.
std::string formatNumber(double value, llvm::StringRef element);

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_MODULETEXT_H
