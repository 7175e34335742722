//===- Pool.cpp - Threads that share tasks --------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pool.h"

#include "Processors.h"
#include "Support.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sched.h>
#include <stdexcept>
#include <unistd.h>

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

static void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

/// The time for which a thread looks for work, or for its end, before it
/// sleeps. Between two kernels of a network a caller works alone for up to this
/// time: with 20 us MobileNetV2 takes 1.3 times as long, and 1000 us gain
/// nothing.
static constexpr int64_t spinTime = 200000; // ns

/// Calls `isOver` until it is true or `nanoseconds` have passed. Returns
/// whether it is true.
template <typename IsOver>
static bool spinUntil(IsOver isOver, int64_t nanoseconds) {
  constexpr int looksPerClock = 16;
  for (int64_t begin = nowNs(); nowNs() - begin < nanoseconds;)
    for (int i = 0; i < looksPerClock; ++i) {
      if (isOver())
        return true;
      relax();
    }
  return isOver();
}

static thread_local bool isRunningTask = false;

bool Pool::isInTask() { return isRunningTask; }

Pool::TaskScope::TaskScope() : wasInTask(std::exchange(isRunningTask, true)) {}
Pool::TaskScope::~TaskScope() { isRunningTask = wasInTask; }

/// The number of forks between the first process and this one. A child has none
/// of the workers.
static std::atomic<int> forks{0};
[[maybe_unused]] static const int forksAreCounted =
    pthread_atfork(/*prepare=*/nullptr, /*parent=*/nullptr, [] { ++forks; });

//===----------------------------------------------------------------------===//
// Jobs
//===----------------------------------------------------------------------===//

static constexpr int indexBits = 16;
static constexpr uint64_t indexMask = (1 << indexBits) - 1;

static_assert(Pool::maxTasks < int(indexMask));

/// A free job, or null if all are in use.
Pool::Job *Pool::beginJob() {
  uint64_t seen = taken.load(std::memory_order_relaxed);
  while (~seen) {
    int index = __builtin_ctzll(~seen);
    if (taken.compare_exchange_weak(seen, seen | uint64_t(1) << index,
                                    std::memory_order_acquire))
      return &jobs[index];
  }
  return nullptr;
}

void Pool::endJob(Job &job) {
  taken.fetch_and(~bitOf(job), std::memory_order_release);
}

/// Publishes work. All tasks of the job's last work have ended, so that nobody
/// can claim a task while this writes.
void Pool::publish(Job &job, const Work &work) {
  job.task.store(work.task, std::memory_order_relaxed);
  job.context.store(work.context, std::memory_order_relaxed);
  job.threads.store(work.threads, std::memory_order_relaxed);
  job.left.store(work.count, std::memory_order_relaxed);
  uint64_t epoch =
      (job.ticket.load(std::memory_order_relaxed) >> (2 * indexBits)) + 1;
  job.ticket.store(epoch << (2 * indexBits) | uint64_t(work.count),
                   std::memory_order_release);
}

bool Pool::hasTasks(const Job &job) {
  uint64_t ticket = job.ticket.load(std::memory_order_acquire);
  return (ticket >> indexBits & indexMask) < (ticket & indexMask);
}

/// Ends the child of a worker, which has no other thread, and no caller to
/// return to.
[[noreturn]] static void endChildOfWorker() {
  fputs("fusion runtime error: a child of fork() that was made in a parallel "
        "loop, on another thread than the loop's caller, cannot leave it\n",
        stderr);
  _exit(EXIT_FAILURE);
}

/// Claims tasks and runs them until none is left. Returns whether there was
/// one.
bool Pool::runTasks(Job &job, int thread) {
  bool hasRun = false;
  int forksBefore = forks;
  uint64_t ticket = job.ticket.load(std::memory_order_acquire);
  for (;;) {
    int next = ticket >> indexBits & indexMask, count = ticket & indexMask;
    if (next >= count)
      return hasRun;
    // These are valid if the ticket is unchanged when the task is claimed.
    Work::Task task = job.task.load(std::memory_order_relaxed);
    void *context = job.context.load(std::memory_order_relaxed);
    if (thread >= job.threads.load(std::memory_order_relaxed))
      return hasRun;
    if (!job.ticket.compare_exchange_weak(
            ticket, ticket + (uint64_t(1) << indexBits),
            std::memory_order_acq_rel, std::memory_order_acquire))
      continue;
    task(context, next, thread);
    hasRun = true;
    if (forks != forksBefore && thread > 0)
      endChildOfWorker();
    if (job.left.fetch_sub(1, std::memory_order_acq_rel) == 1)
      job.left.notify_one();
    ticket = job.ticket.load(std::memory_order_acquire);
  }
}

//===----------------------------------------------------------------------===//
// Callers
//===----------------------------------------------------------------------===//

static void runAlone(const Work &work) {
  Pool::TaskScope scope;
  for (int i = 0; i < work.count; ++i)
    work.task(work.context, i, /*thread=*/0);
}

/// Wakes up workers. That costs the caller some microseconds, and takes effect
/// later. Work that is over by then is not worth it, unless several such works
/// add up.
void Pool::wake(const Work &work) {
  calls.fetch_add(1, std::memory_order_seq_cst);
  if (!sleepers.load(std::memory_order_seq_cst) ||
      running.load(std::memory_order_relaxed) >= work.threads)
    return;
  int64_t enough = wakeTime.load(std::memory_order_relaxed);
  if (work.nanoseconds < enough &&
      missed.fetch_add(work.nanoseconds, std::memory_order_relaxed) <
          2 * enough)
    return;
  missed.store(0, std::memory_order_relaxed);
  calledAt.store(nowNs(), std::memory_order_relaxed);
  // Waking up one worker is enough if it is the only one.
  if (workers() == 1)
    calls.notify_one();
  else
    calls.notify_all();
}

/// Waits for the end of the job. A worker that has a task but no core gets the
/// caller's core when the caller sleeps. So the caller spins for a task's time
/// at most.
void Pool::waitFor(Job &job, const Work &work) {
  constexpr int64_t least = 10000; // ns
  auto isOver = [&] { return job.left.load(std::memory_order_acquire) == 0; };
  int64_t taskTime = 2 * work.nanoseconds / work.count;
  if (isOver() || spinUntil(isOver, std::clamp(taskTime, least, spinTime)))
    return;
  while (int left = job.left.load(std::memory_order_acquire))
    job.left.wait(left, std::memory_order_acquire);
}

void Pool::run(const Work &work) {
  int threads = std::min(work.threads, work.count);
  if (threads <= 1 || isRunningTask || isStopping)
    return runAlone(work);
  ensureWorkers(threads - 1);
  Job *job = workers() ? beginJob() : nullptr;
  if (!job)
    return runAlone(work);
  limit.store(work.threads, std::memory_order_relaxed);
  callerProcessor.store(sched_getcpu(), std::memory_order_relaxed);
  running.fetch_add(1, std::memory_order_relaxed);
  publish(*job, work);
  open.fetch_or(bitOf(*job), std::memory_order_seq_cst);
  wake(work);
  int forksBefore = forks;
  {
    TaskScope scope;
    runTasks(*job, /*thread=*/0);
  }
  open.fetch_and(~bitOf(*job), std::memory_order_relaxed);
  running.fetch_sub(1, std::memory_order_relaxed);
  if (forks != forksBefore && job->left)
    throw std::runtime_error("a child of fork() cannot end the parallel loop "
                             "in which it was made");
  waitFor(*job, work);
  endJob(*job);
}

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

/// Runs tasks of any job. Returns whether there were any.
bool Pool::help(int number) {
  bool hasRun = false;
  for (uint64_t seen = open.load(std::memory_order_seq_cst); seen;
       seen &= seen - 1) {
    Job &job = jobs[__builtin_ctzll(seen)];
    // A worker that may not join must not look as if it ran tasks: the caller
    // would not wake up one that may.
    if (!hasTasks(job) || number >= job.threads.load(std::memory_order_relaxed))
      continue;
    if (running.fetch_add(1, std::memory_order_relaxed) <
        limit.load(std::memory_order_relaxed))
      hasRun |= runTasks(job, number);
    running.fetch_sub(1, std::memory_order_relaxed);
  }
  return hasRun;
}

void Pool::sleep(int number) {
  sleepers.fetch_add(1, std::memory_order_seq_cst);
  uint32_t seen = calls.load(std::memory_order_seq_cst);
  // Looks once more: a later call finds a sleeper.
  if (!help(number) && !isStopping)
    calls.wait(seen);
  sleepers.fetch_sub(1, std::memory_order_seq_cst);
  int64_t called = calledAt.exchange(0, std::memory_order_relaxed);
  if (!called)
    return;
  // On a busy machine it may take much longer for other reasons.
  constexpr int64_t shortest = 5000, longest = 50000;
  int64_t took = std::clamp(nowNs() - called, shortest, longest);
  wakeTime.store((3 * wakeTime + took) / 4, std::memory_order_relaxed);
}

static int64_t threadTimeNs() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}

namespace {
/// Tells a worker how long to rest if other threads need its core. Callers wait
/// for a worker that has a task and no core, so that it costs more than it
/// helps. The rests become longer while the core stays busy, and shorter if the
/// last time it was busy is long ago: a call now and then, on a machine where
/// something short runs every second, gets its workers.
class CoreWatch {
public:
  /// Call it when the worker begins to look for work.
  void begin() {
    wall = nowNs();
    cpu = threadTimeNs();
  }
  /// The time to rest after the work since then, in nanoseconds.
  int64_t end() {
    constexpr int64_t slice = 1000000, shortest = 4000000, longest = 256000000;
    // One part in so many. With its core for three quarters of the time a
    // worker computes more than its callers lose by waiting for it.
    constexpr int64_t rare = 4;
    int64_t now = nowNs(), passed = now - wall;
    int64_t lost = passed - (threadTimeNs() - cpu);
    if (lost < slice) {
      calm += passed;
      rest = calm > longest ? 0 : rest;
      return 0;
    }
    calm = 0;
    bool isRare = now - busyAt > rare * lost + rest;
    rest = std::clamp(isRare ? rest / 2 : 2 * rest, shortest, longest);
    busyAt = now;
    return rest;
  }

private:
  int64_t wall = 0, cpu = 0, calm = 0, rest = 0, busyAt = 0;
};
} // namespace

/// Rests for so many nanoseconds, or until the pool ends.
void Pool::stayAway(int64_t nanoseconds) {
  std::unique_lock<std::mutex> lock(restMutex);
  stopped.wait_for(lock, std::chrono::nanoseconds(nanoseconds),
                   [&] { return isStopping.load(); });
}

/// Leaves the processor of the last caller if another one is idle. Linux wakes
/// up a thread there now and then all the same, and leaves it for milliseconds,
/// in which each would wait for the other. On a busy machine it stays: there it
/// would drive other threads to the caller. Returns whether it has moved.
bool Pool::leaveCaller() const {
  constexpr int64_t pause = 1000000; // between tries, which take some us
  static thread_local int64_t triedAt = 0;
  int processor = sched_getcpu();
  if (processor != callerProcessor.load(std::memory_order_relaxed))
    return false;
  int64_t now = nowNs();
  if (now - triedAt < pause)
    return false;
  triedAt = now;
  return hasProcessorForEach() && leaveProcessor(processor);
}

void Pool::serve(int number) {
  TaskScope scope;
  CoreWatch core;
  while (!isStopping) {
    auto isHelping = [&] { return help(number) || isStopping; };
    leaveCaller();
    core.begin();
    bool hasHelped = spinUntil(isHelping, spinTime);
    // Time that the caller took says nothing about other processes.
    if (leaveCaller())
      continue;
    if (int64_t rest = core.end())
      stayAway(rest);
    else if (!hasHelped)
      sleep(number);
  }
}

void *Pool::runWorker(void *argument) {
  auto *worker = static_cast<Worker *>(argument);
  pthread_setname_np(pthread_self(), "fusion-worker");
  if (worker->pool->beginWorker)
    worker->pool->beginWorker();
  worker->pool->serve(worker->number);
  return nullptr;
}

/// Starts a worker with all signals blocked but those of its own faults: the
/// others are for the host's threads.
bool Pool::startWorker(int number) {
  auto worker = std::make_unique<Worker>(Worker{this, number, {}});
  started.reserve(started.size() + 1);
  sigset_t all, before;
  sigfillset(&all);
  for (int own : {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP})
    sigdelset(&all, own);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&worker->thread, /*attr=*/nullptr, runWorker,
                             worker.get());
  pthread_sigmask(SIG_SETMASK, &before, /*oldset=*/nullptr);
  if (error)
    return false;
  started.push_back(std::move(worker));
  return true;
}

void Pool::ensureWorkers(int count) {
  if (workers() >= count)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  while (workers() < count && count != refused && !isStopping) {
    if (!startWorker(workers() + 1))
      refused = count; // until another number is asked for
    else
      workerCount.fetch_add(1, std::memory_order_relaxed);
  }
}

void Pool::stop() {
  std::lock_guard<std::mutex> lock(mutex);
  {
    std::lock_guard<std::mutex> resting(restMutex);
    isStopping = true;
  }
  stopped.notify_all();
  calls.fetch_add(1);
  calls.notify_all();
  for (auto &worker : started)
    pthread_join(worker->thread, /*retval=*/nullptr);
  started.clear();
}
