// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/corpus.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "spirv_instrument/corpus/description/parse.h"

namespace assay::spirv_instrument::corpus {
namespace {

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

absl::StatusOr<std::vector<uint32_t>> ReadWords(const std::filesystem::path& path) {
  const std::string bytes = ReadFile(path);
  if (bytes.empty() || bytes.size() % sizeof(uint32_t) != 0) {
    return absl::DataLossError(absl::StrCat(path.string(), " is missing, or not a number of whole words"));
  }
  std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

}  // namespace

absl::StatusOr<std::vector<Program>> ReadCorpus(const std::string& folder) {
  Sources sources;
  std::error_code error;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (StageOf(name).has_value()) sources.emplace(name, ReadFile(entry.path()));
  }
  if (sources.empty()) return absl::NotFoundError(absl::StrCat("there are no shaders in ", folder));
  std::vector<Program> programs;
  for (const auto& [name, glsl] : sources) {
    if (!DescribesProgram(glsl)) continue;
    absl::StatusOr<Program> program = ParseDescription(sources, name);
    if (!program.ok()) return program.status();
    for (Stage& stage : program->stages) {
      absl::StatusOr<std::vector<uint32_t>> words =
          ReadWords(std::filesystem::path(folder) / absl::StrCat(stage.source, ".spv"));
      if (!words.ok()) return words.status();
      stage.words = *std::move(words);
    }
    programs.push_back(*std::move(program));
  }
  return programs;
}

}  // namespace assay::spirv_instrument::corpus
