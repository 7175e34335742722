//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Queue.h"

#include <algorithm>
#include <exception>

Queue::Queue(const Network &network, unsigned numWorkers, size_t capacity)
    : network(network), capacity(capacity) {
  contexts.resize(numWorkers);
  for (Context &context : contexts)
    workers.emplace_back([this, &context] { work(context); });
  watcher = std::thread([this] { watchDeadlines(); });
}

Queue::~Queue() {
  drain();
  {
    std::lock_guard lock(mutex);
    isOver = true;
  }
  hasDeadline.notify_all();
  watcher.join();
}

size_t Queue::getLength() const {
  std::lock_guard lock(mutex);
  return waiting.size();
}

static Answer makeLateAnswer() {
  return {504, "there was no result before the deadline\n", ""};
}

void Queue::finish(const std::shared_ptr<Job> &job, Answer answer) {
  if (job->isFinished)
    return;
  job->isFinished = true;
  open.erase(job);
  job->finish(std::move(answer));
}

void Queue::add(std::shared_ptr<Job> job) {
  std::lock_guard lock(mutex);
  if (isDraining)
    return finish(job, {503, "the server is shutting down\n", ""});
  if (waiting.size() >= capacity)
    return finish(job, {503,
                        "the queue is full: " + std::to_string(capacity) +
                            " requests wait\n",
                        ""});
  open.insert(job);
  waiting.push_back(std::move(job));
  changed.notify_one();
  hasDeadline.notify_one();
}

void Queue::work(Context &context) {
  fusion_rt_context_enter(context.get());
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return isDraining || !waiting.empty(); });
    if (waiting.empty())
      break;
    std::shared_ptr<Job> job = std::move(waiting.front());
    waiting.pop_front();
    lock.unlock();
    Answer answer;
    try {
      answer = network.call(context, job->body, job->sizes, job->deadline);
    } catch (const std::exception &failure) {
      answer = {503, std::string(failure.what()) + "\n", ""};
    }
    // Also if the watcher was not fast enough.
    if (Clock::now() >= job->deadline)
      answer = makeLateAnswer();
    lock.lock();
    finish(job, std::move(answer));
  }
  fusion_rt_context_enter(nullptr);
}

void Queue::watchDeadlines() {
  std::unique_lock lock(mutex);
  while (!isOver) {
    if (open.empty()) {
      hasDeadline.wait(lock);
      continue;
    }
    std::shared_ptr<Job> next = *open.begin();
    if (Clock::now() < next->deadline) {
      hasDeadline.wait_until(lock, next->deadline);
      continue;
    }
    waiting.erase(std::remove(waiting.begin(), waiting.end(), next),
                  waiting.end());
    finish(next, makeLateAnswer());
  }
}

void Queue::drain() {
  {
    std::lock_guard lock(mutex);
    isDraining = true;
  }
  changed.notify_all();
  for (std::thread &worker : workers)
    worker.join();
  workers.clear();
  // Without workers, jobs may be left.
  std::lock_guard lock(mutex);
  while (!waiting.empty()) {
    finish(waiting.front(), {503, "the server is shutting down\n", ""});
    waiting.pop_front();
  }
}
