// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/words/known_modules.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace assay::core {
namespace {

namespace fs = std::filesystem;

class KnownModulesTest : public ::testing::Test {
 protected:
  KnownModulesTest() {
    std::string root = ::testing::TempDir() + "/known_modules_XXXXXX";
    folder_ = std::string(mkdtemp(root.data())) + "/assay";
  }
  ~KnownModulesTest() override { fs::remove_all(fs::path(folder_).parent_path()); }

  std::vector<fs::path> Files() const {
    std::vector<fs::path> files;
    if (!fs::exists(folder_)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    return files;
  }

  std::string folder_;
};

TEST_F(KnownModulesTest, ALaterRunKnowsThem) {
  {
    KnownModules modules(folder_, "build");
    EXPECT_FALSE(modules.Contains({1, 2}));
    modules.Insert({1, 2});
    EXPECT_TRUE(modules.Contains({1, 2}));
    EXPECT_TRUE(Files().empty());
    modules.Save();
    EXPECT_EQ(Files().size(), 1u);
  }
  KnownModules later(folder_, "build");
  EXPECT_TRUE(later.Contains({1, 2}));
  EXPECT_FALSE(later.Contains({2, 1}));
  EXPECT_FALSE(KnownModules(folder_, "other build").Contains({1, 2}));
  EXPECT_FALSE(KnownModules("", "build").Contains({1, 2}));
}

TEST_F(KnownModulesTest, ProcessesAddToOneFile) {
  KnownModules first(folder_, "build"), second(folder_, "build");
  first.Insert({1, 1});
  second.Insert({2, 2});
  first.Save();
  second.Save();
  KnownModules later(folder_, "build");
  EXPECT_TRUE(later.Contains({1, 1}));
  EXPECT_TRUE(later.Contains({2, 2}));
}

TEST_F(KnownModulesTest, ManyAreWrittenBeforeTheEnd) {
  KnownModules modules(folder_, "build");
  for (uint64_t i = 1; i <= 256; ++i) modules.Insert({i, i});
  EXPECT_EQ(Files().size(), 1u);
  KnownModules later(folder_, "build");
  EXPECT_TRUE(later.Contains({256, 256}));
}

TEST_F(KnownModulesTest, DamageIsIgnored) {
  {
    KnownModules modules(folder_, "build");
    modules.Insert({1, 2});
    modules.Save();
  }
  ASSERT_EQ(Files().size(), 1u);
  const fs::path file = Files()[0];
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(-1, std::ios::end);
  stream.put('\x5a');
  stream.close();
  EXPECT_FALSE(KnownModules(folder_, "build").Contains({1, 2}));
}

TEST_F(KnownModulesTest, MemoryIsBounded) {
  KnownModules modules("", "build");
  const uint64_t many = 2 * KnownModules::kMaxKeys;
  for (uint64_t i = 0; i < many; ++i) modules.Insert({i, i});
  EXPECT_FALSE(modules.Contains({0, 0}));
  EXPECT_TRUE(modules.Contains({many - 1, many - 1}));
  EXPECT_TRUE(modules.Contains({many - KnownModules::kMaxKeys / 2, many - KnownModules::kMaxKeys / 2}));
}

TEST_F(KnownModulesTest, ThreadsShareThem) {
  KnownModules modules(folder_, "build");
  const auto insert = [&modules](uint64_t t) {
    for (uint64_t i = 0; i < 1000; ++i) {
      modules.Insert({t, i});
      EXPECT_TRUE(modules.Contains({t, i}));
    }
  };
  std::thread other(insert, 0);
  insert(1);
  other.join();
  modules.Save();
  KnownModules later(folder_, "build");
  EXPECT_TRUE(later.Contains({0, 999}));
  EXPECT_TRUE(later.Contains({1, 999}));
}

}  // namespace
}  // namespace assay::core
