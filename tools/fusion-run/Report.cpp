//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Numbers.h"

#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <sys/resource.h>

using namespace fusion;
using namespace fusion::run;
using llvm::format;
using llvm::raw_ostream;
using llvm::StringRef;

static StringRef getName(Mode mode) {
  return mode == Mode::Fused ? "fused" : "unfused";
}

static double getRequestsPerSecond(const Measurement &measurement) {
  return double(measurement.runsUs.size()) / measurement.wallUs * 1e6;
}

/// The peak memory of the process, compiler included.
static int64_t getPeakResidentBytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<int64_t>(usage.ru_maxrss) * 1024;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void addComparison(llvm::json::OStream &json,
                          const Comparison &comparison) {
  bool hasErrors = comparison.hasErrors;
  addNumber(json, "max_abs_error",
            hasErrors ? comparison.maxAbsoluteError : NAN);
  addNumber(json, "max_rel_error",
            hasErrors ? comparison.maxRelativeError : NAN);
  json.attribute("integers", comparison.numIntegers);
  json.attribute("other_integers", comparison.numOtherIntegers);
  addNumber(json, "max_integer_error", comparison.maxIntegerError);
}

static StringRef getVerdictName(Comparison::Verdict verdict) {
  switch (verdict) {
  case Comparison::Agrees:
    return "agrees";
  case Comparison::Differs:
    return "differs";
  case Comparison::ProvesNothing:
    return "proves nothing";
  }
  return "";
}

static void addKernel(llvm::json::OStream &json, const KernelInfo &kernel,
                      const CompileInfo &compile) {
  json.object([&] {
    json.attribute("location", kernel.location);
    json.attribute("kernel", kernel.kernel);
    auto found = compile.multiplyAdds.find(kernel.location);
    if (found != compile.multiplyAdds.end())
      json.attribute("macs", found->second);
  });
}

static void addProfile(llvm::json::OStream &json, const Profile &profile) {
  addTime(json, "wall_us", profile.wallUs);
  addTime(json, "elsewhere_us", profile.elsewhereUs);
  addTime(json, "moves_us", profile.movesUs);
  json.attributeArray("rows", [&] {
    for (const ProfileRow &row : profile.rows)
      json.object([&] {
        json.attribute("location", row.location);
        json.attribute("what", row.name);
        json.attribute("kernel", row.kernel);
        json.attribute("steps", llvm::StringRef(row.steps).ltrim(", "));
        addNumber(json, "calls", row.calls);
        addTime(json, "us", row.us);
        addNumber(json, "copied_bytes", row.copiedBytes);
        addTime(json, "copies_us", row.copiesUs);
      });
  });
}

static void addMeasurement(llvm::json::OStream &json,
                           const Measurement &measurement,
                           const Options &options, const CompileInfo &compile) {
  if (options.prepare)
    addTime(json, "prepare_us", measurement.prepareUs);
  addTime(json, "first_run_us", measurement.firstRunUs);
  addTime(json, "mean_us", measurement.meanUs);
  addTime(json, "median_us", measurement.medianUs);
  addTime(json, "min_us", measurement.minUs);
  addTime(json, "max_us", measurement.maxUs);
  addTime(json, "std_us", measurement.stdUs);
  addTime(json, "p50_us", measurement.p50Us);
  addTime(json, "p99_us", measurement.p99Us);
  json.attribute("runs", int64_t(measurement.runsUs.size()));
  json.attribute("callers", int64_t(options.callers));
  addTime(json, "requests_per_second", getRequestsPerSecond(measurement));
  json.attribute("threads", measurement.threads);
  json.attribute("peak_memory_bytes", int64_t(measurement.peakMemoryBytes));
  json.attribute("peak_rss_bytes", getPeakResidentBytes());
  const fusion_rt_counters &counters = measurement.counters;
  json.attribute("reference_kernels", int64_t(counters.reference_kernels));
  json.attribute("creates", int64_t(counters.creates));
  json.attribute("executes", int64_t(counters.executes));
  json.attribute("weight_packs", int64_t(counters.weight_packs));
  json.attribute("packed_bytes", int64_t(counters.packed_bytes));
  json.attributeArray("kernels", [&] {
    for (const KernelInfo &kernel : measurement.kernels)
      addKernel(json, kernel, compile);
  });
}

static void printJson(const Report &report, const Options &options,
                      raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("file", options.inputFile);
    json.attribute("entry", report.signature.name);
    json.attribute("mode", getName(options.mode));
    json.attribute("precision", getName(options.precision));
    json.attribute("backend", fusion_rt_backend());
    addTime(json, "compile_ms", report.compileMs);
    json.attribute("weight_bytes", int64_t(report.weightBytes));
    json.attribute("fused_ops", int64_t(report.compile.fusedOps));
    json.attribute("other_convolutions",
                   int64_t(report.compile.otherConvolutions));
    if (report.measurement)
      addMeasurement(json, *report.measurement, options, report.compile);
    if (report.verified || report.expected) {
      const Comparison &comparison =
          report.verified ? *report.verified : *report.expected;
      addComparison(json, comparison);
      addNumber(json, "rtol", report.tolerance.relative);
      addNumber(json, "atol", report.tolerance.absolute);
    }
    if (report.verified)
      json.attribute("verify", getVerdictName(report.verified->verdict));
    if (report.expected)
      json.attribute("expect", getVerdictName(report.expected->verdict));
    if (report.profile)
      json.attributeObject("profile",
                           [&] { addProfile(json, *report.profile); });
  });
  os << "\n";
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// A NaN is printed without its sign, which has no meaning.
static std::string formatNumber(double value) {
  if (std::isnan(value))
    return "nan";
  std::string text;
  llvm::raw_string_ostream(text) << format("%g", value);
  return text;
}

static void printResult(size_t index, const HostTensor &tensor,
                        raw_ostream &os) {
  os << "result " << index << ": " << tensor.getType().str();
  int64_t numElements = tensor.getNumElements();
  if (numElements == 0) {
    os << "\n";
    return;
  }
  // fmin and fmax ignore a NaN if the other operand is a number.
  double min = NAN, max = NAN, sum = 0;
  for (int64_t i = 0; i < numElements; ++i) {
    double value = tensor.get(i);
    min = std::fmin(min, value);
    max = std::fmax(max, value);
    sum += value;
  }
  os << "  min " << formatNumber(min) << "  max " << formatNumber(max)
     << "  mean " << formatNumber(sum / numElements) << "  [";
  int64_t shown = std::min<int64_t>(numElements, 4);
  for (int64_t i = 0; i < shown; ++i)
    os << (i ? ", " : "") << formatNumber(tensor.get(i));
  os << (numElements > shown ? ", ...]\n" : "]\n");
}

static void printMeasurement(const Measurement &measurement,
                             const Options &options, raw_ostream &os) {
  if (options.prepare)
    os << format("prepared in %.1f us, ", measurement.prepareUs);
  os << format("first run %.1f us, ", measurement.firstRunUs);
  if (measurement.runsUs.size() == 1)
    os << format("then %.1f us", measurement.meanUs);
  else
    os << format("then mean %.1f us, median %.1f, min %.1f, max %.1f, std "
                 "%.1f in %zu runs",
                 measurement.meanUs, measurement.medianUs, measurement.minUs,
                 measurement.maxUs, measurement.stdUs,
                 measurement.runsUs.size());
  os << ", " << count(measurement.threads, "thread") << "\n";
  if (options.callers > 1)
    os << options.callers << " callers, "
       << format("%.1f requests per second, 50 %% within %.1f us, 99 %% within "
                 "%.1f\n",
                 getRequestsPerSecond(measurement), measurement.p50Us,
                 measurement.p99Us);
  const fusion_rt_counters &counters = measurement.counters;
  os << count(counters.creates, "kernel") << " created, " << counters.executes
     << " executed, weights packed " << count(counters.weight_packs, "time")
     << ", peak memory " << count(measurement.peakMemoryBytes, "byte") << "\n";
  if (counters.reference_kernels)
    os << "warning: " << count(counters.reference_kernels, "kernel")
       << (counters.reference_kernels == 1 ? " is" : " are")
       << " the library's slow reference implementation (see --profile)\n";
  if (!options.outputDir.empty())
    return;
  for (auto [index, result] : llvm::enumerate(measurement.firstResults))
    printResult(index, result, os);
}

static void printComparison(StringRef what, const Comparison &comparison,
                            const Tolerance &tolerance, raw_ostream &os) {
  os << what << ": ";
  if (comparison.verdict == Comparison::Agrees)
    os << "agrees";
  else
    os << comparison.reason;
  if (std::string integers = describeIntegers(comparison); !integers.empty())
    os << "; " << integers;
  if (comparison.hasErrors)
    os << format("; max abs error %.3g, max rel error %.3g (rtol %g, atol %g)",
                 comparison.maxAbsoluteError, comparison.maxRelativeError,
                 tolerance.relative, tolerance.absolute);
  os << "\n";
}

static void printText(const Report &report, const Options &options,
                      raw_ostream &os) {
  os << report.signature.name << ": "
     << count(report.compile.fusedOps, "fused op");
  if (uint64_t others = report.compile.otherConvolutions)
    os << ", " << count(others, "convolution") << " or matrix multiplication"
       << (others == 1 ? "" : "s") << " left as loops";
  os << " (" << getName(options.mode);
  if (report.compile.hasFloats)
    os << ", " << getName(options.precision);
  os << format("), compiled in %.0f ms\n", report.compileMs);
  if (report.measurement)
    printMeasurement(*report.measurement, options, os);
  if (report.verified)
    printComparison("verify", *report.verified, report.tolerance, os);
  if (report.expected)
    printComparison("expect", *report.expected, report.tolerance, os);
}

void fusion::run::printReport(const Report &report, const Options &options,
                              raw_ostream &os) {
  if (options.json)
    printJson(report, options, os);
  else
    printText(report, options, os);
  if (report.profile)
    printProfile(*report.profile, options.json ? llvm::errs() : os);
}
