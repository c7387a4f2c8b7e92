// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/description/parse.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "spirv_instrument/corpus/description/directives.h"
#include "spirv_instrument/corpus/description/setup_parser.h"

namespace assay::spirv_instrument::corpus {
namespace {

struct StageSuffix {
  absl::string_view suffix;
  VkShaderStageFlagBits stage;
};

constexpr StageSuffix kStages[] = {
    {"vert", VK_SHADER_STAGE_VERTEX_BIT},
    {"tesc", VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
    {"tese", VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
    {"geom", VK_SHADER_STAGE_GEOMETRY_BIT},
    {"frag", VK_SHADER_STAGE_FRAGMENT_BIT},
    {"comp", VK_SHADER_STAGE_COMPUTE_BIT},
    {"task", VK_SHADER_STAGE_TASK_BIT_EXT},
    {"mesh", VK_SHADER_STAGE_MESH_BIT_EXT},
    {"rgen", VK_SHADER_STAGE_RAYGEN_BIT_KHR},
    {"rint", VK_SHADER_STAGE_INTERSECTION_BIT_KHR},
    {"rahit", VK_SHADER_STAGE_ANY_HIT_BIT_KHR},
    {"rchit", VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR},
    {"rmiss", VK_SHADER_STAGE_MISS_BIT_KHR},
    {"rcall", VK_SHADER_STAGE_CALLABLE_BIT_KHR},
};

struct FaultName {
  absl::string_view name;
  FaultKind kind;
};

constexpr FaultName kFaults[] = {
    {"descriptor-index", FaultKind::kDescriptorIndex},
    {"descriptor-unwritten", FaultKind::kDescriptorUnwritten},
    {"descriptor-destroyed", FaultKind::kDescriptorDestroyed},
    {"descriptor-null", FaultKind::kDescriptorNull},
    {"buffer-bounds", FaultKind::kBufferBounds},
    {"address-range", FaultKind::kAddressRange},
    {"address-alignment", FaultKind::kAddressAlignment},
    {"image-coordinate", FaultKind::kImageCoordinate},
    {"ray-time", FaultKind::kRayTime},
    {"ray-direction", FaultKind::kRayDirection},
    {"ray-flags", FaultKind::kRayFlags},
    {"ray-query", FaultKind::kRayQuery},
    {"mesh-output", FaultKind::kMeshOutput},
    {"mesh-count", FaultKind::kMeshCount},
    {"vertex-fetch", FaultKind::kVertexFetch},
    {"division", FaultKind::kDivision},
    {"shift", FaultKind::kShift},
    {"not-a-number", FaultKind::kNotANumber},
};

class Parser {
 public:
  Parser(const Sources& sources, const std::string& name) : sources_(sources) { program_.name = name; }

  absl::StatusOr<Program> Parse() {
    if (absl::Status status = AddStage(program_.name); !status.ok()) return status;
    const SourceText& source = texts_.front();
    program_.purpose = source.purpose;
    if (program_.purpose.empty()) return Error(1, "the source does not say what it is for");
    if (absl::Status status = AddOtherStages(source); !status.ok()) return status;
    program_.inputs.push_back({.name = "valid"});
    for (const Directive& directive : source.directives) {
      if (absl::Status status = Apply(directive); !status.ok()) return Error(directive.line, status.message());
    }
    return std::move(program_);
  }

 private:
  absl::Status Error(uint32_t line, absl::string_view message) const {
    return absl::InvalidArgumentError(absl::StrCat(program_.name, ":", line, ": ", message));
  }

  absl::Status AddStage(const std::string& name) {
    auto source = sources_.find(name);
    if (source == sources_.end()) return absl::InvalidArgumentError(absl::StrCat("there is no source ", name));
    std::optional<VkShaderStageFlagBits> stage = StageOf(name);
    if (!stage.has_value()) return absl::InvalidArgumentError(absl::StrCat("the name ", name, " says no stage"));
    program_.stages.push_back({.stage = *stage, .source = name});
    texts_.push_back(ReadSource(source->second));
    return absl::OkStatus();
  }

  absl::Status AddOtherStages(const SourceText& source) {
    for (const Directive& directive : source.directives) {
      if (directive.word != "with") continue;
      for (const std::string& other : directive.arguments) {
        if (absl::Status status = AddStage(other); !status.ok()) return Error(directive.line, status.message());
      }
    }
    return absl::OkStatus();
  }

  absl::Status Apply(const Directive& directive) {
    const std::string& word = directive.word;
    if (word == "with" || word == "compile") return absl::OkStatus();
    if (word == "input") return BeginInput(directive);
    if (word == "fault") return BeginFault(directive);
    if (word == "also") return AddFault(directive, 0);
    if (word == "dominated") {
      if (absl::Status status = AddFault(directive, 0); !status.ok()) return status;
      input().faults.back().is_dominated = true;
      return absl::OkStatus();
    }
    if (word == "prints") {
      input().prints.push_back(directive.rest);
      return absl::OkStatus();
    }
    if (word == "expect") {
      absl::StatusOr<ExpectedContents> expected = ParsePlacedValues(directive);
      if (!expected.ok()) return expected.status();
      if (!expected->contents.addresses.empty()) {
        return absl::InvalidArgumentError("an address differs from run to run, so that it cannot be expected");
      }
      input().expected.push_back(*std::move(expected));
      return absl::OkStatus();
    }
    return ApplyDirective(directive, input().setup);
  }

  Input& input() { return program_.inputs.back(); }

  absl::Status BeginInput(const Directive& directive) {
    if (directive.arguments.size() != 1) return absl::InvalidArgumentError("an input has a name and nothing else");
    return Begin(directive.arguments[0]);
  }

  absl::Status BeginFault(const Directive& directive) {
    if (directive.arguments.size() != 4) return absl::InvalidArgumentError("it is not NAME KIND at MARK");
    if (absl::Status status = Begin(directive.arguments[0]); !status.ok()) return status;
    return AddFault(directive, 1);
  }

  absl::Status Begin(const std::string& name) {
    if (std::ranges::find(program_.inputs, name, &Input::name) != program_.inputs.end()) {
      return absl::InvalidArgumentError(absl::StrCat("another input is called ", name));
    }
    program_.inputs.push_back({.name = name, .setup = program_.inputs.front().setup});
    return absl::OkStatus();
  }

  // KIND at MARK, from that argument on.
  absl::Status AddFault(const Directive& directive, size_t first) {
    const std::vector<std::string>& words = directive.arguments;
    if (words.size() != first + 3 || words[first + 1] != "at") return absl::InvalidArgumentError("no KIND at MARK");
    const FaultName* kind = std::ranges::find(kFaults, words[first], &FaultName::name);
    if (kind == std::end(kFaults)) return absl::InvalidArgumentError(absl::StrCat("no kind ", words[first]));
    ExpectedFault fault = {.kind = kind->kind};
    if (absl::Status status = FindMark(words[first + 2], fault); !status.ok()) return status;
    input().faults.push_back(std::move(fault));
    return absl::OkStatus();
  }

  // `read` or `other.vert:read`.
  absl::Status FindMark(absl::string_view text, ExpectedFault& fault) const {
    absl::string_view source = program_.name;
    if (size_t colon = text.find(':'); colon != absl::string_view::npos) {
      source = text.substr(0, colon);
      text = text.substr(colon + 1);
    }
    for (size_t i = 0; i < texts_.size(); ++i) {
      if (program_.stages[i].source != source) continue;
      for (const Mark& mark : texts_[i].marks) {
        if (mark.name != text) continue;
        if (fault.line != 0) return absl::InvalidArgumentError(absl::StrCat("two lines have the mark ", text));
        fault.source = program_.stages[i].source;
        fault.line = mark.line;
      }
    }
    if (fault.line == 0) return absl::InvalidArgumentError(absl::StrCat("no line has the mark ", text));
    return absl::OkStatus();
  }

  const Sources& sources_;
  Program program_;
  // Of each stage. Those that are there stay where they are when more come.
  std::deque<SourceText> texts_;
};

}  // namespace

std::optional<VkShaderStageFlagBits> StageOf(absl::string_view source) {
  const size_t dot = source.rfind('.');
  if (dot == absl::string_view::npos) return std::nullopt;
  const StageSuffix* found = std::ranges::find(kStages, source.substr(dot + 1), &StageSuffix::suffix);
  if (found == std::end(kStages)) return std::nullopt;
  return found->stage;
}

absl::string_view NameOf(FaultKind kind) {
  const FaultName* found = std::ranges::find(kFaults, kind, &FaultName::kind);
  return found == std::end(kFaults) ? "unknown" : found->name;
}

bool DescribesProgram(absl::string_view glsl) {
  const SourceText source = ReadSource(glsl);
  return std::ranges::find(source.directives, "part", &Directive::word) == source.directives.end();
}

absl::StatusOr<Program> ParseDescription(const Sources& sources, const std::string& name) {
  return Parser(sources, name).Parse();
}

}  // namespace assay::spirv_instrument::corpus
