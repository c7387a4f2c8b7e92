// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Builds of micromaps, and usage counts.

#include <algorithm>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/builds/build_check.h"
#include "core/builds/build_rules.h"
#include "state/state.h"
#include "vk/enum_info.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using vk::Vuid;
using Info = VkMicromapBuildInfoEXT;

// The rules of a format and a subdivision level: that the type has the format, and that its level is within the limit.
struct LevelIds {
  vk::VuidIndex opacity_format;
  vk::VuidIndex two_states;
  vk::VuidIndex four_states;
  vk::VuidIndex displacement_format;
  vk::VuidIndex displacement;
};
constexpr LevelIds kUsageIds = {
    Vuid("VUID-VkMicromapUsageEXT-format-07519"), Vuid("VUID-VkMicromapUsageEXT-format-07520"),
    Vuid("VUID-VkMicromapUsageEXT-format-07521"), Vuid("VUID-VkMicromapUsageEXT-format-08706"),
    Vuid("VUID-VkMicromapUsageEXT-subdivisionLevel-08707")};
constexpr LevelIds kTriangleIds = {
    Vuid("VUID-VkMicromapTriangleEXT-format-07522"), Vuid("VUID-VkMicromapTriangleEXT-format-07523"),
    Vuid("VUID-VkMicromapTriangleEXT-format-07524"), Vuid("VUID-VkMicromapTriangleEXT-format-08708"),
    Vuid("VUID-VkMicromapTriangleEXT-subdivisionLevel-08709")};

struct Level {
  uint32_t format;
  uint32_t subdivision;
};

void CheckLevel(const BuildCheck& check, VkMicromapTypeEXT type, const Level& level, const LevelIds& ids,
                const messages::ObjectRef& object, const Location& where) {
  const bool is_opacity = type == VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT;
  const uint32_t last = is_opacity ? static_cast<uint32_t>(VK_OPACITY_MICROMAP_FORMAT_4_STATE_EXT)
                                   : static_cast<uint32_t>(VK_DISPLACEMENT_MICROMAP_FORMAT_1024_TRIANGLES_128_BYTES_NV);
  if (!is_opacity && type != VK_MICROMAP_TYPE_DISPLACEMENT_MICROMAP_NV) return;
  if (level.format == 0 || level.format > last) {
    return check.Say(is_opacity ? ids.opacity_format : ids.displacement_format, object, where.Dot("format"),
                     absl::StrCat("(", level.format, ") is no format of ", vk::ToString(type), "."));
  }
  const auto* const opacity = check.facts.opacity_limits;
  const auto* const displacement = check.facts.displacement_limits;
  if (is_opacity ? opacity == nullptr : displacement == nullptr) return;
  const bool has_two = level.format == VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT;
  const uint32_t limit = !is_opacity ? displacement->maxDisplacementMicromapSubdivisionLevel
                         : has_two   ? opacity->maxOpacity2StateSubdivisionLevel
                                     : opacity->maxOpacity4StateSubdivisionLevel;
  if (level.subdivision <= limit) return;
  check.Say(
      !is_opacity ? ids.displacement
      : has_two   ? ids.two_states
                  : ids.four_states,
      object, where.Dot("subdivisionLevel"),
      absl::StrCat("(", level.subdivision, ") is larger than what the device has for this format (", limit, ")."));
}

// What the host reads, or the device.
void CheckInput(const BuildCheck& check, const Info& info, const VkDeviceOrHostAddressConstKHR& input,
                BuildRule on_host, const Location& where) {
  if (check.on_host) {
    if (input.hostAddress == nullptr)
      check.Say(check.Of({on_host}), Object(info.dstMicromap), where.Dot("hostAddress"), "is null.");
    return;
  }
  check.CheckAddress(input.deviceAddress,
                     {.valid = check.Of({"pInfos-07512"}),
                      .bound = check.Of({"pInfos-07513"}),
                      .usage = check.Of({"data-07510"}),
                      .aligned = check.Of({"pInfos-07515"}),
                      .needed_usage = VK_BUFFER_USAGE_MICROMAP_BUILD_INPUT_READ_ONLY_BIT_EXT,
                      .alignment = 256},
                     where.Dot("deviceAddress"));
}

void CheckTriangles(const BuildCheck& check, const Info& info, uint64_t count, const Location& where) {
  const auto* data = static_cast<const char*>(info.triangleArray.hostAddress);
  if (data == nullptr || info.triangleArrayStride < sizeof(VkMicromapTriangleEXT)) return;
  for (uint64_t i = 0; i < count; ++i, data += info.triangleArrayStride) {
    const auto& triangle = *reinterpret_cast<const VkMicromapTriangleEXT*>(data);
    CheckLevel(check, info.type, {triangle.format, triangle.subdivisionLevel}, kTriangleIds, Object(info.dstMicromap),
               where.Dot("triangleArray").Dot("hostAddress", static_cast<uint32_t>(i)));
  }
}

// From the driver. Nothing if it cannot be asked.
std::optional<BuildSizes> SizesOf(const BuildCheck& check, const Info& info) {
  const dispatch::Device& device = check.facts.state.device();
  const auto get = dispatch::Next<vk::GetMicromapBuildSizesEXT>(device.next);
  if (get == nullptr || info.pNext != nullptr) return std::nullopt;
  Info asked = info;
  asked.dstMicromap = VK_NULL_HANDLE;
  VkMicromapBuildSizesInfoEXT sizes = {.sType = VK_STRUCTURE_TYPE_MICROMAP_BUILD_SIZES_INFO_EXT};
  const auto by =
      check.on_host ? VK_ACCELERATION_STRUCTURE_BUILD_TYPE_HOST_KHR : VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR;
  get(device.handle, by, &asked, &sizes);
  return BuildSizes{sizes.micromapSize, sizes.buildScratchSize};
}

uint64_t CheckInfo(const BuildCheck& check, const Info& info, const Location& where) {
  return CheckUsageCounts(check, UsageCounts(info), info.type, Vuid("VUID-VkMicromapBuildInfoEXT-pUsageCounts-07516"),
                          Object(info.dstMicromap), where);
}

template <class C>
void CheckMicromaps(const C& call, const BuildFacts& facts, Report& report) {
  const BuildCheck check(call, facts, report);
  const Location command = report.location();
  std::vector<Build> builds;
  for (const Info& info : state::Items(call.pInfos, call.infoCount)) {
    const Location where = command.Dot("pInfos", static_cast<uint32_t>(builds.size()));
    const auto* const target = state::DeviceState::Get<state::Micromap>(info.dstMicromap);
    Build& build =
        builds.emplace_back(Build{.dst = Object(info.dstMicromap), .target = target, .scratch = info.scratchData});
    if (info.mode > VK_BUILD_MICROMAP_MODE_BUILD_EXT) {
      check.Say(check.Of({"mode-07462"}), build.dst, where.Dot("mode"),
                absl::StrCat("(", static_cast<uint32_t>(info.mode), ") is not a VkBuildMicromapModeEXT."));
    }
    if (target != nullptr && target->micromap_type != info.type) {
      check.Say(check.Of({"pInfos-07464"}), build.dst, where.Dot("type"),
                absl::StrCat("is ", vk::ToString(info.type), ", but ", check.Describe(build.dst), " was created with ",
                             vk::ToString(target->micromap_type), "."));
    }
    const uint64_t triangles = CheckInfo(check, info, where);
    if (triangles != 0) {
      CheckInput(check, info, info.data, "pInfos-07553", where.Dot("data"));
      CheckInput(check, info, info.triangleArray, "pInfos-07554", where.Dot("triangleArray"));
      if (check.on_host) CheckTriangles(check, info, triangles, where);
    }
    build.sizes = SizesOf(check, info);
    CheckBuild(check, build, where);
  }
  CheckOverlaps(check, builds);
}

}  // namespace

uint64_t CheckUsageCounts(const BuildCheck& check, const UsageCounts& counts, VkMicromapTypeEXT type,
                          vk::VuidIndex only_one, const messages::ObjectRef& object, const Location& where) {
  if (counts.structures != nullptr && counts.pointers != nullptr) {
    check.Say(only_one, object, where.Dot("ppUsageCounts"), "is not NULL, but neither is pUsageCounts.");
    return 0;
  }
  uint64_t triangles = 0;
  for (uint32_t i = 0; i < counts.count; ++i) {
    const VkMicromapUsageEXT* const usage = counts.At(i);
    if (usage == nullptr) return 0;
    triangles += usage->count;
    CheckLevel(check, type, {usage->format, usage->subdivisionLevel}, kUsageIds, object,
               where.Dot(counts.structures != nullptr ? "pUsageCounts" : "ppUsageCounts", i));
  }
  return triangles;
}

void BuildRules::PreCallValidate(const vk::CmdBuildMicromapsEXT& call, Report& report) const {
  CheckMicromaps(call, facts_, report);
}
void BuildRules::PreCallValidate(const vk::BuildMicromapsEXT& call, Report& report) const {
  CheckMicromaps(call, facts_, report);
}
void BuildRules::PreCallValidate(const vk::GetMicromapBuildSizesEXT& call, Report& report) const {
  if (call.pBuildInfo == nullptr) return;
  const Location command = report.location();
  CheckInfo(BuildCheck(call, facts_, report), *call.pBuildInfo, command.Dot("pBuildInfo"));
}

}  // namespace assay::core
