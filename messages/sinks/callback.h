// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_SINKS_CALLBACK_H_
#define ASSAY_MESSAGES_SINKS_CALLBACK_H_

#include <atomic>
#include <exception>
#include <memory>

#include "messages/message/message.h"
#include "messages/message/object_ref.h"
#include "messages/sinks/rendering.h"
#include "vk/vulkan.h"

namespace assay::messages {

// A function of the application that receives messages: that of a VkDebugUtilsMessengerEXT, of a
// VkDebugReportCallbackEXT, or of one of their create infos in the pNext chain of VkInstanceCreateInfo. Immutable,
// except that it can be retired.
class Callback {
 public:
  // identity is the messenger's or report callback's handle; a null handle for one from VkInstanceCreateInfo::pNext.
  explicit Callback(ObjectRef identity) : identity_(identity) {}
  virtual ~Callback() = default;
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;

  ObjectRef identity() const { return identity_; }

  // Whether the callback receives some messages of this severity.
  virtual bool IsEnabledFor(Severity severity) const = 0;
  virtual bool IsEnabledFor(const Message& message) const = 0;

  // Calls the application's function and returns its result: whether the Vulkan call is to be skipped. Does nothing if
  // retired. No lock may be held: the function may do anything, and may not return.
  bool Call(Rendering& rendering) const;

  // Whether Call() is running on this thread. If so, the function itself caused the message.
  bool IsRunningOnThisThread() const;

  // After this the function is not called any more. The specification requires that no other thread is in a Vulkan
  // command meanwhile. This is for a function that destroys another messenger.
  void Retire() { retired_.store(true, std::memory_order_relaxed); }

 private:
  virtual bool Invoke(Rendering& rendering) const = 0;

  const ObjectRef identity_;
  std::atomic<bool> retired_ = false;
};

// Whether an exception came from an application's function, on this thread. Such an exception is not the layer's to
// catch.
bool IsFromCallback(const std::exception_ptr& exception);

// Null when the create info has no function. The create info and its chain are not referred to afterwards.
std::shared_ptr<Callback> MakeCallback(ObjectRef identity, const VkDebugUtilsMessengerCreateInfoEXT& create_info);
std::shared_ptr<Callback> MakeCallback(ObjectRef identity, const VkDebugReportCallbackCreateInfoEXT& create_info);

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_SINKS_CALLBACK_H_
