// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The sets and push constants that shaders statically use ("Pipeline Layout Compatibility").

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/binding/layout_difference.h"
#include "core/descriptors/bound_accesses.h"
#include "core/descriptors/bound_descriptor_rules.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

using state::DeviceState;
using state::PipelineLayout;
using Kind = state::Descriptor::Kind;

// The bits of the words in a range of bytes; those beyond 64 words are not tracked.
uint64_t WordsOf(uint64_t begin, uint64_t end) {
  constexpr uint64_t kBits = 64;
  const auto below = [](uint64_t word) { return word >= kBits ? ~uint64_t{0} : (uint64_t{1} << word) - 1; };
  return end <= begin ? 0 : below((end + 3) / 4) & ~below(begin / 4);
}

void NotePush(RecordingScope& scope, VkPipelineLayout layout, uint32_t offset, uint32_t size) {
  const uint64_t words = WordsOf(offset, uint64_t{offset} + size);
  auto found = std::ranges::find(scope.pushed, layout, &PushedConstants::layout);
  if (found == scope.pushed.end()) {
    if (scope.pushed.size() == RecordingScope::kMostPushed) {
      scope.has_unknown_pushes = true;
      return;
    }
    found = scope.pushed.insert(scope.pushed.end(), {layout, 0});
  }
  found->words |= words;
}

// What the shaders of a pipeline, or a shader object, were made with.
struct NeededLayout {
  absl::Span<const state::Ref<state::DescriptorSetLayout>> sets;
  absl::Span<const VkPushConstantRange> push_constants;
  // As messages call it: "the pipeline's layout".
  std::string_view text;
};

// What makes a layout incompatible for a set; empty if nothing does.
std::string IncompatibilityOf(const NeededLayout& needed, const PipelineLayout& bound, uint32_t set) {
  if (!state::AreAlike(needed.push_constants, bound.push_constants)) return "their push constant ranges differ";
  for (uint32_t i = 0; i <= set && i < bound.set_layouts.size(); ++i) {
    const auto& one = bound.set_layouts[i];
    const auto& other = needed.sets[i];
    if (one && other && !one->IsDefinedAs(*other)) return absl::StrCat("of set ", i, ", ", DifferenceOf(*one, *other));
  }
  return {};
}

class NeedsCheck {
 public:
  NeedsCheck(const DescriptorFacts& facts, const DescriptorRuleIds& ids, const BoundShaders& shaders,
             const RecordingScope& scope, bool has_other_sets_alone, messages::Report& report)
      : facts_(facts),
        ids_(ids),
        shaders_(shaders),
        scope_(scope),
        has_other_sets_alone_(has_other_sets_alone),
        report_(report) {}

  bool Run() {
    shaders_.ForEach(
        [&](const ResourceAccesses& resources, const state::Pipeline* pipeline, const state::Shader* shader) {
          pipeline_ = pipeline;
          // Those that were right.
          seen_ = has_other_sets_alone_ ? ~uint64_t{0} : 0;
          if (pipeline == nullptr) {
            needed_ = {shader->set_layouts, shader->push_constants, "the layouts of the shader object"};
          } else if (pipeline->layout) {
            needed_ = {pipeline->layout->set_layouts, pipeline->layout->push_constants, "the pipeline's layout"};
          } else {
            return;
          }
          for (const ResourceAccesses::Stage& stage : resources.stages) {
            for (const ResourceVariable& resource : stage.shader->resources) Check(*stage.shader, resource);
            if (!has_other_sets_alone_ && !stage.shader->push_constant_members.empty())
              CheckPushConstants(*stage.shader);
          }
        });
    return is_right_;
  }

 private:
  bool HasBuffers() const {
    return pipeline_ != nullptr && (pipeline_->flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT) != 0;
  }
  const state::BoundSet* BoundAt(uint32_t set) const {
    const auto& sets = shaders_.bound.sets;
    return set < sets.size() && sets[set].key != 0 ? &sets[set] : nullptr;
  }
  void Report(DescriptorRule rule, std::string text, std::string fix = {}) {
    const vk::VuidIndex id = ids_.Of(rule);
    if (id == vk::kNoVuid) return;
    is_right_ = false;
    report_.Error(id, {{VK_OBJECT_TYPE_COMMAND_BUFFER, shaders_.buffer.handle()}}, report_.location(), std::move(text),
                  std::move(fix));
  }
  std::string Uses(const ShaderInterface& shader, const ResourceVariable& resource) const {
    return absl::StrCat(ShaderText(shaders_, shader.stage, report_.reporter()), " uses binding ", resource.binding,
                        " of set ", resource.set);
  }

  void Check(const ShaderInterface& shader, const ResourceVariable& resource) {
    const uint32_t number = resource.set;
    if (number >= needed_.sets.size() || !needed_.sets[number]) return;
    const uint64_t bit = number < 64 ? uint64_t{1} << number : 0;
    if ((wrong_ & bit) != 0) return;
    const state::BoundSet* const set = BoundAt(number);
    if ((seen_ & bit) == 0 && !CheckSet(shader, resource, set)) {
      wrong_ |= bit;
      return;
    }
    seen_ |= bit;
    // Shader objects have such a rule of input attachments alone.
    const bool is_wanted = pipeline_ != nullptr || resource.kind == ResourceVariable::Kind::kInputAttachment;
    if (set != nullptr && is_wanted && !HasBuffers()) CheckWritten(shader, resource, *set);
  }

  // That a set is bound that fits. Returns whether its descriptors can be looked at.
  bool CheckSet(const ShaderInterface& shader, const ResourceVariable& resource, const state::BoundSet* set) {
    const uint32_t number = resource.set;
    if (set == nullptr) {
      if (HasBuffers()) return false;
      Report(DescriptorRule("None-08600"),
             absl::StrCat(Uses(shader, resource), ", but no set is bound to that number."),
             "Bind or push a set first.");
      return false;
    }
    // Of embedded samplers, for example.
    if (set->layout == VK_NULL_HANDLE) return false;
    const bool is_in_buffer = shaders_.bound.FindDescriptorBufferOffset(number) != nullptr;
    if (pipeline_ != nullptr && is_in_buffer != HasBuffers() && set->pushed == nullptr) {
      constexpr std::string_view kFlag = "VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT";
      if (is_in_buffer) {
        Report(DescriptorRule("None-08117"),
               absl::StrCat(Uses(shader, resource), ", which is in a descriptor buffer, but the pipeline was created",
                            " without ", kFlag, "."));
      } else {
        Report(DescriptorRule("None-08115"),
               absl::StrCat(Uses(shader, resource), ", which is ", SetText(*set, report_.reporter()),
                            ", but the pipeline was created with ", kFlag, "."));
      }
      return false;
    }
    const auto* const bound = DeviceState::Get<PipelineLayout>(set->layout);
    if (bound == nullptr || (pipeline_ != nullptr && bound == pipeline_->layout.get())) return true;
    const std::string difference = IncompatibilityOf(needed_, *bound, number);
    if (difference.empty()) return true;
    Report(DescriptorRule("None-08600"),
           absl::StrCat(Uses(shader, resource), ", but that was bound with ",
                        report_.reporter().Describe(messages::Object(set->layout)), ", which is not compatible with ",
                        needed_.text, ": ", difference, "."),
           absl::StrCat("Bind it with ", needed_.text, ", or with one like it up to set ", number, "."));
    return false;
  }

  void CheckWritten(const ShaderInterface& shader, const ResourceVariable& resource, const state::BoundSet& set) {
    if (contents_of_ != &set) {
      contents_of_ = &set;
      contents_ = ContentsOf(shaders_.bound, resource.set);
    }
    const auto* const binding = contents_ != nullptr ? contents_->layout().Find(resource.binding) : nullptr;
    if (binding == nullptr || binding->is_update_after_bind() || binding->is_partially_bound()) return;
    const bool has_only_samplers = binding->type == VK_DESCRIPTOR_TYPE_SAMPLER && binding->has_immutable_samplers;
    if (has_only_samplers || binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) return;
    // Of an array, which shaders may index as they like, one descriptor is enough.
    const uint32_t count = resource.array_length ? binding->count : 1;
    uint32_t element = 0;
    for (; element < count; ++element) {
      const state::Descriptor* const descriptor = contents_->Find(*binding, element);
      if (descriptor == nullptr || descriptor->kind != Kind::kUnwritten) return;
    }
    Report(
        pipeline_ != nullptr ? DescriptorRule("None-08114") : DescriptorRule("None-07748"),
        absl::StrCat(Uses(shader, resource), ", but that was never written in ", SetText(set, report_.reporter()), "."),
        "Write it before the set is bound, or create the binding with VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT if "
        "the shader does not access it.");
  }

  void CheckPushConstants(const ShaderInterface& shader) {
    if (scope_.has_unknown_pushes) return;
    uint64_t set = 0;
    const PipelineLayout* other = nullptr;
    for (const PushedConstants& pushed : scope_.pushed) {
      const auto* const layout = DeviceState::Get<PipelineLayout>(pushed.layout);
      if (layout == nullptr) return;
      if (state::AreAlike(layout->push_constants, needed_.push_constants)) {
        set |= pushed.words;
      } else {
        other = layout;
      }
    }
    // Of a member that is set in part, such as an array, the shader may use that part alone.
    const bool is_strict = facts_.device.instance.settings.strict;
    const auto is_missing = [&](const PushConstantMember& member) {
      const uint64_t words = WordsOf(member.begin, member.end);
      return (words & ~set) != 0 && (is_strict || (words & set) == 0);
    };
    const auto missing = std::ranges::find_if(shader.push_constant_members, is_missing);
    if (missing == shader.push_constant_members.end()) return;
    std::string text = absl::StrCat(ShaderText(shaders_, shader.stage, report_.reporter()),
                                    " uses the push constant at byte ", missing->begin, ", which was never set");
    if (other != nullptr) {
      const messages::ObjectRef object = {VK_OBJECT_TYPE_PIPELINE_LAYOUT, other->handle()};
      absl::StrAppend(&text, " with a layout that is compatible; ", report_.reporter().Describe(object),
                      " has other push constant ranges than ", needed_.text);
    }
    Report(facts_.maintenance4 ? DescriptorRule("None-08601") : DescriptorRule("maintenance4-08602"),
           absl::StrCat(text, "."), "Set it with vkCmdPushConstants first.");
  }

  const DescriptorFacts& facts_;
  const DescriptorRuleIds& ids_;
  const BoundShaders& shaders_;
  const RecordingScope& scope_;
  const bool has_other_sets_alone_;
  messages::Report& report_;
  // Null for a shader object.
  const state::Pipeline* pipeline_ = nullptr;
  NeededLayout needed_;
  // The contents of a set that were looked up last; null where they are not known.
  const state::BoundSet* contents_of_ = nullptr;
  const state::DescriptorContents* contents_ = nullptr;
  // Bits by set number: those that were looked at, and those about which nothing more is to be said.
  uint64_t seen_ = 0;
  uint64_t wrong_ = 0;
  bool is_right_ = true;
};

}  // namespace

bool CheckNeeds(const DescriptorFacts& facts, const DescriptorRuleIds& ids, const BoundShaders& shaders,
                const RecordingScope& scope, bool has_other_sets_alone, messages::Report& report) {
  return NeedsCheck(facts, ids, shaders, scope, has_other_sets_alone, report).Run();
}

void BoundDescriptorRules::PostCallRecord(const vk::CmdPushConstants& call, dispatch::Slot& slot) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  RecordingScope* const scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
  if (scope != nullptr) NotePush(*scope, call.layout, call.offset, call.size);
}
void BoundDescriptorRules::PostCallRecord(const vk::CmdPushConstants2& call, dispatch::Slot& slot) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  RecordingScope* const scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
  const VkPushConstantsInfo* const info = call.pPushConstantsInfo;
  if (scope != nullptr && info != nullptr) NotePush(*scope, info->layout, info->offset, info->size);
}

}  // namespace assay::core
