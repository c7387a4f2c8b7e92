// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_DESCRIPTION_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_DESCRIPTION_H_

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "spirv_instrument/corpus/vulkan.h"

// A program of the corpus as data: what runs, on which resources, and what is to come of it. description/parse.h makes
// it of the directives at the top of a GLSL source; corpus.h describes these. Tests that make modules fill it in.
namespace assay::spirv_instrument::corpus {

// The device address of a buffer, as 8 bytes within contents.
struct AddressInContents {
  // Where the 8 bytes are.
  uint64_t offset = 0;
  std::string buffer;
  // Added to the buffer's address.
  int64_t addend = 0;
};

// Bytes, some of which are known when the buffers exist.
struct Contents {
  std::vector<uint8_t> bytes;
  std::vector<AddressInContents> addresses;
};

// A buffer with its own memory, that has a device address and may be used for everything. What `contents` does not
// cover is zero.
struct BufferDescription {
  std::string name;
  uint64_t size = 0;
  Contents contents;
};

// An image that may be used for all that its format can. `contents` is what all levels hold, the largest first; a
// level is its layers, one after another, each tightly packed. What `contents` does not cover is zero. An image with
// several samples has no contents but one texel, that all samples are cleared to.
struct ImageDescription {
  std::string name;
  // VK_IMAGE_VIEW_TYPE_CUBE and CUBE_ARRAY are images that cube views can be made of. It is also the type of the views
  // of descriptors that do not say another.
  VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkExtent3D extent = {1, 1, 1};
  uint32_t levels = 1;
  uint32_t layers = 1;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  Contents contents;
};

// A sampler that clamps to the edge.
struct SamplerDescription {
  std::string name;
  VkFilter filter = VK_FILTER_NEAREST;
  bool unnormalized = false;
  bool compare = false;
};

// A top-level acceleration structure with one instance, that is not transformed, of one opaque geometry. `contents`
// holds three floats for each corner of each triangle, or six for each box: the smallest coordinates, then the largest.
struct SceneDescription {
  std::string name;
  bool is_boxes = false;
  Contents contents;
};

// A descriptor of a binding.
struct Element {
  enum class State : uint8_t {
    kWritten,
    // Never written. The binding is partially bound.
    kUnwritten,
    // Written with VK_NULL_HANDLE.
    kNull,
    // Written with a resource that is destroyed before the work is submitted.
    kDestroyed,
  };
  State state = State::kWritten;
  // The buffer, image, sampler or scene.
  std::string resource;
  // Of a combined image sampler.
  std::string sampler;
  // Of a buffer.
  uint64_t offset = 0;
  uint64_t range = VK_WHOLE_SIZE;
  uint32_t dynamic_offset = 0;
  // Of a texel buffer.
  VkFormat format = VK_FORMAT_UNDEFINED;
  // Of an image: the type of the view, and its first level, with which it ends unless `all_levels`.
  VkImageViewType view_type = VK_IMAGE_VIEW_TYPE_MAX_ENUM;
  uint32_t level = 0;
  bool all_levels = true;
  // What a mutable descriptor is. Of others, the type of the binding.
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_MAX_ENUM;
};

// A binding of a descriptor set layout, and the descriptors that are written to it.
struct BindingDescription {
  uint32_t set = 0;
  uint32_t binding = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  // Descriptors of the layout; of an inline uniform block, bytes.
  uint32_t count = 1;
  // VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT. The set is allocated with as many descriptors as `elements`
  // has; the layout's `count` is their maximum.
  bool is_variable = false;
  // The types that a mutable descriptor may have.
  std::vector<VkDescriptorType> mutable_types;
  // At most `count`; those beyond are not written.
  std::vector<Element> elements;
  // Of an inline uniform block.
  Contents inline_contents;
};

struct VertexBufferDescription {
  uint32_t binding = 0;
  uint32_t stride = 0;
  VkVertexInputRate rate = VK_VERTEX_INPUT_RATE_VERTEX;
  std::string buffer;
  uint64_t offset = 0;
};

struct VertexAttributeDescription {
  uint32_t location = 0;
  uint32_t binding = 0;
  VkFormat format = VK_FORMAT_UNDEFINED;
  uint32_t offset = 0;
};

struct SpecializationConstant {
  uint32_t id = 0;
  // 1, 2, 4 or 8 bytes.
  std::vector<uint8_t> value;
};

// What makes the shaders run: one command.
struct Work {
  enum class Kind : uint8_t { kDispatch, kDraw, kDrawIndexed, kDrawMeshTasks, kTraceRays };
  Kind kind = Kind::kDispatch;
  // Groups of a dispatch or of mesh tasks, width, height and depth of a trace.
  std::array<uint32_t, 3> size = {1, 1, 1};
  // Of a draw.
  uint32_t vertices = 0;
  uint32_t instances = 1;
  uint32_t first_vertex = 0;
  uint32_t first_instance = 0;
  // 32-bit indices.
  std::string index_buffer;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  uint32_t patch_vertices = 3;
};

// All that a run is given.
struct Setup {
  std::vector<BufferDescription> buffers;
  std::vector<ImageDescription> images;
  std::vector<SamplerDescription> samplers;
  std::vector<SceneDescription> scenes;
  std::vector<BindingDescription> bindings;
  Contents push_constants;
  std::vector<SpecializationConstant> specialization;
  std::vector<VertexBufferDescription> vertex_buffers;
  std::vector<VertexAttributeDescription> vertex_attributes;
  // Names of images: the color attachments. All have the same extent.
  std::vector<std::string> targets;
  Work work;
};

// What a shader may do wrong. The words in quotes are those of the directive `fault`.
enum class FaultKind : uint8_t {
  // "descriptor-index": past the descriptors of the binding.
  kDescriptorIndex,
  // "descriptor-unwritten", "descriptor-destroyed", "descriptor-null".
  kDescriptorUnwritten,
  kDescriptorDestroyed,
  kDescriptorNull,
  // "buffer-bounds": outside of the range of a buffer or texel buffer descriptor.
  kBufferBounds,
  // "address-range": not inside of one live buffer. "address-alignment".
  kAddressRange,
  kAddressAlignment,
  // "image-coordinate": coordinates, layer, level or sample outside of the view.
  kImageCoordinate,
  // "ray-time": NaN, negative, or the smallest larger than the largest. "ray-direction": zero or NaN; also the origin.
  // "ray-flags": flags that exclude one another. "ray-query": used before it is initialized, or without a hit.
  kRayTime,
  kRayDirection,
  kRayFlags,
  kRayQuery,
  // "mesh-output": past the outputs that were set. "mesh-count": more than the maximum that is declared.
  kMeshOutput,
  kMeshCount,
  // "vertex-fetch": an attribute past the end of its vertex buffer.
  kVertexFetch,
  // "division", "shift", "not-a-number".
  kDivision,
  kShift,
  kNotANumber,
};

// A record that the instrumented program has to leave.
struct ExpectedFault {
  FaultKind kind = FaultKind::kDescriptorIndex;
  // Where the instruction comes from, by the module's debug information: the source file, and its line from 1.
  std::string source;
  uint32_t line = 0;
  // An earlier fault is of the same thing, so that the step `dominated` leaves this one out.
  bool is_dominated = false;
};

// What a buffer or image holds afterwards, at an offset within its contents.
struct ExpectedContents {
  std::string resource;
  uint64_t offset = 0;
  Contents contents;
};

// Something to run the program on. Without faults, every access of the run is good, and the outputs are defined. With
// faults, the program must not run as it is, but instrumented.
struct Input {
  std::string name;
  Setup setup;
  std::vector<ExpectedContents> expected;
  std::vector<ExpectedFault> faults;
  // What debugPrintf prints, in any order: a text for each invocation that prints.
  std::vector<std::string> prints;
};

// A shader of a program.
struct Stage {
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
  // The name of the source: "loop.comp".
  std::string source;
  // Empty in what ParseDescription returns; ReadCorpus fills it in.
  std::vector<uint32_t> words;
};

// Shaders that run together, and inputs for them.
struct Program {
  // The name of the source that describes it: "loop.comp".
  std::string name;
  // What it is for, in its author's words.
  std::string purpose;
  // The stage of the source that describes it comes first.
  std::vector<Stage> stages;
  // The first one has no faults.
  std::vector<Input> inputs;
};

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_DESCRIPTION_H_
