// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_THREAD_SAFETY_THREAD_USE_H_
#define ASSAY_THREAD_SAFETY_THREAD_USE_H_

#include <atomic>
#include <cstdint>
#include <optional>

#include "vk/command_id.h"

// The word in an object's slot that says who uses the object at this moment: nobody, one thread alone, or a number of
// threads that only read. Nobody waits for anybody; whoever comes second learns who was first.
//
// Bits: 0-41 the thread (the last one of several readers), 42-49 the number of readers, 50-61 the command, 63 whether
// it writes.
namespace assay::thread_safety {

// A thread that is in a command.
struct UsingThread {
  // What pthread_self() gives, which debuggers print.
  uint64_t thread = 0;
  vk::CommandId command{};
  bool writes = false;
};

class ThreadUse {
 public:
  explicit ThreadUse(std::atomic<uint64_t>& word) : word_(word) {}

  // Who is in the way of this thread's writing to the object; nobody as a rule, and then the object is this thread's
  // until EndWrite. A thread is not in its own way, as when a callback calls Vulkan.
  std::optional<UsingThread> StartWrite(uint64_t thread, vk::CommandId command) {
    uint64_t found = 0;
    if (word_.compare_exchange_strong(found, WriterBits(thread, command), std::memory_order_acquire,
                                      std::memory_order_acquire)) {
      return std::nullopt;
    }
    return OtherThread(thread, found);
  }
  // The counterpart, with the same arguments; does nothing when StartWrite did not get the object.
  void EndWrite(uint64_t thread, vk::CommandId command) {
    if (word_.load(std::memory_order_relaxed) == WriterBits(thread, command)) word_.store(0, std::memory_order_release);
  }

  // For an object that ends with the call, unless that is skipped: the same without waiting for the memory to be this
  // thread's, so that two threads that begin within nanoseconds of each other may both find nobody.
  std::optional<UsingThread> StartLastWrite(uint64_t thread, vk::CommandId command) {
    if (const auto other = OtherThread(thread, word_.load(std::memory_order_relaxed))) return other;
    word_.store(WriterBits(thread, command), std::memory_order_relaxed);
    return std::nullopt;
  }

  // The same for reading, which any number of threads may do at once.
  std::optional<UsingThread> StartRead(uint64_t thread, vk::CommandId command) {
    uint64_t found = word_.load(std::memory_order_relaxed);
    do {
      if ((found & kWrites) != 0)
        return (found & kThreadMask) == ThreadBits(thread) ? std::nullopt : std::optional(ToUsingThread(found));
      if (ReaderCount(found) == kMaxReaders) return std::nullopt;
    } while (!word_.compare_exchange_weak(found, ReaderBits(thread, command, ReaderCount(found) + 1),
                                          std::memory_order_acquire, std::memory_order_relaxed));
    return std::nullopt;
  }
  void EndRead() {
    uint64_t found = word_.load(std::memory_order_relaxed);
    do {
      if ((found & kWrites) != 0 || ReaderCount(found) == 0) return;
    } while (!word_.compare_exchange_weak(found, ReaderCount(found) == 1 ? 0 : found - kOneReader,
                                          std::memory_order_release, std::memory_order_relaxed));
  }

  // Another thread that writes at this moment; costs a load and leaves no trace.
  std::optional<UsingThread> OtherWriter(uint64_t thread) const {
    const uint64_t found = word_.load(std::memory_order_relaxed);
    if ((found & kWrites) == 0 || (found & kThreadMask) == ThreadBits(thread)) return std::nullopt;
    return ToUsingThread(found);
  }

 private:
  static constexpr uint64_t kWrites = uint64_t{1} << 63;
  static constexpr uint64_t kThreadMask = (uint64_t{1} << 42) - 1;
  static constexpr uint64_t kOneReader = uint64_t{1} << 42;
  static constexpr uint64_t kMaxReaders = 255;
  static constexpr int kCommandShift = 50;
  // pthread_self() points to a thread's control block, which is aligned to 64 bytes.
  static constexpr int kThreadShift = 6;
  static_assert(vk::kCommandCount < 1 << 12);

  static uint64_t ThreadBits(uint64_t thread) { return (thread >> kThreadShift) & kThreadMask; }
  static uint64_t WriterBits(uint64_t thread, vk::CommandId command) {
    return kWrites | (static_cast<uint64_t>(command) << kCommandShift) | ThreadBits(thread);
  }
  static uint64_t ReaderBits(uint64_t thread, vk::CommandId command, uint64_t count) {
    return (static_cast<uint64_t>(command) << kCommandShift) | (count * kOneReader) | ThreadBits(thread);
  }
  static uint64_t ReaderCount(uint64_t word) { return (word & kWrites) != 0 ? 0 : (word / kOneReader) & kMaxReaders; }
  // Whom a word names, unless that is nobody or the thread alone.
  static std::optional<UsingThread> OtherThread(uint64_t thread, uint64_t word) {
    const bool alone = (word & kWrites) != 0 || ReaderCount(word) == 1;
    if (word == 0 || (alone && (word & kThreadMask) == ThreadBits(thread))) return std::nullopt;
    return ToUsingThread(word);
  }
  static UsingThread ToUsingThread(uint64_t word) {
    return {(word & kThreadMask) << kThreadShift, static_cast<vk::CommandId>((word & ~kWrites) >> kCommandShift),
            (word & kWrites) != 0};
  }

  std::atomic<uint64_t>& word_;
};

}  // namespace assay::thread_safety

#endif  // ASSAY_THREAD_SAFETY_THREAD_USE_H_
