//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Serves the compiled network that is linked in, until SIGTERM or SIGINT.

#include "Http.h"

#include <charconv>
#include <csignal>
#include <cstring>
#include <exception>
#include <getopt.h>
#include <iostream>

extern "C" {
// Of the object file. The build has the name of the first.
const fusion_rt_entry_info *NETWORK_SIGNATURE(void);
// Missing if no shapes are static.
int net_prepare(void) __attribute__((weak));
void net_release(void);
}

static bool readNumber(const char *text, int &number) {
  const char *end = text + strlen(text);
  auto [rest, failure] = std::from_chars(text, end, number);
  return failure == std::errc() && rest == end && number >= 0;
}

static bool readOptions(int argc, char **argv, Options &options) {
  const option known[] = {{"port", required_argument, nullptr, 'p'},
                          {"workers", required_argument, nullptr, 'w'},
                          {"queue", required_argument, nullptr, 'q'},
                          {"deadline-ms", required_argument, nullptr, 'd'},
                          {"max-bytes", required_argument, nullptr, 'm'},
                          {"connections", required_argument, nullptr, 'c'},
                          {"stop-ms", required_argument, nullptr, 's'},
                          {}};
  int letter;
  while ((letter = getopt_long(argc, argv, "", known, nullptr)) != -1) {
    int number;
    if (letter == '?' || !readNumber(optarg, number) ||
        (letter == 'p' && number > UINT16_MAX) ||
        (letter == 'c' && number == 0))
      return false;
    if (letter == 'p')
      options.port = number;
    else if (letter == 'w')
      options.workers = number;
    else if (letter == 'q')
      options.queue = number;
    else if (letter == 'd')
      options.deadline = std::chrono::milliseconds(number);
    else if (letter == 'm')
      options.maxBytes = number;
    else if (letter == 'c')
      options.connections = number;
    else
      options.stop = std::chrono::milliseconds(number);
  }
  return optind == argc;
}

static int serve(const Options &options) {
  // For all threads, which inherit it: these wait for `sigwait`.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  if (net_prepare && net_prepare() != 0) {
    std::cerr << fusion_rt_last_error() << "\n";
    return 1;
  }
  {
    Network network(*NETWORK_SIGNATURE());
    Server server(network, options);
    std::cout << "listening on 127.0.0.1:" << server.getPort() << std::endl;
    int which;
    sigwait(&ends, &which);
  }
  net_release();
  std::cout << "stopped" << std::endl;
  return 0;
}

int main(int argc, char **argv) try {
  Options options;
  if (!readOptions(argc, argv, options)) {
    std::cerr << "usage: server [--port=N] [--workers=N] [--queue=N] "
                 "[--deadline-ms=N] [--max-bytes=N] [--connections=N] "
                 "[--stop-ms=N]\n";
    return 2;
  }
  return serve(options);
} catch (const std::exception &failure) {
  std::cerr << failure.what() << "\n";
  return 1;
}
