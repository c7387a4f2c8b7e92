// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_RESOURCES_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_RESOURCES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/runner/device.h"
#include "spirv_instrument/corpus/runner/objects.h"
#include "spirv_instrument/corpus/vulkan.h"

// The buffers, images, samplers and acceleration structures of a run, filled with their contents.
namespace assay::spirv_instrument::corpus {

struct Buffer {
  std::string name;
  VkBuffer handle = VK_NULL_HANDLE;
  VkDeviceAddress address = 0;
  uint64_t size = 0;
  // Mapped for as long as the buffer exists; coherent.
  uint8_t* memory = nullptr;
  bool is_doomed = false;
};

struct Image {
  // The program's.
  const ImageDescription* description = nullptr;
  VkImage handle = VK_NULL_HANDLE;
  // Bytes of a texel.
  uint32_t texel_size = 0;
  bool is_doomed = false;
};

struct Sampler {
  std::string name;
  VkSampler handle = VK_NULL_HANDLE;
  bool is_doomed = false;
};

struct Scene {
  std::string name;
  VkAccelerationStructureKHR top_level = VK_NULL_HANDLE;
  bool is_doomed = false;
};

// All images are in VK_IMAGE_LAYOUT_GENERAL. Everything that the work does not overwrite is visible to it.
class Resources {
 public:
  // `setup` and `objects` must outlive the result. What elements of `setup` say is destroyed belongs to `doomed`, all
  // else to `objects`.
  static absl::StatusOr<Resources> Make(Objects& objects, Objects& doomed, const Setup& setup);

  // To be called when what is doomed has been destroyed.
  void ForgetDoomed();

  // Null if there is none of that name.
  const Buffer* FindBuffer(std::string_view name) const;
  const Image* FindImage(std::string_view name) const;
  const Sampler* FindSampler(std::string_view name) const;
  const Scene* FindScene(std::string_view name) const;

  // In the order of the description.
  const std::vector<Buffer>& buffers() const { return buffers_; }
  const std::vector<Image>& images() const { return images_; }

  // The bytes, with the addresses of buffers filled in. Fails if there is no such buffer.
  absl::StatusOr<std::vector<uint8_t>> Resolve(const Contents& contents) const;

 private:
  absl::Status MakeBuffers(Objects& objects, Objects& doomed, const Setup& setup);
  absl::Status MakeImages(Objects& objects, Objects& doomed, const Setup& setup);
  absl::Status MakeScenes(Objects& objects, Objects& doomed, const Setup& setup);

  std::vector<Buffer> buffers_;
  std::vector<Image> images_;
  std::vector<Sampler> samplers_;
  std::vector<Scene> scenes_;
};

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_RESOURCES_H_
