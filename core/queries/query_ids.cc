// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queries/query_ids.h"

#include <string_view>

#include "absl/types/span.h"
#include "core/test_cases/family_cases.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

constexpr std::string_view kRanges[] = {"firstQuery-09436", "firstQuery-09437"};
constexpr std::string_view kResults[] = {"queryType-09439", "queryType-09440", "queryType-09442", "None-09401",
                                         "None-09402",      "None-08752",      "None-07429"};
constexpr std::string_view kResets[] = {"None-02841"};
constexpr std::string_view kBegins[] = {
    "commandBuffer-01885", "query-00802",     "query-00808",     "queryType-02804", "queryType-04728",
    "queryType-06741",     "queryType-04729", "queryType-07071", "queryType-00800", "queryType-00803",
    "queryType-07070",     "queryType-02327", "queryType-02338", "queryType-06687", "queryType-06689",
    "queryType-00804",     "queryType-00805", "queryType-02328", "queryType-02341", "queryType-06688",
    "queryType-06693",     "queryType-06691", "queryPool-07289", "queryType-06692", "queryType-02339",
    "queryType-06690",     "queryPool-01922", "queryPool-04753", "None-00807"};
constexpr std::string_view kEnds[] = {
    "commandBuffer-01886", "commandBuffer-02344", "query-00810",     "query-02343", "query-00812", "query-02345",
    "queryType-06695",     "queryType-06694",     "queryType-06696", "None-01923",  "None-02342",  "None-07007"};
constexpr std::string_view kTimestamps[] = {"queryPool-01416", "queryPool-03861", "query-04904", "query-04903",
                                            "query-00831",     "query-03865",     "None-00830",  "None-03864"};
constexpr std::string_view kProperties[] = {"queryPool-02493", "queryPool-03755", "queryPool-07525", "query-04880",
                                            "query-07528",     "queryPool-02494", "queryPool-03756", "queryPool-07526"};
constexpr std::string_view kActive[] = {"commandBuffer-00101", "commandBuffer-07594", "None-07004",
                                        "None-07005",          "None-06999",          "commandBuffer-00061"};

}  // namespace

std::vector<vk::VuidIndex> QueryIds() {
  std::vector<vk::VuidIndex> ids;
  AddFamilyIds<vk::CmdResetQueryPool, vk::ResetQueryPool, vk::GetQueryPoolResults, vk::CmdCopyQueryPoolResults>(kRanges,
                                                                                                                ids);
  AddFamilyIds<vk::GetQueryPoolResults, vk::CmdCopyQueryPoolResults>(kResults, ids);
  AddFamilyIds<vk::CmdResetQueryPool>(kResets, ids);
  AddFamilyIds<vk::CmdBeginQuery, vk::CmdBeginQueryIndexedEXT>(kBegins, ids);
  AddFamilyIds<vk::CmdEndQuery, vk::CmdEndQueryIndexedEXT>(kEnds, ids);
  AddFamilyIds<vk::CmdWriteTimestamp, vk::CmdWriteTimestamp2>(kTimestamps, ids);
  AddFamilyIds<vk::CmdWriteAccelerationStructuresPropertiesKHR, vk::CmdWriteAccelerationStructuresPropertiesNV,
               vk::CmdWriteMicromapsPropertiesEXT>(kProperties, ids);
  AddFamilyIds<vk::CmdExecuteCommands, vk::CmdEndRenderPass, vk::CmdEndRenderPass2, vk::CmdEndRendering,
               vk::EndCommandBuffer>(kActive, ids);
  return ids;
}

}  // namespace assay::core
