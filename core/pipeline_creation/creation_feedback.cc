// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What drivers write into VkPipelineCreationFeedback. A pipeline that is made of binaries (VkPipelineBinaryInfoKHR)
// takes nothing from a cache or from a base pipeline, so the driver must not say that it does.

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/pipeline_creation/creation_view.h"
#include "vk/commands.h"
#include "vk/feature_info.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using messages::Location;
using vk::IsAddress;
using vk::Vuid;
using Feedback = VkPipelineCreationFeedback;

struct FeedbackIds {
  vk::VuidIndex cache_hit;
  vk::VuidIndex base;
  // Whether VkPipelineBinaryInfoKHR extends the create info. Where it does not, the chain is wrong already.
  bool may_have_binaries;
};
template <class C>
constexpr FeedbackIds kIds = {};
template <>
constexpr FeedbackIds kIds<vk::CreateGraphicsPipelines> = {Vuid("VUID-vkCreateGraphicsPipelines-binaryCount-09620"),
                                                           Vuid("VUID-vkCreateGraphicsPipelines-binaryCount-09621"),
                                                           true};
template <>
constexpr FeedbackIds kIds<vk::CreateComputePipelines> = {Vuid("VUID-vkCreateComputePipelines-binaryCount-09620"),
                                                          Vuid("VUID-vkCreateComputePipelines-binaryCount-09621"),
                                                          true};
template <>
constexpr FeedbackIds kIds<vk::CreateRayTracingPipelinesKHR> = {
    Vuid("VUID-vkCreateRayTracingPipelinesKHR-binaryCount-09620"),
    Vuid("VUID-vkCreateRayTracingPipelinesKHR-binaryCount-09621"), true};
template <>
constexpr FeedbackIds kIds<vk::CreateRayTracingPipelinesNV> = {
    Vuid("VUID-vkCreateRayTracingPipelinesNV-binaryCount-09620"),
    Vuid("VUID-vkCreateRayTracingPipelinesNV-binaryCount-09621"), false};
template <>
constexpr FeedbackIds kIds<vk::CreateExecutionGraphPipelinesAMDX> = {
    Vuid("VUID-vkCreateExecutionGraphPipelinesAMDX-binaryCount-09620"),
    Vuid("VUID-vkCreateExecutionGraphPipelinesAMDX-binaryCount-09621"), false};

// Where the driver writes the feedback of one pipeline. A count that is larger than the number of stages is a mistake
// that is reported elsewhere; the driver then does not write that far.
struct Places {
  const Feedback* whole = nullptr;
  const Feedback* stages = nullptr;
  uint32_t stage_count = 0;

  bool Has(const Feedback* place) const { return place == whole || (place >= stages && place < stages + stage_count); }
};
template <class I>
Places PlacesOf(const I& info) {
  const auto* feedback = vk::FindInChain<VkPipelineCreationFeedbackCreateInfo>(info.pNext);
  if (feedback == nullptr) return {};
  Places places;
  if (IsAddress(feedback->pPipelineCreationFeedback)) places.whole = feedback->pPipelineCreationFeedback;
  if (!IsAddress(feedback->pPipelineStageCreationFeedbacks)) return places;
  places.stages = feedback->pPipelineStageCreationFeedbacks;
  uint32_t stage_count = 1;
  if constexpr (requires { info.stageCount; }) stage_count = info.stageCount;
  places.stage_count = std::min(feedback->pipelineStageCreationFeedbackCount, stage_count);
  return places;
}

// The first place with the flag in valid feedback; null if there is none.
const Feedback* FindFlag(const Places& places, VkPipelineCreationFeedbackFlags flag) {
  const VkPipelineCreationFeedbackFlags wanted = flag | VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT;
  const auto has_flag = [&](const Feedback& written) { return (written.flags & wanted) == wanted; };
  if (places.whole != nullptr && has_flag(*places.whole)) return places.whole;
  const Feedback* const end = places.stages + places.stage_count;
  const Feedback* const found = std::find_if(places.stages, end, has_flag);
  return found != end ? found : nullptr;
}

// Whether the driver writes the feedback of another pipeline to the same place: then that one may be there now.
template <class C>
bool IsShared(const C& call, uint32_t index, const Feedback* place) {
  for (uint32_t i = 0; i < call.createInfoCount; ++i) {
    if (i != index && PlacesOf(call.pCreateInfos[i]).Has(place)) return true;
  }
  return false;
}

template <class C>
class FeedbackCheck {
 public:
  FeedbackCheck(const dispatch::Device& device, const C& call) : call_(call), report_(device.reporter(), C::kId) {}

  void Check(uint32_t index) {
    const auto& info = call_.pCreateInfos[index];
    const auto* binaries = vk::FindInChain<VkPipelineBinaryInfoKHR>(info.pNext);
    if (binaries == nullptr || binaries->binaryCount == 0) return;
    const Places places = PlacesOf(info);
    // With a cache, the application has broken another rule, and the driver may well find the pipeline there.
    if (call_.pipelineCache == VK_NULL_HANDLE) {
      CheckFlag(index, places, kIds<C>.cache_hit, VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT,
                "VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT", binaries->binaryCount);
    }
    CheckFlag(index, places, kIds<C>.base, VK_PIPELINE_CREATION_FEEDBACK_BASE_PIPELINE_ACCELERATION_BIT,
              "VK_PIPELINE_CREATION_FEEDBACK_BASE_PIPELINE_ACCELERATION_BIT", binaries->binaryCount);
  }

 private:
  void CheckFlag(uint32_t index, const Places& places, vk::VuidIndex id, VkPipelineCreationFeedbackFlags flag,
                 std::string_view name, uint32_t binary_count) {
    const Feedback* const found = FindFlag(places, flag);
    if (found == nullptr || IsShared(call_, index, found)) return;
    const Location command = report_.location();
    const Location info = command.Dot("pCreateInfos", index);
    const Location feedback = info.Next("VkPipelineCreationFeedbackCreateInfo");
    const Location place = found == places.whole ? feedback.Dot("pPipelineCreationFeedback")
                                                 : feedback.Dot("pPipelineStageCreationFeedbacks",
                                                                static_cast<uint32_t>(found - places.stages));
    report_.Error(
        id, {messages::Object(call_.pPipelines[index]), messages::Object(call_.device)}, place.Dot("flags"),
        absl::StrCat(
            "has ", name, ", but binaryCount (", binary_count, ") of VkPipelineBinaryInfoKHR is not 0. ",
            kIds<C>.may_have_binaries
                ? "The driver has written these flags: this is a mistake of the driver, not of the application."
                : "The driver has written these flags. It may have ignored VkPipelineBinaryInfoKHR, which "
                  "must not be in the chain of such a create info."),
        kIds<C>.may_have_binaries ? "The driver must not set the bit. Nothing is to be changed in the application."
                                  : "Take VkPipelineBinaryInfoKHR out of the chain.");
  }

  const C& call_;
  messages::Report report_;
};

}  // namespace

template <class C>
void CheckWrittenFeedback(const dispatch::Device& device, const C& call, VkResult result) {
  // Of a pipeline that was not created, the driver may have written nothing.
  if (result < 0 || !device.HasFeature(vk::FeatureId::kPipelineBinaries)) return;
  if (!IsAddress(call.pCreateInfos) || !IsAddress(call.pPipelines)) return;
  FeedbackCheck<C> check(device, call);
  for (uint32_t i = 0; i < call.createInfoCount; ++i) {
    if (call.pPipelines[i] != VK_NULL_HANDLE) check.Check(i);
  }
}

template void CheckWrittenFeedback(const dispatch::Device&, const vk::CreateGraphicsPipelines&, VkResult);
template void CheckWrittenFeedback(const dispatch::Device&, const vk::CreateComputePipelines&, VkResult);
template void CheckWrittenFeedback(const dispatch::Device&, const vk::CreateRayTracingPipelinesKHR&, VkResult);
template void CheckWrittenFeedback(const dispatch::Device&, const vk::CreateRayTracingPipelinesNV&, VkResult);
template void CheckWrittenFeedback(const dispatch::Device&, const vk::CreateExecutionGraphPipelinesAMDX&, VkResult);

}  // namespace assay::core
