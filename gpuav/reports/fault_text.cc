// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/reports/fault_text.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "gpuav/parameters/parameter_rules.h"
#include "gpuav/reports/rules.h"
#include "spirv/unified1/spirv.hpp11"

namespace assay::gpuav {
namespace {

using spirv_instrument::ErrorCode;
using spirv_instrument::ErrorRecord;

class Composer {
 public:
  Composer(const ErrorRecord& record, const FaultFacts& facts) : record_(record), facts_(facts) {}

  FaultText Compose() const {
    switch (record_.code) {
      case ErrorCode::kDescriptorIndexOutOfBounds:
        return Family(kIndexRule, absl::StrCat("A shader uses the descriptor with the index ", Word(2), " of ",
                                               Binding(), ", which has ", Word(3), "."));
      case ErrorCode::kDescriptorNotWritten:
        return Invalid(facts_.is_in_descriptor_buffer
                           ? ", of which the bytes in the descriptor buffer are none that vkGetDescriptorEXT has "
                             "returned for this type and a resource that still exists"
                           : ", which was never written");
      case ErrorCode::kDescriptorDestroyed:
        return Invalid(absl::StrCat(", which refers to", facts_.resource, " an object that was destroyed"));
      case ErrorCode::kDescriptorNull:
        return Invalid(", which is null");
      case ErrorCode::kDescriptorTypeMismatch:
        return Invalid(", which is mutable, as another type than it was written with");
      case ErrorCode::kDescriptorMissing:
        return Family(kBoundSetRule, absl::StrCat("A shader uses descriptor set ", Word(0), ", binding ", Word(1),
                                                  ", and no set with this binding is bound."));
      case ErrorCode::kBufferOutOfBounds:
        return BufferBounds();
      case ErrorCode::kTexelBufferOutOfBounds:
        return Bounds("UNASSIGNED-Descriptor Texel Buffer texel out of bounds",
                      absl::StrCat("A shader accesses ", EndText("texel"), " of ", Descriptor(), facts_.resource,
                                   ", which has ", Word(4), "."));
      case ErrorCode::kAddressOutOfBounds:
        return Named("UNASSIGNED-Device address out of bounds",
                     absl::StrCat("A shader accesses ", Word(2), " bytes at the device address ", Address(),
                                  ", which is in no buffer", Nearest(), "."));
      case ErrorCode::kAddressAcrossEnd:
        return Named("UNASSIGNED-Device address out of bounds",
                     absl::StrCat("A shader accesses ", Word(2), " bytes at the device address ", Address(),
                                  ", and only ", Word(3), " are left there in the buffer", Nearest(), "."));
      case ErrorCode::kAddressMisaligned:
        return Rule(vk::Vuid("VUID-RuntimeSpirv-PhysicalStorageBuffer64-06315"),
                    absl::StrCat("A shader accesses the device address ", Address(),
                                 ", which is no multiple of the alignment of ", Word(3), " that it promises."));
      case ErrorCode::kImageCoordinatesOutOfBounds:
      case ErrorCode::kImageLevelOutOfBounds:
      case ErrorCode::kImageLayerOutOfBounds:
      case ErrorCode::kImageSampleOutOfBounds:
        return Named("UNASSIGNED-Image coordinates out of bounds",
                     absl::StrCat("A shader accesses the texel (", Word(0), ", ", Word(1), ", ", Word(2),
                                  "), level or sample ", Word(3), " of an image of which the size is ", Word(4), "."));
      case ErrorCode::kImageLayout:
        return facts_.descriptor_type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                   ? Rule(vk::Vuid("VUID-VkDescriptorImageInfo-imageLayout-00344"), facts_.layout)
                   : Family(kImageLayoutRule, facts_.layout);
      case ErrorCode::kImageOffsetOutOfRange:
        return Named("UNASSIGNED-Image offset out of range",
                     absl::StrCat("A shader uses an offset of ", Signed(0), ", which is not within ", Signed(1),
                                  " and ", Signed(2), "."));
      default:
        break;
    }
    const auto code = static_cast<uint32_t>(record_.code);
    if (code >= static_cast<uint32_t>(ErrorCode::kRayNotFinite) &&
        code <= static_cast<uint32_t>(ErrorCode::kHitObjectNotInitialized)) {
      return Rays();
    }
    return Others();
  }

 private:
  uint32_t Word(size_t i) const { return i < record_.data.size() ? record_.data[i] : 0; }
  int32_t Signed(size_t i) const { return static_cast<int32_t>(Word(i)); }
  float Float(size_t i) const { return std::bit_cast<float>(Word(i)); }
  std::string Address() const { return absl::StrFormat("0x%x", uint64_t{Word(1)} << 32 | Word(0)); }
  std::string Binding() const { return absl::StrCat("descriptor set ", Word(0), ", binding ", Word(1)); }
  std::string Descriptor() const {
    return absl::StrCat(Binding(), Word(2) != 0 ? absl::StrCat(", index ", Word(2)) : "");
  }
  std::string EndText(std::string_view unit) const {
    return Word(3) == UINT32_MAX ? absl::StrCat("a ", unit, " more than 4 G away")
                                 : absl::StrCat(unit, " ", Word(3) == 0 ? 0 : Word(3) - 1);
  }
  std::string Nearest() const { return facts_.nearest_buffer.empty() ? "" : absl::StrCat("; ", facts_.nearest_buffer); }

  FaultText Rule(vk::VuidIndex vuid, std::string text) const {
    return {.vuid = vuid, .id = {}, .text = std::move(text)};
  }
  static FaultText Named(std::string_view id, std::string text) { return {.id = id, .text = std::move(text)}; }
  static FaultText Bounds(std::string_view id, std::string text) {
    return {.id = id, .text = std::move(text), .is_bounds = true};
  }
  // A rule that all commands have which run shaders.
  FaultText Family(std::string_view rule, std::string text) const {
    const vk::VuidIndex vuid = vk::FindVuidOf(facts_.command, rule);
    return {.vuid = vuid, .id = "UNASSIGNED-Descriptor", .text = std::move(text)};
  }
  const ShaderRules& Rules() const { return facts_.is_shader_object ? kShaderObjectRules : kPipelineRules; }
  FaultText Invalid(std::string_view why) const {
    return Family(facts_.is_in_descriptor_buffer ? Rules().buffered_descriptor : kValidDescriptorRule,
                  absl::StrCat("A shader uses ", Descriptor(), why, "."));
  }
  FaultText Runtime(std::string_view rule, std::string text) const {
    return {.vuid = vk::FindVuidOf("RuntimeSpirv", rule), .id = "UNASSIGNED-Shader", .text = std::move(text)};
  }

  FaultText BufferBounds() const {
    const bool is_storage = facts_.descriptor_type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
                            facts_.descriptor_type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
    const bool is_inline = facts_.descriptor_type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    FaultText result =
        Family(is_storage ? Rules().storage_buffer : Rules().uniform_buffer,
               absl::StrCat("A shader accesses a ",
                            is_storage ? "storage buffer" : (is_inline ? "inline uniform block" : "uniform buffer"),
                            " past its end: ", EndText("byte"), " of ", Descriptor(), facts_.resource,
                            ", of which the range has ", Word(4), " bytes."));
    result.is_bounds = true;
    return result;
  }

  FaultText Rays() const {
    const auto rules = std::ranges::find(kRayRules, facts_.instruction, &RayRules::instruction);
    const auto rule = [&](std::string_view RayRules::* number, std::string text) {
      const bool has_rule = rules != std::end(kRayRules);
      return Runtime(has_rule ? absl::StrCat(facts_.instruction, "-", (*rules).*number) : "", std::move(text));
    };
    switch (record_.code) {
      case ErrorCode::kRayNotFinite:
        return rule(&RayRules::finite,
                    absl::StrCat("The ", Word(3) == 0 ? "origin" : "direction", " of a ray is (", Float(0), ", ",
                                 Float(1), ", ", Float(2), "), which is not finite."));
      case ErrorCode::kRayNegativeT:
        return rule(&RayRules::negative,
                    absl::StrCat("The range of a ray is from ", Float(0), " to ", Float(1), ", which is negative."));
      case ErrorCode::kRayRangeReversed:
        return rule(&RayRules::reversed, absl::StrCat("The range of a ray is from ", Float(0), " to ", Float(1),
                                                      ", so that it ends before it begins."));
      case ErrorCode::kRayTNotANumber:
        return rule(&RayRules::not_a_number, absl::StrCat("The range of a ray is from ", Float(0), " to ", Float(1),
                                                          ", and one of them is not a number."));
      case ErrorCode::kRayZeroDirection:
        return Named("UNASSIGNED-Ray direction zero", "The direction of a ray is zero.");
      case ErrorCode::kRayFlagsExclusive:
        return rule(FlagsRule(), absl::StrCat("The flags of a ray are 0x", absl::Hex(Word(0)), ", of which 0x",
                                              absl::Hex(Word(1)), " exclude one another."));
      case ErrorCode::kRayTimeOutOfRange:
        return Runtime(kRayTimeRule, absl::StrCat("The time of a ray is ", Float(0), ", which is not within 0 and 1."));
      case ErrorCode::kRayHitTOutOfRange:
        return Runtime(kHitTRule, absl::StrCat("T of a hit is ", Float(0), ", which is not within ", Float(1), " and ",
                                               Float(2), "."));
      case ErrorCode::kRayHitKindOutOfRange:
        return Runtime(kHitKindRule, absl::StrCat("The kind of a hit is ", Word(0), ", which is more than 127."));
      case ErrorCode::kRayQueryNotInitialized:
        return Named("UNASSIGNED-Ray query not initialized", "A ray query is used that was not initialized.");
      case ErrorCode::kRayQueryWithoutIntersection:
        return Named(
            "UNASSIGNED-Ray query without intersection",
            absl::StrCat("A ray query is asked for what an intersection of the type ", Word(0), " does not have."));
      default:
        return Named("UNASSIGNED-Hit object not initialized", "A hit object is used that was not initialized.");
    }
  }

  std::string_view RayRules::* FlagsRule() const {
    constexpr uint32_t kOpaque = 0xc3;
    constexpr uint32_t kSkip = 0x300;
    if ((Word(1) & kOpaque) != 0) return &RayRules::opaque;
    return (Word(1) & kSkip) == kSkip ? &RayRules::skip : &RayRules::cull;
  }

  FaultText Others() const {
    switch (record_.code) {
      case ErrorCode::kVertexOutOfBounds:
      case ErrorCode::kInstanceOutOfBounds:
        return Family(kVertexRule, absl::StrCat("The attribute at location ", Word(0), " is fetched for ",
                                                record_.code == ErrorCode::kVertexOutOfBounds ? "vertex " : "instance ",
                                                Word(1), ", and its vertex buffer holds ", Word(2), "."));
      case ErrorCode::kBaseInstanceNotAllowed:
        return {.vuid = facts_.command.find("Indexed") != std::string_view::npos
                            ? vk::Vuid("VUID-VkDrawIndexedIndirectCommand-firstInstance-00554")
                            : vk::Vuid("VUID-VkDrawIndirectCommand-firstInstance-00501"),
                .id = {},
                .text = absl::StrCat("The first instance of an indirect draw is ", Word(0),
                                     ", and drawIndirectFirstInstance is not enabled.")};
      case ErrorCode::kInstanceIndexNotAllowed:
        return Family(kInstanceRule,
                      absl::StrCat("An instance has the index ", Word(0), ", and the device has ", Word(1), "."));
      case ErrorCode::kDrawIndexNotAllowed:
        return Family(kDrawCountRule,
                      absl::StrCat("The draw ", Word(0), " is executed, and the device has at most ", Word(1), "."));
      case ErrorCode::kMeshOutputPastCount:
        return Named("UNASSIGNED-Mesh output past count",
                     absl::StrCat("A mesh shader writes output ", Word(0), ", and it has set ", Word(1), "."));
      case ErrorCode::kMeshCountPastMaximum:
        return Runtime(Word(2) == 0 ? kVertexCountRule : kPrimitiveCountRule,
                       absl::StrCat("A mesh shader sets ", Word(0), Word(2) == 0 ? " vertices" : " primitives",
                                    ", and declares at most ", Word(1), "."));
      case ErrorCode::kMeshOutputsNotSet:
        return Named("UNASSIGNED-Mesh outputs not set",
                     absl::StrCat("A mesh shader writes output ", Word(0), " and has set no counts."));
      case ErrorCode::kTaskCountPastMaximum:
        return Runtime(kTaskRules[Word(4) & 3],
                       absl::StrCat("A task shader emits (", Word(0), ", ", Word(1), ", ", Word(2),
                                    ") workgroups, and the device has at most ", Word(3), "."));
      case ErrorCode::kMeshIndexPastVertices:
        return Named(
            "UNASSIGNED-Mesh index past vertices",
            absl::StrCat("A mesh shader writes the vertex index ", Word(0), ", and declares ", Word(1), " vertices."));
      default:
        return Named("UNASSIGNED-Shader",
                     absl::StrCat("A shader has the fault ", static_cast<uint32_t>(record_.code), "."));
    }
  }

  const ErrorRecord& record_;
  const FaultFacts& facts_;
};

}  // namespace

FaultText TextOf(const ErrorRecord& record, const FaultFacts& facts) { return Composer(record, facts).Compose(); }

std::string InvocationText(const ErrorRecord& record) {
  const auto& words = record.stage_words;
  const auto number = [&words](size_t i) { return std::bit_cast<float>(words[i]); };
  const auto three = [&words] { return absl::StrCat("(", words[0], ", ", words[1], ", ", words[2], ")"); };
  switch (static_cast<spv::ExecutionModel>(record.stage)) {
    case spv::ExecutionModel::Vertex:
      return absl::StrCat("vertex ", words[0], " of instance ", words[1]);
    case spv::ExecutionModel::TessellationControl:
    case spv::ExecutionModel::Geometry:
      return absl::StrCat("primitive ", words[0], ", invocation ", words[1]);
    case spv::ExecutionModel::TessellationEvaluation:
      return absl::StrCat("primitive ", words[0], ", tessellation coordinate (", number(1), ", ", number(2), ")");
    case spv::ExecutionModel::Fragment:
      return absl::StrCat("fragment coordinate (", number(0), ", ", number(1), ")");
    case spv::ExecutionModel::GLCompute:
    case spv::ExecutionModel::TaskEXT:
    case spv::ExecutionModel::MeshEXT:
    case spv::ExecutionModel::TaskNV:
    case spv::ExecutionModel::MeshNV:
      return absl::StrCat("global invocation ", three());
    default:
      return absl::StrCat("launch id ", three());
  }
}

}  // namespace assay::gpuav
