// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_THREAD_SAFETY_THREAD_USE_H_
#define ASSAY_THREAD_SAFETY_THREAD_USE_H_

#include <atomic>
#include <cstdint>
#include <optional>

#include "vk/command_id.h"

// The word in an object's slot that marks the object as in use: by no thread, by one thread that writes, or by a number
// of threads that read. No thread waits for another. The second of two threads learns which was the first.
//
// Bits: 0-41 the thread (the last one of several readers), 42-49 the number of readers, 50-61 the command, 63 whether
// the thread writes.
namespace assay::thread_safety {

// A thread that is in a command.
struct UsingThread {
  // The value of pthread_self(), which debuggers print.
  uint64_t thread = 0;
  vk::CommandId command{};
  bool writes = false;
};

// The value of pthread_self() from the place where glibc keeps it, without a call.
inline uint64_t ThisThread() { return reinterpret_cast<uint64_t>(__builtin_thread_pointer()); }

// Accesses the word of one slot.
class ThreadUse {
 public:
  explicit ThreadUse(std::atomic<uint64_t>& word) : word_(word) {}

  // Marks the object as written by this thread, until EndWrite. Returns the thread whose mark conflicts; the object is
  // not marked then. A thread does not conflict with itself, as when a callback calls Vulkan.
  std::optional<UsingThread> StartWrite(uint64_t thread, vk::CommandId command) {
    uint64_t found = 0;
    if (word_.compare_exchange_strong(found, WriterBits(thread, command), std::memory_order_acquire,
                                      std::memory_order_acquire)) {
      return std::nullopt;
    }
    return OtherThread(thread, found);
  }
  // The counterpart, with the same arguments. Does nothing when StartWrite did not mark the object.
  void EndWrite(uint64_t thread, vk::CommandId command) {
    if (word_.load(std::memory_order_relaxed) == WriterBits(thread, command)) word_.store(0, std::memory_order_release);
  }

  // StartWrite without an atomic exchange, which waits for the cache line and for all stores before. Two threads that
  // begin within nanoseconds of each other may both find no conflict. For objects that the call destroys, and for those
  // that are written again and again, as a command pool is by each command: threads that overlap meet soon.
  std::optional<UsingThread> StartWriteByStore(uint64_t thread, vk::CommandId command) {
    return MarkUnused(thread, command) ? std::nullopt : OtherThread(thread, word_.load(std::memory_order_relaxed));
  }
  // The part of StartWriteByStore that is nearly always all. False if there is a mark already.
  bool MarkUnused(uint64_t thread, vk::CommandId command) {
    if (word_.load(std::memory_order_relaxed) != 0) return false;
    word_.store(WriterBits(thread, command), std::memory_order_relaxed);
    return true;
  }

  // Marks the object as read by this thread, until EndRead. Any number of threads may read at once.
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

  // Another thread that writes at this moment. Costs a load, and marks nothing.
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
  // The thread that a word names. Nothing when it names none, or only the thread itself.
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
