// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Sets and push constants that shaders statically use, for every command that runs shaders, through the whole layer.

#include <string_view>
#include <vector>

#include "core/descriptors/bound_test.h"

namespace assay::core {
namespace {

constexpr std::string_view kFetch = "%value = OpImageFetch %v4 %loaded %at Lod %zero";
constexpr VkDescriptorType kSampled = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;

class NeededSets : public BoundTest {
 protected:
  void StartWithImage(const StartOptions& options = {}) {
    Start(options);
    Use({.body = kFetch}, kSampled);
  }
  // Binds the set with the layout before each command.
  void ExpectWith(VkPipelineLayout layout, VkDescriptorSet set, std::string_view rule) {
    ForEach(VK_NULL_HANDLE, [&] {
      vk.CmdBindDescriptorSets(commands_, PointOf(*call_), layout, 0, 1, &set, 0, nullptr);
      ExpectRule(rule);
    });
  }
  VkDescriptorSet MakeWritten() { return SetWith(MakeViewOf({})); }
};

TEST_F(NeededSets, MustBeBound) {
  StartWithImage();
  ExpectRuleOfEach(VK_NULL_HANDLE, "None-08600", MakeWritten());
  ExpectTextsOfDispatch(VK_NULL_HANDLE, "None-08600", {"uses binding 0 of set 0, but no set is bound to that number."});
}
TEST_F(NeededSets, WithCompatibleLayout) {
  StartWithImage();
  const VkDescriptorSet set = MakeWritten();
  const VkDescriptorSetLayout same = MakeSetLayout({{0, kSampled}});
  ExpectWith(MakePipelineLayout({same}), set, "");
  ExpectWith(MakePipelineLayout({set_layout_}, 16), set, "None-08600");
}
TEST_F(NeededSets, Differences) {
  StartWithImage();
  const VkDescriptorSetLayout other = MakeSetLayout({{0, kSampled, 2}});
  const VkPipelineLayout layout = MakePipelineLayout({other});
  const VkDescriptorSet set = MakeSet(other);
  ForDispatch(VK_NULL_HANDLE, [&] {
    vk.CmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
    ExpectNothing();
    ExpectTexts("None-08600", {"uses binding 0 of set 0, but that was bound with VkPipelineLayout 0x",
                               ", which is not compatible with the pipeline's layout: of set 0, binding 0 has a "
                               "descriptorCount of 2 and not of 1."});
    // The pipeline's own layout, after the other one.
    BindSet(MakeWritten());
    ExpectSilence();
  });
}
TEST_F(NeededSets, OfShaderObjects) {
  StartWithImage({.has_shader_objects = true});
  RecordFor(vk::CommandId::kCmdDispatch, [&] {
    BindShader(VK_SHADER_STAGE_COMPUTE_BIT);
    ExpectRule("None-08600");
    BindSet(MakeWritten());
    ExpectSilence();
  });
}

TEST_F(NeededSets, MustBeWritten) {
  StartWithImage();
  ExpectRuleOfEach(MakeSet(set_layout_), "None-08114");
  ExpectTextsOfDispatch(MakeSet(set_layout_), "None-08114",
                        {"uses binding 0 of set 0, but that was never written in VkDescriptorSet 0x"});
}
// The shader may leave them alone.
TEST_F(NeededSets, PartiallyBound) {
  UseFlagged(ShaderWith({.body = kFetch}), VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT);
  ExpectSilenceOfEach(MakeSet(set_layout_));
}
// A constant index, that of the third element.
TEST_F(NeededSets, ElementsOfArrays) {
  const ShaderAddition shader = {
      .capabilities = Capabilities("RuntimeDescriptorArray", "SPV_EXT_descriptor_indexing"),
      .declarations =
          "%float = OpTypeFloat 32\n%type = OpTypeImage %float 2D 0 0 0 1 Unknown\n"
          "%array = OpTypeRuntimeArray %type\n%element = OpTypePointer UniformConstant %type\n"
          "%two = OpConstant %uint 2\n",
      .globals = {Descriptor("%images", "%array")},
      .body = "%chain = OpAccessChain %element %images %two\n%loaded = OpLoad %type %chain\n"};
  Use(shader, {{0, kSampled, 2}});
  ExpectRuleOfEach(SetWith(MakeViewOf({})), "None-10068");
  Use(shader, {{0, kSampled, 3}});
  ExpectSilenceOfEach(SetWith(MakeViewOf({})));
  Use(Conditional(shader), {{0, kSampled, 2}});
  ExpectSilenceOfEach(SetWith(MakeViewOf({})));
}
// Pushes with layouts that are defined identically add up.
TEST_F(NeededSets, Pushed) {
  Start();
  constexpr auto kPush = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
  set_layout_ = MakeSetLayout({{0, kSampled}, {1, kSampled}}, kPush);
  Add(ShaderWith({.body = kFetch}), set_layout_);
  const VkPipelineLayout other = MakePipelineLayout({MakeSetLayout({{0, kSampled}, {1, kSampled}}, kPush)});
  const VkDescriptorImageInfo image = {VK_NULL_HANDLE, MakeViewOf({}), VK_IMAGE_LAYOUT_GENERAL};
  ForEach(VK_NULL_HANDLE, [&] {
    const auto push = [&](VkPipelineLayout with, uint32_t binding) {
      const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .dstBinding = binding,
                                          .descriptorCount = 1,
                                          .descriptorType = kSampled,
                                          .pImageInfo = &image};
      vk.CmdPushDescriptorSet(commands_, PointOf(*call_), with, 0, 1, &write);
    };
    push(layout(), 1);
    ExpectRule("None-08114");
    push(layout(), 0);
    push(other, 1);
    ExpectSilence();
  });
}

TEST_F(NeededSets, DescriptorBuffers) {
  StartWithImage({.extensions = {"VK_EXT_descriptor_buffer"}});
  const VkDescriptorSet set = MakeWritten();
  const VkDescriptorSetLayout in_buffer =
      MakeSetLayout({{0, kSampled}}, VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
  constexpr VkBufferUsageFlags kUsage =
      VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  const auto buffer = Of<VkDescriptorBufferBindingInfoEXT>(AddressOf(MakeBuffer(1024, kUsage)), kUsage);
  const uint32_t index = 0;
  const VkDeviceSize offset = 0;
  for (const bool has_buffers : {false, true}) {
    if (has_buffers) Add(ShaderWith({.body = kFetch}), in_buffer);
    for (const ActionCall& call : ActionCalls()) {
      RecordFor(call, [&] {
        vk.CmdBindDescriptorBuffersEXT(commands_, 1, &buffer);
        if (has_buffers) {
          vk.CmdSetDescriptorBufferOffsetsEXT(commands_, PointOf(call), layout(), 0, 1, &index, &offset);
        } else {
          BindSet(set);
        }
        for (const bool suits : {false, true}) {
          Bind(PlainPipelineOf(call, suits == has_buffers ? VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0));
          // Set layouts and pipelines that do not suit each other.
          messages.Take();
          ExpectRule(suits ? "" : has_buffers ? "None-08117" : "None-08115");
        }
      });
    }
  }
}

// A uvec2 at byte 8 of the push constants.
class NeededPushConstants : public BoundTest {
 protected:
  void StartWithConstants(const StartOptions& options = {}) {
    Start(options);
    Add({.decorations = DecorateBlock("%block") + DecorateMember("%block 1", "Offset 8"),
         .declarations = "%pair = OpTypeVector %uint 2\n%block = OpTypeStruct %uint %pair\n"
                         "%member_pointer = OpTypePointer PushConstant %pair\n%one = OpConstant %uint 1\n",
         .globals = {{"%constants", "PushConstant", "%block"}},
         .body = "%member = OpAccessChain %member_pointer %constants %one\n%value = OpLoad %pair %member\n"},
        {}, 16);
  }
  struct Step {
    // Of a push before the command; none if the size is 0.
    uint32_t offset, size;
    std::string_view rule;
    // By default, that of the shaders.
    VkPipelineLayout with = VK_NULL_HANDLE;
  };
  void Expect(const std::vector<Step>& steps) {
    ForEach(VK_NULL_HANDLE, [&] {
      for (const Step& step : steps) {
        const VkPipelineLayout with = step.with != VK_NULL_HANDLE ? step.with : layout();
        const uint32_t values[2] = {};
        if (step.size != 0) vk.CmdPushConstants(commands_, with, VK_SHADER_STAGE_ALL, step.offset, step.size, values);
        ExpectRule(step.rule);
      }
    });
  }
};

TEST_F(NeededPushConstants, MustBeSet) {
  StartWithConstants();
  Expect({{4, 4, "None-08601"}, {8, 8, ""}});
  // To the letter, all of the member must be set; the shader may use what is.
  Expect({{8, 4, "None-08601"}});
  ExpectTextsOfDispatch(VK_NULL_HANDLE, "None-08601", {"uses the push constant at byte 8, which was never set."});
}
TEST_F(NeededPushConstants, SetInPartWithoutStrict) {
  StartWithConstants({.is_strict = false});
  Expect({{0, 0, "None-08601"}, {8, 4, ""}});
}
TEST_F(NeededPushConstants, WithoutMaintenance4) {
  StartWithConstants({.without = {"maintenance4"}});
  ForEach(VK_NULL_HANDLE, [&] {
    ExpectRule("maintenance4-08602");
    const uint64_t value = 0;
    const auto info = Of<VkPushConstantsInfo>(layout(), VK_SHADER_STAGE_ALL, 8, 8, &value);
    vk.CmdPushConstants2(commands_, &info);
    ExpectSilence();
  });
}
TEST_F(NeededPushConstants, WithCompatibleLayout) {
  StartWithConstants();
  Expect({{8, 8, "None-08601", MakePipelineLayout({}, 32)}, {8, 8, "", MakePipelineLayout({}, 16)}});
}
// Of so many layouts none is remembered.
TEST_F(NeededPushConstants, ManyLayouts) {
  StartWithConstants();
  std::vector<VkPipelineLayout> layouts(20);
  for (VkPipelineLayout& layout : layouts) layout = MakePipelineLayout({}, 32);
  ForEach(VK_NULL_HANDLE, [&] {
    const uint64_t value = 0;
    for (VkPipelineLayout with : layouts) vk.CmdPushConstants(commands_, with, VK_SHADER_STAGE_ALL, 8, 8, &value);
    ExpectSilence();
  });
}

}  // namespace
}  // namespace assay::core
