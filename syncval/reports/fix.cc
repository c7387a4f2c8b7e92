// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/reports/fix.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "syncval/reports/hazard_text.h"
#include "vk/enum_info.h"
#include "vk/sync/sync_info.h"

namespace assay::syncval {
namespace {

// Keeps the bits that have a name in the sync1 enumeration. Replaces each other bit by the sync1 bit that stands for it
// and for the fewest others.
template <class Infos, class F>
uint32_t ToSync1(uint64_t bits, vk::EnumId sync1_enum, const Infos& infos, F&& bits_of) {
  const auto is_sync1 = [sync1_enum](uint64_t bit) {
    return std::has_single_bit(bit) && !vk::EnumName(sync1_enum, static_cast<int64_t>(bit)).empty();
  };
  uint64_t result = 0;
  for (uint64_t rest = bits; rest != 0; rest &= rest - 1) {
    uint64_t best = rest & (~rest + 1);
    int best_count = is_sync1(best) ? 0 : std::numeric_limits<int>::max();
    for (const auto& info : infos) {
      const int count = std::popcount(uint64_t{info.expands_to});
      if (count >= best_count || (info.expands_to & rest & (~rest + 1)) == 0 || !is_sync1(bits_of(info))) continue;
      best = bits_of(info);
      best_count = count;
    }
    result |= best;
  }
  return static_cast<uint32_t>(result);
}

SyncVersion VersionOf(vk::CommandId id) { return IsSync1(id) ? SyncVersion::kSync1 : SyncVersion::kSynchronization2; }

messages::Properties MaskFields(SyncVersion version, const BarrierFlags& flags) {
  return {{"srcStageMask", StagesFor(version, flags.src_stages)},
          {"srcAccessMask", AccessesFor(version, flags.src_access)},
          {"dstStageMask", StagesFor(version, flags.dst_stages)},
          {"dstAccessMask", AccessesFor(version, flags.dst_access)}};
}

// The structure of synchronization2, or its counterpart without the 2.
std::string StructureOf(SyncVersion version, std::string_view structure) {
  return std::string(version == SyncVersion::kSync1 ? absl::StripSuffix(structure, "2") : structure);
}

void Append(messages::Properties& to, messages::Properties from) {
  for (messages::Property& property : from) to.push_back(std::move(property));
}

}  // namespace

VkPipelineStageFlags Sync1Stages(VkPipelineStageFlags2 stages) {
  return ToSync1(stages, vk::EnumId::kPipelineStageFlagBits, vk::SyncStages(),
                 [](const vk::SyncStageInfo& info) { return info.stage; });
}

VkAccessFlags Sync1Accesses(VkAccessFlags2 accesses) {
  return ToSync1(accesses, vk::EnumId::kAccessFlagBits, vk::SyncAccesses(),
                 [](const vk::SyncAccessInfo& info) { return info.access; });
}

bool IsSync1(vk::CommandId id) {
  return id == vk::CommandId::kCmdPipelineBarrier || id == vk::CommandId::kCmdWaitEvents ||
         id == vk::CommandId::kQueueSubmit;
}

std::string StagesFor(SyncVersion version, VkPipelineStageFlags2 stages) {
  if (version == SyncVersion::kSynchronization2) return Stages(stages);
  return vk::FlagsToString(vk::EnumId::kPipelineStageFlagBits, Sync1Stages(stages));
}
std::string AccessesFor(SyncVersion version, VkAccessFlags2 accesses) {
  if (version == SyncVersion::kSynchronization2) return Accesses(accesses);
  if (accesses == 0) return "0";
  return vk::FlagsToString(vk::EnumId::kAccessFlagBits, Sync1Accesses(accesses));
}

std::string StagesFor(vk::CommandId id, VkPipelineStageFlags2 stages) { return StagesFor(VersionOf(id), stages); }

std::string BarrierCommandText(SyncVersion version) {
  return version == SyncVersion::kSync1 ? "vkCmdPipelineBarrier()" : "vkCmdPipelineBarrier2()";
}

std::string MemoryBarrierText(SyncVersion version, const BarrierFlags& flags) {
  if (version == SyncVersion::kSync1) {
    return absl::StrCat("srcStageMask = ", StagesFor(version, flags.src_stages),
                        ", dstStageMask = ", StagesFor(version, flags.dst_stages),
                        ", and VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = ",
                        AccessesFor(version, flags.src_access),
                        ", .dstAccessMask = ", AccessesFor(version, flags.dst_access), "};");
  }
  return absl::StrCat("VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, .srcStageMask = ",
                      Stages(flags.src_stages), ", .srcAccessMask = ", Accesses(flags.src_access),
                      ", .dstStageMask = ", Stages(flags.dst_stages), ", .dstAccessMask = ", Accesses(flags.dst_access),
                      "};");
}

Fix RecordBarrier(SyncVersion version, const std::string& place, const BarrierFlags& flags,
                  messages::Properties resource) {
  const std::string where = absl::StrCat(place, " ", BarrierCommandText(version));
  Fix fix{.text = absl::StrCat(where, " with ", MemoryBarrierText(version, flags)),
          .fields = {{"action", "record"}, {"structure", StructureOf(version, "VkMemoryBarrier2")}}};
  Append(fix.fields, MaskFields(version, flags));
  fix.fields.push_back({"place", where});
  if (!resource.empty()) {
    messages::Properties instead = {std::move(resource.front())};
    if (auto* structure = std::get_if<std::string>(&instead.front().value.value))
      *structure = StructureOf(version, *structure);
    Append(instead, MaskFields(version, flags));
    instead.insert(instead.end(), std::make_move_iterator(resource.begin() + 1),
                   std::make_move_iterator(resource.end()));
    fix.fields.push_back({"or_for_the_resource_alone", std::move(instead)});
  }
  return fix;
}

Fix AddToBarrier(BarrierSide side, const BarrierFlags& flags, vk::CommandId id, const std::string& path,
                 const std::string& command) {
  const bool is_source = side == BarrierSide::kSource;
  const VkPipelineStageFlags2 stages = is_source ? flags.src_stages : flags.dst_stages;
  const VkAccessFlags2 accesses = is_source ? flags.src_access : flags.dst_access;
  const char* const prefix = is_source ? "src" : "dst";
  // In sync1 the stages are parameters of the command, for all of its barriers.
  const bool is_sync1 = IsSync1(id);
  const std::string place = is_sync1 || path.empty() ? command : absl::StrCat(path, " of ", command);
  Fix fix{.text = "",
          .fields = {{"action", "add"}, {"structure", is_sync1 ? "VkImageMemoryBarrier" : "VkImageMemoryBarrier2"}}};
  std::vector<std::string> additions;
  const auto add = [&](const std::string& owner, const char* mask, const std::string& value) {
    const std::string member = absl::StrCat(prefix, mask);
    additions.push_back(absl::StrCat(owner, member, " |= ", value));
    fix.fields.push_back({member, value});
  };
  if (stages != 0) add("", "StageMask", StagesFor(id, stages));
  if (accesses != 0) {
    add(is_sync1 && !path.empty() ? absl::StrCat(path, ".") : "", "AccessMask", AccessesFor(VersionOf(id), accesses));
  }
  fix.fields.push_back({"place", path.empty() ? command : absl::StrCat(path, " of ", command)});
  fix.text = absl::StrCat("In ", place, ", set ", absl::StrJoin(additions, " and "), ".");
  return fix;
}

std::string SubpassName(uint32_t subpass) {
  return subpass == VK_SUBPASS_EXTERNAL ? "VK_SUBPASS_EXTERNAL" : absl::StrCat(subpass);
}

std::string DependencyStructure(SyncVersion version) { return StructureOf(version, "VkSubpassDependency2"); }

// Without VkMemoryBarrier2 in its chain, a dependency has masks of its own.
Fix NewDependency(SyncVersion version, uint32_t src_subpass, uint32_t dst_subpass, const BarrierFlags& flags) {
  const std::string subpasses =
      absl::StrCat(".srcSubpass = ", SubpassName(src_subpass), ", .dstSubpass = ", SubpassName(dst_subpass));
  const std::string code =
      version == SyncVersion::kSync1
          ? absl::StrCat("VkSubpassDependency dependency = {", subpasses,
                         ", .srcStageMask = ", StagesFor(version, flags.src_stages),
                         ", .dstStageMask = ", StagesFor(version, flags.dst_stages),
                         ", .srcAccessMask = ", AccessesFor(version, flags.src_access),
                         ", .dstAccessMask = ", AccessesFor(version, flags.dst_access), "};")
          : absl::StrCat(MemoryBarrierText(version, flags),
                         " VkSubpassDependency2 dependency = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2, "
                         ".pNext = &barrier, ",
                         subpasses, "};");
  Fix fix{.text = absl::StrCat("Give the render pass one more dependency: ", code),
          .fields = {{"action", "add_dependency"},
                     {"structure", DependencyStructure(version)},
                     {"srcSubpass", SubpassName(src_subpass)},
                     {"dstSubpass", SubpassName(dst_subpass)}}};
  Append(fix.fields, MaskFields(version, flags));
  return fix;
}

Fix AddToDependency(SyncVersion version, BarrierSide side, const BarrierFlags& flags, const char* article,
                    const std::string& dependency) {
  const bool is_source = side == BarrierSide::kSource;
  const VkPipelineStageFlags2 stages = is_source ? flags.src_stages : flags.dst_stages;
  const VkAccessFlags2 accesses = is_source ? flags.src_access : flags.dst_access;
  const std::string place = absl::StrCat(article, " ", DependencyStructure(version), " ", dependency);
  Fix fix{.text = "", .fields = {{"action", "add"}, {"structure", DependencyStructure(version)}}};
  std::vector<std::string> additions;
  const auto add = [&](const char* mask, const std::string& value) {
    const std::string member = absl::StrCat(is_source ? "src" : "dst", mask);
    additions.push_back(absl::StrCat(member, " |= ", value));
    fix.fields.push_back({member, value});
  };
  if (stages != 0) add("StageMask", StagesFor(version, stages));
  if (accesses != 0) add("AccessMask", AccessesFor(version, accesses));
  fix.fields.push_back({"place", place});
  fix.text = absl::StrCat("In ", place, ", set ", absl::StrJoin(additions, " and "), ".");
  return fix;
}

}  // namespace assay::syncval
