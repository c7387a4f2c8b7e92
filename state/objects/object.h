// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_OBJECT_H_
#define ASSAY_STATE_OBJECTS_OBJECT_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "vk/vulkan.h"

namespace assay::state {

// The validators that may attach data of their own to a state object, each in its fixed slot.
enum class SubStateSlot : uint8_t { kCore, kSyncval, kGpuav, kSyncTrace };
inline constexpr size_t kSubStateSlots = 4;

// A validator's data of a state object other than a command buffer or a batch.
class ObjectSubState {
 public:
  virtual ~ObjectSubState() = default;
};

// A part of the state objects that such data may be attached to: descriptor sets, pipelines and their layouts, shader
// objects. There are many of them, so that they have room for the data of one validator: SubStateSlot::kGpuav. It is
// attached in the validator's PostCallRecord of the command that creates the object, and destroyed with the state.
class WithSubState {
 public:
  // Null if there is none. T is the type of what was attached.
  template <class T>
  T* Sub() const {
    static_assert(T::kSlot == SubStateSlot::kGpuav);
    return static_cast<T*>(sub_.get());
  }
  void Attach(std::unique_ptr<ObjectSubState> sub) { sub_ = std::move(sub); }

 private:
  std::unique_ptr<ObjectSubState> sub_;
};

// A state object. It lives while its Vulkan object exists or another state object refers to it. Ref holds it.
class Object {
 public:
  Object(VkObjectType type, uint64_t handle) : type_(type), handle_(handle) {}
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;

  VkObjectType type() const { return type_; }
  // The handle that the application has.
  uint64_t handle() const { return handle_; }

 private:
  template <class T>
  friend class Ref;
  std::atomic<uint32_t> references_{0};
  const VkObjectType type_;
  const uint64_t handle_;
};

// A counted reference to a state object.
template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) : object_(object) { Take(); }
  Ref(const Ref& other) : object_(other.object_) { Take(); }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { Drop(); }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  // Returns the object and keeps its count, which Adopt takes back.
  T* Release() { return std::exchange(object_, nullptr); }
  static Ref Adopt(T* object) {
    Ref result;
    result.object_ = object;
    return result;
  }

 private:
  void Take() {
    if (object_ != nullptr) object_->references_.fetch_add(1, std::memory_order_relaxed);
  }
  void Drop() {
    if (object_ != nullptr && object_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete object_;
  }
  T* object_ = nullptr;
};

template <class T, class... A>
Ref<T> MakeRef(A&&... arguments) {
  return Ref<T>(new T(std::forward<A>(arguments)...));
}

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_OBJECT_H_
