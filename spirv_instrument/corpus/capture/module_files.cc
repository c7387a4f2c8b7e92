// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/capture/module_files.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace assay::spirv_instrument::corpus {
namespace {

// FNV-1a.
uint64_t Hash(const unsigned char* bytes, size_t size) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

}  // namespace

std::string ModuleFileName(const uint32_t* words, size_t size_in_bytes) {
  const uint64_t hash = Hash(reinterpret_cast<const unsigned char*>(words), size_in_bytes);
  char name[64];
  std::snprintf(name, sizeof(name), "%016llx_%zu.spv", static_cast<unsigned long long>(hash), size_in_bytes);
  return name;
}

void WriteModule(const std::string& folder, const uint32_t* words, size_t size_in_bytes) {
  static std::atomic<unsigned> counter = 0;
  const std::filesystem::path path = std::filesystem::path(folder) / ModuleFileName(words, size_in_bytes);
  std::error_code error;
  if (std::filesystem::exists(path, error)) return;
  // No other thread or process has this name.
  const std::filesystem::path partial =
      path.string() + "." + std::to_string(getpid()) + "." + std::to_string(counter.fetch_add(1));
  {
    std::ofstream file(partial, std::ios::binary);
    file.write(reinterpret_cast<const char*>(words), static_cast<std::streamsize>(size_in_bytes));
    if (!file.good()) std::fprintf(stderr, "capture: %s cannot be written\n", partial.c_str());
  }
  std::filesystem::rename(partial, path, error);
  if (error) std::fprintf(stderr, "capture: %s: %s\n", path.c_str(), error.message().c_str());
}

}  // namespace assay::spirv_instrument::corpus
