//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Profile.h"
#include "Numbers.h"

#include "FusionDialect/ExecutionEngine/InstrumentLoops.h"
#include "FusionDialect/Support/WriteFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"
#include <chrono>
#include <map>
#include <mutex>
#include <tuple>

using namespace fusion;
using namespace fusion::run;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Trace
//===----------------------------------------------------------------------===//

/// Events may come from several threads at once.
static std::mutex traceMutex;

void Trace::record(const fusion_rt_event *event, void *context) {
  std::lock_guard<std::mutex> lock(traceMutex);
  auto *trace = static_cast<Trace *>(context);
  StringRef steps = trace->texts.insert(event->steps).first->getKey();
  fusion_rt_copies copies;
  fusion_rt_get_traced_copies(&copies);
  trace->events.push_back({event->name, event->location, event->kernel, steps,
                           event->begin_ns, event->end_ns, copies,
                           llvm::get_threadid()});
}

void Trace::makeRoom(size_t runs) {
  events.resize(runs * events.size());
  events.clear();
}

void Trace::start() { fusion_rt_set_trace(record, this); }
void Trace::stop() { fusion_rt_set_trace(nullptr, nullptr); }

//===----------------------------------------------------------------------===//
// Summary
//===----------------------------------------------------------------------===//

static double getMicroseconds(const TraceEvent &event) {
  return static_cast<double>(event.endNs - event.beginNs) / 1000;
}

static double getCopiesMicroseconds(const TraceEvent &event) {
  return static_cast<double>(event.copies.ns) / 1000;
}

/// The part of a row's time that only moves elements.
static double getMovesUs(const ProfileRow &row) {
  bool isMove = row.kernel.empty() && StringRef(row.name).contains(kMovesText);
  return isMove ? row.us : row.copiesUs;
}

static Profile summarize(const std::vector<TraceEvent> &events, double wallUs,
                         unsigned runs) {
  std::map<std::tuple<StringRef, StringRef, StringRef, StringRef>, ProfileRow>
      table;
  Profile profile;
  profile.wallUs = wallUs / runs;
  profile.elsewhereUs = profile.wallUs;
  for (const TraceEvent &event : events) {
    StringRef place = llvm::sys::path::filename(event.location);
    if (place.empty())
      place = "-";
    ProfileRow &row = table[{place, event.name, event.kernel, event.steps}];
    row.calls += 1.0 / runs;
    row.us += getMicroseconds(event) / runs;
    row.copiedBytes += double(event.copies.bytes) / runs;
    row.copiesUs += getCopiesMicroseconds(event) / runs;
    profile.elsewhereUs -= getMicroseconds(event) / runs;
  }
  profile.elsewhereUs = std::max(0.0, profile.elsewhereUs);
  for (auto &[key, row] : table) {
    auto &[location, name, kernel, steps] = key;
    row.location = location.str();
    row.name = name.str();
    row.kernel = kernel.str();
    row.steps = steps.str();
    profile.movesUs += getMovesUs(row);
    profile.rows.push_back(std::move(row));
  }
  llvm::sort(profile.rows, [](const ProfileRow &a, const ProfileRow &b) {
    return a.us > b.us;
  });
  return profile;
}

/// The share of the time from which on moves are worth a warning.
static constexpr double kManyMoves = 0.05;

static void warnOfMoves(const Profile &profile, llvm::raw_ostream &os) {
  double share = profile.movesUs / profile.wallUs;
  if (!(share > kManyMoves))
    return;
  const ProfileRow &largest = *llvm::max_element(
      profile.rows, [](const ProfileRow &a, const ProfileRow &b) {
        return getMovesUs(a) < getMovesUs(b);
      });
  os << llvm::format("warning: copies, transposes and broadcasts take %.1f %% "
                     "of the time, the longest is ",
                     100 * share)
     << largest.name;
  if (!largest.kernel.empty())
    os << llvm::format(" copies %.0f bytes", largest.copiedBytes);
  os << " at " << largest.location << "\n";
}

void fusion::run::printProfile(const Profile &profile, llvm::raw_ostream &os) {
  size_t width = 8;
  for (const ProfileRow &row : profile.rows)
    width = std::max(width, row.location.size());
  auto printTimes = [&](double us) {
    os << llvm::format("%10.1f %6.1f ", us, 100 * us / profile.wallUs);
  };
  os << llvm::format("%10s %6s %6s  ", "us/run", "%", "calls")
     << llvm::left_justify("location", width) << "  what\n";
  for (const ProfileRow &row : profile.rows) {
    printTimes(row.us);
    os << llvm::format("%6.0f  ", row.calls)
       << llvm::left_justify(row.location, width) << "  " << row.name;
    if (!row.kernel.empty())
      os << " " << row.kernel << row.steps;
    if (row.copiedBytes > 0)
      os << llvm::format(", copies %.0f bytes in %.1f us", row.copiedBytes,
                         row.copiesUs);
    os << "\n";
  }
  printTimes(profile.elsewhereUs);
  os << llvm::format("%6s  ", "") << llvm::left_justify("-", width)
     << "  elsewhere\n";
  warnOfMoves(profile, os);
}

//===----------------------------------------------------------------------===//
// File
//===----------------------------------------------------------------------===//

static void addEvent(llvm::json::OStream &json, const TraceEvent &event,
                     int64_t origin) {
  json.object([&] {
    json.attribute("name", event.kernel.empty()
                               ? event.name.str()
                               : (event.name + " " + event.kernel).str());
    json.attribute("cat", event.kernel.empty() ? "loop" : "kernel");
    json.attribute("ph", "X");
    addTime(json, "ts", double(event.beginNs - origin) / 1000);
    addTime(json, "dur", getMicroseconds(event));
    json.attribute("pid", 1);
    json.attribute("tid", int64_t(event.thread));
    json.attributeObject("args", [&] {
      json.attribute("location", event.location);
      json.attribute("kernel", event.kernel);
      json.attribute("steps", event.steps.ltrim(", "));
      json.attribute("copied_bytes", event.copies.bytes);
      addTime(json, "copies_us", getCopiesMicroseconds(event));
    });
  });
}

/// Writes Chrome's trace-event format: complete events, times in microseconds.
static llvm::Error writeTrace(const std::vector<TraceEvent> &events,
                              StringRef path) {
  int64_t origin = events.empty() ? 0 : events.front().beginNs;
  for (const TraceEvent &event : events)
    origin = std::min(origin, event.beginNs);
  return writeFile(path, [&](llvm::raw_ostream &os) {
    llvm::json::OStream json(os);
    json.object([&] {
      json.attribute("displayTimeUnit", "ns");
      json.attributeArray("traceEvents", [&] {
        for (const TraceEvent &event : events)
          addEvent(json, event, origin);
      });
    });
    os << "\n";
    return llvm::Error::success();
  });
}

llvm::Expected<Profile>
fusion::run::profile(Executable &executable,
                     llvm::ArrayRef<HostTensor> arguments,
                     const Options &options) {
  using Clock = std::chrono::steady_clock;
  Invocation invocation(executable, arguments);
  Trace trace;
  trace.start();
  // One call gives the number of events. Their memory is allocated before the
  // measurement.
  invocation.call();
  invocation.freeResults();
  trace.makeRoom(options.repeat);
  double wallUs = 0;
  for (unsigned i = 0; i < options.repeat; ++i) {
    Clock::time_point begin = Clock::now();
    invocation.call();
    wallUs +=
        std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
    invocation.freeResults();
  }
  trace.stop();
  if (!options.traceFile.empty())
    if (llvm::Error error = writeTrace(trace.getEvents(), options.traceFile))
      return error;
  return summarize(trace.getEvents(), wallUs, options.repeat);
}
