//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"

#include "FusionDialect/Execute/Program.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fusion::fuzz;
namespace json = llvm::json;

/// The time in seconds after which a case counts as hanging.
static constexpr int kTimeLimit = 30;

//===----------------------------------------------------------------------===//
// Outcomes as text, one a line
//===----------------------------------------------------------------------===//

static std::string serialize(const Outcome &outcome) {
  json::Array reasons;
  for (const std::string &reason : outcome.reasons)
    reasons.push_back(json::fixUTF8(reason));
  json::Value value = json::Object{{"status", static_cast<int>(outcome.status)},
                                   {"stage", outcome.stage},
                                   {"message", json::fixUTF8(outcome.message)},
                                   {"fused", outcome.isFused},
                                   {"reasons", std::move(reasons)}};
  return llvm::formatv("{0}\n", value);
}

static Outcome parseOutcome(llvm::StringRef line) {
  json::Value value = llvm::cantFail(json::parse(line));
  const json::Object &object = *value.getAsObject();
  Outcome outcome;
  outcome.status = static_cast<Outcome::Status>(*object.getInteger("status"));
  outcome.stage = object.getString("stage")->str();
  outcome.message = object.getString("message")->str();
  outcome.isFused = *object.getBoolean("fused");
  for (const json::Value &reason : *object.getArray("reasons"))
    outcome.reasons.push_back(reason.getAsString()->str());
  return outcome;
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

static volatile std::sig_atomic_t secondsLeft;

static void countSecond(int) {
  int left = secondsLeft - 1;
  secondsLeft = left;
  if (left > 0)
    return;
  // The signal ends the process after this handler has returned.
  signal(SIGALRM, SIG_DFL);
  raise(SIGALRM);
}

/// Ends this process by SIGALRM `kTimeLimit` seconds after the last assignment
/// to `secondsLeft`. The time in which it is stopped counts as one second: a
/// single alarm could not distinguish a process that was stopped from one that
/// hangs.
static void startTimer() {
  secondsLeft = kTimeLimit;
  struct sigaction action = {};
  action.sa_handler = countSecond;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  itimerval second = {{1, 0}, {1, 0}};
  setitimer(ITIMER_REAL, &second, nullptr);
}

Runner::Runner()
    : registry(fusion::makeRegistry()),
      messageFile(memfd_create("messages", 0)) {}

void Runner::runChild(llvm::ArrayRef<CaseDescription> cases, int pipe) {
  // The parent reports how a child has died, so that no stack trace is needed.
  for (int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP})
    ::signal(signal, SIG_DFL);
  startTimer();
  dup2(messageFile, STDERR_FILENO);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  llvm::raw_fd_ostream stream(pipe, /*shouldClose=*/true);
  for (const CaseDescription &description : cases) {
    secondsLeft = kTimeLimit;
    if (ftruncate(messageFile, 0) != 0)
      llvm::report_fatal_error("cannot empty the file of messages");
    lseek(messageFile, 0, SEEK_SET);
    Outcome outcome = check(context, description);
    if (outcome.status == Outcome::Failed)
      outcome.message += "\n" + readMessages();
    stream << serialize(outcome);
    stream.flush();
  }
  // Without destructors, which would only cost time.
  _exit(0);
}

/// The child's messages without the lines that name its stages; the last of
/// these goes to `stage`.
std::string Runner::readMessages(std::string *stage) const {
  char buffer[2000];
  ssize_t size = pread(messageFile, buffer, sizeof(buffer), 0);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(buffer, std::max<ssize_t>(size, 0)).split(lines, '\n');
  std::string messages;
  for (llvm::StringRef line : lines)
    if (!line.consume_front(kStageMark))
      messages += (messages.empty() ? "" : "\n") + line.str();
    else if (stage)
      *stage = line.str();
  return messages;
}

Outcome Runner::describeDeath(int status) const {
  Outcome outcome;
  outcome.status = Outcome::Failed;
  outcome.stage = "crash";
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    outcome.stage = "hang";
  std::string stage;
  std::string messages = readMessages(&stage);
  if (!stage.empty())
    outcome.stage += " in " + stage;
  outcome.message = WIFSIGNALED(status)
                        ? std::string(strsignal(WTERMSIG(status)))
                        : "exit code " + std::to_string(WEXITSTATUS(status));
  outcome.message += "\n" + messages;
  return outcome;
}

void Runner::run(llvm::ArrayRef<CaseDescription> cases, ReportFn report) {
  size_t numDone = 0;
  while (numDone < cases.size()) {
    int ends[2];
    if (pipe(ends) != 0)
      llvm::report_fatal_error("no pipe");
    llvm::outs().flush();
    pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      runChild(cases.drop_front(numDone), ends[1]);
    }
    close(ends[1]);
    FILE *file = fdopen(ends[0], "r");
    char *line = nullptr;
    size_t capacity = 0;
    while (getline(&line, &capacity, file) > 0)
      report(numDone++, parseOutcome(line));
    free(line);
    fclose(file);
    int status = 0;
    waitpid(child, &status, 0);
    if (numDone < cases.size())
      report(numDone++, describeDeath(status));
  }
}

Outcome Runner::run(const CaseDescription &description) {
  Outcome result;
  run(description, [&](size_t, const Outcome &outcome) { result = outcome; });
  return result;
}
