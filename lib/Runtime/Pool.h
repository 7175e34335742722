//===- Pool.h - Threads that share tasks ------------------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_POOL_H
#define FUSION_LIB_RUNTIME_POOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <vector>

namespace fusion {
namespace runtime {

/// Tasks that one call shares with the workers. They are claimed one by one, so
/// that nobody waits for a thread without a core.
struct Work {
  /// Runs task `index`. `thread` is 0 for the caller, and between 1 and
  /// `threads` - 1 for workers. No two tasks of one call run at once under one
  /// number. Must not throw.
  using Task = void (*)(void *context, int index, int thread);

  Task task;
  void *context;
  int count;   // at most Pool::maxTasks
  int threads; // with the caller
  /// The time of all tasks together on one thread, roughly. It decides whether
  /// sleeping workers are woken up; several small works add up.
  int64_t nanoseconds;
};

/// Threads that help callers. A worker spins for a bounded time when it has
/// nothing to do, and then sleeps. Several callers share the workers; when
/// there are as many callers as threads, no worker helps.
class Pool {
public:
  static constexpr int maxTasks = 0xfffe;

  /// Each worker calls `beginWorker` first, unless it is null.
  explicit Pool(void (*beginWorker)()) : beginWorker(beginWorker) {}
  ~Pool() { stop(); }
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  /// Returns when all tasks have run. Works without threads that cannot be
  /// started.
  void run(const Work &work);

  /// The number of workers.
  int workers() const { return workerCount.load(std::memory_order_relaxed); }

  /// Ends the workers. Work that is running, and all later work, goes on
  /// without them.
  void stop();

  /// Whether the calling thread runs a task of some pool.
  static bool isInTask();
  /// Marks a task on this thread. Work inside of it runs on this thread alone.
  class TaskScope {
  public:
    TaskScope();
    ~TaskScope();
    TaskScope(const TaskScope &) = delete;
    TaskScope &operator=(const TaskScope &) = delete;

  private:
    bool wasInTask;
  };

private:
  /// Shared work. A ticket has an epoch, the next task and the number of tasks
  /// in one word: a claim with an old ticket fails.
  struct alignas(64) Job {
    std::atomic<uint64_t> ticket{0};
    std::atomic<int> left{0}; // tasks that have not ended
    std::atomic<int> threads{0};
    std::atomic<Work::Task> task{nullptr};
    std::atomic<void *> context{nullptr};
  };
  struct Worker {
    Pool *pool;
    int number;
    pthread_t thread;
  };

  Job *beginJob();
  void endJob(Job &job);
  uint64_t bitOf(const Job &job) const { return uint64_t(1) << (&job - jobs); }
  static void publish(Job &job, const Work &work);
  static bool hasTasks(const Job &job);
  static bool runTasks(Job &job, int thread);
  void wake(const Work &work);
  static void waitFor(Job &job, const Work &work);
  void ensureWorkers(int count);
  bool startWorker(int number);
  static void *runWorker(void *worker);
  void serve(int number);
  bool help(int number);
  void sleep(int number);
  void stayAway(int64_t nanoseconds);
  bool leaveCaller() const;

  void (*const beginWorker)();
  static constexpr int jobCount = 64;
  Job jobs[jobCount];
  /// A bit for each job: jobs that are in use, and jobs that may have tasks
  /// left.
  std::atomic<uint64_t> taken{0};
  alignas(64) std::atomic<uint64_t> open{0};
  /// The number of threads that run tasks now, and its limit.
  alignas(64) std::atomic<int> running{0};
  std::atomic<int> limit{1};
  std::atomic<int> callerProcessor{-1};       // of the last call
  alignas(64) std::atomic<uint32_t> calls{0}; // that sleepers wait for
  std::atomic<int> sleepers{0};
  std::atomic<int64_t> calledAt{0};
  /// The time of work that nobody was woken up for, in nanoseconds.
  std::atomic<int64_t> missed{0};
  /// The time from waking up a sleeper until it runs, in nanoseconds.
  std::atomic<int64_t> wakeTime{30000};
  std::atomic<bool> isStopping{false};
  std::mutex restMutex;
  std::condition_variable stopped; // waited for by those that stay away

  std::mutex mutex; // of what follows
  std::vector<std::unique_ptr<Worker>> started;
  int refused = 0; // a number of workers that the system did not grant
  std::atomic<int> workerCount{0};
};

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_POOL_H
