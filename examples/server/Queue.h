//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef QUEUE_H
#define QUEUE_H

#include "Network.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

/// A request for the network.
struct Job {
  std::string body;
  std::vector<Sizes> sizes;
  Clock::time_point deadline;
  /// Called once, with the answer, on any thread; it adds no jobs.
  std::function<void(Answer)> finish;
  /// Of the queue: whether `finish` was called.
  bool isFinished = false;
};

/// Jobs that wait for a worker: at most `capacity` of them. A job that has no
/// answer at its deadline gets 504, whether it still waits or is being
/// computed. That computation ends before its next kernel.
class Queue {
public:
  Queue(const Network &network, unsigned workers, size_t capacity);
  ~Queue();

  /// Takes the job, or finishes it with 503 if there is no room.
  void add(std::shared_ptr<Job> job);
  /// Finishes all jobs: takes no more of them, and returns when none is left.
  void drain();

  size_t getLength() const;
  size_t getCapacity() const { return capacity; }

private:
  void work(Context &context);
  void watchDeadlines();
  /// Finishes a job, unless it is. Call it with the lock.
  void finish(const std::shared_ptr<Job> &job, Answer answer);

  struct Earlier {
    bool operator()(const std::shared_ptr<Job> &a,
                    const std::shared_ptr<Job> &b) const {
      return a->deadline < b->deadline ||
             (a->deadline == b->deadline && a.get() < b.get());
    }
  };

  const Network &network;
  const size_t capacity;
  mutable std::mutex mutex;
  std::condition_variable changed, hasDeadline;
  /// Those that wait, and all that have no answer yet.
  std::deque<std::shared_ptr<Job>> waiting;
  std::set<std::shared_ptr<Job>, Earlier> open;
  bool isDraining = false, isOver = false;
  std::deque<Context> contexts; // one for each worker
  std::vector<std::thread> workers;
  std::thread watcher;
};

#endif // QUEUE_H
