// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"
#include "core/barriers/barriers.h"
#include "core/barriers/sync_rules.h"
#include "core/masks/masks.h"
#include "vk/chain.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using state::Items;

struct DependencyIds {
  std::string_view structure;
  vk::VuidIndex src_accesses, dst_accesses, src_view_local, dst_view_local, all_stages;
  vk::VuidIndex order, both_external, by_region, framebuffer_space;
};

constexpr DependencyIds kSync1Ids = {"VkSubpassDependency",
                                     vk::Vuid("VUID-VkSubpassDependency-srcAccessMask-00868"),
                                     vk::Vuid("VUID-VkSubpassDependency-dstAccessMask-00869"),
                                     vk::Vuid("VUID-VkSubpassDependency-dependencyFlags-02520"),
                                     vk::Vuid("VUID-VkSubpassDependency-dependencyFlags-02521"),
                                     vk::Vuid("VUID-VkSubpassDependency-dependencyFlags-10203"),
                                     vk::Vuid("VUID-VkSubpassDependency-srcSubpass-00864"),
                                     vk::Vuid("VUID-VkSubpassDependency-srcSubpass-00865"),
                                     vk::Vuid("VUID-VkSubpassDependency-srcSubpass-02243"),
                                     vk::Vuid("VUID-VkSubpassDependency-srcSubpass-06809")};
constexpr DependencyIds kSync2Ids = {"VkSubpassDependency2",
                                     vk::Vuid("VUID-VkSubpassDependency2-srcAccessMask-03088"),
                                     vk::Vuid("VUID-VkSubpassDependency2-dstAccessMask-03089"),
                                     vk::Vuid("VUID-VkSubpassDependency2-dependencyFlags-03090"),
                                     vk::Vuid("VUID-VkSubpassDependency2-dependencyFlags-03091"),
                                     vk::Vuid("VUID-VkSubpassDependency2-dependencyFlags-10204"),
                                     vk::Vuid("VUID-VkSubpassDependency2-srcSubpass-03084"),
                                     vk::Vuid("VUID-VkSubpassDependency2-srcSubpass-03085"),
                                     vk::Vuid("VUID-VkSubpassDependency2-srcSubpass-02245"),
                                     vk::Vuid("VUID-VkSubpassDependency2-srcSubpass-06810")};

// A stage that stands for several has stages inside and outside of framebuffer space.
constexpr VkPipelineStageFlags2 kMixed = VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
bool AnyInFramebufferSpace(VkPipelineStageFlags2 stages) {
  return (stages & (SyncLimits::kFramebufferStages | kMixed)) != 0;
}

template <class Dependency>
void CheckSubpasses(const Check& check, const DependencyIds& ids, const Dependency& d, const Location& where) {
  const bool src_is_external = d.srcSubpass == VK_SUBPASS_EXTERNAL;
  const bool dst_is_external = d.dstSubpass == VK_SUBPASS_EXTERNAL;
  if (src_is_external && dst_is_external) {
    check.Error(ids.both_external, where.Dot("srcSubpass"), "and dstSubpass are both VK_SUBPASS_EXTERNAL.",
                "Use a pipeline barrier outside of the render pass instance.");
  } else if (!src_is_external && !dst_is_external && d.srcSubpass > d.dstSubpass) {
    check.Error(ids.order, where.Dot("srcSubpass"),
                absl::StrCat("(", d.srcSubpass, ") is later than dstSubpass (", d.dstSubpass, ")."),
                "Exchange the two, or order the subpasses otherwise.");
  }
  if ((d.dependencyFlags & VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR) != 0) {
    check.Error(ids.all_stages, where.Dot("dependencyFlags"),
                "has VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR, but a subpass dependency "
                "transfers nothing.",
                "Take it out.");
  }
  if ((d.dependencyFlags & VK_DEPENDENCY_VIEW_LOCAL_BIT) == 0) return;
  const auto report_external = [&](vk::VuidIndex vuid, std::string_view member) {
    check.Error(vuid, where.Dot(member),
                "is VK_SUBPASS_EXTERNAL, but dependencyFlags has VK_DEPENDENCY_VIEW_LOCAL_BIT.",
                "Take VK_DEPENDENCY_VIEW_LOCAL_BIT out.");
  };
  if (src_is_external && !dst_is_external) report_external(ids.src_view_local, "srcSubpass");
  if (dst_is_external && !src_is_external) report_external(ids.dst_view_local, "dstSubpass");
}

// The masks as the structure itself has them.
template <class Dependency>
void CheckMasks(const Check& check, const DependencyIds& ids, const Dependency& d, const Location& where) {
  const SyncScope src{d.srcStageMask, d.srcAccessMask}, dst{d.dstStageMask, d.dstAccessMask};
  CheckStages(check, {ids.structure, "srcStageMask"}, src.stages, where.Dot("srcStageMask"));
  CheckStages(check, {ids.structure, "dstStageMask"}, dst.stages, where.Dot("dstStageMask"));
  CheckAccesses(check, {{ids.structure, "srcAccessMask"}, ids.src_accesses, false}, src, where.Dot("srcAccessMask"));
  CheckAccesses(check, {{ids.structure, "dstAccessMask"}, ids.dst_accesses, false}, dst, where.Dot("dstAccessMask"));
  if (d.srcSubpass != d.dstSubpass || d.srcSubpass == VK_SUBPASS_EXTERNAL) return;
  if (!AnyInFramebufferSpace(src.stages)) return;
  if (const VkPipelineStageFlags2 wrong = dst.stages & ~SyncLimits::kFramebufferStages; wrong != 0) {
    check.Error(ids.framebuffer_space, where.Dot("dstStageMask"),
                absl::StrCat("has ", check.Stages(wrong), ", which is not in framebuffer space, but srcStageMask (",
                             check.Stages(src.stages), ") of this dependency of a subpass on itself is."),
                absl::StrCat("Use no others than ", check.Stages(SyncLimits::kFramebufferStages), "."));
  } else if (AnyInFramebufferSpace(dst.stages) && (d.dependencyFlags & VK_DEPENDENCY_BY_REGION_BIT) == 0) {
    check.Error(ids.by_region, where.Dot("dependencyFlags"),
                "has no VK_DEPENDENCY_BY_REGION_BIT, but this dependency of a subpass on itself is between stages in "
                "framebuffer space.",
                "Add VK_DEPENDENCY_BY_REGION_BIT.");
  }
}

// The masks of a VkMemoryBarrier2 in the dependency's chain; they replace its own.
void CheckChained(const Check& check, const VkMemoryBarrier2& b, const Location& where) {
  constexpr std::string_view kOwner = NameOf<VkMemoryBarrier2>::kName;
  const SyncScope src{b.srcStageMask, b.srcAccessMask}, dst{b.dstStageMask, b.dstAccessMask};
  if (src.stages != 0) CheckStages(check, {kOwner, "srcStageMask"}, src.stages, where.Next(kOwner, "srcStageMask"));
  if (dst.stages != 0) CheckStages(check, {kOwner, "dstStageMask"}, dst.stages, where.Next(kOwner, "dstStageMask"));
  CheckAccesses(check, {{kOwner, "srcAccessMask"}, {}, true}, src, where.Next(kOwner, "srcAccessMask"));
  CheckAccesses(check, {{kOwner, "dstAccessMask"}, {}, true}, dst, where.Next(kOwner, "dstAccessMask"));
}

void CheckViewOffset(const Check& check, const VkSubpassDependency2& d, const Location& where) {
  if (d.viewOffset == 0) return;
  if ((d.dependencyFlags & VK_DEPENDENCY_VIEW_LOCAL_BIT) == 0) {
    check.Error(vk::Vuid("VUID-VkSubpassDependency2-dependencyFlags-03092"), where.Dot("viewOffset"),
                absl::StrCat("(", d.viewOffset, ") is not 0, but dependencyFlags has no VK_DEPENDENCY_VIEW_LOCAL_BIT."),
                "Add the flag, or use 0.");
  }
  if (d.srcSubpass == d.dstSubpass) {
    check.Error(vk::Vuid("VUID-VkSubpassDependency2-viewOffset-02530"), where.Dot("viewOffset"),
                absl::StrCat("(", d.viewOffset, ") is not 0 in a dependency of a subpass on itself."), "Use 0.");
  }
}

void CheckViews(const Check& check, const VkSubpassDependency& d, const VkRenderPassMultiviewCreateInfo* views,
                const Location& where) {
  const bool is_self = d.srcSubpass == d.dstSubpass && d.srcSubpass != VK_SUBPASS_EXTERNAL;
  if (!is_self || views == nullptr || (d.dependencyFlags & VK_DEPENDENCY_VIEW_LOCAL_BIT) != 0) return;
  const auto masks = Items(views->pViewMasks, views->subpassCount);
  if (d.srcSubpass >= masks.size() || std::popcount(masks[d.srcSubpass]) <= 1) return;
  check.Error(vk::Vuid("VUID-VkSubpassDependency-srcSubpass-00872"), where.Dot("dependencyFlags"),
              absl::StrCat("has no VK_DEPENDENCY_VIEW_LOCAL_BIT, but subpass ", d.srcSubpass, " has ",
                           std::popcount(masks[d.srcSubpass]), " views."),
              "Add VK_DEPENDENCY_VIEW_LOCAL_BIT.");
}

}  // namespace

void SyncRules::PreCallValidate(const vk::CreateRenderPass& call, messages::Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const Check check{limits_, report, messages::Object(call.device), SyncVersion::kSync1};
  const Location command = report.location();
  const Location info = command.Dot("pCreateInfo");
  const auto* views = vk::FindInChain<VkRenderPassMultiviewCreateInfo>(call.pCreateInfo->pNext);
  for (uint32_t i = 0; const auto& d : Items(call.pCreateInfo->pDependencies, call.pCreateInfo->dependencyCount)) {
    const Location where = info.Dot("pDependencies", i++);
    CheckSubpasses(check, kSync1Ids, d, where);
    CheckMasks(check, kSync1Ids, d, where);
    CheckViews(check, d, views, where);
  }
}

void SyncRules::PreCallValidate(const vk::CreateRenderPass2& call, messages::Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const Location command = report.location();
  const Location info = command.Dot("pCreateInfo");
  for (uint32_t i = 0; const auto& d : Items(call.pCreateInfo->pDependencies, call.pCreateInfo->dependencyCount)) {
    const Location where = info.Dot("pDependencies", i++);
    const auto* barrier = vk::FindInChain<VkMemoryBarrier2>(d.pNext);
    const auto version = barrier != nullptr ? SyncVersion::kSync2 : SyncVersion::kSync1;
    const Check check{limits_, report, messages::Object(call.device), version};
    CheckSubpasses(check, kSync2Ids, d, where);
    CheckViewOffset(check, d, where);
    if (barrier != nullptr) {
      CheckChained(check, *barrier, where);
    } else {
      CheckMasks(check, kSync2Ids, d, where);
    }
  }
}

}  // namespace assay::core
