// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/shaders/word_cache.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::gpuav {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string Folder(const std::string& name) { return ::testing::TempDir() + "/" + name; }

spirv_instrument::InstrumentConfig Config() {
  spirv_instrument::InstrumentConfig config;
  config.passes.buffer_bounds.emplace();
  return config;
}

TEST(WordCache, WordsAreThereInTheNextRun) {
  const std::vector<uint32_t> words = {1, 2, 3};
  {
    WordCache cache(Config(), Folder("next_run"), "build");
    EXPECT_FALSE(cache.Find(words, {}));
    cache.Add(words, {}, {.words = {4, 5, 6, 7}, .shader_id_word = 2});
  }
  WordCache cache(Config(), Folder("next_run"), "build");
  const auto found = cache.Find(words, {});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->words, ElementsAre(4, 5, 6, 7));
  EXPECT_EQ(found->shader_id_word, 2u);
  EXPECT_THAT(found->WithId(9), ElementsAre(4, 5, 9, 7));
}

TEST(WordCache, NothingToCheckIsKnownToo) {
  const std::vector<uint32_t> words = {1, 2, 3};
  WordCache cache(Config(), Folder("nothing"), "build");
  cache.Add(words, {}, {});
  const auto found = cache.Find(words, {});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->words, IsEmpty());
}

TEST(WordCache, OtherConfigurationBuildOrWordsIsAnother) {
  const std::vector<uint32_t> words = {1, 2, 3};
  WordCache(Config(), Folder("others"), "build").Add(words, {}, {.words = {4, 5}, .shader_id_word = 1});
  spirv_instrument::InstrumentConfig config = Config();
  config.passes.device_address.emplace();
  EXPECT_FALSE(WordCache(config, Folder("others"), "build").Find(words, {}));
  for (const std::string_view pass : spirv_instrument::PassNames()) {
    if (pass == "buffer_bounds") continue;
    config = Config();
    ASSERT_TRUE(spirv_instrument::EnablePass(config.passes, pass).ok());
    EXPECT_FALSE(WordCache(config, Folder("others"), "build").Find(words, {})) << pass;
  }
  config = Config();
  config.frame.runtime.descriptor_set = 3;
  EXPECT_FALSE(WordCache(config, Folder("others"), "build").Find(words, {}));
  config = Config();
  config.frame.runtime.reach = spirv_instrument::Reach::kPushConstant;
  EXPECT_FALSE(WordCache(config, Folder("others"), "build").Find(words, {}));
  EXPECT_FALSE(WordCache(Config(), Folder("others"), "another").Find(words, {}));
  EXPECT_FALSE(WordCache(Config(), Folder("others"), "build").Find(std::vector<uint32_t>{1, 2}, {}));
  EXPECT_TRUE(WordCache(Config(), Folder("others"), "build").Find(words, {}));
}

TEST(WordCache, WhatIsLeftToTheHostIsThereToo) {
  using Kind = spirv_instrument::HostCondition::Kind;
  constexpr ShaderTerms kTerms = {.host_sets = 3, .reports_at_end = true};
  const std::vector<uint32_t> words = {1, 2, 3};
  WordCache cache(Config(), Folder("conditions"), "build");
  cache.Add(words, kTerms,
            {.words = {4, 5},
             .shader_id_word = 1,
             .reports_at_end = true,
             .conditions = {{.kind = Kind::kBufferHolds, .set = 1, .binding = 2, .index = 3, .bytes = 64},
                            {.kind = Kind::kDescriptorIsValid, .binding = 9, .types = 6}}});
  EXPECT_FALSE(cache.Find(words, {}));
  EXPECT_FALSE(cache.Find(words, {.host_sets = 3}));
  const auto found = cache.Find(words, kTerms);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->words, ElementsAre(4, 5));
  EXPECT_EQ(found->shader_id_word, 1u);
  EXPECT_TRUE(found->reports_at_end);
  ASSERT_EQ(found->conditions.size(), 2u);
  EXPECT_EQ(found->conditions[0].kind, Kind::kBufferHolds);
  EXPECT_EQ(found->conditions[0].set, 1u);
  EXPECT_EQ(found->conditions[0].binding, 2u);
  EXPECT_EQ(found->conditions[0].index, 3u);
  EXPECT_EQ(found->conditions[0].bytes, 64u);
  EXPECT_EQ(found->conditions[1].kind, Kind::kDescriptorIsValid);
  EXPECT_EQ(found->conditions[1].binding, 9u);
  EXPECT_EQ(found->conditions[1].types, 6u);
}

TEST(WordCache, LimitsAreThereToo) {
  using Kind = spirv_instrument::HostLimit::Kind;
  const std::vector<uint32_t> words = {1, 2, 3};
  const spirv_instrument::HostLimit buffer = {
      .kind = Kind::kBuffer, .set = 1, .binding = 2, .index = 3, .end = 20, .stride = 16};
  const spirv_instrument::HostLimit images = {.kind = Kind::kDescriptors, .binding = 4, .types = 8};
  const InstrumentedWords added = {.words = {4, 5},
                                   .reports_at_end = true,
                                   .limits = {buffer, images},
                                   .limited_checks = {{.limit = images, .limit_number = 1, .instruction = 77}}};
  WordCache cache(Config(), Folder("limits"), "build");
  cache.Add(words, {}, added);
  const auto found = cache.Find(words, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->words, added.words);
  EXPECT_EQ(found->limits, added.limits);
  EXPECT_EQ(found->limited_checks, added.limited_checks);
}

TEST(WordCache, WithoutFolderOrBuildThereIsNone) {
  const std::vector<uint32_t> words = {1, 2, 3};
  WordCache without_folder(Config(), "", "build");
  without_folder.Add(words, {}, {.words = {4, 5}});
  EXPECT_FALSE(without_folder.Find(words, {}));
  WordCache without_build(Config(), Folder("none"), "");
  without_build.Add(words, {}, {.words = {4, 5}});
  EXPECT_FALSE(without_build.Find(words, {}));
}

}  // namespace
}  // namespace assay::gpuav
