// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Each rule of set layouts through the whole layer: a correct layout, and one that breaks the rule.

#include <string>
#include <string_view>
#include <vector>

#include "core/set_layouts/set_layout_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

using Parts = SetLayoutParts;

constexpr VkShaderStageFlags kCompute = VK_SHADER_STAGE_COMPUTE_BIT;
constexpr auto kLaterPool = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
constexpr auto kPush = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
constexpr auto kBuffer = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
constexpr VkDescriptorSetLayoutCreateFlags kEmbedded =
    kBuffer | VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT;
constexpr auto kHostOnly = VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT;
constexpr auto kPerStage = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PER_STAGE_BIT_NV;
constexpr VkDescriptorBindingFlags kLater = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
constexpr VkDescriptorBindingFlags kVariable = VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;

// A binding of a type, and what may be said of it.
void SetType(Parts& p, VkDescriptorType type) { p.bindings[0].descriptorType = type; }
void Append(Parts& p, VkDescriptorType type, uint32_t number = 1, VkShaderStageFlags stages = kCompute) {
  p.bindings.push_back({number, type, 1, stages, nullptr});
}
template <VkDescriptorType type, uint32_t count = 1>
void MakeLater(Parts& p) {
  p = {kLaterPool, {{0, type, count, kCompute, nullptr}}, {kLater}, {}};
}
void MakeMutable(Parts& p) {
  SetType(p, VK_DESCRIPTOR_TYPE_MUTABLE_EXT);
  p.mutable_types = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
}
template <VkDescriptorType type>
void AddMutableType(Parts& p) {
  MakeMutable(p);
  p.mutable_types[0].push_back(type);
}

struct Case {
  // What follows "VUID-VkDescriptorSetLayout" in the id, or a whole id.
  std::string_view id;
  void (*change)(Parts&);
  // The feature that the device does not have.
  const char* disabled = "";
  // Changes another one, that is correct.
  void (*correct)(Parts&) = nullptr;
};

void PrintTo(const Case& row, std::ostream* out) { *out << row.id; }

const Case kCases[] = {
    {"CreateInfo-binding-00279", [](Parts& p) { Append(p, VK_DESCRIPTOR_TYPE_SAMPLER, 0); }, "",
     [](Parts& p) { Append(p, VK_DESCRIPTOR_TYPE_SAMPLER, 7); }},
    {"CreateInfo-flags-00280", [](Parts& p) { p.flags = kPush, SetType(p, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC); },
     "", [](Parts& p) { p.flags = kPush; }},
    {"CreateInfo-flags-00281", [](Parts& p) { p.flags = kPush, p.bindings[0].descriptorCount = 33; }, "",
     [](Parts& p) { p.flags = kPush, p.bindings[0].descriptorCount = 32; }},
    {"CreateInfo-flags-02208",
     [](Parts& p) {
       p.flags = kPush;
       p.bindings[0] = {0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 4, kCompute, nullptr};
     }},
    {"CreateInfo-flags-03000", [](Parts& p) { MakeLater<VK_DESCRIPTOR_TYPE_STORAGE_BUFFER>(p), p.flags = 0; }, "",
     &MakeLater<VK_DESCRIPTOR_TYPE_STORAGE_BUFFER>},
    {"CreateInfo-descriptorType-03001",
     [](Parts& p) {
       MakeLater<VK_DESCRIPTOR_TYPE_STORAGE_BUFFER>(p);
       Append(p, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC);
       p.binding_flags.push_back(0);
     },
     "",
     [](Parts& p) {
       MakeLater<VK_DESCRIPTOR_TYPE_STORAGE_BUFFER>(p);
       Append(p, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
       p.binding_flags.push_back(0);
     }},
    {"CreateInfo-flags-04590", [](Parts& p) { p.flags = kPush | kHostOnly; }},
    {"CreateInfo-flags-04591", [](Parts& p) { MakeMutable(p), p.flags = kPush; }},
    {"CreateInfo-flags-04592", [](Parts& p) { p.flags = kLaterPool | kHostOnly; }},
    {"CreateInfo-mutableDescriptorType-04595", &MakeMutable, "mutableDescriptorType"},
    {"CreateInfo-flags-04596", [](Parts& p) { p.flags = kHostOnly; }, "mutableDescriptorType"},
    {"CreateInfo-pBindings-07303", [](Parts& p) { SetType(p, VK_DESCRIPTOR_TYPE_MUTABLE_EXT); }, "", &MakeMutable},
    {"CreateInfo-flags-08000",
     [](Parts& p) { p.flags = kBuffer, SetType(p, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC); }, "",
     [](Parts& p) { p.flags = kBuffer; }},
    {"CreateInfo-flags-08001",
     [](Parts& p) {
       p.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT, p.bindings.clear();
     },
     "", [](Parts& p) { p.flags = kEmbedded, p.bindings.clear(); }},
    {"CreateInfo-flags-08002", [](Parts& p) { p.flags = kBuffer | kLaterPool; }},
    {"CreateInfo-flags-08003", [](Parts& p) { p.flags = kBuffer | kHostOnly; }},
    {"CreateInfo-flags-09463", [](Parts& p) { p.flags = kPerStage; }, "perStageDescriptorSet"},
    {"CreateInfo-flags-09464", [](Parts& p) { p.flags = kPerStage, Append(p, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0); },
     "",
     [](Parts& p) {
       p.flags = kPerStage;
       Append(p, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, VK_SHADER_STAGE_VERTEX_BIT);
     }},
    {"CreateInfo-flags-10354", [](Parts& p) { p.flags = kPush; }, "pushDescriptor"},

    {"Binding-descriptorType-01510", [](Parts& p) { SetType(p, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT); }},
    {"Binding-descriptorType-02209",
     [](Parts& p) { SetType(p, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK), p.bindings[0].descriptorCount = 6; }},
    {"Binding-descriptorType-04604",
     [](Parts& p) { SetType(p, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK), p.bindings[0].descriptorCount = 4; },
     "inlineUniformBlock"},
    {"Binding-descriptorType-08004",
     [](Parts& p) { SetType(p, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK), p.bindings[0].descriptorCount = 260; }, "",
     [](Parts& p) { SetType(p, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK), p.bindings[0].descriptorCount = 256; }},
    {"Binding-flags-08005", [](Parts& p) { p.flags = kEmbedded; }},
    {"Binding-flags-08006",
     [](Parts& p) { p.flags = kEmbedded, p.bindings[0] = {0, VK_DESCRIPTOR_TYPE_SAMPLER, 2, kCompute, nullptr}; }},
    {"Binding-flags-08007",
     [](Parts& p) { p.flags = kEmbedded, p.bindings[0] = {0, VK_DESCRIPTOR_TYPE_SAMPLER, 1, kCompute, nullptr}; }},
    {"Binding-descriptorCount-09465", [](Parts& p) { p.bindings[0].stageFlags = 1u << 30; }, "",
     [](Parts& p) { p.bindings[0] = {0, VK_DESCRIPTOR_TYPE_SAMPLER, 0, 1u << 30, nullptr}; }},
    {"Binding-flags-09466", [](Parts& p) { p.flags = kPerStage, p.bindings[0].stageFlags = VK_SHADER_STAGE_ALL; }, "",
     [](Parts& p) { p.flags = kPerStage; }},

    {"BindingFlagsCreateInfo-bindingCount-03002", [](Parts& p) { p.binding_flags = {0, 0}; }, "",
     [](Parts& p) { p.binding_flags = {0}; }},
    {"BindingFlagsCreateInfo-flags-03003",
     [](Parts& p) { p.flags = kPush, p.binding_flags = {VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT}; }, "",
     [](Parts& p) { p.flags = kPush, p.binding_flags = {VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT}; }},
    {"BindingFlagsCreateInfo-pBindingFlags-03004",
     [](Parts& p) { Append(p, VK_DESCRIPTOR_TYPE_SAMPLER, 5), p.binding_flags = {kVariable, 0}; }, "",
     [](Parts& p) {
       p.bindings[0].binding = 6;
       Append(p, VK_DESCRIPTOR_TYPE_SAMPLER, 5);
       p.binding_flags = {kVariable, 0};
     }},
    {"BindingFlagsCreateInfo-pBindingFlags-03015",
     [](Parts& p) { SetType(p, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC), p.binding_flags = {kVariable}; }},
    {"BindingFlagsCreateInfo-None-03011", &MakeLater<VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC>},
    {"BindingFlagsCreateInfo-descriptorBindingUniformBufferUpdateAfterBind-03005",
     &MakeLater<VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER>, "descriptorBindingUniformBufferUpdateAfterBind",
     &MakeLater<VK_DESCRIPTOR_TYPE_STORAGE_BUFFER>},
    {"BindingFlagsCreateInfo-descriptorBindingSampledImageUpdateAfterBind-03006",
     &MakeLater<VK_DESCRIPTOR_TYPE_SAMPLER>, "descriptorBindingSampledImageUpdateAfterBind",
     &MakeLater<VK_DESCRIPTOR_TYPE_STORAGE_BUFFER>},
    {"BindingFlagsCreateInfo-descriptorBindingStorageImageUpdateAfterBind-03007",
     &MakeLater<VK_DESCRIPTOR_TYPE_STORAGE_IMAGE>, "descriptorBindingStorageImageUpdateAfterBind",
     &MakeLater<VK_DESCRIPTOR_TYPE_STORAGE_BUFFER>},
    {"BindingFlagsCreateInfo-descriptorBindingStorageBufferUpdateAfterBind-03008",
     &MakeLater<VK_DESCRIPTOR_TYPE_STORAGE_BUFFER>, "descriptorBindingStorageBufferUpdateAfterBind",
     &MakeLater<VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE>},
    {"BindingFlagsCreateInfo-descriptorBindingUniformTexelBufferUpdateAfterBind-03009",
     &MakeLater<VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER>, "descriptorBindingUniformTexelBufferUpdateAfterBind",
     &MakeLater<VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER>},
    {"BindingFlagsCreateInfo-descriptorBindingStorageTexelBufferUpdateAfterBind-03010",
     &MakeLater<VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER>, "descriptorBindingStorageTexelBufferUpdateAfterBind",
     &MakeLater<VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER>},
    {"BindingFlagsCreateInfo-descriptorBindingInlineUniformBlockUpdateAfterBind-02211",
     &MakeLater<VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 4>, "descriptorBindingInlineUniformBlockUpdateAfterBind"},
    {"BindingFlagsCreateInfo-descriptorBindingAccelerationStructureUpdateAfterBind-03570",
     &MakeLater<VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR>,
     "descriptorBindingAccelerationStructureUpdateAfterBind"},
    {"BindingFlagsCreateInfo-descriptorBindingUpdateUnusedWhilePending-03012",
     [](Parts& p) { p.binding_flags = {VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT}; },
     "descriptorBindingUpdateUnusedWhilePending"},
    {"BindingFlagsCreateInfo-descriptorBindingPartiallyBound-03013",
     [](Parts& p) { p.binding_flags = {VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT}; },
     "descriptorBindingPartiallyBound"},
    {"BindingFlagsCreateInfo-descriptorBindingVariableDescriptorCount-03014",
     [](Parts& p) { p.binding_flags = {kVariable}; }, "descriptorBindingVariableDescriptorCount"},

    {"VUID-VkMutableDescriptorTypeListEXT-descriptorTypeCount-04597",
     [](Parts& p) { MakeMutable(p), p.mutable_types = {{}}; }},
    {"VUID-VkMutableDescriptorTypeListEXT-descriptorTypeCount-04599",
     [](Parts& p) { p.mutable_types = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}}; }, "",
     [](Parts& p) { p.mutable_types = {{}}; }},
    {"VUID-VkMutableDescriptorTypeListEXT-pDescriptorTypes-04598", &AddMutableType<VK_DESCRIPTOR_TYPE_STORAGE_BUFFER>,
     "", &AddMutableType<VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE>},
    {"VUID-VkMutableDescriptorTypeListEXT-pDescriptorTypes-04600", &AddMutableType<VK_DESCRIPTOR_TYPE_MUTABLE_EXT>},
    {"VUID-VkMutableDescriptorTypeListEXT-pDescriptorTypes-04601",
     &AddMutableType<VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC>},
    {"VUID-VkMutableDescriptorTypeListEXT-pDescriptorTypes-04602",
     &AddMutableType<VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC>},
    {"VUID-VkMutableDescriptorTypeListEXT-pDescriptorTypes-04603",
     &AddMutableType<VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK>},
};

class SetLayoutCases : public SetLayoutTest, public ::testing::WithParamInterface<Case> {
 protected:
  void Ask(const Parts& parts) {
    VkDescriptorSetLayoutSupport support = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
    With(parts, [&](const auto& info) { vk.GetDescriptorSetLayoutSupport(device, &info, &support); });
  }
};

// Both commands that have the create info.
TEST_P(SetLayoutCases, CorrectAndNot) {
  const Case& row = GetParam();
  MakeDevice(row.disabled);
  MakeLayout({});
  Parts correct;
  if (row.correct != nullptr) row.correct(correct);
  MakeLayout(correct);
  Ask(correct);
  ExpectNothing();
  Parts wrong;
  row.change(wrong);
  const std::string id =
      row.id.starts_with("VUID") ? std::string(row.id) : "VUID-VkDescriptorSetLayout" + std::string(row.id);
  Ask(wrong);
  ExpectMessage(id);
  ExpectNothing();
  MakeLayout(wrong);
  ExpectMessage(id);
  ExpectNothing();
}

INSTANTIATE_TEST_SUITE_P(EachRule, SetLayoutCases, ::testing::ValuesIn(kCases),
                         [](const auto& row) { return std::string(row.param.id.substr(row.param.id.size() - 5)); });

TEST_F(SetLayoutTest, ImmutableSamplers) {
  MakeDevice();
  const VkSampler plain = MakeSamplerWith(0, VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK);
  const VkSampler custom = MakeSamplerWith(0, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT);
  Parts parts;
  parts.bindings = {{0, VK_DESCRIPTOR_TYPE_SAMPLER, 1, kCompute, &plain}};
  MakeLayout(parts);
  parts.flags = kEmbedded;
  MakeLayout(parts);
  ExpectNothing();
  parts.bindings[0].pImmutableSamplers = &custom;
  MakeLayout(parts);
  ExpectMessage("VUID-VkDescriptorSetLayoutBinding-pImmutableSamplers-04009");
  parts.bindings[0].pImmutableSamplers = nullptr;
  parts.bindings[0].descriptorCount = 1;
  MakeLayout({.bindings = {{0, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 1, kCompute, &plain}},
              .mutable_types = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}}});
  ExpectMessage("VUID-VkDescriptorSetLayoutBinding-descriptorType-04605");
}

// The mock driver supports no layout, when it is asked.
TEST_F(SetLayoutTest, UnsupportedLayout) {
  driver().config().limits.maxDescriptorSetSamplers = 96;
  MakeDevice();
  MakeLayout({.bindings = {{0, VK_DESCRIPTOR_TYPE_SAMPLER, 96, kCompute, nullptr}}});
  ExpectNothing();
  MakeLayout({.bindings = {{0, VK_DESCRIPTOR_TYPE_SAMPLER, 97, kCompute, nullptr}}});
  EXPECT_THAT(ExpectMessage("VUID-vkCreateDescriptorSetLayout-support-09582").text,
              ::testing::HasSubstr("pCreateInfo has 97 descriptors, more than "
                                   "VkPhysicalDeviceLimits::maxDescriptorSetSamplers (96)"));
}

TEST_F(SetLayoutTest, SizesAndOffsets) {
  MakeDevice();
  VkDeviceSize size = 0;
  const VkDescriptorSetLayout for_buffers = MakeLayout({.flags = kBuffer});
  vk.GetDescriptorSetLayoutSizeEXT(device, for_buffers, &size);
  vk.GetDescriptorSetLayoutBindingOffsetEXT(device, for_buffers, 0, &size);
  ExpectNothing();
  const VkDescriptorSetLayout plain = MakeLayout({});
  vk.GetDescriptorSetLayoutSizeEXT(device, plain, &size);
  ExpectMessage("VUID-vkGetDescriptorSetLayoutSizeEXT-layout-08012");
  vk.GetDescriptorSetLayoutBindingOffsetEXT(device, plain, 0, &size);
  ExpectMessage("VUID-vkGetDescriptorSetLayoutBindingOffsetEXT-layout-08014");
}

}  // namespace
}  // namespace assay::core
