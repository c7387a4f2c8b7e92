// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TRANSLATION_UPDATE_TEMPLATE_H_
#define ASSAY_DISPATCH_TRANSLATION_UPDATE_TEMPLATE_H_

#include <cstddef>
#include <vector>

#include "dispatch/handles/handle_table.h"
#include "dispatch/translation/scratch_arena.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

// The entries of a VkDescriptorUpdateTemplate. They describe where the handles are in the application's data.
class UpdateTemplate : public SlotData {
 public:
  explicit UpdateTemplate(const VkDescriptorUpdateTemplateCreateInfo& create_info)
      : entries_(create_info.pDescriptorUpdateEntries,
                 create_info.pDescriptorUpdateEntries + create_info.descriptorUpdateEntryCount),
        bind_point_(create_info.pipelineBindPoint) {}

  const std::vector<VkDescriptorUpdateTemplateEntry>& entries() const { return entries_; }

  // Meaningful only for a template that pushes descriptors.
  VkPipelineBindPoint bind_point() const { return bind_point_; }

  // A copy of the data with the driver's handles. It has what the entries describe; the application need not have
  // memory between.
  const void* TranslateToDriver(const void* data, ScratchArena& arena) const;

 private:
  std::vector<VkDescriptorUpdateTemplateEntry> entries_;
  VkPipelineBindPoint bind_point_;
};

// Null when the handle is not that of a live template.
inline Slot* FindUpdateTemplate(VkDescriptorUpdateTemplate handle) {
  return HandleTable::Get().Find(VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE, reinterpret_cast<uint64_t>(handle));
}

inline const UpdateTemplate* GetUpdateTemplate(VkDescriptorUpdateTemplate handle) {
  const Slot* slot = FindUpdateTemplate(handle);
  return slot != nullptr ? static_cast<const UpdateTemplate*>(slot->dispatch_data.get()) : nullptr;
}

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TRANSLATION_UPDATE_TEMPLATE_H_
