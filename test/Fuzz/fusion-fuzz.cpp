//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"
#include "Shrink.h"

#include "mlir/InitAllPasses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <map>

using namespace fusion::fuzz;
using llvm::errs;
using llvm::outs;

namespace cl = llvm::cl;

static cl::OptionCategory category("Options of fusion-fuzz");
static cl::opt<uint64_t> firstSeed("seed", cl::desc("First seed (0)"),
                                   cl::init(0), cl::cat(category));
static cl::opt<uint64_t> numSeeds("seeds", cl::desc("Number of seeds (100)"),
                                  cl::init(100), cl::cat(category));
static cl::opt<unsigned>
    timeLimit("time-limit", cl::desc("Stop after that many seconds (0: never)"),
              cl::init(0), cl::cat(category));
static cl::opt<bool> printOnly("print",
                               cl::desc("Print the module of --seed and stop"),
                               cl::init(false), cl::cat(category));
static cl::opt<bool> quantized("quantized",
                               cl::desc("Quantise all convolutions to 8 bits"),
                               cl::init(false), cl::cat(category));
static cl::opt<std::string>
    form("form",
         cl::desc("Quantise all convolutions, in the form of that name if they "
                  "can have it"),
         cl::value_desc("name"), cl::cat(category));
static cl::opt<std::string>
    outputFolder("output",
                 cl::desc("Folder for shrunk modules that differ or fail"),
                 cl::value_desc("folder"), cl::cat(category));
static cl::opt<unsigned> minFused(
    "min-fused",
    cl::desc("Exit with 1 if less than that many percent of the cases that "
             "nothing forbids fuse entirely (0)"),
    cl::init(0), cl::cat(category));
static cl::opt<bool>
    showFeatures("features",
                 cl::desc("Print how often cases with each feature fuse"),
                 cl::init(false), cl::cat(category));
static cl::opt<bool>
    showUnfused("unfused",
                cl::desc("Print the seeds that should fuse and do not"),
                cl::init(false), cl::cat(category));

static double getSeconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

namespace {
/// The number of occurrences, and the first seed.
struct Tally {
  uint64_t count = 0, firstSeed = 0;

  /// Returns true the first time.
  bool add(uint64_t seed) {
    if (count++ == 0)
      firstSeed = seed;
    return count == 1;
  }
};

/// The number of cases with a feature, and of those that fuse.
struct Rate {
  uint64_t fused = 0, all = 0;
};

class Campaign {
public:
  int run();

private:
  Runner runner;
  double start = getSeconds(), lastProgress = start;
  uint64_t numRun = 0, numAgree = 0, numDiffer = 0, numFailed = 0,
           numUpstream = 0;
  Rate rate;
  std::map<std::string, Rate> features;
  std::map<std::string, Tally> reasons, upstream;

  void runBatch(uint64_t first, uint64_t count);
  void count(const CaseDescription &description, const Outcome &outcome);
  void countFusion(const CaseDescription &description, const Outcome &outcome);
  void reportBad(const CaseDescription &description, const Outcome &outcome);
  void shrinkAndWrite(const CaseDescription &description,
                      const Outcome &outcome, llvm::StringRef prefix);
  void write(const CaseDescription &description, const Outcome &outcome,
             llvm::StringRef path);
  void showProgress();
  int summarize();
};
} // namespace

/// Removes numbers and names of values, which would make each reason unique.
static std::string generalize(llvm::StringRef reason) {
  std::string result;
  for (char c : reason)
    if (!llvm::isDigit(c))
      result += c;
    else if (result.empty() || result.back() != '#')
      result += '#';
  return result;
}

void Campaign::countFusion(const CaseDescription &description,
                           const Outcome &outcome) {
  if (outcome.status == Outcome::Failed ||
      outcome.status == Outcome::UpstreamFault ||
      !findObstacles(description).empty())
    return;
  ++rate.all;
  rate.fused += outcome.isFused;
  std::vector<std::string> names = listFeatures(description);
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
  for (const std::string &name : names) {
    ++features[name].all;
    features[name].fused += outcome.isFused;
  }
  if (outcome.isFused)
    return;
  bool isNew =
      reasons[generalize(outcome.reasons.front())].add(description.seed);
  if (!showUnfused)
    return;
  outs() << "seed " << description.seed
         << " is not fused: " << outcome.reasons.front() << "\n  "
         << llvm::join(listFeatures(description), ", ") << "\n";
  if (isNew)
    shrinkAndWrite(description, outcome, "unfused");
}

/// The command by which fusion-run runs the module of the case.
static std::string formatCommand(const CaseDescription &description,
                                 const GeneratedModule &module) {
  std::string options = "fusion-run --verify";
  if (description.isExact)
    options += " --quant-rounding=exact --lsb=0";
  if (description.tiles)
    options = std::string("FUSION_TILES=") + description.tiles + " " + options;
  if (description.cacheBytes)
    options += " --cache-bytes=" + std::to_string(description.cacheBytes);
  if (description.threads > 1)
    options += " --threads=" + std::to_string(description.threads);
  for (size_t i = 0; i < module.arguments.size(); ++i) {
    const ArgumentData &data = module.arguments[i];
    std::string argument = std::to_string(i) + ":";
    int64_t value = static_cast<int64_t>(data.range.low);
    if (!data.range.choices.empty())
      options += " --random=" + argument + "-128:128";
    if (data.isIndex)
      options += " --random=" + argument + std::to_string(value) + ":" +
                 std::to_string(value + 1);
    if (data.isDynamic)
      options += " --shape=" + argument +
                 llvm::join(llvm::map_range(data.shape,
                                            [](int64_t size) {
                                              return std::to_string(size);
                                            }),
                            "x");
  }
  return options;
}

void Campaign::write(const CaseDescription &description, const Outcome &outcome,
                     llvm::StringRef path) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error) {
    errs() << "cannot write " << path << ": " << error.message() << "\n";
    return;
  }
  file << "// Shrunk from seed " << description.seed << ".\n";
  file << "// Passes before fusion: "
       << (description.passes.empty() ? "none"
                                      : llvm::join(description.passes, ","))
       << "\n// " << outcome.stage << "\n";
  llvm::SmallVector<llvm::StringRef> lines;
  std::string text = outcome.message;
  for (const std::string &reason : outcome.reasons)
    text += "\n" + reason;
  llvm::StringRef(text).trim().split(lines, '\n');
  for (llvm::StringRef line : lines)
    file << "// " << line << "\n";
  GeneratedModule module = generate(description);
  file << "// " << formatCommand(description, module) << "\n\n" << module.text;
}

void Campaign::reportBad(const CaseDescription &description,
                         const Outcome &outcome) {
  const char *verb = outcome.status == Outcome::Differs ? "differs" : "failed";
  outs() << "seed " << description.seed << " " << verb << " (" << outcome.stage
         << "): " << llvm::StringRef(outcome.message).trim() << "\n";
  outs().flush();
  shrinkAndWrite(description, outcome, "seed");
}

/// Whether `other` is the same kind of failure as `outcome`.
static bool isSame(const Outcome &other, const Outcome &outcome,
                   const CaseDescription &description) {
  if (other.status != outcome.status || other.stage != outcome.stage)
    return false;
  if (outcome.isBad())
    return true;
  return !other.isFused && findObstacles(description).empty() &&
         generalize(other.reasons.front()) ==
             generalize(outcome.reasons.front());
}

static bool hasWindowsInPadding(const CaseDescription &description) {
  return llvm::any_of(description.convs, [](const ConvDescription &conv) {
    return conv.geometry.hasWindowsInPadding();
  });
}

void Campaign::shrinkAndWrite(const CaseDescription &description,
                              const Outcome &outcome, llvm::StringRef prefix) {
  if (outputFolder.empty())
    return;
  bool hasEmpty = hasWindowsInPadding(description);
  CaseDescription smaller =
      shrink(description, [&](const CaseDescription &candidate) {
        // Kernels have a different problem with these.
        if (hasWindowsInPadding(candidate) && !hasEmpty)
          return false;
        return isSame(runner.run(candidate), outcome, candidate);
      });
  if (std::error_code error = llvm::sys::fs::create_directories(outputFolder))
    llvm::errs() << "fusion-fuzz: " << outputFolder << ": " << error.message()
                 << "\n";
  llvm::SmallString<128> path(outputFolder);
  llvm::sys::path::append(path, prefix + "-" + llvm::Twine(description.seed) +
                                    ".mlir");
  write(smaller, runner.run(smaller), path);
  outs() << "  shrunk: " << path << "\n  "
         << llvm::join(listFeatures(smaller), ", ") << "\n";
  outs().flush();
}

void Campaign::count(const CaseDescription &description,
                     const Outcome &outcome) {
  ++numRun;
  numAgree += outcome.status == Outcome::Agrees;
  numDiffer += outcome.status == Outcome::Differs;
  numFailed += outcome.status == Outcome::Failed;
  numUpstream += outcome.status == Outcome::UpstreamFault;
  if (outcome.status == Outcome::UpstreamFault)
    upstream[generalize(outcome.stage + ": " + outcome.message)].add(
        description.seed);
  countFusion(description, outcome);
  if (outcome.isBad())
    reportBad(description, outcome);
  showProgress();
}

static CaseDescription drawCase(uint64_t seed) {
  return quantized || !form.empty() ? drawQuantized(seed, form) : draw(seed);
}

void Campaign::runBatch(uint64_t first, uint64_t size) {
  std::vector<CaseDescription> cases;
  for (uint64_t seed = first; seed < first + size; ++seed)
    cases.push_back(drawCase(seed));
  runner.run(cases, [&](size_t index, const Outcome &outcome) {
    count(cases[index], outcome);
  });
}

void Campaign::showProgress() {
  double now = getSeconds();
  if (now - lastProgress < 5)
    return;
  lastProgress = now;
  errs() << numRun << " of " << numSeeds << " seeds, " << numDiffer
         << " differ, " << numFailed << " failed\n";
}

static std::string formatRate(const Rate &rate) {
  std::string text;
  llvm::raw_string_ostream(text)
      << rate.fused << " of " << rate.all
      << llvm::format(" (%.1f %%)",
                      rate.all ? 100.0 * rate.fused / rate.all : 100.0);
  return text;
}

/// Prints the most frequent first.
static void printTallies(llvm::StringRef what,
                         const std::map<std::string, Tally> &tallies) {
  std::vector<std::pair<std::string, Tally>> sorted(tallies.begin(),
                                                    tallies.end());
  llvm::sort(sorted, [](const auto &a, const auto &b) {
    return std::tuple(b.second.count, a.second.firstSeed) <
           std::tuple(a.second.count, b.second.firstSeed);
  });
  for (const auto &[text, tally] : sorted)
    outs() << tally.count << " times " << what << " (first seed "
           << tally.firstSeed << "): " << text << "\n";
}

int Campaign::summarize() {
  if (showFeatures)
    for (const auto &[name, part] : features)
      outs() << llvm::format("%-60s ", name.c_str()) << formatRate(part)
             << "\n";
  printTallies("upstream's fault", upstream);
  printTallies("not fused", reasons);
  outs() << numRun << " seeds: " << numAgree << " agree, " << numDiffer
         << " differ, " << numFailed << " failed";
  if (numUpstream)
    outs() << ", " << numUpstream << " by upstream's fault";
  outs() << "; " << rate.fused << " of " << rate.all
         << " that nothing forbids fused"
         << llvm::format(" (%.1f %%), %.1f ms each\n",
                         rate.all ? 100.0 * rate.fused / rate.all : 100.0,
                         1000 * (getSeconds() - start) / numRun);
  bool isRateLow = rate.fused * 100 < rate.all * minFused;
  return numDiffer || numFailed || isRateLow;
}

int Campaign::run() {
  // Attributes live as long as their context, which ends with a batch.
  constexpr uint64_t kBatch = 50;
  for (uint64_t done = 0; done < numSeeds; done += kBatch) {
    if (timeLimit && getSeconds() - start > timeLimit)
      break;
    runBatch(firstSeed + done, std::min(kBatch, numSeeds - done));
  }
  return summarize();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compiles random modules with Fusion and with upstream's passes alone "
      "and compares what they compute.\n");
  if (!form.empty() &&
      llvm::none_of(getQuantizedForms(), [](const QuantizedForm &known) {
        return form == known.name;
      })) {
    errs() << "fusion-fuzz: no form '" << form << "'\n";
    return 1;
  }
  if (numSeeds == 0) {
    errs() << "fusion-fuzz: --seeds must be at least 1, got 0\n";
    return 1;
  }
  if (printOnly) {
    CaseDescription description = drawCase(firstSeed);
    outs() << "// " << llvm::join(listFeatures(description), ", ") << "\n";
    for (const std::string &obstacle : findObstacles(description))
      outs() << "// not to be fused: " << obstacle << "\n";
    outs() << generate(description).text;
    return 0;
  }
  mlir::registerAllPasses();
  return Campaign().run();
}
