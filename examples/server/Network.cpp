//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Network.h"

#include <cstring>
#include <stdexcept>

//===----------------------------------------------------------------------===//
// Types and sizes
//===----------------------------------------------------------------------===//

/// The bytes of an element of "f32", "i64", "index" and so on.
static size_t countElementBytes(const std::string &type) {
  if (type == "index")
    return 8;
  size_t bits = std::stoul(type.substr(type.find_first_of("0123456789")));
  return (bits + 7) / 8;
}

static size_t countBytes(const int64_t *sizes, int rank, const char *type) {
  size_t bytes = countElementBytes(type);
  for (int dim = 0; dim < rank; ++dim)
    if (sizes[dim] < 0 || __builtin_mul_overflow(bytes, sizes[dim], &bytes))
      throw std::invalid_argument("sizes must not be negative, or of more "
                                  "bytes than there can be");
  return bytes;
}

std::string formatShape(const Sizes &sizes, const char *type) {
  std::string text;
  for (int64_t size : sizes)
    text += (size < 0 ? "?" : std::to_string(size)) + "x";
  return text + type;
}

static Sizes getSizes(const fusion_rt_value_desc &value) {
  return Sizes(value.sizes, value.sizes + value.rank);
}

Network::Network(const fusion_rt_entry_info &info) : info(info) {
  for (int i = 0; i < getSignature().num_arguments; ++i)
    if (info.constant_arguments[i])
      throw std::invalid_argument("'argument" + std::to_string(i) +
                                  "' is marked fusion.constant: bind it "
                                  "(fusion-run --bind), each request has "
                                  "another address");
}

Sizes Network::getSizes(int argument) const {
  return ::getSizes(getSignature().arguments[argument]);
}

bool Network::isDynamic(int argument) const {
  for (int64_t size : getSizes(argument))
    if (size < 0)
      return true;
  return false;
}

/// `text` in quotes.
static std::string quote(const char *text) {
  std::string quoted = "\"";
  for (; *text; ++text) {
    if (*text == '"' || *text == '\\')
      quoted += '\\';
    quoted += static_cast<unsigned char>(*text) < ' ' ? ' ' : *text;
  }
  return quoted + '"';
}

static std::string describeValues(const fusion_rt_value_desc *values,
                                  const char *const *names, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    std::string sizes;
    for (int64_t size : getSizes(values[i]))
      sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
    text += std::string(i ? ", " : "") + "{\"name\": " + quote(names[i]) +
            ", \"type\": " + quote(values[i].type) + ", \"sizes\": [" + sizes +
            "]}";
  }
  return text;
}

std::string Network::describe() const {
  const fusion_rt_signature &signature = getSignature();
  return "{\"name\": " + quote(signature.name) +
         ", \"cpu\": " + quote(info.cpu) + ", \"arguments\": [" +
         describeValues(signature.arguments, info.argument_names,
                        signature.num_arguments) +
         "], \"results\": [" +
         describeValues(signature.results, info.result_names,
                        signature.num_results) +
         "]}\n";
}

size_t Network::countBytes(const std::vector<Sizes> &sizes) const {
  size_t bytes = 0;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (__builtin_add_overflow(bytes,
                               ::countBytes(sizes[i].data(), sizes[i].size(),
                                            getSignature().arguments[i].type),
                               &bytes))
      throw std::invalid_argument("the arguments have more bytes than there "
                                  "can be");
  return bytes;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// The descriptor of a tensor in memory. As many sizes and strides follow.
struct MemRef {
  char *allocated;
  char *data;
  int64_t offset;
  int64_t sizes[];
};

/// The arguments of a call, as fusion_rt_call_entry takes them.
class Arguments {
public:
  Arguments(const fusion_rt_signature &signature,
            const std::vector<Sizes> &sizes, const std::string &body) {
    const char *next = body.data();
    for (int i = 0; i < signature.num_arguments; ++i) {
      const fusion_rt_value_desc &value = signature.arguments[i];
      size_t bytes = countBytes(sizes[i].data(), value.rank, value.type);
      // Aligned, as the bytes in the body need not be.
      std::vector<int64_t> &data = words.emplace_back(bytes / 8 + 1);
      memcpy(data.data(), next, bytes);
      next += bytes;
      pointers.push_back(value.is_scalar ? data.data()
                                         : describe(data.data(), sizes[i]));
    }
  }

  void *const *get() const { return pointers.data(); }

private:
  void *describe(void *data, const Sizes &sizes) {
    auto address = reinterpret_cast<int64_t>(data);
    std::vector<int64_t> memref{address, address, /*offset=*/0};
    memref.insert(memref.end(), sizes.begin(), sizes.end());
    memref.resize(3 + 2 * sizes.size());
    int64_t stride = 1;
    for (size_t dim = sizes.size(); dim-- > 0; stride *= sizes[dim])
      memref[3 + sizes.size() + dim] = stride;
    return words.emplace_back(std::move(memref)).data();
  }

  std::vector<std::vector<int64_t>> words;
  std::vector<void *> pointers;
};
} // namespace

/// Appends the results in the struct at `results` to `answer`, and frees them.
static void takeResults(const fusion_rt_signature &signature, char *results,
                        Answer &answer) {
  size_t offset = 0;
  for (int i = 0; i < signature.num_results; ++i) {
    const fusion_rt_value_desc &value = signature.results[i];
    size_t element = countElementBytes(value.type);
    size_t alignment = value.is_scalar ? element : alignof(MemRef);
    offset = (offset + alignment - 1) / alignment * alignment;
    char *place = results + offset;
    Sizes sizes;
    if (value.is_scalar) {
      answer.body.append(place, element);
      offset += element;
    } else {
      auto &memref = *reinterpret_cast<MemRef *>(place);
      sizes.assign(memref.sizes, memref.sizes + value.rank);
      answer.body.append(memref.data + memref.offset * element,
                         countBytes(sizes.data(), value.rank, value.type));
      fusion_rt_free(memref.allocated);
      offset += sizeof(MemRef) + 2 * value.rank * sizeof(int64_t);
    }
    answer.shapes += (i ? ", " : "") + formatShape(sizes, value.type);
  }
}

/// The HTTP status that tells a client whose fault it is.
static unsigned getCode(int status) {
  switch (status) {
  case FUSION_RT_INVALID_ARGUMENT:
    return 400;
  case FUSION_RT_OUT_OF_MEMORY:
    return 503;
  default:
    return 500;
  }
}

Context::Context() {
  if (fusion_rt_context_create(&context) != FUSION_RT_SUCCESS)
    throw std::bad_alloc();
}

Answer Network::call(Context &context, const std::string &body,
                     const std::vector<Sizes> &sizes,
                     Clock::time_point deadline) const {
  const fusion_rt_signature &signature = getSignature();
  Arguments arguments(signature, sizes, body);
  std::vector<int64_t> results(signature.results_size / 8 + 1);
  std::chrono::nanoseconds time = deadline.time_since_epoch();
  fusion_rt_context_set_deadline(context.get(), time.count());
  Answer answer;
  if (int status =
          fusion_rt_call_entry(&info, results.data(), arguments.get())) {
    answer.code = getCode(status);
    answer.body = std::string(fusion_rt_last_error()) + "\n";
    return answer;
  }
  takeResults(signature, reinterpret_cast<char *>(results.data()), answer);
  return answer;
}
