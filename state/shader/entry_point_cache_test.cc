// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/entry_point_cache.h"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"

namespace assay::state {
namespace {

constexpr VkShaderStageFlagBits kCompute = VK_SHADER_STAGE_COMPUTE_BIT;

struct PlainFacts {
  std::string name;
  bool is_module = false;
};
struct SpecializedFacts {
  bool is_specialized = true;
  uint64_t value = 0;
};

// The specialization constant 5 with a value.
class Values {
 public:
  explicit Values(uint32_t value) : value_(value) {}
  const VkSpecializationInfo* info() const { return &info_; }

 private:
  uint32_t value_;
  VkSpecializationMapEntry entry_ = {5, 0, sizeof(value_)};
  VkSpecializationInfo info_ = {1, &entry_, sizeof(value_), &value_};
};

class EntryPointCacheTest : public testing::Test {
 protected:
  std::shared_ptr<const PlainFacts> Plain(const char* name, const VkSpecializationInfo* values = nullptr) {
    return plain_.Get(*code_, name, kCompute, values, read_plain_);
  }
  std::shared_ptr<const SpecializedFacts> Specialized(const VkSpecializationInfo* values) {
    return specialized_.Get(*code_, "main", kCompute, values, [&](auto*, auto, const auto& constants) {
      ++reads_;
      return SpecializedFacts{.value = constants.empty() ? 0 : constants[0].value};
    });
  }

  ShaderCodes codes_;
  EntryPointCache<PlainFacts> plain_{codes_};
  EntryPointCache<SpecializedFacts> specialized_{codes_};
  std::shared_ptr<ShaderCode> code_ = codes_.Get(test::AssembleSpirv(test::ComputeShader({.reads = {0}})));
  int reads_ = 0;
  const std::function<PlainFacts(const spirv_instrument::Module*, std::string_view,
                                 const std::vector<spirv_instrument::Specialization>&)>
      read_plain_ = [&](auto* module, std::string_view name, const auto&) {
        ++reads_;
        return PlainFacts{.name = std::string(name), .is_module = module != nullptr};
      };
};

TEST_F(EntryPointCacheTest, ReadsEachEntryPointOnce) {
  const auto facts = Plain("main");
  EXPECT_EQ(facts->name, "main");
  EXPECT_TRUE(facts->is_module);
  EXPECT_EQ(Plain("main", Values(1).info()), facts);
  EXPECT_EQ(plain_.Borrow(code_, "main", kCompute, nullptr, read_plain_), facts);
  EXPECT_EQ(reads_, 1);
  EXPECT_EQ(Plain("other")->name, "other");
  EXPECT_EQ(Plain(nullptr)->name, "");
  EXPECT_EQ(Plain(nullptr)->name, "");
  plain_.Get(*code_, "main", VK_SHADER_STAGE_VERTEX_BIT, nullptr, read_plain_);
  EXPECT_EQ(reads_, 4);
}

TEST_F(EntryPointCacheTest, ReadsWhatIsNoModule) {
  const auto words = codes_.Get(std::vector<uint32_t>{1, 2, 3});
  EXPECT_FALSE(plain_.Get(*words, "main", kCompute, nullptr, read_plain_)->is_module);
}

TEST_F(EntryPointCacheTest, FindsSpecializedFactsByTheirValues) {
  EXPECT_EQ(Specialized(Values(7).info())->value, 7u);
  EXPECT_EQ(Specialized(Values(8).info())->value, 8u);
  EXPECT_EQ(Specialized(nullptr)->value, 0u);
  EXPECT_EQ(Specialized(Values(7).info())->value, 7u);
  EXPECT_EQ(Specialized(nullptr)->value, 0u);
  EXPECT_EQ(reads_, 3);
}

// There is room for some only without a lock.
TEST_F(EntryPointCacheTest, FindsAnyNumberOfEntryPoints) {
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < 200; ++i) {
      const std::string name = absl::StrCat("e", i);
      EXPECT_EQ(Plain(name.c_str())->name, name);
    }
  }
  EXPECT_EQ(reads_, 200);
}

// Facts stay as long as somebody has them; what is borrowed, as long as the code.
TEST_F(EntryPointCacheTest, FactsOutliveTheCode) {
  auto code = std::make_shared<ShaderCode>(std::vector<uint32_t>{1, 2, 3});
  const auto facts = plain_.Get(*code, "main", kCompute, nullptr, read_plain_);
  auto borrowed = plain_.Borrow(code, "main", kCompute, nullptr, read_plain_);
  const std::weak_ptr<ShaderCode> watched = code;
  code.reset();
  EXPECT_EQ(borrowed->name, "main");
  EXPECT_FALSE(watched.expired());
  borrowed.reset();
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(facts->name, "main");
}

// More caches than a code has slots find everything, too.
TEST_F(EntryPointCacheTest, ThereMayBeManyCaches) {
  std::deque<EntryPointCache<PlainFacts>> caches;
  for (int i = 0; i < 20; ++i) caches.emplace_back(codes_);
  for (int turn = 0; turn < 2; ++turn) {
    for (auto& cache : caches) EXPECT_EQ(cache.Get(*code_, "main", kCompute, nullptr, read_plain_)->name, "main");
  }
  EXPECT_EQ(reads_, 20);
}

// Each thread finds what it asks for, whichever thread reads it first.
TEST_F(EntryPointCacheTest, ThreadsShareIt) {
  std::atomic<int> wrong = 0;
  const auto use = [&] {
    for (int i = 0; i < 2000; ++i) {
      const std::string name = absl::StrCat("e", i % 100);
      const auto read = [](auto*, std::string_view of, const auto&) { return PlainFacts{.name = std::string(of)}; };
      if (plain_.Get(*code_, name.c_str(), kCompute, nullptr, read)->name != name) ++wrong;
      if (plain_.Borrow(code_, name.c_str(), kCompute, nullptr, read)->name != name) ++wrong;
      const uint64_t value = static_cast<uint64_t>(i % 7);
      const auto read_value = [](auto*, auto, const auto& constants) {
        return SpecializedFacts{.value = constants[0].value};
      };
      const Values values(static_cast<uint32_t>(value));
      if (specialized_.Get(*code_, "main", kCompute, values.info(), read_value)->value != value) ++wrong;
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) threads.emplace_back(use);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace assay::state
