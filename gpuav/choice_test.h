// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_CHOICE_TEST_H_
#define ASSAY_GPUAV_CHOICE_TEST_H_

#include <algorithm>
#include <string>
#include <vector>

#include "dispatch/dispatch.h"
#include "gpuav/driver_test.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// Notes what the driver records: "original" where a pipeline or shader object is bound that the application has,
// "other" where it is one of ours, "set" where our set is bound, and actions.
class ChoiceTest : public GpuavDriverTest {
 protected:
  void SetUp() override {}

  // A device whose setting is the text; tests with more call Create themselves.
  void CreateWith(const char* setting, const char* text) { Create(OptionsWith(setting, text)); }
  test::DeviceOptions OptionsWith(const char* setting, const char* text) {
    text_ = text;
    test::DeviceOptions options = GpuavDriverTest::Options();
    options.other_settings = {{"VK_LAYER_ASSAY_validation", setting, VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &text_}};
    return options;
  }

  using Commands = std::vector<std::string>;
  template <class F>
  Commands Recorded(const F& commands) {
    recorded_.clear();
    driver().SetObserver([this](vk::CommandId id, const void* parameters) { Note(id, parameters); });
    last_ = Record(commands);
    driver().SetObserver(nullptr);
    return recorded_;
  }
  // Binds the pipeline and dispatches twice.
  Commands RecordedWith(VkPipeline pipeline) {
    const VkDescriptorSet set = MakeWrittenSet();
    return Recorded([&](VkCommandBuffer commands) {
      Bind(commands, pipeline, set);
      vk.CmdDispatch(commands, 1, 1, 1);
      vk.CmdDispatch(commands, 1, 1, 1);
    });
  }
  void Bind(VkCommandBuffer commands, VkPipeline pipeline, VkDescriptorSet set) {
    known_.push_back(reinterpret_cast<uint64_t>(dispatch::DriverHandle(pipeline)));
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set, 0, nullptr);
  }
  void BeginRegion(VkCommandBuffer commands, const char* name) {
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = name};
    vk.CmdBeginDebugUtilsLabelEXT(commands, &label);
  }

  size_t LivePipelines() const { return driver().LiveObjects(VK_OBJECT_TYPE_PIPELINE); }

  // The driver's handles of what the application has.
  std::vector<uint64_t> known_;
  VkCommandBuffer last_ = VK_NULL_HANDLE;

 private:
  template <class H>
  std::string NameOf(H handle) const {
    return std::ranges::count(known_, reinterpret_cast<uint64_t>(handle)) != 0 ? "original" : "other";
  }

  void Note(vk::CommandId id, const void* parameters) {
    switch (id) {
      case vk::CommandId::kCmdBindPipeline:
        recorded_.push_back(NameOf(static_cast<const vk::CmdBindPipeline*>(parameters)->pipeline));
        break;
      case vk::CommandId::kCmdBindShadersEXT:
        recorded_.push_back(NameOf(static_cast<const vk::CmdBindShadersEXT*>(parameters)->pShaders[0]));
        break;
      case vk::CommandId::kCmdBindDescriptorSets:
        if (static_cast<const vk::CmdBindDescriptorSets*>(parameters)->dynamicOffsetCount != 0) {
          recorded_.emplace_back("set");
        }
        break;
      case vk::CommandId::kCmdDispatch:
        recorded_.emplace_back("dispatch");
        break;
      case vk::CommandId::kCmdDispatchIndirect:
        recorded_.emplace_back("dispatch indirect");
        break;
      case vk::CommandId::kCmdCopyBuffer:
        recorded_.emplace_back("copy");
        break;
      case vk::CommandId::kCmdDraw:
        recorded_.emplace_back("draw");
        break;
      case vk::CommandId::kCmdBeginTransformFeedbackEXT:
        recorded_.emplace_back("begin feedback");
        break;
      case vk::CommandId::kCmdPreprocessGeneratedCommandsEXT:
        recorded_.emplace_back("preprocess");
        break;
      case vk::CommandId::kCmdExecuteGeneratedCommandsEXT:
        recorded_.emplace_back("execute");
        break;
      default:
        break;
    }
  }

  const char* text_ = nullptr;
  Commands recorded_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_CHOICE_TEST_H_
