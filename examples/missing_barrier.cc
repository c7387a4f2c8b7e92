// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A program with one mistake: a compute shader fills a buffer and a copy reads it, with nothing in between that makes
// the copy wait. It may well print what its author hopes for, today and on this GPU. Assay says what is wrong with it.
// With --fixed the barrier is there.

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include "examples/missing_barrier_shader.h"

namespace {

constexpr uint32_t kWords = 4096;
constexpr uint32_t kWorkgroup = 64;
constexpr VkDeviceSize kBytes = kWords * sizeof(uint32_t);

[[noreturn]] void Fail(const char* what) {
  std::fprintf(stderr, "missing_barrier: %s\n", what);
  std::exit(1);
}

void Check(VkResult result, const char* what) {
  if (result != VK_SUCCESS) Fail(what);
}

PFN_vkGetInstanceProcAddr LoadVulkan() {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW);
  if (library == nullptr) Fail("there is no libvulkan.so.1");
  return reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
}

const PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr = LoadVulkan();
VkInstance instance = VK_NULL_HANDLE;
VkPhysicalDevice physical_device = VK_NULL_HANDLE;
VkDevice device = VK_NULL_HANDLE;
VkQueue queue = VK_NULL_HANDLE;
uint32_t queue_family = 0;

// A Vulkan command by its name: VK(vkCreateBuffer)(device, ...).
#define VK(name) reinterpret_cast<PFN_##name>(vkGetInstanceProcAddr(instance, #name))

void CreateInstance() {
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .pApplicationName = "missing_barrier",
                                   .apiVersion = VK_API_VERSION_1_3};
  const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                               .pApplicationInfo = &application,
                               .enabledExtensionCount = 1,
                               .ppEnabledExtensionNames = extensions};
  Check(VK(vkCreateInstance)(&info, nullptr, &instance), "vkCreateInstance");
}

// The first GPU and its first queue family that can compute.
void ChooseQueue() {
  uint32_t count = 1;
  VK(vkEnumeratePhysicalDevices)(instance, &count, &physical_device);
  if (count == 0) Fail("there is no GPU");
  VkQueueFamilyProperties families[16];
  count = 16;
  VK(vkGetPhysicalDeviceQueueFamilyProperties)(physical_device, &count, families);
  while (queue_family < count && (families[queue_family].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) ++queue_family;
  if (queue_family == count) Fail("the GPU cannot compute");
}

void CreateDevice() {
  float priority = 1;
  VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                        .queueFamilyIndex = queue_family,
                                        .queueCount = 1,
                                        .pQueuePriorities = &priority};
  VkPhysicalDeviceVulkan13Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                               .synchronization2 = VK_TRUE};
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .pNext = &features,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &queue_info};
  Check(VK(vkCreateDevice)(physical_device, &info, nullptr, &device), "vkCreateDevice");
  VK(vkGetDeviceQueue)(device, queue_family, 0, &queue);
}

void SetName(VkObjectType type, uint64_t handle, const char* name) {
  VkDebugUtilsObjectNameInfoEXT info = {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, nullptr, type, handle,
                                        name};
  VK(vkSetDebugUtilsObjectNameEXT)(device, &info);
}

struct Buffer {
  VkBuffer handle;
  VkDeviceMemory memory;
};

uint32_t FindMemoryType(uint32_t allowed, VkMemoryPropertyFlags wanted) {
  VkPhysicalDeviceMemoryProperties properties;
  VK(vkGetPhysicalDeviceMemoryProperties)(physical_device, &properties);
  for (uint32_t i = 0; i < properties.memoryTypeCount; ++i) {
    if ((allowed >> i & 1) != 0 && (properties.memoryTypes[i].propertyFlags & wanted) == wanted) return i;
  }
  Fail("there is no memory of the wanted type");
}

Buffer CreateBuffer(const char* name, VkBufferUsageFlags usage, VkMemoryPropertyFlags wanted) {
  Buffer buffer;
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = kBytes, .usage = usage};
  Check(VK(vkCreateBuffer)(device, &info, nullptr, &buffer.handle), "vkCreateBuffer");
  VkMemoryRequirements requirements;
  VK(vkGetBufferMemoryRequirements)(device, buffer.handle, &requirements);
  VkMemoryAllocateInfo memory_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                      .allocationSize = requirements.size,
                                      .memoryTypeIndex = FindMemoryType(requirements.memoryTypeBits, wanted)};
  Check(VK(vkAllocateMemory)(device, &memory_info, nullptr, &buffer.memory), "vkAllocateMemory");
  Check(VK(vkBindBufferMemory)(device, buffer.handle, buffer.memory, 0), "vkBindBufferMemory");
  SetName(VK_OBJECT_TYPE_BUFFER, reinterpret_cast<uint64_t>(buffer.handle), name);
  return buffer;
}

void DestroyBuffer(const Buffer& buffer) {
  VK(vkDestroyBuffer)(device, buffer.handle, nullptr);
  VK(vkFreeMemory)(device, buffer.memory, nullptr);
}

// The compute pipeline and what it needs to write to one buffer.
struct Simulation {
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  VkPipeline pipeline;
  VkDescriptorPool pool;
  VkDescriptorSet set;
};

void CreatePipeline(Simulation& simulation) {
  VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                                          nullptr};
  VkDescriptorSetLayoutCreateInfo set_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
  Check(VK(vkCreateDescriptorSetLayout)(device, &set_info, nullptr, &simulation.set_layout),
        "vkCreateDescriptorSetLayout");
  VkPipelineLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .setLayoutCount = 1,
                                            .pSetLayouts = &simulation.set_layout};
  Check(VK(vkCreatePipelineLayout)(device, &layout_info, nullptr, &simulation.layout), "vkCreatePipelineLayout");
  VkShaderModuleCreateInfo shader_info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                          .codeSize = sizeof(kMissingBarrierShader),
                                          .pCode = kMissingBarrierShader};
  VkShaderModule shader;
  Check(VK(vkCreateShaderModule)(device, &shader_info, nullptr, &shader), "vkCreateShaderModule");
  VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                           .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                           .module = shader,
                                           .pName = "main"};
  VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = stage, .layout = simulation.layout};
  Check(VK(vkCreateComputePipelines)(device, VK_NULL_HANDLE, 1, &info, nullptr, &simulation.pipeline),
        "vkCreateComputePipelines");
  VK(vkDestroyShaderModule)(device, shader, nullptr);
}

void CreateSet(Simulation& simulation, const Buffer& buffer) {
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
  Check(VK(vkCreateDescriptorPool)(device, &pool_info, nullptr, &simulation.pool), "vkCreateDescriptorPool");
  VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                      .descriptorPool = simulation.pool,
                                      .descriptorSetCount = 1,
                                      .pSetLayouts = &simulation.set_layout};
  Check(VK(vkAllocateDescriptorSets)(device, &info, &simulation.set), "vkAllocateDescriptorSets");
  VkDescriptorBufferInfo buffer_info = {buffer.handle, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                .dstSet = simulation.set,
                                .descriptorCount = 1,
                                .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                .pBufferInfo = &buffer_info};
  VK(vkUpdateDescriptorSets)(device, 1, &write, 0, nullptr);
}

void DestroySimulation(const Simulation& simulation) {
  VK(vkDestroyDescriptorPool)(device, simulation.pool, nullptr);
  VK(vkDestroyPipeline)(device, simulation.pipeline, nullptr);
  VK(vkDestroyPipelineLayout)(device, simulation.layout, nullptr);
  VK(vkDestroyDescriptorSetLayout)(device, simulation.set_layout, nullptr);
}

void BeginLabel(VkCommandBuffer commands, const char* name) {
  VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = name};
  VK(vkCmdBeginDebugUtilsLabelEXT)(commands, &label);
}

void EndLabel(VkCommandBuffer commands) { VK(vkCmdEndDebugUtilsLabelEXT)(commands); }

// What makes the copy see what the shader wrote.
void MakeCopyWait(VkCommandBuffer commands) {
  VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                              .srcStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                              .srcAccessMask = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                              .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                              .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT};
  VkDependencyInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barrier};
  VK(vkCmdPipelineBarrier2)(commands, &info);
}

void Record(VkCommandBuffer commands, const Simulation& simulation, const Buffer& particles, const Buffer& readback,
            bool fixed) {
  VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                   .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  Check(VK(vkBeginCommandBuffer)(commands, &info), "vkBeginCommandBuffer");

  BeginLabel(commands, "simulate");
  VK(vkCmdBindPipeline)(commands, VK_PIPELINE_BIND_POINT_COMPUTE, simulation.pipeline);
  VK(vkCmdBindDescriptorSets)
  (commands, VK_PIPELINE_BIND_POINT_COMPUTE, simulation.layout, 0, 1, &simulation.set, 0, nullptr);
  VK(vkCmdDispatch)(commands, kWords / kWorkgroup, 1, 1);
  EndLabel(commands);

  if (fixed) MakeCopyWait(commands);

  BeginLabel(commands, "read back");
  VkBufferCopy region = {0, 0, kBytes};
  VK(vkCmdCopyBuffer)(commands, particles.handle, readback.handle, 1, &region);
  EndLabel(commands);

  // The host reads what was copied.
  VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                              .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                              .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                              .dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT,
                              .dstAccessMask = VK_ACCESS_2_HOST_READ_BIT};
  VkDependencyInfo to_host = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barrier};
  VK(vkCmdPipelineBarrier2)(commands, &to_host);
  Check(VK(vkEndCommandBuffer)(commands), "vkEndCommandBuffer");
}

void SubmitAndWait(VkCommandBuffer commands) {
  VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  Check(VK(vkCreateFence)(device, &fence_info, nullptr, &fence), "vkCreateFence");
  VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  Check(VK(vkQueueSubmit)(queue, 1, &info, fence), "vkQueueSubmit");
  Check(VK(vkWaitForFences)(device, 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
  VK(vkDestroyFence)(device, fence, nullptr);
}

uint32_t CountRightWords(const Buffer& readback) {
  void* data = nullptr;
  Check(VK(vkMapMemory)(device, readback.memory, 0, VK_WHOLE_SIZE, 0, &data), "vkMapMemory");
  const auto* words = static_cast<const uint32_t*>(data);
  uint32_t right = 0;
  for (uint32_t i = 0; i < kWords; ++i) right += words[i] == i * 3 + 1;
  VK(vkUnmapMemory)(device, readback.memory);
  return right;
}

uint32_t SimulateAndReadBack(bool fixed) {
  Buffer particles = CreateBuffer("particles", VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                  VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  Buffer readback = CreateBuffer("readback", VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                 VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  Simulation simulation;
  CreatePipeline(simulation);
  CreateSet(simulation, particles);

  VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                       .queueFamilyIndex = queue_family};
  VkCommandPool pool;
  Check(VK(vkCreateCommandPool)(device, &pool_info, nullptr, &pool), "vkCreateCommandPool");
  VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                      .commandPool = pool,
                                      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                      .commandBufferCount = 1};
  VkCommandBuffer commands;
  Check(VK(vkAllocateCommandBuffers)(device, &info, &commands), "vkAllocateCommandBuffers");
  Record(commands, simulation, particles, readback, fixed);
  SubmitAndWait(commands);
  uint32_t right = CountRightWords(readback);

  VK(vkDestroyCommandPool)(device, pool, nullptr);
  DestroySimulation(simulation);
  DestroyBuffer(readback);
  DestroyBuffer(particles);
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  bool fixed = argc > 1 && std::strcmp(argv[1], "--fixed") == 0;
  CreateInstance();
  ChooseQueue();
  CreateDevice();
  uint32_t right = SimulateAndReadBack(fixed);
  VK(vkDestroyDevice)(device, nullptr);
  VK(vkDestroyInstance)(instance, nullptr);
  std::printf("copied %u words\n", right);
  return right == kWords ? 0 : 1;
}
