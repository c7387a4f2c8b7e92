// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_VIDEO_VIDEO_RULES_H_
#define ASSAY_CORE_VIDEO_VIDEO_RULES_H_

// Video sessions, their parameters, and the commands of video coding scopes.
//
// A session has a *profile*: a codec operation with its formats. What the driver can do with a profile is asked once,
// when the session is created; what it does not say, or says to be 0, is not known and allows everything. The rules are
// rows of tables, as in core/resources, or functions that the codecs share (codecs.h). Parameters of a session are
// never changed: an update replaces what is noted of them.
//
// A *coding scope* is what stands between vkCmdBeginVideoCodingKHR and vkCmdEndVideoCodingKHR. It begins with the rate
// control state that the session has, and so the recording knows the rate control mode of each command.
//
// Not here: what depends on the order of execution, such as which slots of the decoded picture buffer are active, and
// whether the session was reset. The layouts of pictures are not tracked. Rules of one structure are stateless's.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/recording/recording_scope.h"
#include "core/set_layouts/handle_map.h"
#include "core/video/video_facts.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {

// What is noted of objects.
struct NotedVideo {
  std::shared_ptr<const VideoSession> Session(VkVideoSessionKHR session) const {
    return sessions.Find(session).value_or(nullptr);
  }
  std::shared_ptr<const VideoParameters> Parameters(VkVideoSessionParametersKHR of) const {
    return parameters.Find(of).value_or(nullptr);
  }

  HandleMap<std::shared_ptr<const VideoSession>> sessions;
  HandleMap<std::shared_ptr<const VideoParameters>> parameters;
  // The indices of a session that have memory. Nothing where a bind has failed, and may have been done in part.
  HandleMap<std::optional<std::vector<uint32_t>>> bound;
  // Of images and buffers that are created with profiles, and of query pools with one.
  HandleMap<std::vector<VideoProfile>> images, buffers, pools;
};

// The validator. Needs the sub-states that CommandRules attaches.
class VideoRules {
 public:
  // `device` must outlive this.
  explicit VideoRules(const dispatch::Device& device);

  void PreCallValidate(const vk::CreateVideoSessionKHR& call, messages::Report& report) const;
  void PostCallRecord(const vk::CreateVideoSessionKHR& call, VkResult result);
  void PreCallRecord(const vk::DestroyVideoSessionKHR& call);
  void PreCallValidate(const vk::BindVideoSessionMemoryKHR& call, messages::Report& report) const;
  void PostCallRecord(const vk::BindVideoSessionMemoryKHR& call, VkResult result);

  void PreCallValidate(const vk::CreateVideoSessionParametersKHR& call, messages::Report& report) const;
  void PostCallRecord(const vk::CreateVideoSessionParametersKHR& call, VkResult result);
  void PreCallRecord(const vk::DestroyVideoSessionParametersKHR& call);
  void PreCallValidate(const vk::UpdateVideoSessionParametersKHR& call, messages::Report& report) const;
  void PostCallRecord(const vk::UpdateVideoSessionParametersKHR& call, VkResult result);
  void PreCallValidate(const vk::GetEncodedVideoSessionParametersKHR& call, messages::Report& report) const;

  void PreCallValidate(const vk::CmdBeginVideoCodingKHR& call, dispatch::Slot& slot, messages::Report& report) const;
  void PostCallRecord(const vk::CmdBeginVideoCodingKHR& call, dispatch::Slot& slot);
  void PreCallValidate(const vk::CmdEndVideoCodingKHR& call, dispatch::Slot& slot, messages::Report& report) const;
  void PostCallRecord(const vk::CmdEndVideoCodingKHR& call, dispatch::Slot& slot);
  void PreCallValidate(const vk::CmdControlVideoCodingKHR& call, dispatch::Slot& slot, messages::Report& report) const;
  void PostCallRecord(const vk::CmdControlVideoCodingKHR& call, dispatch::Slot& slot);
  void PreCallValidate(const vk::CmdDecodeVideoKHR& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdEncodeVideoKHR& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallRecord(const vk::CmdDecodeVideoKHR& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdEncodeVideoKHR& call, dispatch::Slot& slot) const;

  void PreCallValidate(const vk::CmdBeginQuery& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBeginQueryIndexedEXT& call, dispatch::Slot& slot, messages::Report& report) const;

  void PostCallRecord(const vk::CreateImage& call, VkResult result);
  void PreCallRecord(const vk::DestroyImage& call);
  void PostCallRecord(const vk::CreateBuffer& call, VkResult result);
  void PreCallRecord(const vk::DestroyBuffer& call);
  void PostCallRecord(const vk::CreateQueryPool& call, VkResult result);
  void PreCallRecord(const vk::DestroyQueryPool& call);

 private:
  // Of vkCmdDecodeVideoKHR and vkCmdEncodeVideoKHR. `name` is what the command calls `info`.
  template <class Info>
  void CheckCoding(const Info* info, std::string_view name, const dispatch::Slot& slot, messages::Report& report) const;

  const dispatch::Device& device_;
  // False for a device without video, of which nothing is noted.
  const bool has_video_;
  // Of each queue family.
  struct Family {
    VkVideoCodecOperationFlagsKHR operations = 0;
    // Nothing if the driver does not say.
    std::optional<bool> has_status_queries;
  };
  std::vector<Family> families_;
  NotedVideo noted_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_VIDEO_VIDEO_RULES_H_
