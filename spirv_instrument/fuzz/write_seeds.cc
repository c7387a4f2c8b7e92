// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// write_seeds FOLDER SOURCE...: writes inputs of the fuzz test into a folder. A source is assembly, or a folder with
// modules, of which every fourth is taken.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "spirv_instrument/fuzz/fuzz.h"
#include "spirv_instrument/fuzz/seed.h"

namespace assay::spirv_instrument::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPeriod = 4;

// A source itself, or what is chosen of a folder.
std::vector<fs::path> Choose(const fs::path& source) {
  if (!fs::is_directory(source)) return {source};
  std::vector<fs::path> modules;
  for (const auto& entry : fs::directory_iterator(source)) {
    if (entry.path().extension() == ".spv") modules.push_back(entry.path());
  }
  std::sort(modules.begin(), modules.end());
  std::vector<fs::path> chosen;
  for (size_t i = 0; i < modules.size(); i += kPeriod) chosen.push_back(modules[i]);
  return chosen;
}

bool WriteSeed(const fs::path& source, const fs::path& folder) {
  const absl::StatusOr<Input> input = ReadInput(source.string());
  if (!input.ok()) {
    std::fprintf(stderr, "%s\n", input.status().ToString().c_str());
    return false;
  }
  const std::vector<uint8_t> bytes = BytesOf(*input);
  std::ofstream file(folder / (source.stem().string() + ".seed"), std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return file.good();
}

}  // namespace
}  // namespace assay::spirv_instrument::fuzz

int main(int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    for (const auto& source : assay::spirv_instrument::fuzz::Choose(argv[i])) {
      if (!assay::spirv_instrument::fuzz::WriteSeed(source, argv[1])) return 1;
    }
  }
  return 0;
}
