// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A program whose shaders do nothing but wrong: 16 command buffers in flight on two queues (or on one, where there is
// no second), each with four dispatches of which every invocation writes past the end of a buffer. For as long as it is
// told to (--seconds=N), it submits each again as soon as it is complete, and adds up what messages say. Fails if a
// fault is neither reported nor counted as lost, if memory grows, or if submitting takes longer than a bar.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "testing/gpu/shaders/fault_comp.h"
#include "testing/message_log.h"
#include "testing/system_loader.h"
#include "testing/test_device.h"
#include "vk/vulkan.h"

namespace assay::test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kCommandBuffers = 16;
constexpr uint32_t kDispatches = 4;
// Those before are not judged.
constexpr uint64_t kWarmUpSubmissions = uint64_t{20} * kCommandBuffers;
constexpr uint32_t kGroups = 4;
// Each of 256 invocations of a group has eight.
constexpr uint64_t kFaultsOfSubmission = uint64_t{kDispatches} * kGroups * 256 * 8;

// A sanitizer keeps freed memory back.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMemoryCounts = false;
#else
constexpr bool kMemoryCounts = true;
#endif

struct Options {
  uint64_t seconds = 5;
  // Faults a second; what is less fails.
  uint64_t rate_bar = 0;
  // Milliseconds that the hundredth part of the submissions may take longer than; 0 for any number.
  uint64_t submit_bar = 0;
  // Percent of the memory once it is warm.
  uint64_t memory_bar = 5;
};

bool ParseArguments(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    std::string_view text = argv[i];
    uint64_t* number = nullptr;
    if (absl::ConsumePrefix(&text, "--seconds=")) number = &options.seconds;
    if (absl::ConsumePrefix(&text, "--rate_bar=")) number = &options.rate_bar;
    if (absl::ConsumePrefix(&text, "--submit_bar=")) number = &options.submit_bar;
    if (absl::ConsumePrefix(&text, "--memory_bar=")) number = &options.memory_bar;
    if (number == nullptr || !absl::SimpleAtoi(text, number)) return false;
  }
  return options.seconds != 0;
}

// What of the process is in memory, in bytes.
uint64_t Memory() {
  uint64_t total = 0;
  uint64_t resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * 4096;
}

// The number behind some words of a message; 0 if they are not there.
uint64_t NumberBehind(std::string_view text, std::string_view words) {
  const size_t found = text.find(words);
  if (found == std::string_view::npos) return 0;
  text.remove_prefix(found + words.size());
  uint64_t number = 0;
  return absl::SimpleAtoi(text.substr(0, text.find(' ')), &number) ? number : 0;
}

// What messages say.
struct Totals {
  uint64_t reported = 0;
  uint64_t lost = 0;
  uint64_t messages = 0;
  uint64_t others = 0;
};

void Add(const std::vector<Message>& messages, Totals& totals) {
  for (const Message& message : messages) {
    if ((message.types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT) == 0) continue;
    ++totals.messages;
    if (message.id == "ASSAY-gpuav-lost-records") {
      totals.lost += NumberBehind(message.text, "There was no room for ");
    } else if (message.id == "VUID-vkCmdDispatch-storageBuffers-06936") {
      totals.reported += std::max<uint64_t>(NumberBehind(message.text, "It happened "), 1);
    } else {
      if (totals.others++ == 0) std::printf("load: %s\n", message.text.c_str());
    }
  }
}

class Load {
 public:
  explicit Load(const Options& options) : options_(options) {}

  bool Run() {
    if (!Create()) return false;
    const Clock::time_point begin = Clock::now();
    end_ = begin + std::chrono::seconds(options_.seconds);
    std::vector<std::thread> threads;
    threads.reserve(queues_.size());
    for (size_t i = 0; i < queues_.size(); ++i) threads.emplace_back([this, i] { RunQueue(i); });
    Watch(begin);
    for (std::thread& thread : threads) thread.join();
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    device_.vk.DeviceWaitIdle(device_.device);
    device_.Destroy();
    Add(log_.Take(), totals_);
    return Judge(seconds);
  }

 private:
  struct Frame {
    VkCommandBuffer command_buffer = VK_NULL_HANDLE;
    VkFence fence = VK_NULL_HANDLE;
  };

  bool Create() {
    VkPhysicalDeviceVulkan13Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                 .synchronization2 = VK_TRUE};
    device_.Create({.settings = {{"gpuav_enable", true},
                                 {"gpuav_report_at_once", true},
                                 {"fold_messages", false},
                                 {"enable_message_limit", false},
                                 {"validate_sync", false},
                                 {"validate_core", false},
                                 {"object_lifetime", false},
                                 {"stateless_param", false},
                                 {"thread_safety", false}},
                    .core_features = false,
                    .features = &features});
    if (device_.device == VK_NULL_HANDLE) return false;
    queues_.push_back(device_.Queue(0, 0));
    if (HasSecondQueue()) queues_.push_back(device_.Queue(0, 1));
    frames_.resize(queues_.size());
    for (uint32_t i = 0; i < kCommandBuffers; ++i) frames_[i % queues_.size()].push_back(MakeFrame());
    log_.Take();
    return true;
  }

  bool HasSecondQueue() {
    uint32_t count = 1;
    VkQueueFamilyProperties family = {};
    device_.vk.GetPhysicalDeviceQueueFamilyProperties(device_.physical_device, &count, &family);
    return family.queueCount > 1;
  }

  Frame MakeFrame() {
    const VkDescriptorSetLayout set_layout =
        device_.MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}});
    const VkPipelineLayout layout = device_.MakePipelineLayout({set_layout});
    const VkPipeline pipeline = device_.MakeComputePipeline(layout, device_.MakeShader(k_fault_comp));
    const VkDescriptorSet set = device_.MakeSet(set_layout);
    const Buffer where = device_.MakeBuffer(16);
    const Buffer data = device_.MakeBuffer(64);
    void* mapped = nullptr;
    device_.vk.MapMemory(device_.device, where.memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    const uint32_t index = 1000;
    std::memcpy(mapped, &index, sizeof(index));
    device_.WriteBuffer(set, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, where);
    device_.WriteBuffer(set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, data);
    const VkCommandBuffer command_buffer = device_.Record([&](VkCommandBuffer commands) {
      device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
      for (uint32_t i = 0; i < kDispatches; ++i) device_.vk.CmdDispatch(commands, kGroups, 1, 1);
    });
    return {command_buffer, device_.MakeFence()};
  }

  void Submit(size_t queue, const Frame& frame) {
    const Clock::time_point begin = Clock::now();
    device_.Submit(queues_[queue], {frame.command_buffer}, {.fence = frame.fence});
    const double milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    submissions_.fetch_add(1, std::memory_order_relaxed);
    std::lock_guard lock(mutex_);
    milliseconds_.push_back(static_cast<float>(milliseconds));
  }

  // All command buffers of the queue are in flight but the one that was complete first.
  void RunQueue(size_t queue) {
    for (const Frame& frame : frames_[queue]) Submit(queue, frame);
    for (size_t next = 0; Clock::now() < end_; next = (next + 1) % frames_[queue].size()) {
      const Frame& frame = frames_[queue][next];
      device_.vk.WaitForFences(device_.device, 1, &frame.fence, VK_TRUE, UINT64_MAX);
      device_.vk.ResetFences(device_.device, 1, &frame.fence);
      Submit(queue, frame);
    }
  }

  // Takes messages, and notes the memory.
  void Watch(Clock::time_point begin) {
    const auto tenth = (end_ - begin) / 10;
    Clock::time_point next = begin + tenth;
    while (Clock::now() < end_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      Add(log_.Take(), totals_);
      if (Clock::now() < next) continue;
      next += tenth;
      {
        // Figures of this program itself take no more memory.
        std::lock_guard lock(mutex_);
        Shorten();
      }
      const uint64_t memory = Memory();
      // Before, the driver may still compile shaders.
      if (submissions_.load() >= kWarmUpSubmissions) memory_.push_back(memory);
      std::printf("load: %.1f MiB, %llu submissions\n", static_cast<double>(memory) / (1 << 20),
                  static_cast<unsigned long long>(submissions_.load()));
      std::fflush(stdout);
    }
  }

  // Keeps the longest.
  void Shorten() {
    std::ranges::sort(milliseconds_, std::greater<>());
    slow_part_.insert(slow_part_.end(), milliseconds_.begin(),
                      milliseconds_.begin() + static_cast<ptrdiff_t>((milliseconds_.size() + 99) / 100));
    milliseconds_.clear();
  }

  bool Judge(double seconds) {
    Shorten();
    std::ranges::sort(slow_part_, std::greater<>());
    const uint64_t faults = submissions_.load() * kFaultsOfSubmission;
    const double rate = static_cast<double>(faults) / seconds;
    std::printf("load: %zu queues, %.1f s, %llu submissions, %.2f million faults a second\n", queues_.size(), seconds,
                static_cast<unsigned long long>(submissions_.load()), rate * 1e-6);
    std::printf("load: %llu faults, %llu reported in %llu messages, %llu counted as lost, %llu other messages\n",
                static_cast<unsigned long long>(faults), static_cast<unsigned long long>(totals_.reported),
                static_cast<unsigned long long>(totals_.messages), static_cast<unsigned long long>(totals_.lost),
                static_cast<unsigned long long>(totals_.others));
    bool passes = true;
    const auto judge = [&passes](bool holds, const char* what) {
      std::printf("load: %s: %s\n", what, holds ? "pass" : "FAIL");
      passes &= holds;
    };
    judge(totals_.reported + totals_.lost == faults && totals_.others == 0, "every fault is reported or counted");
    judge(rate >= static_cast<double>(options_.rate_bar), "rate");
    if (!slow_part_.empty()) {
      std::printf("load: a hundredth of the submissions takes longer than %.2f ms, the longest %.2f ms\n",
                  static_cast<double>(slow_part_.back()), static_cast<double>(slow_part_.front()));
      judge(options_.submit_bar == 0 || slow_part_.back() <= static_cast<float>(options_.submit_bar), "submitting");
    }
    if (kMemoryCounts && !memory_.empty()) {
      const uint64_t most = *std::ranges::max_element(memory_);
      judge(most * 100 <= memory_.front() * (100 + options_.memory_bar), "memory");
    }
    return passes;
  }

  const Options options_;
  SystemLoader loader_;
  MessageLog log_;
  TestDevice device_{loader_, log_};
  std::vector<VkQueue> queues_;
  // By queue.
  std::vector<std::vector<Frame>> frames_;
  Clock::time_point end_;
  Totals totals_;
  std::atomic<uint64_t> submissions_{0};
  std::vector<uint64_t> memory_;
  std::mutex mutex_;
  // Of submissions; guarded by the mutex.
  std::vector<float> milliseconds_;
  std::vector<float> slow_part_;
};

}  // namespace
}  // namespace assay::test

int main(int argc, char** argv) {
  assay::test::Options options;
  if (!assay::test::ParseArguments(argc, argv, options)) {
    std::fprintf(stderr,
                 "usage: load [--seconds=N] [--rate_bar=N] [--submit_bar=MILLISECONDS] [--memory_bar=PERCENT]\n");
    return 2;
  }
  return assay::test::Load(options).Run() ? 0 : 1;
}
