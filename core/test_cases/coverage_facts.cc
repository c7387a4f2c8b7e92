// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Prints what //tools/coverage counts: for every synchronization rule, and every rule about objects in use, whether its
// negative test passes, one line each.

#include <cstdio>
#include <string>

#include "core/binding/binding_ids.h"
#include "core/builds/build_ids.h"
#include "core/copies/cases/buffer_copy_cases.h"
#include "core/copies/cases/image_clear_cases.h"
#include "core/copies/cases/image_copy_cases.h"
#include "core/copies/structures/structure_ids.h"
#include "core/deferred_operations/deferred_operation_rules.h"
#include "core/descriptors/bound_descriptor_rules.h"
#include "core/draw/action_rules.h"
#include "core/layouts/layout_rules.h"
#include "core/lifetime/in_use_test_cases.h"
#include "core/queries/query_ids.h"
#include "core/resources/resource_ids.h"
#include "core/test_cases/sync_test_cases.h"
#include "vk/object_rules.h"
#include "vk/sync/sync_rule_info.h"

namespace {

void Print(const std::string& id, const std::string& wrong) {
  std::printf("%s\t%s\t%s\n", wrong.empty() ? "tested" : "failed", id.c_str(), wrong.c_str());
}

void PrintInUseRules() {
  assay::dispatch::TestObjects objects;
  for (const assay::vk::CommandId command : assay::core::CommandsWithInUseRule()) {
    const assay::vk::VuidIndex rule = assay::core::InUseRules::All().Of(command).vuid;
    Print(std::string(assay::vk::GetVuid(rule).id), assay::core::TestInUse(objects, command));
  }
}

// Their test is one of the whole layer.
void PrintInTable(assay::vk::VuidIndex id) {
  std::printf("in-table\t%s\t\n", std::string(assay::vk::GetVuid(id).id).c_str());
}

void PrintFamilies() {
  for (const auto& ids : {assay::core::BufferCopyIds(), assay::core::ImageCopyIds(), assay::core::ImageClearIds(),
                          assay::core::StructureIds(), assay::core::DrawIds(), assay::core::DescriptorIds(),
                          assay::core::DescriptorLayoutIds(), assay::core::QueryIds(), assay::core::BindingIds(),
                          assay::core::DeferredOperationIds(), assay::core::ResourceIds(), assay::core::BuildIds()}) {
    for (const assay::vk::VuidIndex id : ids) PrintInTable(id);
  }
  // Of core/created_objects.
  for (const assay::vk::ObjectRule& rule : assay::vk::kObjectRules) PrintInTable(rule.vuid);
  // Of core/render_passes.
  for (const assay::vk::LayoutUsageRule& rule : assay::vk::LayoutUsageRules()) {
    if (rule.owner.starts_with("vkCmdBeginRenderPass")) PrintInTable(rule.vuid);
  }
}

}  // namespace

int main() {
  PrintFamilies();
  PrintInUseRules();
  for (const assay::core::SyncTestCase& test_case : assay::core::SyncTestCases()) {
    Print(test_case.id, RunTestCase(test_case));
  }
}
