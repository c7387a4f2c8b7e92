// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/runner/resources.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/corpus/description/formats.h"
#include "spirv_instrument/corpus/runner/images.h"
#include "spirv_instrument/corpus/runner/scenes.h"

namespace assay::spirv_instrument::corpus {
namespace {

template <class T, class Name>
const T* Find(const std::vector<T>& list, std::string_view name, const Name& name_of) {
  auto found = std::ranges::find(list, name, name_of);
  return found == list.end() ? nullptr : &*found;
}

bool IsDoomed(const Setup& setup, const std::string& name) {
  return std::ranges::any_of(setup.bindings, [&](const BindingDescription& binding) {
    return std::ranges::any_of(binding.elements, [&](const Element& element) {
      return element.state == Element::State::kDestroyed && element.resource == name;
    });
  });
}

absl::StatusOr<VkSampler> MakeSampler(Objects& objects, const SamplerDescription& description) {
  VkSamplerCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
      .magFilter = description.filter,
      .minFilter = description.filter,
      .mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
      .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
      .compareEnable = description.compare,
      .compareOp = VK_COMPARE_OP_LESS,
      .maxLod = description.unnormalized ? 0.0f : VK_LOD_CLAMP_NONE,
      .unnormalizedCoordinates = description.unnormalized,
  };
  const VkDevice device = objects.device().handle();
  VkSampler sampler = VK_NULL_HANDLE;
  absl::Status status = Check(objects.vk().CreateSampler(device, &info, nullptr, &sampler), "vkCreateSampler");
  if (!status.ok()) return status;
  objects.Defer([&objects, sampler] { objects.vk().DestroySampler(objects.device().handle(), sampler, nullptr); });
  return sampler;
}

}  // namespace

absl::StatusOr<Resources> Resources::Make(Objects& objects, Objects& doomed, const Setup& setup) {
  Resources resources;
  if (absl::Status status = resources.MakeBuffers(objects, doomed, setup); !status.ok()) return status;
  if (absl::Status status = resources.MakeImages(objects, doomed, setup); !status.ok()) return status;
  if (absl::Status status = resources.MakeScenes(objects, doomed, setup); !status.ok()) return status;
  return resources;
}

absl::Status Resources::MakeBuffers(Objects& objects, Objects& doomed, const Setup& setup) {
  for (const BufferDescription& description : setup.buffers) {
    const bool is_doomed = IsDoomed(setup, description.name);
    absl::StatusOr<MappedBuffer> mapped = (is_doomed ? doomed : objects).MakeBuffer(description.size);
    if (!mapped.ok()) return mapped.status();
    buffers_.push_back(
        {description.name, mapped->handle, mapped->address, description.size, mapped->memory, is_doomed});
  }
  // Contents may have the address of any buffer.
  for (size_t i = 0; i < buffers_.size(); ++i) {
    absl::StatusOr<std::vector<uint8_t>> bytes = Resolve(setup.buffers[i].contents);
    if (!bytes.ok()) return bytes.status();
    std::ranges::copy(*bytes, buffers_[i].memory);
  }
  return absl::OkStatus();
}

absl::Status Resources::MakeImages(Objects& objects, Objects& doomed, const Setup& setup) {
  for (const ImageDescription& description : setup.images) {
    const bool is_doomed = IsDoomed(setup, description.name);
    absl::StatusOr<VkImage> image = MakeImage(is_doomed ? doomed : objects, description);
    if (!image.ok()) return image.status();
    absl::StatusOr<std::vector<uint8_t>> bytes = Resolve(description.contents);
    if (!bytes.ok()) return bytes.status();
    if (absl::Status status = FillImage(objects, description, *image, *bytes); !status.ok()) return status;
    images_.push_back({&description, *image, TexelSize(description.format), is_doomed});
  }
  for (const SamplerDescription& description : setup.samplers) {
    const bool is_doomed = IsDoomed(setup, description.name);
    absl::StatusOr<VkSampler> sampler = MakeSampler(is_doomed ? doomed : objects, description);
    if (!sampler.ok()) return sampler.status();
    samplers_.push_back({description.name, *sampler, is_doomed});
  }
  return absl::OkStatus();
}

absl::Status Resources::MakeScenes(Objects& objects, Objects& doomed, const Setup& setup) {
  for (const SceneDescription& description : setup.scenes) {
    absl::StatusOr<std::vector<uint8_t>> bytes = Resolve(description.contents);
    if (!bytes.ok()) return bytes.status();
    const bool is_doomed = IsDoomed(setup, description.name);
    absl::StatusOr<VkAccelerationStructureKHR> top_level = MakeScene(is_doomed ? doomed : objects, description, *bytes);
    if (!top_level.ok()) return top_level.status();
    scenes_.push_back({description.name, *top_level, is_doomed});
  }
  return absl::OkStatus();
}

void Resources::ForgetDoomed() {
  std::erase_if(buffers_, [](const Buffer& buffer) { return buffer.is_doomed; });
  std::erase_if(images_, [](const Image& image) { return image.is_doomed; });
  std::erase_if(samplers_, [](const Sampler& sampler) { return sampler.is_doomed; });
  std::erase_if(scenes_, [](const Scene& scene) { return scene.is_doomed; });
}

const Buffer* Resources::FindBuffer(std::string_view name) const { return Find(buffers_, name, &Buffer::name); }

const Image* Resources::FindImage(std::string_view name) const {
  return Find(images_, name, [](const Image& image) -> std::string_view { return image.description->name; });
}

const Sampler* Resources::FindSampler(std::string_view name) const { return Find(samplers_, name, &Sampler::name); }

const Scene* Resources::FindScene(std::string_view name) const { return Find(scenes_, name, &Scene::name); }

absl::StatusOr<std::vector<uint8_t>> Resources::Resolve(const Contents& contents) const {
  std::vector<uint8_t> bytes = contents.bytes;
  for (const AddressInContents& address : contents.addresses) {
    const Buffer* buffer = FindBuffer(address.buffer);
    if (buffer == nullptr) return absl::NotFoundError(absl::StrCat("there is no buffer ", address.buffer));
    const VkDeviceAddress value = buffer->address + static_cast<uint64_t>(address.addend);
    std::memcpy(bytes.data() + address.offset, &value, sizeof(value));
  }
  return bytes;
}

}  // namespace assay::spirv_instrument::corpus
