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
/// dimension of size 1 that means nothing.
struct Value {
  std::string name;
  llvm::SmallVector<int64_t> shape;
  std::string element;
  std::string layout;

  static constexpr int64_t kDynamic = -1;
  bool isStatic() const;
  std::string getType() const;
  int64_t getSize(char letter) const;
};

/// An argument of the function: the range of its values.
struct ArgumentRange {
  double low = -1, high = 1;
};

/// An operand of a linalg op: the letters say which loop walks each dimension,
/// 1 stays where it is.
struct Operand {
  Value value;
  std::string access;
};

/// Writes one function of a module. Constants stand at its beginning.
class ModuleText {
public:
  /// Makes the lines of a body; gets the names of the block's arguments and
  /// returns the name of what is yielded.
  using BodyFn =
      llvm::function_ref<std::string(llvm::ArrayRef<std::string> arguments)>;

  explicit ModuleText(int64_t batch) : batch(batch) {}

  std::string fresh() { return "%v" + std::to_string(numValues++); }
  void line(const llvm::Twine &text) { body += "  " + text.str() + "\n"; }
  /// `%v = text`, a value like `like`.
  Value define(const Value &like, const llvm::Twine &text);

  Value addArgument(Value like, ArgumentRange range);
  std::string addIndex(int64_t value);
  std::string addScalarInteger(int64_t value);
  std::string addScalar(double value, llvm::StringRef element);
  Value addSplat(Value like, double value);
  Value addRandomConstant(Value like, ArgumentRange range, Random &random);
  void addResult(const Value &value) { results.push_back(value); }

  /// The value whose n dimension tells the size of the batch.
  void setBatchSource(const Value &value) { batchSource = value; }
  /// `[%n, 3, 4]` for reshapes.
  std::string formatSizes(llvm::ArrayRef<int64_t> shape);
  /// `(%n)` and the like, for what makes a tensor: a name for each dynamic
  /// size.
  std::string listDynamicSizes(const Value &value);

  Value empty(const Value &like);
  Value fill(const Value &like, double value);
  /// A linalg.generic; `iterators` has p or r for each letter of `loops`.
  Value generic(llvm::StringRef loops, llvm::ArrayRef<Operand> inputs,
                const Operand &output, BodyFn makeBody,
                llvm::StringRef iterators = {});
  /// Collapses or expands; the letters tell which dimensions belong together.
  Value reshape(const Value &from, const Value &to,
                llvm::StringRef reassociation, bool isExpand);

  std::string str() const;
  const std::vector<ArgumentRange> &getRanges() const { return ranges; }
  int64_t getBatch() const { return batch; }

private:
  int64_t batch;
  unsigned numValues = 0;
  std::string constants, body;
  std::vector<Value> arguments, results;
  std::vector<ArgumentRange> ranges;
  std::map<std::string, std::string> constantNames;
  std::map<std::string, std::string> batchSizes;
  Value batchSource;

  std::string getBatchSize();
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
