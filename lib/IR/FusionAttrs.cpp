//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/FusionDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fusion;

#include "FusionDialect/IR/FusionEnums.cpp.inc"

/// The letters of a layout without brackets.
static ParseResult parseLetters(AsmParser &parser, LayoutAttr &layout) {
  layout = LayoutAttr::parseLetters(parser);
  return success(layout != nullptr);
}

static void printLetters(AsmPrinter &printer, LayoutAttr layout) {
  printer << layout.getLetters();
}

#define GET_ATTRDEF_CLASSES
#include "FusionDialect/IR/FusionAttrs.cpp.inc"

//===----------------------------------------------------------------------===//
// ActivationKind
//===----------------------------------------------------------------------===//

ArrayRef<ActivationKind> fusion::getActivationKinds() {
  static constexpr ActivationKind kinds[] = {
#define FUSION_ACTIVATION(Name, ...) ActivationKind::Name,
#include "FusionRuntime/activations.def"
  };
  return kinds;
}

StringRef fusion::stringifyActivationKind(ActivationKind kind) {
  switch (kind) {
#define FUSION_ACTIVATION(Name, NAME, name, ...)                               \
  case ActivationKind::Name:                                                   \
    return #name;
#include "FusionRuntime/activations.def"
  }
  llvm_unreachable("unknown activation");
}

std::optional<ActivationKind> fusion::symbolizeActivationKind(StringRef name) {
  for (ActivationKind kind : getActivationKinds())
    if (stringifyActivationKind(kind) == name)
      return kind;
  return std::nullopt;
}

std::optional<ActivationKind> fusion::symbolizeActivationKind(uint32_t number) {
  for (ActivationKind kind : getActivationKinds())
    if (static_cast<uint32_t>(kind) == number)
      return kind;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// ActivationAttr
//===----------------------------------------------------------------------===//

ActivationAttr ActivationAttr::get(MLIRContext *context, ActivationKind kind,
                                   float alpha, float beta) {
  return get(context, kind, APFloat(alpha), APFloat(beta));
}

unsigned ActivationAttr::getNumParameters(ActivationKind kind) {
  switch (kind) {
#define FUSION_ACTIVATION(Name, NAME, name, number, parameters, ...)           \
  case ActivationKind::Name:                                                   \
    return parameters;
#include "FusionRuntime/activations.def"
  }
  llvm_unreachable("unknown activation");
}

bool ActivationAttr::propagatesNaN() {
  switch (getKind()) {
#define FUSION_ACTIVATION(Name, NAME, name, number, parameters, keepsNaN, ...) \
  case ActivationKind::Name:                                                   \
    return keepsNaN;
#include "FusionRuntime/activations.def"
  }
  llvm_unreachable("unknown activation");
}

LogicalResult
ActivationAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       ActivationKind kind, APFloat alpha, APFloat beta) {
  StringRef name = stringifyActivationKind(kind);
  for (const APFloat &parameter : {alpha, beta}) {
    if (&parameter.getSemantics() != &APFloat::IEEEsingle())
      return emitError() << "parameters of '" << name << "' must be f32";
    if (parameter.isNaN())
      return emitError() << "parameters of '" << name << "' must not be NaN";
  }
  if (kind == ActivationKind::Clip && alpha > beta)
    return emitError() << "lower bound of 'clip' must not exceed the upper ("
                       << beta.convertToFloat() << "), got "
                       << alpha.convertToFloat();
  return success();
}

/// Prints a float so that it parses to the same value: infinities as the words
/// inf and -inf.
static void printParameter(AsmPrinter &printer, const APFloat &value) {
  if (value.isInfinity())
    printer << (value.isNegative() ? "-inf" : "inf");
  else
    printer.printFloat(value);
}

static ParseResult parseParameter(AsmParser &parser, APFloat &value) {
  bool negative = succeeded(parser.parseOptionalMinus());
  if (succeeded(parser.parseOptionalKeyword("inf")))
    value = APFloat::getInf(APFloat::IEEEsingle());
  else if (parser.parseFloat(APFloat::IEEEsingle(), value))
    return failure();
  if (negative)
    value.changeSign();
  return success();
}

ActivationAttr ActivationAttr::parseParameters(AsmParser &parser, SMLoc loc,
                                               ActivationKind kind) {
  APFloat parameters[2] = {APFloat(0.0f), APFloat(0.0f)};
  unsigned count = getNumParameters(kind);
  for (unsigned i = 0; i != count; ++i)
    if ((i == 0 ? parser.parseLParen() : parser.parseComma()) ||
        parseParameter(parser, parameters[i]))
      return {};
  if (count > 0 && parser.parseRParen())
    return {};
  return parser.getChecked<ActivationAttr>(loc, parser.getContext(), kind,
                                           parameters[0], parameters[1]);
}

void ActivationAttr::printParameters(AsmPrinter &printer) const {
  unsigned count = getNumParameters(getKind());
  if (count == 0)
    return;
  printer << "(";
  printParameter(printer, getAlpha());
  if (count > 1) {
    printer << ", ";
    printParameter(printer, getBeta());
  }
  printer << ")";
}

Attribute ActivationAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseLess() || parser.parseKeyword(&keyword))
    return {};
  std::optional<ActivationKind> kind = symbolizeActivationKind(keyword);
  if (!kind) {
    parser.emitError(loc) << "unknown activation '" << keyword << "'";
    return {};
  }
  APFloat parameters[2] = {APFloat(0.0f), APFloat(0.0f)};
  for (unsigned i = 0, e = getNumParameters(*kind); i != e; ++i)
    if (parser.parseComma() || parseParameter(parser, parameters[i]))
      return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ActivationAttr>(loc, parser.getContext(), *kind,
                                           parameters[0], parameters[1]);
}

void ActivationAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyActivationKind(getKind());
  unsigned count = getNumParameters(getKind());
  if (count > 0) {
    printer << ", ";
    printParameter(printer, getAlpha());
  }
  if (count > 1) {
    printer << ", ";
    printParameter(printer, getBeta());
  }
  printer << ">";
}

void FusionDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "FusionDialect/IR/FusionAttrs.cpp.inc"
      >();
}
