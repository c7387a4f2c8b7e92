// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Calls that are not recorded: descriptors, command buffers, objects.

#include "benchmarks/recording_case.h"

namespace assay::benchmarks {
namespace {

// One call writes the four storage buffers of a set.
class UpdateDescriptorSets : public Case {
 public:
  explicit UpdateDescriptorSets(test::TestDevice& device)
      : device_(device.device), vk(device.vk), pipeline_(device), buffers_(device, 4096) {}

  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) Update(pipeline_.set(i), i);
  }
  bool MakeInvalidCall() override {
    Update(VK_NULL_HANDLE, 0);
    return true;
  }

 private:
  void Update(VkDescriptorSet set, uint32_t i) {
    VkDescriptorBufferInfo infos[4];
    VkWriteDescriptorSet writes[4];
    for (uint32_t b = 0; b < 4; ++b) {
      infos[b] = {buffers_[i + b], 0, VK_WHOLE_SIZE};
      writes[b] = {
          .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
          .dstSet = set,
          .dstBinding = b,
          .descriptorCount = 1,
          .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
          .pBufferInfo = &infos[b],
      };
    }
    vk.UpdateDescriptorSets(device_, 4, writes, 0, nullptr);
  }

  VkDevice device_;
  const test::Functions& vk;
  ReadingPipeline pipeline_;
  BufferRing buffers_;
};

class EmptyCommandBuffer : public Case {
 public:
  explicit EmptyCommandBuffer(test::TestDevice& device) : vk(device.vk), commands_(device.MakeCommandBuffer()) {}

  void Run() override {
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    for (uint32_t i = 0; i < kCommands; ++i) {
      vk.BeginCommandBuffer(commands_, &info);
      vk.EndCommandBuffer(commands_);
      vk.ResetCommandBuffer(commands_, 0);
    }
  }
  bool MakeInvalidCall() override {
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO};
    vk.BeginCommandBuffer(commands_, &info);
    vk.EndCommandBuffer(commands_);
    return true;
  }

 private:
  const test::Functions& vk;
  VkCommandBuffer commands_;
};

class CreateDestroyBuffer : public Case {
 public:
  explicit CreateDestroyBuffer(test::TestDevice& device) : device_(device.device), vk(device.vk) {}

  void Run() override {
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 4096, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    for (uint32_t i = 0; i < kCommands; ++i) {
      VkBuffer buffer = VK_NULL_HANDLE;
      vk.CreateBuffer(device_, &info, nullptr, &buffer);
      vk.DestroyBuffer(device_, buffer, nullptr);
    }
  }
  bool MakeInvalidCall() override {
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .size = 4096};
    VkBuffer buffer = VK_NULL_HANDLE;
    vk.CreateBuffer(device_, &info, nullptr, &buffer);
    vk.DestroyBuffer(device_, buffer, nullptr);
    return true;
  }

 private:
  VkDevice device_;
  const test::Functions& vk;
};

class CreateDestroyImageView : public Case {
 public:
  explicit CreateDestroyImageView(test::TestDevice& device)
      : device_(device.device), vk(device.vk), image_(device.MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 256, 256)) {}

  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) CreateAndDestroy(image_);
  }
  bool MakeInvalidCall() override {
    CreateAndDestroy(VK_NULL_HANDLE);
    return true;
  }

 private:
  void CreateAndDestroy(VkImage image) {
    VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    VkImageView view = VK_NULL_HANDLE;
    vk.CreateImageView(device_, &info, nullptr, &view);
    vk.DestroyImageView(device_, view, nullptr);
  }

  VkDevice device_;
  const test::Functions& vk;
  VkImage image_;
};

// As many sets as there are calls, from a pool that is then reset.
class AllocateDescriptorSets : public Case {
 public:
  explicit AllocateDescriptorSets(test::TestDevice& device)
      : device_(device), vk(device.vk), layout_(device.MakeSetLayout({{0}, {1}})) {
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 * kCommands};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = kCommands,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    vk.CreateDescriptorPool(device_.device, &info, nullptr, &pool_);
    device.Defer(pool_, [&device, pool = pool_] { device.vk.DestroyDescriptorPool(device.device, pool, nullptr); });
  }

  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) Allocate(layout_);
  }
  void CleanUp() override { vk.ResetDescriptorPool(device_.device, pool_, 0); }
  bool MakeInvalidCall() override {
    Allocate(VK_NULL_HANDLE);
    return true;
  }

 private:
  void Allocate(VkDescriptorSetLayout layout) {
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool_,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &layout};
    VkDescriptorSet set = VK_NULL_HANDLE;
    vk.AllocateDescriptorSets(device_.device, &info, &set);
  }

  test::TestDevice& device_;
  const test::Functions& vk;
  VkDescriptorSetLayout layout_;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
};

}  // namespace

Case* MakeCreateDestroyBuffer(test::TestDevice& device) { return new CreateDestroyBuffer(device); }

std::vector<CaseInfo> ObjectCases() {
  return {
      {"update_descriptor_sets", kCommands, &Make<UpdateDescriptorSets>},
      {"empty_command_buffer", kCommands, &Make<EmptyCommandBuffer>},
      {"create_destroy_buffer", kCommands, &MakeCreateDestroyBuffer},
      {"create_destroy_image_view", kCommands, &Make<CreateDestroyImageView>},
      {"allocate_descriptor_sets", kCommands, &Make<AllocateDescriptorSets>},
  };
}

}  // namespace assay::benchmarks
