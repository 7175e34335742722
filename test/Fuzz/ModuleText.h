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
/// dimension of size 1 that means nothing. A size that the type hides is the
/// extent at run time, negated.
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
  /// `size` made larger, as visible as it was.
  static int64_t grow(int64_t size, int64_t count) {
    return isDynamic(size) ? size - count : size + count;
  }

  bool isStatic() const;
  std::string getType() const;
  llvm::SmallVector<int64_t> getExtents() const;
  int64_t getSize(char letter) const;
};

/// Whether one may stand where the other does: hidden sizes agree as well.
bool isInterchangeable(const Value &a, const Value &b);

/// An argument of the function: the range of its values.
struct ArgumentRange {
  double low = -1, high = 1;
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

/// Lines that have been written apart, and what is to be read behind them.
struct Passage {
  std::string lines;
  std::vector<Result> results;
};

/// A value that lines use and do not define.
struct Free {
  Value value;
  /// Its definition if it is a constant.
  std::string constant;
};

/// An operand of a linalg op: the letters say which loop walks each dimension,
/// 1 stays where it is.
struct Operand {
  Value value;
  std::string access;
};

/// Writes one function of a module, and others behind it. Constants stand at
/// its beginning.
class ModuleText {
public:
  /// Makes the lines of a body; gets the names of the block's arguments and
  /// returns the name of what is yielded.
  using BodyFn =
      llvm::function_ref<std::string(llvm::ArrayRef<std::string> arguments)>;

  std::string fresh() { return "%v" + std::to_string(numValues++); }
  void line(const llvm::Twine &text) { body += "  " + text.str() + "\n"; }
  /// Lines as they are.
  void append(llvm::StringRef lines) { body += lines; }
  /// `%v = text`, a value like `like`.
  Value define(const Value &like, const llvm::Twine &text);

  Value addArgument(Value like, ArgumentRange range);
  /// An argument of type index, of which compilers know nothing.
  std::string addIndexArgument(int64_t value);
  /// Whether `value` is the newest argument and nothing reads it: its type may
  /// still change.
  bool isFreshArgument(const Value &value) const;
  /// Its sizes become those of `value`.
  void resizeArgument(const Value &value);
  std::string addIndex(int64_t value);
  std::string addScalarInteger(int64_t value);
  std::string addScalar(double value, llvm::StringRef element);
  Value addSplat(Value like, double value);
  Value addRandomConstant(Value like, ArgumentRange range, Random &random);
  void addResult(const Value &value, Reading reading = Reading::Return) {
    results.push_back({value, reading});
  }

  /// The value whose dynamic dimensions tell the sizes of those that are made
  /// from here on.
  void setSizeSource(const Value &value);
  /// Dimensions of the letter have the size `name`.
  void setSize(char letter, llvm::StringRef name);
  /// A number, or a name of what the value itself tells.
  std::string getSizeOf(const Value &value, size_t dim);
  /// `[%n, 3, 4]` for reshapes.
  std::string formatSizes(const Value &value);
  /// `(%n)` and the like, for what makes a tensor: a name for each dynamic
  /// size.
  std::string listDynamicSizes(const Value &value);

  /// Writes lines that are not in the body yet: those of a region, or of
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
  /// Collapses or expands; the letters tell which dimensions belong together.
  Value reshape(const Value &from, const Value &to,
                llvm::StringRef reassociation, bool isExpand);

  /// The module.
  std::string finish();
  const std::vector<ArgumentData> &getArguments() const { return data; }

private:
  /// The value that tells a dynamic size, or its name.
  struct Size {
    Value source;
    std::string name;
  };

  unsigned numValues = 0, numFunctions = 0;
  std::string constants, body, functions;
  std::vector<Value> arguments;
  std::vector<Result> results;
  std::vector<ArgumentData> data;
  /// Names of constants, and the other way round.
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
/// A float that MLIR reads.
std::string formatFloat(double value);

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_MODULETEXT_H
