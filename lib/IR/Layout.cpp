//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Layout.h"
#include "FusedOpAssembly.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Letters
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kSpatialLetters = "dhw";
static constexpr StringLiteral kAllLetters = "bcdfghkmnw";

StringRef fusion::getSpatialLetters(int64_t spatialRank) {
  return kSpatialLetters.take_back(spatialRank);
}

std::string fusion::getActivationLetters(int64_t spatialRank) {
  return ("nc" + getSpatialLetters(spatialRank)).str();
}

std::string fusion::getFilterLetters(int64_t spatialRank) {
  return ("fc" + getSpatialLetters(spatialRank)).str();
}

//===----------------------------------------------------------------------===//
// LayoutAttr
//===----------------------------------------------------------------------===//

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef letters) {
  for (char letter : letters) {
    if (!kAllLetters.contains(letter))
      return emitError() << "a layout must have letters of \"" << kAllLetters
                         << "\", got \"" << letters << "\"";
    if (letters.count(letter) != 1)
      return emitError() << "a layout must have each letter once, got \""
                         << letters << "\"";
  }
  return success();
}

int64_t LayoutAttr::getPosition(char letter) const {
  size_t position = getLetters().find(letter);
  return position == StringRef::npos ? -1 : static_cast<int64_t>(position);
}

SmallVector<int64_t> LayoutAttr::getPositions(StringRef letters) const {
  return llvm::map_to_vector(letters,
                             [&](char letter) { return getPosition(letter); });
}

SmallVector<int64_t> LayoutAttr::getSpatialPositions() const {
  SmallVector<int64_t> positions = getPositions(kSpatialLetters);
  llvm::erase(positions, -1);
  return positions;
}

int64_t LayoutAttr::getDimSize(Value value, char letter) const {
  return cast<ShapedType>(value.getType()).getDimSize(getPosition(letter));
}

bool LayoutAttr::isPermutationOf(StringRef letters) const {
  return getLetters().size() == letters.size() &&
         llvm::all_of(letters, [&](char letter) { return has(letter); });
}

LayoutAttr LayoutAttr::permute(ArrayRef<int64_t> permutation) const {
  SmallVector<char> letters = applyPermutation(
      ArrayRef<char>(getLetters().begin(), getLetters().end()), permutation);
  return get(getContext(), StringRef(letters.data(), letters.size()));
}

LayoutAttr LayoutAttr::getChannelsLast() const {
  return get(getContext(),
             ("n" + getSpatialLetters(getRank() - 2) + "c").str());
}

LayoutAttr LayoutAttr::parseLetters(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef letters;
  if (parser.parseKeyword(&letters))
    return {};
  return parser.getChecked<LayoutAttr>(loc, parser.getContext(), letters);
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  LayoutAttr layout = parseLetters(parser);
  if (!layout || parser.parseGreater())
    return {};
  return layout;
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << "<" << getLetters() << ">";
}

LogicalResult
fusion::readLayouts(OperationName op, NamedAttrList &attributes,
                    function_ref<InFlightDiagnostic()> emitError) {
  for (StringAttr name : op.getAttributeNames()) {
    auto letters = dyn_cast_or_null<StringAttr>(attributes.get(name));
    if (!letters || !name.getValue().ends_with("layout"))
      continue;
    auto layout =
        LayoutAttr::getChecked(emitError, op.getContext(), letters.getValue());
    if (!layout)
      return failure();
    attributes.set(name, layout);
  }
  return success();
}
