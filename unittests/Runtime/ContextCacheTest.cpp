//===- ContextCacheTest.cpp - Entries that a context keeps ----------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"

#include <memory>
#include <thread>
#include <vector>

using namespace fusion::test;

namespace {
/// A context whose calls share one slot with those of others.
class Client {
public:
  explicit Client(int32_t capacity = 0) {
    EXPECT_EQ(fusion_rt_context_create(&context), FUSION_RT_SUCCESS);
    setCapacity(capacity);
  }
  ~Client() { fusion_rt_context_destroy(context); }
  Client(const Client &) = delete;

  void setCapacity(int32_t entries) {
    EXPECT_EQ(fusion_rt_context_set_cache_capacity(context, entries),
              FUSION_RT_SUCCESS);
  }
  /// Calls with an entry for `batch`. Returns whether that was made.
  bool makes(Conv &conv, int64_t batch) {
    uint64_t before = counters().creates;
    conv.resize(batch, conv.spec.image);
    call(conv.slot, conv);
    conv.compare();
    return counters().creates != before;
  }
  /// Calls through `slot` with the operands of `own`.
  void call(fusion_rt_slot &slot, const Conv &own) {
    fusion_rt_context_enter(context);
    EXPECT_EQ(fusion_rt_conv(&slot, &own.args), FUSION_RT_SUCCESS)
        << fusion_rt_last_error();
    fusion_rt_context_enter(nullptr);
  }
  fusion_rt_counters counters() const {
    fusion_rt_counters counters;
    EXPECT_EQ(fusion_rt_context_get_counters(context, &counters),
              FUSION_RT_SUCCESS);
    return counters;
  }

private:
  fusion_rt_context *context = nullptr;
};

/// The same in no context.
bool makesInNone(Conv &conv, int64_t batch) {
  uint64_t before = counters().creates;
  conv.resize(batch, conv.spec.image);
  conv.check();
  return counters().creates != before;
}

class ContextCacheTest : public testing::Test {
protected:
  ~ContextCacheTest() override { fusion_rt_set_cache_capacity(16); }
};
} // namespace

TEST_F(ContextCacheTest, DropsItsOwnEntriesAlone) {
  Conv conv(ConvSpec{});
  Client small(1), other;
  EXPECT_TRUE(makesInNone(conv, 1));
  EXPECT_TRUE(other.makes(conv, 2));
  for (int64_t batch : {3, 4, 5, 3})
    EXPECT_TRUE(small.makes(conv, batch));
  EXPECT_EQ(small.counters().evictions, 3u);
  EXPECT_FALSE(small.makes(conv, 3));
  EXPECT_FALSE(other.makes(conv, 2));
  EXPECT_FALSE(makesInNone(conv, 1));
}

TEST_F(ContextCacheTest, DropsTheLeastRecentlyUsed) {
  Conv conv(ConvSpec{});
  Client small(2);
  EXPECT_TRUE(small.makes(conv, 1));
  EXPECT_TRUE(small.makes(conv, 2));
  EXPECT_FALSE(small.makes(conv, 1));
  EXPECT_TRUE(small.makes(conv, 3));
  EXPECT_FALSE(small.makes(conv, 1));
  EXPECT_TRUE(small.makes(conv, 2));
}

/// Each slot has a limit of its own.
TEST_F(ContextCacheTest, CountsEachSlotAlone) {
  Conv first(ConvSpec{}), second(ConvSpec{});
  Client small(1);
  EXPECT_TRUE(small.makes(first, 1));
  EXPECT_TRUE(small.makes(second, 1));
  EXPECT_FALSE(small.makes(first, 1));
  EXPECT_EQ(small.counters().evictions, 0u);
}

/// Others need not make again what they use.
TEST_F(ContextCacheTest, KeepsWhatOthersUse) {
  Conv conv(ConvSpec{});
  Client small(1), other;
  EXPECT_TRUE(small.makes(conv, 1));
  EXPECT_FALSE(makesInNone(conv, 1));
  EXPECT_TRUE(small.makes(conv, 2));
  EXPECT_FALSE(other.makes(conv, 2));
  EXPECT_TRUE(small.makes(conv, 3));
  EXPECT_TRUE(small.makes(conv, 4));
  EXPECT_FALSE(makesInNone(conv, 1));
  EXPECT_FALSE(other.makes(conv, 2));
  EXPECT_FALSE(small.makes(conv, 1));
  EXPECT_EQ(small.counters().evictions, 1u);
}

TEST_F(ContextCacheTest, ALowerLimitDropsAtOnce) {
  Conv conv(ConvSpec{});
  Client client, other;
  EXPECT_TRUE(other.makes(conv, 9));
  for (int64_t batch : {1, 2, 3, 4})
    EXPECT_TRUE(client.makes(conv, batch));
  uint64_t before = counters().evictions;
  client.setCapacity(2);
  EXPECT_EQ(counters().evictions, before + 2);
  EXPECT_FALSE(client.makes(conv, 3));
  EXPECT_FALSE(client.makes(conv, 4));
  EXPECT_FALSE(other.makes(conv, 9));
  client.setCapacity(0);
  for (int64_t batch : {1, 2})
    EXPECT_TRUE(client.makes(conv, batch));
  EXPECT_FALSE(client.makes(conv, 3));
}

TEST_F(ContextCacheTest, TheLimitOfTheProcessHoldsBesides) {
  Conv conv(ConvSpec{});
  Client client(5);
  fusion_rt_set_cache_capacity(2);
  for (int64_t batch : {1, 2, 3})
    EXPECT_TRUE(client.makes(conv, batch));
  EXPECT_TRUE(client.makes(conv, 1));
  EXPECT_FALSE(client.makes(conv, 3));
}

/// The entries of a context that is gone are no other's.
TEST_F(ContextCacheTest, EntriesOutliveTheContext) {
  Conv conv(ConvSpec{});
  EXPECT_TRUE(Client(1).makes(conv, 1));
  Client next(1);
  EXPECT_TRUE(next.makes(conv, 2));
  EXPECT_TRUE(next.makes(conv, 3));
  EXPECT_EQ(next.counters().evictions, 1u);
  EXPECT_FALSE(makesInNone(conv, 1));
}

/// Clients with limits drop and make their entries while another one calls.
TEST_F(ContextCacheTest, Threads) {
  constexpr int small = 3, rounds = 40;
  Conv shared(ConvSpec{});
  Client clients[small + 1];
  std::vector<std::thread> threads;
  for (int i = 0; i <= small; ++i) {
    clients[i].setCapacity(i < small ? 1 : 0);
    threads.emplace_back([&, i] {
      std::vector<std::unique_ptr<Conv>> calls;
      for (int64_t batch : {1, 2, 3}) {
        ConvSpec spec;
        spec.batch = 3 * i + batch;
        calls.push_back(std::make_unique<Conv>(spec));
      }
      for (int round = 0; round < rounds; ++round)
        for (auto &call : calls)
          clients[i].call(shared.slot, *call);
      for (auto &call : calls)
        call->compare();
    });
  }
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < small; ++i) {
    EXPECT_EQ(clients[i].counters().creates, 3u * rounds);
    EXPECT_EQ(clients[i].counters().evictions, 3u * rounds - 1);
  }
  EXPECT_EQ(clients[small].counters().creates, 3u);
  EXPECT_EQ(clients[small].counters().evictions, 0u);
}
