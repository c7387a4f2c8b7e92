// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/structures/structure_ids.h"

#include <string_view>

#include "absl/types/span.h"
#include "core/test_cases/family_cases.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

// The command's own ids, where both it and its structure have the rule.
constexpr std::string_view kRecordedCopies[] = {"buffer-03737", "buffer-03738", "buffer-07529",
                                                "buffer-07530", "dst-07791",    "src-04963",
                                                "src-03411",    "src-07532",    "mode-07533"};
constexpr std::string_view kNvCopies[] = {"buffer-03718", "dst-07792", "dst-07791", "src-04963", "src-03411"};
constexpr std::string_view kHostCopies[] = {"buffer-03718", "buffer-03719", "buffer-03727", "buffer-03728",
                                            "buffer-07534", "buffer-07535", "buffer-07558", "buffer-07559"};
constexpr std::string_view kToMemory[] = {"None-03559",  "buffer-07539", "pInfo-03739",  "pInfo-07536",  "pInfo-03740",
                                          "pInfo-07537", "pInfo-03741",  "pInfo-07538",  "dst-03561",    "dst-07541",
                                          "src-04959",   "src-07540",    "buffer-03731", "buffer-07568", "pInfo-03732",
                                          "pInfo-07569", "pInfo-03751",  "pInfo-07570"};
constexpr std::string_view kFromMemory[] = {
    "buffer-03745", "buffer-07546", "pInfo-03742",  "pInfo-07543", "pInfo-03743", "pInfo-07544", "pInfo-03744",
    "pInfo-07545",  "buffer-03730", "buffer-07565", "pInfo-03729", "pInfo-07563", "pInfo-03750", "pInfo-07564",
    "src-04960",    "src-07547",    "pInfo-03414",  "src-07549",   "dst-03746",   "dst-07550"};
constexpr std::string_view kProperties[] = {"buffer-03736",
                                            "accelerationStructure-03757",
                                            "buffer-07527",
                                            "buffer-03733",
                                            "buffer-07577",
                                            "pAccelerationStructures-04964",
                                            "pAccelerationStructures-04958",
                                            "pMicromaps-07501",
                                            "dataSize-03452",
                                            "dataSize-07576",
                                            "accelerationStructures-03431",
                                            "pAccelerationStructures-06215",
                                            "pMicromaps-07502"};

}  // namespace

std::vector<vk::VuidIndex> StructureIds() {
  std::vector<vk::VuidIndex> ids;
  AddFamilyIds<vk::CmdCopyAccelerationStructureKHR, vk::CmdCopyMicromapEXT>(kRecordedCopies, ids);
  AddFamilyIds<vk::CmdCopyAccelerationStructureNV>(kNvCopies, ids);
  AddFamilyIds<vk::CopyAccelerationStructureKHR, vk::CopyMicromapEXT>(kHostCopies, ids);
  AddFamilyIds<vk::CmdCopyAccelerationStructureToMemoryKHR, vk::CmdCopyMicromapToMemoryEXT,
               vk::CopyAccelerationStructureToMemoryKHR, vk::CopyMicromapToMemoryEXT>(kToMemory, ids);
  AddFamilyIds<vk::CmdCopyMemoryToAccelerationStructureKHR, vk::CmdCopyMemoryToMicromapEXT,
               vk::CopyMemoryToAccelerationStructureKHR, vk::CopyMemoryToMicromapEXT>(kFromMemory, ids);
  AddFamilyIds<vk::CmdWriteAccelerationStructuresPropertiesKHR, vk::CmdWriteAccelerationStructuresPropertiesNV,
               vk::CmdWriteMicromapsPropertiesEXT, vk::WriteAccelerationStructuresPropertiesKHR,
               vk::WriteMicromapsPropertiesEXT>(kProperties, ids);
  return ids;
}

}  // namespace assay::core
