//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Http.h"

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

/// A request and its answer. libmicrohttpd's thread has it, and while the
/// connection is suspended whoever answers the job.
struct Exchange {
  explicit Exchange(MHD_Connection *connection) : connection(connection) {}

  MHD_Connection *connection;
  Clock::time_point begin = Clock::now();
  // Of a request for the network, from its head: the sizes of the arguments,
  // their bytes, or the reason why it is refused.
  std::vector<Sizes> sizes;
  size_t bytes = 0;
  std::string refusal;
  std::string body;     // no longer than `bytes` or Options::maxBytes
  size_t bodyBytes = 0; // that were received
  bool isAnswered = false;
  Answer answer;
};

static MHD_Result send(MHD_Connection *connection, unsigned code,
                       const std::string &body, const char *type,
                       const std::string &shapes = "", bool close = false) {
  MHD_Response *response = MHD_create_response_from_buffer(
      body.size(), const_cast<char *>(body.data()), MHD_RESPMEM_MUST_COPY);
  if (!response)
    return MHD_NO;
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
  if (!shapes.empty())
    MHD_add_response_header(response, "X-Result-Shapes", shapes.c_str());
  if (code == MHD_HTTP_SERVICE_UNAVAILABLE)
    MHD_add_response_header(response, MHD_HTTP_HEADER_RETRY_AFTER, "1");
  if (close)
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
  MHD_Result result = MHD_queue_response(connection, code, response);
  MHD_destroy_response(response);
  return result;
}

//===----------------------------------------------------------------------===//
// Requests for the network
//===----------------------------------------------------------------------===//

static int64_t readNumber(const char *text, const char *what) {
  int64_t number;
  const char *end = text + strlen(text);
  auto [rest, failure] = std::from_chars(text, end, number);
  if (failure != std::errc() || rest != end || number < 0)
    throw std::invalid_argument(std::string(what) + " must be a number, got '" +
                                text + "'");
  return number;
}

/// The sizes of each argument: the network's, or those of the query.
std::vector<Sizes> Server::readSizes(const Exchange &exchange) const {
  std::vector<Sizes> sizes;
  for (int i = 0; i < network.getSignature().num_arguments; ++i) {
    sizes.push_back(network.getSizes(i));
    if (!network.isDynamic(i))
      continue;
    std::string name = "argument" + std::to_string(i);
    std::string shape =
        formatShape(sizes[i], network.getSignature().arguments[i].type);
    const char *given = MHD_lookup_connection_value(
        exchange.connection, MHD_GET_ARGUMENT_KIND, name.c_str());
    if (!given)
      throw std::invalid_argument("'" + name + "' is " + shape +
                                  ": give its sizes, as in ?" + name + "=2x3");
    size_t rank = sizes[i].size();
    sizes[i].clear();
    std::string text = given, size;
    for (size_t from = 0; from <= text.size(); from += size.size() + 1) {
      size = text.substr(from, text.find('x', from) - from);
      sizes[i].push_back(readNumber(size.c_str(), "a size"));
    }
    if (sizes[i].size() != rank)
      throw std::invalid_argument("'" + name + "' must be " + shape + ", got " +
                                  given);
  }
  return sizes;
}

/// How long a body has to be is known before it comes, so that no more of it is
/// kept.
void Server::readHead(Exchange &exchange) const {
  try {
    exchange.sizes = readSizes(exchange);
    exchange.bytes = network.countBytes(exchange.sizes);
  } catch (const std::invalid_argument &wrong) {
    exchange.refusal = wrong.what();
  }
}

/// That of the server, or a shorter one of the request.
std::chrono::milliseconds Server::readDeadline(const Exchange &exchange) const {
  const char *given = MHD_lookup_connection_value(
      exchange.connection, MHD_HEADER_KIND, "X-Deadline-Ms");
  if (!given)
    return options.deadline;
  return std::min(options.deadline, std::chrono::milliseconds(
                                        readNumber(given, "'X-Deadline-Ms'")));
}

MHD_Result Server::refuse(Exchange &exchange, Answer answer) {
  metrics.count(answer.code, Clock::now() - exchange.begin);
  exchange.answer = std::move(answer);
  return respond(exchange);
}

MHD_Result Server::respond(const Exchange &exchange) {
  const Answer &answer = exchange.answer;
  return send(exchange.connection, answer.code, answer.body,
              answer.shapes.empty() ? "text/plain" : "application/octet-stream",
              answer.shapes, isStopping);
}

/// Checks the request and hands it to the queue.
MHD_Result Server::infer(Exchange &exchange) {
  auto job = std::make_shared<Job>();
  try {
    if (exchange.bodyBytes > options.maxBytes)
      return refuse(exchange,
                    {413,
                     "the body must have at most " +
                         std::to_string(options.maxBytes) + " bytes, got " +
                         std::to_string(exchange.bodyBytes) + "\n",
                     ""});
    if (!exchange.refusal.empty())
      throw std::invalid_argument(exchange.refusal);
    if (exchange.bodyBytes != exchange.bytes)
      throw std::invalid_argument(
          "the body must have " + std::to_string(exchange.bytes) +
          " bytes, got " + std::to_string(exchange.bodyBytes));
    job->deadline = exchange.begin + readDeadline(exchange);
  } catch (const std::invalid_argument &wrong) {
    return refuse(exchange, {400, std::string(wrong.what()) + "\n", ""});
  }
  job->sizes = std::move(exchange.sizes);
  job->body = std::move(exchange.body);
  job->finish = [this, &exchange](Answer answer) {
    metrics.count(answer.code, Clock::now() - exchange.begin);
    exchange.answer = std::move(answer);
    exchange.isAnswered = true;
    MHD_resume_connection(exchange.connection);
  };
  // Before the job can be finished.
  MHD_suspend_connection(exchange.connection);
  queue.add(std::move(job));
  return MHD_YES;
}

//===----------------------------------------------------------------------===//
// HTTP
//===----------------------------------------------------------------------===//

MHD_Result Server::dispatch(Exchange &exchange, const std::string &url,
                            const std::string &method) {
  MHD_Connection *connection = exchange.connection;
  if (url == "/infer")
    return method == "POST" ? infer(exchange)
                            : send(connection, 405, "use POST\n", "text/plain");
  if (method != "GET")
    return send(connection, 405, "use GET\n", "text/plain");
  if (url == "/health")
    return isStopping ? send(connection, 503, "stopping\n", "text/plain")
                      : send(connection, 200, "ok\n", "text/plain");
  if (url == "/metrics")
    return send(connection, 200,
                metrics.format(queue.getLength(), queue.getCapacity()),
                "text/plain; version=0.0.4");
  if (url == "/signature")
    return send(connection, 200, network.describe(), "application/json");
  return send(connection, 404,
              "there are /infer, /signature, /health and /metrics\n",
              "text/plain");
}

/// Called when the head of a request is there, for each piece of its body, at
/// its end, and once more after the connection was suspended.
MHD_Result Server::handle(void *cls, MHD_Connection *connection,
                          const char *url, const char *method, const char *,
                          const char *data, size_t *size, void **state) try {
  auto &server = *static_cast<Server *>(cls);
  if (!*state) {
    auto exchange = std::make_unique<Exchange>(connection);
    if (url == std::string("/infer"))
      server.readHead(*exchange);
    *state = exchange.release();
    std::lock_guard lock(server.mutex);
    ++server.exchanges;
    return MHD_YES;
  }
  auto &exchange = *static_cast<Exchange *>(*state);
  if (*size > 0) {
    exchange.bodyBytes += *size;
    if (exchange.bodyBytes <= std::min(exchange.bytes, server.options.maxBytes))
      exchange.body.append(data, *size);
    else
      std::string().swap(exchange.body);
    *size = 0;
    return MHD_YES;
  }
  if (exchange.isAnswered)
    return server.respond(exchange);
  return server.dispatch(exchange, url, method);
} catch (const std::exception &) {
  return MHD_NO; // without memory: closes the connection
}

/// Called when the answer was sent, or the client is gone.
void Server::end(void *cls, MHD_Connection *, void **state,
                 MHD_RequestTerminationCode) {
  if (!*state)
    return;
  auto &server = *static_cast<Server *>(cls);
  delete static_cast<Exchange *>(*state);
  std::lock_guard lock(server.mutex);
  if (--server.exchanges == 0)
    server.isIdle.notify_all();
}

Server::Server(const Network &network, const Options &options)
    : network(network), options(options),
      queue(network, options.workers, options.queue) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(options.port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  daemon = MHD_start_daemon(
      MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC,
      options.port, nullptr, nullptr, &Server::handle, this,
      MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_NOTIFY_COMPLETED, &Server::end,
      this, MHD_OPTION_CONNECTION_TIMEOUT, 10u, MHD_OPTION_CONNECTION_LIMIT,
      options.connections, MHD_OPTION_END);
  if (!daemon)
    throw std::runtime_error("cannot listen on 127.0.0.1, port " +
                             std::to_string(options.port));
}

uint16_t Server::getPort() const {
  return MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

Server::~Server() {
  isStopping = true;
  MHD_socket listening = MHD_quiesce_daemon(daemon);
  // Refuses clients. They would wait for nothing otherwise.
  shutdown(listening, SHUT_RDWR);
  queue.drain();
  {
    // Stopping the daemon cuts off answers that are being sent, and clients
    // that are not done, though these may have bytes to send for ever.
    std::unique_lock lock(mutex);
    if (!isIdle.wait_for(lock, options.stop, [&] { return exchanges == 0; }))
      std::cerr << "requests that were cut off: " << exchanges << std::endl;
  }
  MHD_stop_daemon(daemon);
  close(listening);
}
