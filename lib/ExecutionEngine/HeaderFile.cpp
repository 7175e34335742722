//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/ExecutionEngine/ObjectFile.h"
#include "FusionDialect/ExecutionEngine/SymbolNames.h"
#include "FusionDialect/Support/WriteFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

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

/// Declares the descriptor of `type` and a function that creates one.
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

static void declareMemRefs(ArrayRef<Signature> signatures, raw_ostream &os) {
  llvm::StringSet<> declared;
  auto declare = [&](const HostType &type) {
    if (!type.isScalar && declared.insert(getTypeName(type)).second)
      declareMemRef(type, os);
  };
  for (const Signature &signature : signatures) {
    llvm::for_each(signature.arguments, declare);
    llvm::for_each(signature.results, declare);
  }
}

/// Whether the results are returned in a struct behind the first argument.
static bool hasResultStruct(const Signature &signature) {
  ArrayRef<HostType> results = signature.results;
  return results.size() > 1 || (results.size() == 1 && !results[0].isScalar);
}

static void declareResults(const Signature &signature, StringRef name,
                           raw_ostream &os) {
  if (signature.results.empty())
    return;
  os << "/* The caller frees `allocated` of each result by fusion_rt_free. */\n"
        "typedef struct "
     << name << " {\n";
  for (auto [index, type] : llvm::enumerate(signature.results))
    os << "  " << getTypeName(type) << " result" << index << "; /* "
       << type.str() << " */\n";
  os << "} " << name << ";\n\n";
}

/// Begins a comment that lists the arguments.
static void describeEntry(const Signature &signature, raw_ostream &os) {
  // The name may be anything, even the end of a comment.
  bool isPlain = llvm::all_of(signature.name, [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.';
  });
  os << "/* '" << (isPlain ? signature.name : toIdentifier(signature.name))
     << "'; arguments are not written to:\n";
  for (auto [index, type] : llvm::enumerate(signature.arguments))
    os << " *   argument" << index << ": " << type.str() << "\n";
}

static void declareFunction(StringRef returned, StringRef name,
                            const Signature &signature, bool hasResults,
                            StringRef resultsName, StringRef qualifier,
                            raw_ostream &os) {
  SmallVector<std::string> parameters;
  if (hasResults)
    parameters.push_back((resultsName + " *results").str());
  for (auto [index, type] : llvm::enumerate(signature.arguments))
    parameters.push_back(((type.isScalar ? "" : qualifier) + getTypeName(type) +
                          (type.isScalar ? " " : " *") + "argument" +
                          Twine(index))
                             .str());
  os << returned << " " << name << "("
     << (parameters.empty() ? "void" : llvm::join(parameters, ", "))
     << ");\n\n";
}

/// Declares the function that ends the process, or calls the error handler, if
/// something fails.
static void declareInterface(const Signature &signature,
                             const ObjectFileInfo::Entry &entry,
                             raw_ostream &os) {
  describeEntry(signature, os);
  os << " * A failure is the error handler's, which ends the process unless "
        "the program\n * has set another; shapes are not checked. */\n";
  bool hasStruct = hasResultStruct(signature);
  std::string returned = "void";
  if (!hasStruct && !signature.results.empty())
    returned = getTypeName(signature.results.front());
  declareFunction(returned, entry.interfaceSymbol, signature, hasStruct,
                  entry.resultsName, "", os);
}

static void declareFunctionInto(const Signature &signature,
                                const ObjectFileInfo::Entry &entry,
                                raw_ostream &os) {
  if (entry.intoSymbol.empty())
    return;
  os << "/* The same, with results in memory of the caller's. Before the call, "
        "`data` of\n * each result is null, for one that the caller frees, or "
        "memory for as many\n * elements as its sizes say. These become those "
        "of the result, and `allocated`\n * null. If there is too little "
        "memory, the call fails: `data` is null and the\n * sizes are those "
        "needed. After other failures the results are as they were. */\n";
  declareFunction("int", entry.intoSymbol, signature, /*hasResults=*/true,
                  entry.resultsName, "const ", os);
}

static void declareStatusEntry(const Signature &signature,
                               const ObjectFileInfo::Entry &entry,
                               raw_ostream &os) {
  describeEntry(signature, os);
  os << " * Returns 0, or the fusion_rt_status of what failed: a shape that is "
        "not the\n * one above, memory that there is not, an assertion of the "
        "program, a kernel,\n * a CPU without what the code needs. Its "
        "sentence is fusion_rt_last_error().\n * The results are zero then: "
        "there is nothing to free. */\n";
  declareFunction("int", entry.statusSymbol, signature,
                  !signature.results.empty(), entry.resultsName, "const ", os);
  declareFunctionInto(signature, entry, os);
  os << "/* Names, types and sizes, and the CPU that the code is for, as "
        "FusionRuntime/\n * fusion_runtime.h describes them. */\n"
        "struct fusion_rt_entry_info;\nconst struct fusion_rt_entry_info *"
     << entry.signatureSymbol << "(void);\n\n";
}

static void declareFunctions(ArrayRef<Signature> signatures,
                             const ObjectFileInfo &info, raw_ostream &os) {
  for (auto [signature, entry] : llvm::zip_equal(signatures, info.entries)) {
    declareResults(signature, entry.resultsName, os);
    if (!entry.interfaceSymbol.empty())
      declareInterface(signature, entry, os);
    declareStatusEntry(signature, entry, os);
  }
  if (!info.prepareSymbol.empty())
    os << "/* Creates kernels and packs weights before the first call. Returns "
          "0, "
          "or the\n * status of what failed. */\n"
       << "int " << info.prepareSymbol << "(void);\n\n";
  for (const std::string &symbol : info.releaseSymbols)
    os << "/* Frees the kernels and packed weights that calls left behind. */\n"
       << "void " << symbol << "(void);\n\n";
  os << "/* Of the runtime: why the last call on this thread failed. */\n"
     << "const char *fusion_rt_last_error(void);\n\n"
     << "/* Of the runtime: frees a result. free() does too, if no allocator "
        "is "
        "set. */\n"
     << "void fusion_rt_free(void *block);\n\n";
}

/// C has no type that is passed as LLVM passes 16-bit floats.
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

static void printHeader(ArrayRef<Signature> signatures,
                        const ObjectFileInfo &info, StringRef path,
                        raw_ostream &os) {
  // Files with the same name may belong to different networks.
  std::string guard = "FUSION_" +
                      toIdentifier(llvm::sys::path::filename(path)) + "_" +
                      info.entries.front().statusSymbol;
  os << "/* Written by Fusion. Link the object file with libfusion_runtime and "
        "libm. */\n#ifndef "
     << guard << "\n#define " << guard
     << "\n\n#include <stdbool.h>\n#include <stdint.h>\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  declareMemRefs(signatures, os);
  declareFunctions(signatures, info, os);
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
}

llvm::Error fusion::writeHeaderFile(ArrayRef<Signature> signatures,
                                    const ObjectFileInfo &info,
                                    StringRef path) {
  for (const Signature &signature : signatures)
    if (llvm::Error error = checkScalars(signature))
      return error;
  return writeFile(path, [&](raw_ostream &os) {
    printHeader(signatures, info, path, os);
    return llvm::Error::success();
  });
}
