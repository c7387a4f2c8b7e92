// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptor sets and pools, pipelines, command pools and buffers, and bindings while recording.

#include "state/hooks/state_test.h"
#include "testing/shaders.h"

namespace assay::state {
namespace {

constexpr VkPipelineBindPoint kCompute = VK_PIPELINE_BIND_POINT_COMPUTE;

class RecordingState : public StateTest {
 protected:
  static CommandBuffer& StateOfCommands(VkCommandBuffer commands) { return *DeviceState::Get(commands); }
  VkCommandBuffer Begun() {
    VkCommandBuffer commands = MakeCommandBuffer();
    Begin(commands);
    return commands;
  }
  VkDescriptorPool MakePool(uint32_t sets) {
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 64};
    VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                       .maxSets = sets,
                                       .poolSizeCount = 1,
                                       .pPoolSizes = &size};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    vk.CreateDescriptorPool(device, &info, nullptr, &pool);
    Defer(pool, [=, this] { vk.DestroyDescriptorPool(device, pool, nullptr); });
    return pool;
  }
  std::vector<VkDescriptorSet> Allocate(VkDescriptorPool pool, std::vector<VkDescriptorSetLayout> layouts) {
    VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool,
                                        static_cast<uint32_t>(layouts.size()), layouts.data()};
    std::vector<VkDescriptorSet> sets(layouts.size());
    EXPECT_EQ(vk.AllocateDescriptorSets(device, &info, sets.data()), VK_SUCCESS);
    return sets;
  }
  static uint64_t FirstResource(VkDescriptorSet set) {
    return StateOf<DescriptorSet>(set)->contents.descriptors()[0].resource;
  }
};

TEST_F(RecordingState, SetsAreFreedWithTheirPool) {
  VkDescriptorSetLayout layout = MakeSetLayout({{0}});
  VkDescriptorPool pool = MakePool(8);
  std::vector<VkDescriptorSet> sets = Allocate(pool, {layout, layout, layout});
  for (VkDescriptorSet set : sets) EXPECT_NE(StateOf<DescriptorSet>(set), nullptr);
  vk.FreeDescriptorSets(device, pool, 1, &sets[1]);
  EXPECT_EQ(StateOf<DescriptorSet>(sets[1]), nullptr);
  vk.FreeDescriptorSets(device, pool, 0, nullptr);
  vk.ResetDescriptorPool(device, pool, 0);
  EXPECT_EQ(StateOf<DescriptorSet>(sets[0]), nullptr);
  sets = Allocate(pool, {layout});
  DestroyNow(pool);
  EXPECT_EQ(StateOf<DescriptorSet>(sets[0]), nullptr);
}
TEST_F(RecordingState, SetKeepsItsLayout) {
  VkDescriptorSetLayout layout = MakeSetLayout({{3}});
  VkDescriptorSet set = MakeSet(layout);
  DestroyNow(layout);
  EXPECT_EQ(StateOf<DescriptorSetLayout>(layout), nullptr);
  EXPECT_NE(StateOf<DescriptorSet>(set)->contents.layout().Find(3), nullptr);
}
TEST_F(RecordingState, UpdatesAndCopies) {
  VkDescriptorSetLayout layout = MakeSetLayout({{0}});
  VkDescriptorSet a = MakeSet(layout), b = MakeSet(layout);
  test::Buffer buffer = MakeBuffer(64);
  WriteBuffer(a, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer);
  EXPECT_EQ(FirstResource(a), reinterpret_cast<uint64_t>(buffer.handle));
  VkCopyDescriptorSet copy = {
      .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, .srcSet = a, .dstSet = b, .descriptorCount = 1};
  vk.UpdateDescriptorSets(device, 0, nullptr, 1, &copy);
  EXPECT_EQ(FirstResource(b), reinterpret_cast<uint64_t>(buffer.handle));
  vk.UpdateDescriptorSets(device, 0, nullptr, 0, nullptr);
}

TEST_F(RecordingState, PipelinesAreReflected) {
  VkPipelineLayout layout = MakePipelineLayout({MakeSetLayout({{0}, {1}})});
  VkShaderModule shader = MakeShader(test::ComputeShader({.reads = {0}, .writes = {1}}));
  VkPipeline pipeline = MakeComputePipeline(layout, shader);
  DestroyNow(shader);
  DestroyNow(layout);
  const Pipeline* state = StateOf<Pipeline>(pipeline);
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state->bind_point, kCompute);
  EXPECT_EQ(state->layout->set_layouts.size(), 1u);
  const EntryPointInterface& interface = *state->stages[0].interface;
  ASSERT_EQ(interface.descriptors.size(), 2u);
  EXPECT_TRUE(interface.descriptors[0].is_read);
  EXPECT_TRUE(interface.descriptors[1].is_written);
  EXPECT_FALSE(state->stages[0].accesses_device_addresses);
}
TEST_F(RecordingState, InlineModulesAreReflected) {
  const std::vector<uint32_t> words = test::AssembleSpirv(test::ComputeShader({.reads = {}, .writes = {2}}));
  VkShaderModuleCreateInfo module = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, words.size() * 4,
                                     words.data()};
  VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                .pNext = &module,
                                                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                .pName = "main"},
                                      .layout = MakePipelineLayout({MakeSetLayout({{2}})})};
  VkPipeline pipeline = VK_NULL_HANDLE;
  vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
  ASSERT_EQ(StateOf<Pipeline>(pipeline)->stages[0].interface->descriptors.size(), 1u);
  EXPECT_EQ(StateOf<Pipeline>(pipeline)->stages[0].interface->descriptors[0].binding, 2u);
}
TEST_F(RecordingState, PipelinesWithoutShaders) {
  VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = 64};
  VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .pNext = &module}};
  VkPipeline pipeline = VK_NULL_HANDLE;
  vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  EXPECT_FALSE(StateOf<Pipeline>(pipeline)->stages[0].interface->found);
  vk.DestroyPipeline(device, pipeline, nullptr);
  vk.CreateComputePipelines(device, VK_NULL_HANDLE, 0, nullptr, nullptr, nullptr);
}

TEST_F(RecordingState, BoundSetsAndDynamicOffsets) {
  VkDescriptorSetLayout set_layout = MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 2}});
  VkDescriptorSetLayout plain = MakeSetLayout({{0}});
  VkPipelineLayout layout = MakePipelineLayout({plain, set_layout, set_layout});
  VkDescriptorSet sets[] = {MakeSet(plain), MakeSet(set_layout), MakeSet(set_layout)};
  const uint32_t offsets[] = {256, 512, 768, 1024};
  VkCommandBuffer commands = Begun();
  vk.CmdBindDescriptorSets(commands, kCompute, layout, 0, 3, sets, 4, offsets);
  const BindPointState& bound = StateOfCommands(commands).At(kCompute);
  ASSERT_EQ(bound.sets.size(), 3u);
  EXPECT_EQ(bound.sets[0].set, sets[0]);
  EXPECT_EQ(bound.sets[1].dynamic_offsets[1], 512u);
  EXPECT_EQ(bound.sets[2].dynamic_offsets[0], 768u);
  EXPECT_EQ(StateOfCommands(commands).At(VK_PIPELINE_BIND_POINT_GRAPHICS).sets.size(), 0u);
  // Binds one of them alone.
  vk.CmdBindDescriptorSets(commands, kCompute, layout, 1, 1, &sets[2], 2, offsets);
  EXPECT_EQ(bound.sets[1].set, sets[2]);
  EXPECT_EQ(bound.sets[1].dynamic_offsets[0], 256u);
  EXPECT_EQ(bound.sets[1].layout, layout);
  // Another layout makes another key, and the first one the first key.
  const uint64_t key = bound.layouts_key;
  for (VkPipelineLayout other : {MakePipelineLayout({plain, set_layout, set_layout}), layout}) {
    vk.CmdBindDescriptorSets(commands, kCompute, other, 1, 1, &sets[2], 2, offsets);
    EXPECT_EQ(bound.sets[1].layout, other);
    EXPECT_EQ(bound.layouts_key == key, other == layout);
  }
  End(commands);
  Begin(commands);
  EXPECT_EQ(StateOfCommands(commands).At(kCompute).layouts_key, 0u);
  EXPECT_EQ(StateOfCommands(commands).At(kCompute).sets[0].set, VkDescriptorSet{VK_NULL_HANDLE});
}
TEST_F(RecordingState, ManyDynamicOffsets) {
  constexpr uint32_t kCount = 12;
  VkDescriptorSetLayout set_layout = MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, kCount}});
  VkDescriptorSet set = MakeSet(set_layout);
  uint32_t offsets[kCount];
  for (uint32_t i = 0; i < kCount; ++i) offsets[i] = 256 * i;
  VkCommandBuffer commands = Begun();
  vk.CmdBindDescriptorSets(commands, kCompute, MakePipelineLayout({set_layout}), 0, 1, &set, kCount, offsets);
  const BoundSet& bound = StateOfCommands(commands).At(kCompute).sets[0];
  EXPECT_EQ(bound.DynamicOffset(3), 768u);
  EXPECT_EQ(bound.DynamicOffset(kCount - 1), 256u * (kCount - 1));
  EXPECT_EQ(bound.DynamicOffset(kCount), 0u);
}
TEST_F(RecordingState, BadBinds) {
  driver().CheckHandles(false);
  VkDescriptorSetLayout set_layout = MakeSetLayout({{0}});
  VkPipelineLayout layout = MakePipelineLayout({set_layout});
  VkDescriptorSet set = MakeSet(set_layout);
  VkCommandBuffer commands = Begun();
  vk.CmdBindDescriptorSets(commands, kCompute, layout, 1, 1, &set, 0, nullptr);
  vk.CmdBindDescriptorSets(commands, kCompute, layout, ~0u, 1, &set, 0, nullptr);
  vk.CmdBindDescriptorSets(commands, kCompute, VK_NULL_HANDLE, ~0u, 1, &set, 0, nullptr);
  vk.CmdBindDescriptorSets(commands, kCompute, layout, 0, 0, nullptr, 0, nullptr);
  EXPECT_EQ(StateOfCommands(commands).At(kCompute).sets.size(), 0u);
  DestroyNow(layout);
  vk.CmdBindDescriptorSets(commands, kCompute, layout, 0, 1, &set, 0, nullptr);
  vk.CmdBindDescriptorSets(commands, static_cast<VkPipelineBindPoint>(1000), layout, 0, 1, &set, 0, nullptr);
  VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  vk.CmdPushDescriptorSet(commands, kCompute, layout, 77, 1, &write);
  vk.CmdPushDescriptorSetWithTemplate(commands, VK_NULL_HANDLE, layout, 0, nullptr);
}
TEST_F(RecordingState, PushedDescriptorsReplaceSets) {
  VkDescriptorSetLayout push = MakeSetLayout({{0}, {1}}, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT);
  VkDescriptorSetLayout plain = MakeSetLayout({{0}});
  VkPipelineLayout layout = MakePipelineLayout({push}), other = MakePipelineLayout({plain});
  test::Buffer buffer = MakeBuffer(64);
  VkDescriptorBufferInfo info = {buffer, 0, 64};
  VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                .descriptorCount = 1,
                                .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                .pBufferInfo = &info};
  VkCommandBuffer commands = Begun();
  vk.CmdPushDescriptorSet(commands, kCompute, layout, 0, 1, &write);
  write.dstBinding = 1;
  vk.CmdPushDescriptorSet(commands, kCompute, layout, 0, 1, &write);
  const BoundSet& bound = StateOfCommands(commands).At(kCompute).sets[0];
  ASSERT_NE(bound.pushed, nullptr);
  for (const Descriptor& descriptor : bound.pushed->descriptors())
    EXPECT_EQ(descriptor.kind, Descriptor::Kind::kBuffer);
  VkDescriptorSet set = MakeSet(plain);
  vk.CmdBindDescriptorSets(commands, kCompute, other, 0, 1, &set, 0, nullptr);
  EXPECT_EQ(bound.pushed, nullptr);
  EXPECT_EQ(bound.set, set);
}

class DescriptorBufferState : public RecordingState {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = RecordingState::Options();
    options.device_extensions = {VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME};
    return options;
  }
};
// An unknown binding has a key that differs from the set's before, and from no binding.
TEST_F(DescriptorBufferState, UnboundSetsChangeTheKey) {
  VkDescriptorSetLayout layout = MakeSetLayout({{0}});
  VkPipelineLayout pipeline_layout = MakePipelineLayout({layout});
  VkDescriptorSet set = MakeSet(layout);
  VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  const auto key = [&] { return DeviceState::Get(commands)->At(VK_PIPELINE_BIND_POINT_COMPUTE).sets_key; };
  const auto bind = [&] {
    vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, 0, 1, &set, 0, nullptr);
  };
  bind();
  const uint64_t bound = key();
  const uint32_t index = 0;
  const VkDeviceSize offset = 0;
  vk.CmdSetDescriptorBufferOffsetsEXT(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, 0, 1, &index, &offset);
  EXPECT_NE(key(), bound);
  EXPECT_NE(key(), 0u);
  bind();
  EXPECT_EQ(key(), bound);
  End(commands);
}

// Another place in a buffer gives another key. The same place gives the same key, whichever buffer index it has.
TEST_F(DescriptorBufferState, OffsetsMakeTheKey) {
  VkPipelineLayout layout =
      MakePipelineLayout({MakeSetLayout({{0}}, VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT)});
  const test::Buffer buffers[] = {MakeBuffer(512), MakeBuffer(512)};
  VkDescriptorBufferBindingInfoEXT infos[2];
  for (int i = 0; i < 2; ++i) {
    const VkBufferDeviceAddressInfo of = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffers[i]};
    infos[i] = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
                .address = vk.GetBufferDeviceAddress(device, &of) + 128};
  }
  VkCommandBuffer commands = Begun();
  const BindPointState& bindings = StateOfCommands(commands).At(kCompute);
  const auto key_at = [&](uint32_t buffer, VkDeviceSize offset) {
    vk.CmdSetDescriptorBufferOffsetsEXT(commands, kCompute, layout, 0, 1, &buffer, &offset);
    return bindings.sets_key;
  };
  vk.CmdBindDescriptorBuffersEXT(commands, 2, infos);
  const uint64_t key = key_at(0, 64);
  ASSERT_NE(bindings.FindDescriptorBufferOffset(0), nullptr);
  EXPECT_EQ(bindings.FindDescriptorBufferOffset(0)->buffer, buffers[0].handle);
  EXPECT_EQ(bindings.FindDescriptorBufferOffset(0)->offset, 192u);
  EXPECT_EQ(bindings.FindDescriptorBufferOffset(0)->layout, layout);
  EXPECT_NE(key_at(0, 128), key);
  EXPECT_NE(key_at(1, 64), key);
  EXPECT_EQ(key_at(0, 64), key);
  std::swap(infos[0], infos[1]);
  vk.CmdBindDescriptorBuffersEXT(commands, 2, infos);
  EXPECT_EQ(bindings.FindDescriptorBufferOffset(0), nullptr);
  EXPECT_NE(key_at(0, 64), key);
  EXPECT_EQ(key_at(1, 64), key);
  EXPECT_EQ(bindings.FindDescriptorBufferOffset(1), nullptr);
}
TEST_F(DescriptorBufferState, OffsetsOfBindings) {
  const std::vector<test::Binding> bindings = {{2}, {5}};
  VkDescriptorSetLayout in_buffer = MakeSetLayout(bindings, VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
  EXPECT_EQ(StateOf<DescriptorSetLayout>(in_buffer)->Find(2)->buffer_offset, 128u);
  EXPECT_EQ(StateOf<DescriptorSetLayout>(in_buffer)->Find(5)->buffer_offset, 320u);
  EXPECT_EQ(StateOf<DescriptorSetLayout>(MakeSetLayout(bindings))->Find(2)->buffer_offset, std::nullopt);
}

TEST_F(RecordingState, Labels) {
  using Labels = std::vector<std::string>;
  VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = "a"};
  VkCommandBuffer commands = Begun();
  const CommandBuffer& state = StateOfCommands(commands);
  vk.CmdBeginDebugUtilsLabelEXT(commands, &label);
  const uint32_t outer = state.label_path();
  label.pLabelName = "b";
  vk.CmdBeginDebugUtilsLabelEXT(commands, &label);
  EXPECT_EQ(state.LabelsOf(state.label_path()), (Labels{"a", "b"}));
  vk.CmdEndDebugUtilsLabelEXT(commands);
  EXPECT_EQ(state.label_path(), outer);
  label.pLabelName = nullptr;
  vk.CmdBeginDebugUtilsLabelEXT(commands, &label);
  EXPECT_EQ(state.LabelsOf(state.label_path()), (Labels{"a", ""}));
  vk.CmdEndDebugUtilsLabelEXT(commands);
  vk.CmdEndDebugUtilsLabelEXT(commands);
  // One too many.
  vk.CmdEndDebugUtilsLabelEXT(commands);
  EXPECT_EQ(state.label_path(), 0u);
  vk.CmdBeginDebugUtilsLabelEXT(commands, nullptr);
  EXPECT_EQ(state.command_count, 8u);
}

TEST_F(RecordingState, StatesOfACommandBuffer) {
  using Recording = state::RecordingState;
  VkCommandPool pool = MakeCommandPool();
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                      VK_COMMAND_BUFFER_LEVEL_SECONDARY, 2};
  VkCommandBuffer both[2] = {};
  vk.AllocateCommandBuffers(device, &info, both);
  const CommandBuffer& state = StateOfCommands(both[0]);
  EXPECT_EQ(state.level, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  EXPECT_EQ(state.recording_state, Recording::kInitial);
  Begin(both[0]);
  vk.CmdSetLineWidth(both[0], 1);
  EXPECT_EQ(state.recording_state, Recording::kRecording);
  EXPECT_EQ(state.command_count, 1u);
  End(both[0]);
  EXPECT_EQ(state.recording_state, Recording::kExecutable);
  vk.ResetCommandPool(device, pool, 0);
  EXPECT_EQ(state.recording_state, Recording::kInitial);
  EXPECT_EQ(state.command_count, 0u);
  driver().FailNext<vk::EndCommandBuffer>(VK_ERROR_OUT_OF_HOST_MEMORY);
  Begin(both[0]);
  EXPECT_EQ(vk.EndCommandBuffer(both[0]), VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(state.recording_state, Recording::kInvalid);
  vk.FreeCommandBuffers(device, pool, 1, &both[0]);
  EXPECT_EQ(DeviceState::Get(both[0]), nullptr);
  EXPECT_EQ(StateOf<CommandPool>(pool)->command_buffers.size(), 1u);
  VkCommandBuffer none = VK_NULL_HANDLE;
  vk.FreeCommandBuffers(device, pool, 1, &none);
  DestroyNow(pool);
  EXPECT_EQ(DeviceState::Get(both[1]), nullptr);
}
TEST_F(RecordingState, CommandBuffersAreFreedInAnyOrder) {
  VkCommandPool pool = MakeCommandPool();
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                      VK_COMMAND_BUFFER_LEVEL_PRIMARY, 6};
  std::vector<VkCommandBuffer> left(6);
  vk.AllocateCommandBuffers(device, &info, left.data());
  const std::vector<CommandBuffer*>& known = StateOf<CommandPool>(pool)->command_buffers;
  for (const size_t next : {2u, 4u, 0u, 0u, 1u, 0u}) {
    vk.FreeCommandBuffers(device, pool, 1, &left[next]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
    ASSERT_EQ(known.size(), left.size());
    for (VkCommandBuffer buffer : left) {
      const CommandBuffer& state = StateOfCommands(buffer);
      EXPECT_EQ(known[state.index_in_pool], &state);
    }
  }
}
TEST_F(RecordingState, StaleCommandBuffer) {
  VkCommandPool pool = MakeCommandPool();
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                      VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  VkCommandBuffer commands = VK_NULL_HANDLE;
  vk.AllocateCommandBuffers(device, &info, &commands);
  vk.FreeCommandBuffers(device, pool, 1, &commands);
  // The tracker does not know the command buffer any more, and ignores the call.
  vk.CmdSetLineWidth(commands, 1);
  vk.CmdDispatch(commands, 1, 1, 1);
  vk.CmdBindPipeline(commands, kCompute, VK_NULL_HANDLE);
  messages.Take();
}

}  // namespace
}  // namespace assay::state
