// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/translation/update_template.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "dispatch/handles/handle_table.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::dispatch {
namespace {

template <class Handle>
uint64_t Integer(Handle handle) {
  return reinterpret_cast<uint64_t>(handle);
}

// Data as an application may lay it out: with gaps, unaligned, and with other data in between.
struct __attribute__((packed)) Data {
  char before[3];
  VkDescriptorBufferInfo buffers[2];
  float between;
  VkDescriptorImageInfo image;
  VkBufferView view;
  char block[8];
  VkAccelerationStructureKHR structure;
  char after[5];
};

class UpdateTemplateTest : public test::ValidationTest {
 protected:
  void SetUp() override {
    ValidationTest::SetUp();
    buffers_[0] = MakeBuffer(64);
    buffers_[1] = MakeBuffer(64);
    view_ = MakeView(MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4));
    sampler_ = MakeSampler();
    VkBufferViewCreateInfo view = {VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
    view.buffer = buffers_[0];
    view.format = VK_FORMAT_R32_UINT;
    view.range = VK_WHOLE_SIZE;
    ASSERT_EQ(vk.CreateBufferView(device, &view, nullptr, &buffer_view_), VK_SUCCESS);
    VkAccelerationStructureCreateInfoKHR structure = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR};
    structure.buffer = buffers_[0];
    ASSERT_EQ(vk.CreateAccelerationStructureKHR(device, &structure, nullptr, &structure_), VK_SUCCESS);
    std::memset(&data_, 'x', sizeof(data_));
    for (int i = 0; i < 2; ++i) data_.buffers[i] = {buffers_[i], 0, 64};
    data_.image = {sampler_, view_, VK_IMAGE_LAYOUT_GENERAL};
    data_.view = buffer_view_;
    data_.structure = structure_;
    layout_ =
        MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2}, {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}});
    pipeline_layout_ = MakePipelineLayout({layout_});
  }
  void TearDown() override {
    vk.DestroyBufferView(device, buffer_view_, nullptr);
    vk.DestroyAccelerationStructureKHR(device, structure_, nullptr);
    ValidationTest::TearDown();
  }

  VkDescriptorUpdateTemplate MakeTemplate(VkDescriptorUpdateTemplateType type) {
    const VkDescriptorUpdateTemplateEntry entries[] = {
        {0, 0, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, offsetof(Data, buffers), sizeof(VkDescriptorBufferInfo)},
        {1, 0, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, offsetof(Data, image), 0},
        {2, 0, 1, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, offsetof(Data, view), 0},
        {3, 0, 8, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, offsetof(Data, block), 0},
        {4, 0, 1, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, offsetof(Data, structure), 0},
        {5, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 << 30, 0},
    };
    VkDescriptorUpdateTemplateCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO};
    info.descriptorUpdateEntryCount = 6;
    info.pDescriptorUpdateEntries = entries;
    info.templateType = type;
    info.descriptorSetLayout = layout_;
    info.pipelineLayout = pipeline_layout_;
    VkDescriptorUpdateTemplate update_template = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateDescriptorUpdateTemplate(device, &info, nullptr, &update_template), VK_SUCCESS);
    return update_template;
  }

  void ExpectTranslated(const void* at_driver) {
    reached_ = true;
    EXPECT_NE(at_driver, &data_);
    Data data;
    std::memcpy(&data, at_driver, offsetof(Data, after));
    const auto driver_handle = [](auto handle) { return HandleTable::Get().ToDriver(Integer(handle)); };
    for (int i = 0; i < 2; ++i) {
      const VkDescriptorBufferInfo info = data.buffers[i];
      EXPECT_EQ(Integer(info.buffer), driver_handle(buffers_[i]));
      EXPECT_EQ(info.range, 64u);
    }
    const VkDescriptorImageInfo image = data.image;
    EXPECT_EQ(Integer(image.sampler), driver_handle(sampler_));
    EXPECT_EQ(Integer(image.imageView), driver_handle(view_));
    EXPECT_EQ(Integer(VkBufferView{data.view}), driver_handle(buffer_view_));
    EXPECT_EQ(Integer(VkAccelerationStructureKHR{data.structure}), driver_handle(structure_));
    EXPECT_EQ(std::memcmp(data.block, data_.block, sizeof(data.block)), 0);
  }

  std::string_view Bytes() const { return {reinterpret_cast<const char*>(&data_), sizeof(data_)}; }

  VkBuffer buffers_[2] = {};
  VkImageView view_ = VK_NULL_HANDLE;
  VkSampler sampler_ = VK_NULL_HANDLE;
  VkBufferView buffer_view_ = VK_NULL_HANDLE;
  VkAccelerationStructureKHR structure_ = VK_NULL_HANDLE;
  VkDescriptorSetLayout layout_ = VK_NULL_HANDLE;
  VkPipelineLayout pipeline_layout_ = VK_NULL_HANDLE;
  Data data_;
  bool reached_ = false;
};

// The application's data need not be one piece of memory.
TEST_F(UpdateTemplateTest, ReadsOnlyWhatTheEntriesDescribe) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* const memory = mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* const bytes = static_cast<char*>(memory);
  const VkDescriptorBufferInfo infos[] = {{buffers_[0], 0, 64}, {buffers_[1], 0, 64}};
  std::memcpy(bytes, &infos[0], sizeof(infos[0]));
  std::memcpy(bytes + 2 * page, &infos[1], sizeof(infos[1]));
  ASSERT_EQ(mprotect(bytes + page, page, PROT_NONE), 0);
  const VkDescriptorUpdateTemplateEntry entry = {0, 0, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 2 * page};
  const UpdateTemplate update_template(
      VkDescriptorUpdateTemplateCreateInfo{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
                                           .descriptorUpdateEntryCount = 1,
                                           .pDescriptorUpdateEntries = &entry});
  ScratchArena arena;
  const auto* at_driver = static_cast<const char*>(update_template.TranslateToDriver(bytes, arena));
  for (size_t i = 0; i < 2; ++i) {
    VkDescriptorBufferInfo info;
    std::memcpy(&info, at_driver + i * 2 * page, sizeof(info));
    EXPECT_EQ(Integer(info.buffer), HandleTable::Get().ToDriver(Integer(buffers_[i])));
    EXPECT_EQ(info.range, 64u);
  }
  munmap(memory, 3 * page);
}

TEST_F(UpdateTemplateTest, UpdatesSets) {
  const VkDescriptorUpdateTemplate update_template = MakeTemplate(VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET);
  driver().Observe<vk::UpdateDescriptorSetWithTemplate>([&](const auto& call) { ExpectTranslated(call.pData); });
  const std::string before(Bytes());
  vk.UpdateDescriptorSetWithTemplate(device, MakeSet(layout_), update_template, &data_);
  EXPECT_TRUE(reached_);
  EXPECT_EQ(Bytes(), before);
  vk.DestroyDescriptorUpdateTemplate(device, update_template, nullptr);
  EXPECT_EQ(GetUpdateTemplate(update_template), nullptr);
}

TEST_F(UpdateTemplateTest, PushesDescriptors) {
  const VkDescriptorUpdateTemplate update_template = MakeTemplate(VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS);
  ASSERT_NE(GetUpdateTemplate(update_template), nullptr);
  EXPECT_EQ(GetUpdateTemplate(update_template)->entries().size(), 6u);
  const VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  driver().Observe<vk::CmdPushDescriptorSetWithTemplate>([&](const auto& call) { ExpectTranslated(call.pData); });
  vk.CmdPushDescriptorSetWithTemplate(commands, update_template, pipeline_layout_, 0, &data_);
  EXPECT_TRUE(reached_);
  End(commands);
  vk.DestroyDescriptorUpdateTemplate(device, update_template, nullptr);
}

TEST_F(UpdateTemplateTest, PushesDescriptorsThroughAStructure) {
  const VkDescriptorUpdateTemplate update_template = MakeTemplate(VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS);
  const VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  VkPushDescriptorSetWithTemplateInfo info = {VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_WITH_TEMPLATE_INFO};
  info.descriptorUpdateTemplate = update_template;
  info.layout = pipeline_layout_;
  info.pData = &data_;
  driver().Observe<vk::CmdPushDescriptorSetWithTemplate2>([&](const auto& call) {
    const VkPushDescriptorSetWithTemplateInfo& at_driver = *call.pPushDescriptorSetWithTemplateInfo;
    ExpectTranslated(at_driver.pData);
    EXPECT_EQ(Integer(at_driver.layout), HandleTable::Get().ToDriver(Integer(pipeline_layout_)));
    EXPECT_EQ(Integer(at_driver.descriptorUpdateTemplate), HandleTable::Get().ToDriver(Integer(update_template)));
  });
  vk.CmdPushDescriptorSetWithTemplate2(commands, &info);
  EXPECT_TRUE(reached_);
  EXPECT_EQ(info.pData, &data_);
  End(commands);
  vk.DestroyDescriptorUpdateTemplate(device, update_template, nullptr);
}

TEST_F(UpdateTemplateTest, EndsWithTheDevice) { MakeTemplate(VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET); }

}  // namespace
}  // namespace assay::dispatch
