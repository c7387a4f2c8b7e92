// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Each rule of set layouts through the whole layer: a correct layout, and one that breaks the rule.

#include <string>
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
constexpr auto kPerStage = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PER_STAGE_BIT_NV;
constexpr VkDescriptorBindingFlags kLater = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
constexpr VkDescriptorBindingFlags kVariable = VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;

constexpr auto kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr auto kUniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
constexpr auto kInline = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
constexpr auto kSampler = VK_DESCRIPTOR_TYPE_SAMPLER;
constexpr auto kDynamic = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
constexpr auto kDynamicUniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
constexpr auto kUniformTexels = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
constexpr auto kStorageTexels = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;

// The only binding, and what may be said of it.
template <VkDescriptorSetLayoutCreateFlags flags, VkDescriptorType type = kStorage, uint32_t count = 1,
          VkShaderStageFlags stages = kCompute>
void Make(Parts& p) {
  p.flags = flags;
  p.bindings[0] = {0, type, count, stages, nullptr};
}
template <VkDescriptorBindingFlags binding_flags, VkDescriptorSetLayoutCreateFlags flags = 0,
          VkDescriptorType type = kStorage>
void Flag(Parts& p) {
  Make<flags, type>(p);
  p.binding_flags = {binding_flags};
}
void Append(Parts& p, VkDescriptorType type, uint32_t number = 1, VkShaderStageFlags stages = kCompute) {
  p.bindings.push_back({number, type, 1, stages, nullptr});
}
template <VkShaderStageFlags stages>
void AppendPerStage(Parts& p) {
  p.flags = kPerStage;
  Append(p, kStorage, 0, stages);
}
template <uint32_t number>
void MakeVariableBeside5(Parts& p) {
  p.bindings[0].binding = number;
  Append(p, kSampler, 5);
  p.binding_flags = {kVariable, 0};
}
template <VkDescriptorType type, uint32_t count = 1>
void MakeLater(Parts& p) {
  p = {kLaterPool, {{0, type, count, kCompute, nullptr}}, {kLater}, {}};
}
// And a second one.
template <VkDescriptorType type>
void MakeLaterAnd(Parts& p) {
  MakeLater<kStorage>(p);
  Append(p, type);
  p.binding_flags.push_back(0);
}
void MakeMutable(Parts& p) {
  Make<0, VK_DESCRIPTOR_TYPE_MUTABLE_EXT>(p);
  p.mutable_types = {{kUniform, kStorage}};
}
template <VkDescriptorType type>
void AddMutableType(Parts& p) {
  MakeMutable(p);
  p.mutable_types[0].push_back(type);
}

struct Case {
  // What follows "VUID-VkDescriptorSetLayout" in the id, or "VUID-Vk" if it is of mutable types.
  std::string id;
  void (*change)(Parts&);
  // Changes another one, that is correct.
  void (*correct)(Parts&) = nullptr;
  // The feature that the device does not have.
  std::string disabled;
};
// The id names the feature.
Case Needs(const std::string& id, void (*change)(Parts&), void (*correct)(Parts&) = nullptr) {
  const size_t begin = id.find('-') + 1;
  return {id, change, correct, id.substr(begin, id.rfind('-') - begin)};
}
// The feature is about updates after binding, of that kind of descriptors.
Case NeedsLater(const std::string& kind, const std::string& number, void (*change)(Parts&),
                void (*correct)(Parts&) = nullptr) {
  return Needs("BindingFlagsCreateInfo-descriptorBinding" + kind + "UpdateAfterBind-" + number, change, correct);
}

void PrintTo(const Case& row, std::ostream* out) { *out << row.id; }

const Case kCases[] = {
    {"CreateInfo-binding-00279", [](Parts& p) { Append(p, kSampler, 0); }, [](Parts& p) { Append(p, kSampler, 7); }},
    {"CreateInfo-flags-00280", &Make<kPush, kDynamicUniform>, &Make<kPush>},
    {"CreateInfo-flags-00281", &Make<kPush, kStorage, 33>, &Make<kPush, kStorage, 32>},
    {"CreateInfo-flags-02208", &Make<kPush, kInline, 4>},
    {"CreateInfo-flags-03000", [](Parts& p) { MakeLater<kStorage>(p), p.flags = 0; }, &MakeLater<kStorage>},
    {"CreateInfo-descriptorType-03001", &MakeLaterAnd<kDynamic>, &MakeLaterAnd<kStorage>},
    {"CreateInfo-flags-04591", [](Parts& p) { MakeMutable(p), p.flags = kPush; }},
    Needs("CreateInfo-mutableDescriptorType-04595", &MakeMutable),
    {"CreateInfo-pBindings-07303", &Make<0, VK_DESCRIPTOR_TYPE_MUTABLE_EXT>, &MakeMutable},
    {"CreateInfo-flags-08000", &Make<kBuffer, kDynamicUniform>, &Make<kBuffer>},
    {"CreateInfo-flags-08001",
     [](Parts& p) { p = {VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT, {}, {}, {}}; },
     [](Parts& p) { p = {kEmbedded, {}, {}, {}}; }},
    {"CreateInfo-flags-09464", &AppendPerStage<kCompute>, &AppendPerStage<VK_SHADER_STAGE_VERTEX_BIT>},
    {"CreateInfo-flags-10354", &Make<kPush>, nullptr, "pushDescriptor"},

    {"Binding-descriptorType-08004", &Make<0, kInline, 260>, &Make<0, kInline, 256>},
    {"Binding-flags-08005", &Make<kEmbedded>},
    {"Binding-flags-08006", &Make<kEmbedded, kSampler, 2>},
    {"Binding-flags-08007", &Make<kEmbedded, kSampler>},
    {"Binding-descriptorCount-09465", &Make<0, kStorage, 1, 1u << 30>, &Make<0, kSampler, 0, 1u << 30>},
    {"Binding-flags-09466", &Make<kPerStage, kStorage, 1, VK_SHADER_STAGE_ALL>, &Make<kPerStage>},

    {"BindingFlagsCreateInfo-bindingCount-03002", [](Parts& p) { p.binding_flags = {0, 0}; }, &Flag<0>},
    {"BindingFlagsCreateInfo-flags-03003", &Flag<VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT, kPush>,
     &Flag<VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT, kPush>},
    {"BindingFlagsCreateInfo-pBindingFlags-03004", &MakeVariableBeside5<0>, &MakeVariableBeside5<6>},
    {"BindingFlagsCreateInfo-pBindingFlags-03015", &Flag<kVariable, 0, kDynamic>},
    {"BindingFlagsCreateInfo-None-03011", &MakeLater<kDynamic>},
    NeedsLater("UniformBuffer", "03005", &MakeLater<kUniform>, &MakeLater<kStorage>),
    NeedsLater("SampledImage", "03006", &MakeLater<kSampler>, &MakeLater<kStorage>),
    NeedsLater("StorageImage", "03007", &MakeLater<VK_DESCRIPTOR_TYPE_STORAGE_IMAGE>, &MakeLater<kStorage>),
    NeedsLater("StorageBuffer", "03008", &MakeLater<kStorage>, &MakeLater<VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE>),
    NeedsLater("UniformTexelBuffer", "03009", &MakeLater<kUniformTexels>, &MakeLater<kStorageTexels>),
    NeedsLater("StorageTexelBuffer", "03010", &MakeLater<kStorageTexels>, &MakeLater<kUniformTexels>),
    NeedsLater("InlineUniformBlock", "02211", &MakeLater<kInline, 4>),
    NeedsLater("AccelerationStructure", "03570", &MakeLater<VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR>),
    Needs("BindingFlagsCreateInfo-descriptorBindingUpdateUnusedWhilePending-03012",
          &Flag<VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT>),
    Needs("BindingFlagsCreateInfo-descriptorBindingPartiallyBound-03013",
          &Flag<VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT>),
    Needs("BindingFlagsCreateInfo-descriptorBindingVariableDescriptorCount-03014", &Flag<kVariable>),

    {"MutableDescriptorTypeListEXT-descriptorTypeCount-04597",
     [](Parts& p) { MakeMutable(p), p.mutable_types = {{}}; }},
    {"MutableDescriptorTypeListEXT-descriptorTypeCount-04599", [](Parts& p) { p.mutable_types = {{kUniform}}; },
     [](Parts& p) { p.mutable_types = {{}}; }},
    {"MutableDescriptorTypeListEXT-pDescriptorTypes-04598", &AddMutableType<kStorage>,
     &AddMutableType<VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE>},
    {"MutableDescriptorTypeListEXT-pDescriptorTypes-04600", &AddMutableType<VK_DESCRIPTOR_TYPE_MUTABLE_EXT>},
    {"MutableDescriptorTypeListEXT-pDescriptorTypes-04601", &AddMutableType<kDynamic>},
    {"MutableDescriptorTypeListEXT-pDescriptorTypes-04602", &AddMutableType<kDynamicUniform>},
    {"MutableDescriptorTypeListEXT-pDescriptorTypes-04603", &AddMutableType<kInline>},
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
  const std::string id = (row.id.starts_with("Mutable") ? "VUID-Vk" : "VUID-VkDescriptorSetLayout") + row.id;
  Ask(wrong);
  ExpectAlone(id);
  MakeLayout(wrong);
  ExpectAlone(id);
}

INSTANTIATE_TEST_SUITE_P(EachRule, SetLayoutCases, ::testing::ValuesIn(kCases),
                         [](const auto& row) { return row.param.id.substr(row.param.id.size() - 5); });

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
