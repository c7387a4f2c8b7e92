// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "cache/file_cache.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cache/entry.h"
#include "gtest/gtest.h"

namespace assay::cache {
namespace {

namespace fs = std::filesystem;

class FileCacheTest : public ::testing::Test {
 protected:
  FileCacheTest() {
    std::string name = testing::TempDir() + "/file_cache_XXXXXX";
    root_ = mkdtemp(name.data());
  }
  ~FileCacheTest() override { fs::remove_all(root_); }

  std::string Folder() const { return root_ + "/a/b"; }
  FileCacheOptions Options(uint64_t max_bytes = 1 << 20) const {
    return {.folder = Folder(), .build = "build", .max_bytes = max_bytes};
  }
  std::string PathOf(std::string_view key) const { return Folder() + "/" + EntryName("build", key); }
  // Sets a file's time into the past.
  static void Age(const std::string& path, std::chrono::seconds by) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - by);
  }
  static std::string Content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  uint64_t BytesInFolder() const {
    uint64_t bytes = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(Folder())) bytes += entry.file_size();
    return bytes;
  }

  std::string root_;
};

TEST_F(FileCacheTest, ARunFindsWhatAnEarlierOneAdded) {
  {
    FileCache cache(Options());
    EXPECT_EQ(cache.Find("key"), std::nullopt);
    // Nothing is made before there is something to keep.
    EXPECT_FALSE(fs::exists(root_ + "/a"));
    cache.Add("key", "value");
    EXPECT_EQ(cache.Find("key"), "value");
    cache.Add("empty", "");
    cache.Add("key", "another value");
  }
  FileCache cache(Options());
  EXPECT_EQ(cache.Find("key"), "another value");
  EXPECT_EQ(cache.Find("empty"), "");
  EXPECT_EQ(cache.Find("no such key"), std::nullopt);
  FileCacheOptions other = Options();
  other.build = "another build";
  EXPECT_EQ(FileCache(other).Find("key"), std::nullopt);
  EXPECT_EQ(fs::status(Folder()).permissions(), fs::perms::owner_all);
}

// Keys whose names are the same are told apart by what is in the file.
TEST_F(FileCacheTest, TheNameIsNotTrusted) {
  FileCache cache(Options());
  cache.Add("key", "value");
  fs::rename(PathOf("key"), PathOf("other"));
  EXPECT_EQ(cache.Find("other"), std::nullopt);
  EXPECT_TRUE(fs::exists(PathOf("other")));
}

TEST_F(FileCacheTest, WhatIsDamagedIsDeleted) {
  FileCache cache(Options());
  cache.Add("key", "value");
  const std::string sound = Content(PathOf("key"));
  for (const std::string& damaged : {sound.substr(0, 20), sound + "x", std::string(1000, 'x'), std::string()}) {
    std::ofstream(PathOf("key"), std::ios::binary | std::ios::trunc) << damaged;
    EXPECT_EQ(cache.Find("key"), std::nullopt);
    EXPECT_FALSE(fs::exists(PathOf("key")));
  }
  cache.Add("key", "value");
  EXPECT_EQ(cache.Find("key"), "value");
}

TEST_F(FileCacheTest, WhatIsNoFileIsLeftAlone) {
  FileCache cache(Options());
  cache.Add("key", "value");
  fs::rename(PathOf("key"), root_ + "/elsewhere");
  fs::create_symlink(root_ + "/elsewhere", PathOf("key"));
  EXPECT_EQ(cache.Find("key"), std::nullopt);
  EXPECT_TRUE(fs::exists(root_ + "/elsewhere"));
  fs::remove(PathOf("key"));
  fs::create_directory(PathOf("key"));
  EXPECT_EQ(cache.Find("key"), std::nullopt);
  cache.Add("key", "value");
  EXPECT_EQ(cache.Find("key"), std::nullopt);
  fs::remove(PathOf("key"));
  ASSERT_EQ(mkfifo(PathOf("key").c_str(), S_IRUSR | S_IWUSR), 0);
  EXPECT_EQ(cache.Find("key"), std::nullopt);
}

TEST_F(FileCacheTest, WhatWasNotUsedForLongestGoes) {
  FileCache cache(Options(64 << 10));
  const std::string value(4 << 10, 'v');
  for (int i = 0; i < 12; ++i) {
    const std::string key = absl::StrCat("key ", i);
    cache.Add(key, value);
    Age(PathOf(key), std::chrono::hours(24 - i));
  }
  // Used now.
  EXPECT_EQ(cache.Find("key 0"), value);
  for (int i = 12; i < 40; ++i) {
    cache.Add(absl::StrCat("key ", i), value);
    EXPECT_LE(BytesInFolder(), (64u << 10) + (64u << 10) / 8 + (5u << 10)) << i;
  }
  EXPECT_EQ(cache.Find("key 1"), std::nullopt);
  EXPECT_EQ(cache.Find("key 39"), value);
  // A cache that begins looks at once.
  cache.Add("key 40", value);
  FileCache smaller(Options(32 << 10));
  smaller.Add("small", "value");
  EXPECT_LE(BytesInFolder(), 32u << 10);
}

TEST_F(FileCacheTest, WhatWasUsedStays) {
  FileCache cache(Options(64 << 10));
  const std::string value(4 << 10, 'v');
  cache.Add("used", value);
  for (int i = 0; i < 13; ++i) {
    const std::string key = absl::StrCat("key ", i);
    cache.Add(key, value);
    Age(PathOf(key), std::chrono::hours(1));
  }
  Age(PathOf("used"), std::chrono::hours(24));
  EXPECT_EQ(cache.Find("used"), value);
  FileCache(Options(32 << 10)).Add("small", "value");
  EXPECT_EQ(cache.Find("used"), value);
}

TEST_F(FileCacheTest, FilesOfOthersAndUnfinishedOnes) {
  FileCache(Options()).Add("key", std::string(1000, 'v'));
  const std::string foreign = Folder() + "/notes.txt", old = Folder() + "/1-0.new", young = Folder() + "/1-1.new";
  for (const std::string& path : {foreign, old, young}) std::ofstream(path) << std::string(100 << 10, 'x');
  Age(foreign, std::chrono::hours(100));
  Age(old, std::chrono::hours(2));
  FileCache(Options(16 << 10)).Add("other", "value");
  EXPECT_TRUE(fs::exists(foreign));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young));
  EXPECT_TRUE(fs::exists(PathOf("key")));
}

TEST_F(FileCacheTest, TooLargeAValueIsNotKept) {
  FileCache cache(Options(8 << 10));
  cache.Add("key", std::string(2 << 10, 'v'));
  EXPECT_EQ(cache.Find("key"), std::nullopt);
}

TEST_F(FileCacheTest, FoldersThatAreNotTheUsersAloneAreNotUsed) {
  fs::create_directories(Folder());
  fs::permissions(Folder(), fs::perms::all);
  FileCache open_to_all(Options());
  open_to_all.Add("key", "value");
  EXPECT_TRUE(fs::is_empty(Folder()));
  fs::remove(Folder());
  fs::create_directories(root_ + "/real");
  fs::create_directory_symlink(root_ + "/real", Folder());
  FileCache link(Options());
  link.Add("key", "value");
  EXPECT_TRUE(fs::is_empty(root_ + "/real"));
  fs::remove(Folder());
  std::ofstream(Folder()) << "a file";
  FileCache file(Options());
  file.Add("key", "value");
  EXPECT_EQ(file.Find("key"), std::nullopt);
  FileCacheOptions relative = Options();
  relative.folder = "a/b";
  FileCache(relative).Add("key", "value");
  EXPECT_FALSE(fs::exists("a/b"));
}

// Threads and processes that add and find the same few keys, with a folder that is always full: a value that is found
// is one that was added for the key.
TEST_F(FileCacheTest, ThreadsAndProcessesShareAFolder) {
  const auto work = [this](uint32_t seed) {
    FileCache cache(Options(32 << 10));
    bool is_right = true;
    for (uint32_t i = 0; i < 300; ++i) {
      const uint32_t number = (seed + i * 7) % 20;
      const std::string key = absl::StrCat("key ", number);
      const std::string value = absl::StrCat(number, std::string(1000 + number * 100, 'v'));
      if (i % 2 == 0) cache.Add(key, value);
      const std::optional<std::string> found = cache.Find(key);
      is_right &= !found || *found == value;
    }
    return is_right;
  };
  std::vector<pid_t> children;
  for (uint32_t i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(work(i) ? 0 : 1);
    children.push_back(child);
  }
  bool is_right[2] = {};
  std::vector<std::thread> threads;
  threads.reserve(2);
  for (uint32_t i = 0; i < 2; ++i) threads.emplace_back([&, i] { is_right[i] = work(10 + i); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(is_right[0] && is_right[1]);
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
}

TEST(UserCacheFolderTest, IsTheUsers) {
  std::string caches, home;
  const auto environment = [&](const char* name) -> const char* {
    const std::string& value = std::string_view(name) == "HOME" ? home : caches;
    return value.empty() ? nullptr : value.c_str();
  };
  EXPECT_EQ(UserCacheFolder("modules", environment), std::nullopt);
  home = "/home/someone";
  EXPECT_EQ(UserCacheFolder("modules", environment), "/home/someone/.cache/assay/modules");
  caches = "relative";
  EXPECT_EQ(UserCacheFolder("modules", environment), "/home/someone/.cache/assay/modules");
  caches = "/caches";
  EXPECT_EQ(UserCacheFolder("modules", environment), "/caches/assay/modules");
}

}  // namespace
}  // namespace assay::cache
