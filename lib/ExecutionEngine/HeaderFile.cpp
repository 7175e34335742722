//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/ExecutionEngine/ObjectFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace fusion;
using llvm::raw_ostream;

/// 16-bit floats are passed as their bits.
static StringRef getCType(ElementKind kind) {
  switch (kind) {
  case ElementKind::I1:
    return "bool";
  case ElementKind::I8:
    return "int8_t";
  case ElementKind::I16:
    return "int16_t";
  case ElementKind::F16:
  case ElementKind::BF16:
    return "uint16_t";
  case ElementKind::I32:
    return "int32_t";
  case ElementKind::I64:
  case ElementKind::Index:
    return "int64_t";
  case ElementKind::F32:
    return "float";
  case ElementKind::F64:
    return "double";
  }
  llvm_unreachable("all kinds are handled");
}

/// "fusion_memref_f32_4", or the C type of a scalar.
static std::string getTypeName(const HostType &type) {
  if (type.isScalar)
    return getCType(type.kind).str();
  return ("fusion_memref_" + getName(type.kind) + "_" +
          Twine(type.shape.size()))
      .str();
}

/// A letter, digit or underscore for each character.
static std::string toIdentifier(StringRef text) {
  std::string result = text.str();
  for (char &c : result)
    if (!llvm::isAlnum(c))
      c = '_';
  return result;
}

/// Declares the descriptor of `type` and a function that makes one.
static void declareMemRef(const HostType &type, raw_ostream &os) {
  std::string name = getTypeName(type);
  StringRef element = getCType(type.kind);
  size_t rank = type.shape.size();
  os << "#ifndef FUSION_HAS_" << name << "\n#define FUSION_HAS_" << name
     << "\ntypedef struct " << name << " {\n  " << element
     << " *allocated; /* what to free */\n  " << element
     << " *data;\n  int64_t offset; /* of the first element, from data */\n";
  if (rank)
    os << "  int64_t sizes[" << rank << "];\n  int64_t strides[" << rank
       << "]; /* in elements */\n";
  os << "} " << name << ";\n";

  os << "/* Describes a row-major array. */\nstatic inline " << name << " make_"
     << name << "(" << element << " *data";
  for (size_t dim = 0; dim < rank; ++dim)
    os << ", int64_t size" << dim;
  os << ") {\n  " << name << " m;\n  m.allocated = data;\n  m.data = data;\n"
     << "  m.offset = 0;\n";
  for (size_t dim = rank; dim-- > 0;) {
    os << "  m.sizes[" << dim << "] = size" << dim << ";\n  m.strides[" << dim
       << "] = ";
    if (dim + 1 == rank)
      os << "1;\n";
    else
      os << "m.strides[" << dim + 1 << "] * size" << dim + 1 << ";\n";
  }
  os << "  return m;\n}\n#endif\n\n";
}

static void declareMemRefs(const Signature &signature, raw_ostream &os) {
  llvm::StringSet<> declared;
  auto declare = [&](const HostType &type) {
    if (!type.isScalar && declared.insert(getTypeName(type)).second)
      declareMemRef(type, os);
  };
  llvm::for_each(signature.arguments, declare);
  llvm::for_each(signature.results, declare);
}

/// Whether the results come back in a struct behind the first argument.
static bool hasResultStruct(const Signature &signature) {
  ArrayRef<HostType> results = signature.results;
  return results.size() > 1 || (results.size() == 1 && !results[0].isScalar);
}

static void declareResults(const Signature &signature, StringRef name,
                           raw_ostream &os) {
  if (!hasResultStruct(signature))
    return;
  os << "/* The caller frees `allocated` of each result. */\ntypedef struct "
     << name << " {\n";
  for (auto [index, type] : llvm::enumerate(signature.results))
    os << "  " << getTypeName(type) << " result" << index << "; /* "
       << type.str() << " */\n";
  os << "} " << name << ";\n\n";
}

static void declareEntry(const Signature &signature, const ObjectFileInfo &info,
                         StringRef resultsName, raw_ostream &os) {
  SmallVector<std::string> parameters;
  std::string returned = "void";
  if (hasResultStruct(signature))
    parameters.push_back((resultsName + " *results").str());
  else if (!signature.results.empty())
    returned = getTypeName(signature.results.front());
  os << "/* '" << signature.name << "'; arguments are not written to:\n";
  for (auto [index, type] : llvm::enumerate(signature.arguments)) {
    os << " *   argument" << index << ": " << type.str() << "\n";
    parameters.push_back((getTypeName(type) + (type.isScalar ? " " : " *") +
                          "argument" + Twine(index))
                             .str());
  }
  os << " */\n"
     << returned << " " << info.entrySymbol << "("
     << (parameters.empty() ? "void" : llvm::join(parameters, ", "))
     << ");\n\n";
  for (const std::string &symbol : info.releaseSymbols)
    os << "/* Frees the kernels and packed weights that calls left behind. */\n"
       << "void " << symbol << "(void);\n\n";
}

/// C has no type whose values are passed as LLVM passes 16-bit floats.
static llvm::Error checkScalars(const Signature &signature) {
  auto isPassable = [](const HostType &type) {
    return !type.isScalar ||
           (type.kind != ElementKind::F16 && type.kind != ElementKind::BF16);
  };
  if (llvm::all_of(signature.arguments, isPassable) &&
      llvm::all_of(signature.results, isPassable))
    return llvm::Error::success();
  return llvm::createStringError(
      "'" + signature.name +
      "' has a scalar of f16 or bf16, which C cannot pass: use a tensor<f16>");
}

llvm::Error fusion::writeHeaderFile(const Signature &signature,
                                    const ObjectFileInfo &info,
                                    StringRef path) {
  if (llvm::Error error = checkScalars(signature))
    return error;
  std::error_code failure;
  llvm::raw_fd_ostream os(path, failure, llvm::sys::fs::OF_Text);
  if (failure)
    return llvm::createStringError("cannot write '" + path +
                                   "': " + failure.message());
  std::string guard =
      "FUSION_" +
      StringRef(toIdentifier(llvm::sys::path::filename(path))).upper();
  os << "/* Written by Fusion. Link the object file with libfusion_runtime and "
        "libm. */\n#ifndef "
     << guard << "\n#define " << guard
     << "\n\n#include <stdbool.h>\n#include <stdint.h>\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  declareMemRefs(signature, os);
  std::string resultsName = toIdentifier(signature.name) + "_results";
  declareResults(signature, resultsName, os);
  declareEntry(signature, info, resultsName, os);
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  return llvm::Error::success();
}
