// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Updates, and instances that the host reads, through the whole layer.

#include "core/builds/structure_builds_test.h"

namespace assay::core {
namespace {

TEST_F(StructureBuilds, Updates) {
  const std::vector<Row> rows = {
      {"pInfos-03667", [](Call& call) { call.infos[0].flags = 0; }},
      {"pInfos-03758", [](Call& call) { call.infos[0].geometryCount = 2; }},
      {"pInfos-03759",
       [](Call& call) { call.infos[0].flags |= VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR; }},
      {"pInfos-03761", [&](Call& call) { call.Boxes(Input(call)); }},
      {"pInfos-03762", [](Call& call) { call.geometries[0][0].flags = VK_GEOMETRY_OPAQUE_BIT_KHR; }},
      {"pInfos-03763", [](Call& call) { call.triangles().vertexFormat = VK_FORMAT_R32G32_SFLOAT; }},
      {"pInfos-03764", [](Call& call) { call.triangles().maxVertex = 3; }},
      {"pInfos-03765", [](Call& call) { call.triangles().indexType = VK_INDEX_TYPE_NONE_KHR; }},
      {"pInfos-03766", [](Call& call) { call.triangles().transformData = {}; }},
      {"pInfos-03760", [&](Call& call) { call.Instances(Input(call)), call.ranges[0][0].primitiveCount = 0; }},
      {"primitiveCount-03769", [](Call& call) { call.ranges[0][0].primitiveCount = 2; }},
  };
  // `build` is built, and `update` updates it; the rule is of the update.
  const auto run = [&](std::string_view rule, Call& build, Call& update) {
    const Command command = update.command;
    if (vk::FindVuidOf(names_[command], rule) == vk::kNoVuid) return;
    const auto storage = Make(VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR).buffer;
    const auto structure = MakeStructure(VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR, storage);
    build.infos[0].dstAccelerationStructure = structure;
    update.infos[0].dstAccelerationStructure = structure;
    update.Update(structure);
    Expect("", build);
    if (command == kHost) return Expect(rule, update);
    const VkCommandBuffer first = last_;
    Expect("", update);
    const bool indirect_count = command == kIndirect && rule == "primitiveCount-03769";
    Expect(names_[command], indirect_count ? "" : rule, [&] { SubmitAndWait({first, last_}); });
    // A build that is recorded later may be executed before.
    if (rule == "pInfos-03667") return;
    update.infos[0].mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR;
    const VkCommandBuffer second = last_;
    Expect("", update);
    Expect("", "", [&] { SubmitAndWait({last_, second}); });
  };
  for (const Row& row : rows) {
    for (const Command command : {kDirect, kIndirect, kHost}) {
      auto build = Base(command), update = Base(command);
      const bool changes_build = row.rule == "pInfos-03667" || row.rule == "pInfos-03766";
      row.change(changes_build ? *build : *update);
      run(row.rule, *build, *update);
      if (row.rule == "pInfos-03766") {
        build = Base(command), update = Base(command);
        row.change(*update);
        run("pInfos-03767", *build, *update);
      }
    }
  }
}

TEST_F(StructureBuilds, InstancesOfTheHost) {
  const auto alias = MakeStructure(kBottom, storage_[1].buffer);
  const auto other = MakeStructure(kBottom, Make(VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR).buffer);
  const auto invisible = MakeStructure(kBottom, MakeStorage(true));
  VkAccelerationStructureInstanceKHR instance = {};
  const VkAccelerationStructureInstanceKHR* pointer = &instance;
  const auto refer = [&](VkAccelerationStructureKHR to, bool has_pointers = false) {
    return [&, to, has_pointers](Call& call) {
      instance.accelerationStructureReference = reinterpret_cast<uint64_t>(to);
      const void* const data = has_pointers ? static_cast<const void*>(&pointer) : &instance;
      call.Instances({.hostAddress = data}, has_pointers);
      call.infos[0].dstAccelerationStructure = visible_top_;
      call.count = 2;
    };
  };
  Try(kHost, "", refer(other));
  Try(kHost, "None-03407", refer(bottom_[1]));
  Try(kHost, "dstAccelerationStructure-03706", refer(alias, true));
  Try(kHost, "pInfos-03724", refer(invisible));
  Try(kHost, "pInfos-03779", refer(reinterpret_cast<VkAccelerationStructureKHR>(uint64_t{0x1234})));
}

}  // namespace
}  // namespace assay::core
