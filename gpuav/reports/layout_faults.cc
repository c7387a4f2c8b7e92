// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/reports/layout_faults.h"

#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "state/state.h"
#include "vk/command_info.h"
#include "vk/enum_info.h"

namespace assay::gpuav {
namespace {

std::string_view NameOf(VkImageLayout layout) { return vk::EnumName(vk::EnumId::kImageLayout, layout); }

messages::ObjectRef ViewOf(const LayoutFault& fault) { return {VK_OBJECT_TYPE_IMAGE_VIEW, fault.image.view->handle()}; }
messages::ObjectRef ImageOf(const LayoutFault& fault) {
  return {VK_OBJECT_TYPE_IMAGE, fault.image.view->image->handle()};
}

}  // namespace

spirv_instrument::ErrorRecord RecordOf(const LayoutFault& fault, size_t index) {
  return {.code = spirv_instrument::ErrorCode::kImageLayout,
          .shader_id = fault.note.shader_id,
          .instruction = fault.note.instruction,
          .action = fault.note.action,
          .cause = static_cast<uint32_t>(index),
          .stage = fault.note.stage,
          .stage_words = {},
          .data = {}};
}

std::string LayoutText(const LayoutFault& fault, const messages::Reporter& reporter) {
  const state::ExecutionLayouts::Mismatch& mismatch = fault.mismatch;
  return absl::StrCat("A shader accesses ", reporter.Describe(ViewOf(fault)), " by a descriptor with the layout ",
                      NameOf(fault.image.layout), ", but ", mismatch.is_stencil ? "the stencil aspect of " : "",
                      "mip level ", mismatch.level, ", array layer ", mismatch.layer, " of ",
                      reporter.Describe(ImageOf(fault)), " is in ", NameOf(mismatch.actual), ", where ",
                      vk::GetCommandInfo(mismatch.left_by).name, "() left it.");
}

void AddLayout(const LayoutFault& fault, messages::Message& message) {
  message.objects.push_back(ViewOf(fault));
  message.objects.push_back(ImageOf(fault));
  message.fix = absl::StrCat("Record an image memory barrier from ", NameOf(fault.mismatch.actual), " to ",
                             NameOf(fault.image.layout),
                             " in between, or write the descriptor with the layout that the image is in.");
}

messages::Properties PropertiesOf(const LayoutFault& fault) {
  return {{"descriptor_layout", NameOf(fault.image.layout)},
          {"image_layout", NameOf(fault.mismatch.actual)},
          {"mip_level", uint64_t{fault.mismatch.level}},
          {"array_layer", uint64_t{fault.mismatch.layer}}};
}

}  // namespace assay::gpuav
