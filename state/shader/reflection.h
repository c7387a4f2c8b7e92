// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SHADER_REFLECTION_H_
#define ASSAY_STATE_SHADER_REFLECTION_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "vk/vulkan.h"

namespace assay::spirv_instrument {
class Module;
}  // namespace assay::spirv_instrument

// Reflection of an entry point: the descriptors that it accesses, and how. This part of a pipeline's interface decides
// which memory a draw, dispatch or trace accesses through its descriptor sets.
//
// A descriptor counts as read or written when an instruction that the entry point can reach, through calls, accesses
// the memory behind it: loads, stores, atomics, image samples, fetches, reads and writes, cooperative matrix loads and
// stores, traversal of an acceleration structure. A query of an array's length or an image's size, or a pointer that is
// not dereferenced, is no access. The analysis tracks pointers and handles through access chains, copies, selections,
// parameters, return values and local variables. Blocks that no branch reaches, after branches on constants and
// specialization constants are decided, do not count. All others do, whatever calls the function, so it may list a
// descriptor that is not accessed, but never misses one.
namespace assay::state {

struct ReflectedDescriptor {
  enum class Kind {
    kUniformBuffer,
    kStorageBuffer,
    // Also a combined image sampler.
    kSampledImage,
    kSampler,
    kStorageImage,
    kUniformTexelBuffer,
    kStorageTexelBuffer,
    kInputAttachment,
    kAccelerationStructure,
  };

  uint32_t set;
  uint32_t binding;
  // At least one of the two is true. Sampling reads the sampler.
  bool is_read;
  bool is_written;
  // The kind of the image if an image and a sampler share a binding.
  Kind kind;
  // Number of descriptors in the shader's declaration: 1 if it is no array, 0 for a runtime array. The largest if
  // several variables share a binding.
  uint32_t array_size;
  // Whether all of its accesses are atomic, with a scope (SPIR-V, "Scope <id>") that includes the queue's other work.
  bool is_atomic = false;

  // An element of an array of descriptors. As the descriptor's own members of these names.
  struct Element {
    uint32_t index;
    bool is_read;
    bool is_written;
    bool is_atomic = false;
    friend bool operator==(const Element&, const Element&) = default;
  };
  // Of an array: the elements that the shader names by constants, by index.
  std::vector<Element> elements = {};
  // Of an array: what the shader accesses by indices that are not constant. The index has no meaning.
  std::optional<Element> unknown_element = {};
  // For an input attachment: the first element's InputAttachmentIndex, if it has one.
  std::optional<uint32_t> input_attachment_index = {};
  // For a uniform or storage block of a fixed size, that size in bytes. 0 if it ends with a runtime array or its layout
  // is not explicit. The largest if several variables share a binding.
  uint64_t block_size = 0;

  friend bool operator==(const ReflectedDescriptor&, const ReflectedDescriptor&) = default;
};

struct EntryPointInterface {
  // Sorted by set, then binding; one for each pair.
  std::vector<ReflectedDescriptor> descriptors;
  // False if there is no such entry point, or the words are not SPIR-V in the host's byte order that
  // spirv_instrument::Module::Read accepts. Then all else is empty.
  bool found = false;
  // Invocations in each dimension of a workgroup (compute, task, mesh); 1 for other stages.
  std::array<uint32_t, 3> local_size = {1, 1, 1};
  // A bit for each location below 32 that a vertex shader declares an attribute for.
  uint32_t input_locations = 0;
  // A bit for each location below 32 that a fragment shader declares an output for.
  uint32_t output_locations = 0;
  // A bit for each transform feedback buffer that the entry point writes when transform feedback is active: all that
  // the module declares, if the entry point has the execution mode Xfb.
  uint32_t transform_feedback_buffers = 0;
  // Execution modes of a fragment shader: EarlyFragmentTests, DepthReplacing, StencilRefReplacingEXT, interlocks.
  bool early_fragment_tests = false;
  // One of the modes of SPV_EXT_fragment_shader_interlock.
  bool has_fragment_interlock = false;
  bool writes_depth = false;
  bool writes_stencil = false;
  // Whether the module may discard fragments or samples of them, in whichever function.
  bool may_discard_fragments = false;
  // Whether the module declares push constants.
  bool has_push_constants = false;
};

// Reflects an entry point. `words` is a whole module. It may be invalid in any way: the only failure is that `found` is
// false. `stage` is one bit. Specialization constants have the values of `specialization`, or their defaults if it is
// null or has none. Time is linear in the size of the module for shaders without variable pointers.
EntryPointInterface ReflectEntryPoint(absl::Span<const uint32_t> words, std::string_view entry_point,
                                      VkShaderStageFlagBits stage,
                                      const VkSpecializationInfo* specialization = nullptr);
// The same of a module that was read, to which the result does not refer.
EntryPointInterface ReflectEntryPointIn(const spirv_instrument::Module& module, std::string_view entry_point,
                                        VkShaderStageFlagBits stage,
                                        const VkSpecializationInfo* specialization = nullptr);

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_REFLECTION_H_
