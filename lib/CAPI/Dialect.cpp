//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect-c/Dialect.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/InitAll.h"
#include "UsableLocation.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"

using namespace mlir;
using namespace fusion;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Fusion, fusion, fusion::FusionDialect)

void fusionRegisterAllDialects(MlirDialectRegistry registry) {
  fusion::registerAllDialects(*unwrap(registry));
}

void fusionRegisterAllExtensions(MlirDialectRegistry registry) {
  fusion::registerAllExtensions(*unwrap(registry));
}

//===----------------------------------------------------------------------===//
// Activation
//===----------------------------------------------------------------------===//

// The C enums have the numbers of the C++ ones.
static_assert(FusionNaNFast == int(NaNMode::Fast));
static_assert(FusionNaNPropagate == int(NaNMode::Propagate));
static_assert(FusionPoolingMax == int(Pooling::Max));
static_assert(FusionPoolingSum == int(Pooling::Sum));

MlirAttribute fusionActivationAttrGet(MlirLocation location,
                                      FusionActivationKind kind, float alpha,
                                      float beta) {
  std::optional<Location> loc = getUsableLocation(location);
  if (!loc)
    return {nullptr};
  std::optional<ActivationKind> known = symbolizeActivationKind(kind);
  if (!known) {
    emitError(*loc) << "unknown activation " << static_cast<int64_t>(kind);
    return {nullptr};
  }
  unsigned count = ActivationAttr::getNumParameters(*known);
  // A parameter beyond these would not be printed, so that the text would read
  // back as another attribute.
  if ((count < 1 && alpha != 0) || (count < 2 && beta != 0)) {
    emitError(*loc) << "activation '" << stringifyActivationKind(*known)
                    << "' must have no parameter but its " << count << ", got "
                    << alpha << " and " << beta;
    return {nullptr};
  }
  return wrap(Attribute(ActivationAttr::getChecked(
      [&] { return emitError(*loc); }, loc->getContext(), *known,
      APFloat(alpha), APFloat(beta))));
}

bool fusionAttributeIsAActivation(MlirAttribute attribute) {
  return isa_and_nonnull<ActivationAttr>(unwrap(attribute));
}

FusionActivationKind fusionActivationAttrGetKind(MlirAttribute attribute) {
  return static_cast<FusionActivationKind>(
      cast<ActivationAttr>(unwrap(attribute)).getKind());
}

float fusionActivationAttrGetAlpha(MlirAttribute attribute) {
  return cast<ActivationAttr>(unwrap(attribute)).getAlpha().convertToFloat();
}

float fusionActivationAttrGetBeta(MlirAttribute attribute) {
  return cast<ActivationAttr>(unwrap(attribute)).getBeta().convertToFloat();
}

int fusionActivationGetNumParameters(FusionActivationKind kind) {
  std::optional<ActivationKind> known = symbolizeActivationKind(kind);
  return known ? static_cast<int>(ActivationAttr::getNumParameters(*known)) : 0;
}

//===----------------------------------------------------------------------===//
// NaN mode and pooling
//===----------------------------------------------------------------------===//

MlirAttribute fusionNaNModeAttrGet(MlirLocation location, FusionNaNMode mode) {
  std::optional<Location> loc = getUsableLocation(location);
  if (!loc)
    return {nullptr};
  if (std::optional<NaNMode> known = symbolizeNaNMode(mode))
    return wrap(Attribute(NaNModeAttr::get(loc->getContext(), *known)));
  emitError(*loc) << "unknown NaN mode " << static_cast<int64_t>(mode);
  return {nullptr};
}

bool fusionAttributeIsANaNMode(MlirAttribute attribute) {
  return isa_and_nonnull<NaNModeAttr>(unwrap(attribute));
}

FusionNaNMode fusionNaNModeAttrGetMode(MlirAttribute attribute) {
  return static_cast<FusionNaNMode>(
      cast<NaNModeAttr>(unwrap(attribute)).getValue());
}

MlirAttribute fusionPoolingAttrGet(MlirLocation location,
                                   FusionPooling pooling) {
  std::optional<Location> loc = getUsableLocation(location);
  if (!loc)
    return {nullptr};
  if (std::optional<Pooling> known = symbolizePooling(pooling))
    return wrap(Attribute(PoolingAttr::get(loc->getContext(), *known)));
  emitError(*loc) << "unknown pooling " << static_cast<int64_t>(pooling);
  return {nullptr};
}

bool fusionAttributeIsAPooling(MlirAttribute attribute) {
  return isa_and_nonnull<PoolingAttr>(unwrap(attribute));
}

FusionPooling fusionPoolingAttrGetPooling(MlirAttribute attribute) {
  return static_cast<FusionPooling>(
      cast<PoolingAttr>(unwrap(attribute)).getValue());
}
