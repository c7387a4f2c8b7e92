// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/shaders/shader_choice.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "spirv/unified1/spirv.hpp11"

namespace assay::gpuav {
namespace {

constexpr size_t kHeaderWords = 5;
// The number of DebugSource in NonSemantic.Shader.DebugInfo.100.
constexpr uint32_t kDebugSource = 35;

// The string that begins with these words.
std::string StringOf(absl::Span<const uint32_t> words) {
  const auto* const bytes = reinterpret_cast<const char*>(words.data());
  return {bytes, std::find(bytes, bytes + words.size() * sizeof(uint32_t), '\0')};
}

}  // namespace

std::vector<std::string> SourceFilesOf(absl::Span<const uint32_t> words) {
  std::map<uint32_t, std::string> strings;
  std::set<uint32_t> debug_sets;
  std::vector<std::string> files;
  const auto add = [&](uint32_t id) {
    const auto found = strings.find(id);
    if (found != strings.end()) files.push_back(found->second);
  };
  for (size_t i = kHeaderWords; i < words.size();) {
    const size_t count = words[i] >> spv::WordCountShift;
    if (count == 0 || count > words.size() - i) break;
    const absl::Span<const uint32_t> instruction = words.subspan(i, count);
    i += count;
    switch (static_cast<spv::Op>(instruction[0] & spv::OpCodeMask)) {
      case spv::Op::OpExtInstImport:
        if (count > 2 && absl::StartsWith(StringOf(instruction.subspan(2)), "NonSemantic.Shader.DebugInfo")) {
          debug_sets.insert(instruction[1]);
        }
        break;
      case spv::Op::OpString:
        if (count > 2) strings[instruction[1]] = StringOf(instruction.subspan(2));
        break;
      case spv::Op::OpSource:
        if (count > 3) add(instruction[3]);
        break;
      case spv::Op::OpExtInst:
        if (count > 5 && debug_sets.contains(instruction[3]) && instruction[4] == kDebugSource) {
          add(instruction[5]);
        }
        break;
      // Sources stand before all functions.
      case spv::Op::OpFunction:
        return files;
      default:
        break;
    }
  }
  return files;
}

bool ShaderChoice::Chooses(const std::string& module, const std::string& entry_point,
                           absl::Span<const uint32_t> words) const {
  if (chooses_all() || patterns_.Match(module) || patterns_.Match(entry_point)) return true;
  return std::ranges::any_of(SourceFilesOf(words), [&](const std::string& file) {
    return patterns_.Match(file) || patterns_.Match(file.substr(file.find_last_of("/\\") + 1));
  });
}

}  // namespace assay::gpuav
