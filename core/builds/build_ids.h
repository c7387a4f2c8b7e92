// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BUILDS_BUILD_IDS_H_
#define ASSAY_CORE_BUILDS_BUILD_IDS_H_

#include <string_view>
#include <vector>

#include "vk/families/shared_rules.h"
#include "vk/vuid.h"

// The rules that the commands with builds share. Those of their structures are named where they are checked.
namespace assay::core {

inline constexpr std::string_view kBuildRules[] = {
    // Modes and types.
    "mode-04628",
    "mode-07462",
    "pInfos-04630",
    "pInfos-03699",
    "pInfos-03700",
    "pInfos-07464",
    // Where targets and sources are bound, and how large targets are.
    "pInfos-03707",
    "pInfos-03722",
    "pInfos-07508",
    "pInfos-07552",
    "pInfos-03708",
    "pInfos-03723",
    "pInfos-10126",
    "pInfos-03652",
    "pInfos-07461",
    // Memory that two builds use.
    "pInfos-03403",
    "dstAccelerationStructure-03698",
    "dstAccelerationStructure-03701",
    "dstAccelerationStructure-03702",
    "dstAccelerationStructure-03703",
    "pInfos-03668",
    "scratchData-03704",
    "scratchData-03705",
    "dstMicromap-07465",
    "dstMicromap-07466",
    "scratchData-07467",
    // Scratch memory.
    "pInfos-03710",
    "pInfos-07514",
    "pInfos-03802",
    "pInfos-07512",
    "pInfos-03803",
    "pInfos-07513",
    "pInfos-03674",
    "pInfos-07511",
    "pInfos-03671",
    "pInfos-03672",
    "pInfos-07509",
    "pInfos-03725",
    "pInfos-03726",
    "pInfos-07556",
    // Inputs.
    "geometry-03673",
    "pInfos-03711",
    "pInfos-03712",
    "pInfos-03714",
    "pInfos-03715",
    "pInfos-03716",
    "pInfos-03804",
    "pInfos-03805",
    "pInfos-03806",
    "pInfos-03807",
    "pInfos-03808",
    "pInfos-03809",
    "pInfos-03810",
    "pInfos-03811",
    "pInfos-03812",
    "pInfos-03813",
    "pInfos-03814",
    "pInfos-03771",
    "pInfos-03772",
    "pInfos-03774",
    "pInfos-03778",
    "data-07510",
    "pInfos-07515",
    "pInfos-07553",
    "pInfos-07554",
    // Numbers of primitives, and where they are.
    "pBuildInfo-03619",
    "pInfos-03801",
    "pBuildInfo-03785",
    "pIndirectDeviceAddresses-03645",
    "pIndirectDeviceAddresses-03646",
    "pIndirectDeviceAddresses-03647",
    "pIndirectDeviceAddresses-03648",
    "pIndirectStrides-03787",
    // Instances that the host reads.
    "None-03407",
    "dstAccelerationStructure-03706",
    "pInfos-03724",
    "pInfos-03779",
    // Updates.
    "pInfos-03667",
    "pInfos-03758",
    "pInfos-03759",
    "pInfos-03760",
    "pInfos-03761",
    "pInfos-03762",
    "pInfos-03763",
    "pInfos-03764",
    "pInfos-03765",
    "pInfos-03766",
    "pInfos-03767",
    "primitiveCount-03769",
};
using BuildRule = vk::SharedRule<kBuildRules>;
using BuildRuleIds = vk::SharedRuleIds<kBuildRules>;

// All ids of all commands, for //tools/coverage.
std::vector<vk::VuidIndex> BuildIds();

}  // namespace assay::core

#endif  // ASSAY_CORE_BUILDS_BUILD_IDS_H_
