//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HTTP_H
#define HTTP_H

#include "Metrics.h"
#include "Queue.h"

#include <atomic>
#include <microhttpd.h>

struct Options {
  uint16_t port = 0; // any that is free
  unsigned workers = 2;
  size_t queue = 16;
  std::chrono::milliseconds deadline{1000};
  size_t maxBytes = 64 << 20;            // of a body
  unsigned connections = 256;            // at once; others wait to be accepted
  std::chrono::milliseconds stop{30000}; // for clients, at the end
};

struct Exchange;

/// Serves a network:
///
///   POST /infer     the arguments' bytes in, the results' bytes out
///   GET /signature  names, types and sizes
///   GET /health     200, or 503 while the server shuts down
///   GET /metrics    for Prometheus
class Server {
public:
  /// Listens on 127.0.0.1. Throws std::runtime_error if it cannot.
  Server(const Network &network, const Options &options);
  /// Answers all requests that it has begun to read, then stops. Those that
  /// are not read and answered within `Options::stop` are cut off.
  ~Server();

  uint16_t getPort() const;

private:
  friend struct Exchange;

  static MHD_Result handle(void *server, MHD_Connection *connection,
                           const char *url, const char *method,
                           const char *version, const char *data, size_t *size,
                           void **state);
  static void end(void *server, MHD_Connection *connection, void **state,
                  MHD_RequestTerminationCode);

  MHD_Result dispatch(Exchange &exchange, const std::string &url,
                      const std::string &method);
  MHD_Result infer(Exchange &exchange);
  void readHead(Exchange &exchange) const;
  std::vector<Sizes> readSizes(const Exchange &exchange) const;
  std::chrono::milliseconds readDeadline(const Exchange &exchange) const;
  MHD_Result refuse(Exchange &exchange, Answer answer);
  MHD_Result respond(const Exchange &exchange);

  const Network &network;
  const Options options;
  Metrics metrics;
  Queue queue;
  MHD_Daemon *daemon;
  std::mutex mutex;
  std::condition_variable isIdle;
  size_t exchanges = 0;
  std::atomic<bool> isStopping{false};
};

#endif // HTTP_H
