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
// ActivationAttr
//===----------------------------------------------------------------------===//

ActivationAttr ActivationAttr::get(MLIRContext *context, ActivationKind kind,
                                   float alpha, float beta) {
  return get(context, kind, APFloat(alpha), APFloat(beta));
}

unsigned ActivationAttr::getNumParameters(ActivationKind kind) {
  switch (kind) {
  case ActivationKind::Clip:
  case ActivationKind::HardSigmoid:
    return 2;
  case ActivationKind::LeakyRelu:
  case ActivationKind::Elu:
  case ActivationKind::Swish:
    return 1;
  default:
    return 0;
  }
}

bool ActivationAttr::propagatesNaN() {
  // Measured on the jit and gemm kernels of oneDNN 2.6.3. The other activations
  // return 0 in some kernel.
  switch (getKind()) {
  case ActivationKind::Tanh:
  case ActivationKind::Swish:
  case ActivationKind::HardSwish:
  case ActivationKind::GeluErf:
    return true;
  default:
    return false;
  }
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
