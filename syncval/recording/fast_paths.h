// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_FAST_PATHS_H_
#define ASSAY_SYNCVAL_RECORDING_FAST_PATHS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "syncval/engine/engine.h"
#include "vk/vulkan.h"

// Keys of commands that were found in order. A command with the key of an earlier one is in order too, and its accesses
// are already recorded: it needs no check.
namespace assay::syncval {

// The state of a bind point when a command that only reads was last found in order. While only reads are recorded, the
// same command again is in order too.
struct ReadOnlyAccessKey {
  // The VkPipeline or VkShaderEXT.
  uint64_t program = 0;
  uint64_t sets_key = 0;
  // The context's, and the number of late writes. The context's first version is not 0 by the time that anything is
  // recorded.
  uint64_t version = 0;
  bool operator==(const ReadOnlyAccessKey&) const = default;
};

// The accesses of a shader in the log (CommandLog). As long as they are there, the same program accesses the same with
// the same sets: an update of a set would make the command buffer invalid.
struct LoggedAccesses {
  // As those of ReadOnlyAccessKey.
  uint64_t program = 0;
  uint64_t sets_key = 0;
  // Of the log, which never is 0.
  uint32_t generation = 0;
  uint32_t first = 0;
  uint32_t count = 0;
};

// All that decides what a draw accesses, except for its own parameters.
struct DrawAccessKey {
  VkPipeline pipeline = VK_NULL_HANDLE;
  uint64_t sets_key = 0;
  uint64_t draw_key = 0;
  // The context's and the RenderPassInstance's.
  uint64_t version = 0;
  uint32_t rendering = 0;

  // Without a branch for each member: for most draws all are equal.
  bool operator==(const DrawAccessKey& other) const {
    return ((reinterpret_cast<uint64_t>(pipeline) ^ reinterpret_cast<uint64_t>(other.pipeline)) |
            (sets_key ^ other.sets_key) | (draw_key ^ other.draw_key) | (version ^ other.version) |
            (rendering ^ other.rendering)) == 0;
  }
};

// A draw's parameters. Equal parameters compare equal; others practically never do.
struct DrawParameters {
  // The command's number plus one; 0 for a draw that equals no other.
  uint64_t command = 0;
  std::array<uint64_t, 4> words = {};

  bool operator==(const DrawParameters& other) const {
    uint64_t difference = command ^ other.command;
    for (size_t i = 0; i < words.size(); ++i) difference |= words[i] ^ other.words[i];
    return difference == 0 && command != 0;
  }
};

// A draw that was found in order. The same draw again is in order too, whatever it writes: attachments are written in
// rasterization order, and storage that draws of one instance share is not compared (see ReportAccessHazards).
struct RecordedDraw {
  DrawAccessKey key;
  DrawParameters parameters;
};

// All that decides what a draw accesses besides vertex, index and argument buffers.
struct DrawStateAccessKey {
  VkPipeline pipeline = VK_NULL_HANDLE;
  uint64_t sets_key = 0;
  uint64_t draw_key = 0;
  uint64_t version = 0;
  uint32_t rendering = 0;
  bool operator==(const DrawStateAccessKey&) const = default;
};

// An element of a descriptor array that was found in order, for commands whose shader computes the index. It is only a
// guess where to look first, and needs no reset.
class ElementsInOrder {
 public:
  // The element of a binding in the set that is bound with the key (BoundSet::key).
  uint32_t& Of(uint64_t set_key, uint32_t binding) {
    return elements_[((set_key + binding) * 0x9E3779B97F4A7C15u) >> 58];
  }

 private:
  std::array<uint32_t, 64> elements_ = {};
};

// The keys of a recording. A key holds the context's version, so keys need no reset.
class FastPaths {
 public:
  bool HasReads(const ReadOnlyAccessKey& key) const {
    const auto is_same = [&](const ReadOnlyAccessKey& other) { return other == key; };
    return reads_[key.sets_key % kReadSets].Find(is_same) != nullptr;
  }
  void NoteReads(const ReadOnlyAccessKey& key) {
    reads_[key.sets_key % kReadSets].Put(key, [&](const ReadOnlyAccessKey& other) {
      return other.sets_key == key.sets_key && other.program == key.program;
    });
  }

  // Null if the accesses are not known to be in the log.
  const LoggedAccesses* FindLogged(const ReadOnlyAccessKey& key, uint32_t generation) const {
    return logged_[key.sets_key % kReadSets].Find([&](const LoggedAccesses& other) {
      return other.sets_key == key.sets_key && other.program == key.program && other.generation == generation;
    });
  }
  void NoteLogged(const LoggedAccesses& logged) {
    logged_[logged.sets_key % kReadSets].Put(
        logged, [&](const LoggedAccesses& other) { return other.generation != logged.generation; });
  }

  // The slot of the draws with the key. It may hold another draw.
  RecordedDraw& DrawFor(const DrawAccessKey& key) {
    const uint64_t hash = key.draw_key ^ key.sets_key ^ reinterpret_cast<uint64_t>(key.pipeline);
    return draws_[(hash * 0x9E3779B97F4A7C15u) >> 58];
  }
  // The slot of the last draw with the pipeline. It may hold another pipeline's.
  DrawStateAccessKey& DrawStateOf(VkPipeline pipeline) {
    return draw_states_[(reinterpret_cast<uint64_t>(pipeline) * 0x9E3779B97F4A7C15u) >> 58];
  }

 private:
  static constexpr size_t kReadSets = 32;
  static constexpr size_t kDraws = 64;
  static constexpr size_t kDrawStates = 64;

  std::array<CacheSet<ReadOnlyAccessKey, 4>, kReadSets> reads_;
  std::array<CacheSet<LoggedAccesses, 2>, kReadSets> logged_;
  std::array<RecordedDraw, kDraws> draws_;
  std::array<DrawStateAccessKey, kDrawStates> draw_states_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_FAST_PATHS_H_
