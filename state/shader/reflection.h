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

// What descriptors an entry point uses, and how: the part of a pipeline's interface that decides which memory a draw,
// dispatch or trace accesses through its descriptor sets.
//
// A descriptor counts as read or written when an instruction that the entry point can reach, through calls, accesses
// the memory behind it: loads, stores, atomics, image samples, fetches, reads and writes, cooperative matrix loads and
// stores, traversal of an acceleration structure. Asking for an array's length or an image's size, or pointing without
// dereferencing, accesses nothing. Pointers and handles are followed through access chains, copies, selections,
// parameters, return values and local variables; the analysis looks neither at control flow inside a function nor at
// calling contexts, so that it errs towards listing a descriptor.
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
  // At least one of the two is true. A sampler is read by what samples with it.
  bool is_read;
  bool is_written;
  // That of the image where an image and a sampler share a binding.
  Kind kind;
  // Descriptors in the shader's declaration: 1 where it is no array, 0 where it is a runtime array. The largest where
  // several variables share a binding.
  uint32_t array_size;

  // An element of an array of descriptors.
  struct Element {
    uint32_t index;
    bool is_read;
    bool is_written;
    friend bool operator==(const Element&, const Element&) = default;
  };
  // Of an array whose elements the shader names by constants: those that it uses, by index. Empty where any element may
  // be used, and for what is no array.
  std::vector<Element> elements = {};
  // Of an input attachment: the first element's InputAttachmentIndex, if it has one.
  std::optional<uint32_t> input_attachment_index = {};

  // Whether it is known which descriptors of the binding are used.
  bool has_known_elements() const { return array_size == 1 || !elements.empty(); }

  friend bool operator==(const ReflectedDescriptor&, const ReflectedDescriptor&) = default;
};

struct EntryPointInterface {
  // Sorted by set, then binding; one for each pair.
  std::vector<ReflectedDescriptor> descriptors;
  // False if there is no such entry point or the words are not SPIR-V in the host's byte order; all else is then empty.
  bool found = false;
  // Invocations in each dimension of a workgroup (compute, task, mesh); 1 for other stages.
  std::array<uint32_t, 3> local_size = {1, 1, 1};
  // A bit for each location below 32 that a vertex shader declares an attribute for.
  uint32_t input_locations = 0;
  // A bit for each location below 32 that a fragment shader declares an output for.
  uint32_t output_locations = 0;
  // A bit for each transform feedback buffer that it writes to when transform feedback is active: those that the module
  // declares, where the entry point has the execution mode Xfb.
  uint32_t transform_feedback_buffers = 0;
  // Execution modes of a fragment shader: EarlyFragmentTests, DepthReplacing and StencilRefReplacingEXT.
  bool early_fragment_tests = false;
  bool writes_depth = false;
  bool writes_stencil = false;
};

// `words` is a whole module, of which nothing is believed: no input makes this fail in another way than `found` being
// false. `stage` is one bit. Lengths and sizes that specialization constants give are those of `specialization`, or,
// where it has none or is null, the defaults. Time is linear in the module for shaders without variable pointers.
EntryPointInterface ReflectEntryPoint(absl::Span<const uint32_t> words, std::string_view entry_point,
                                      VkShaderStageFlagBits stage,
                                      const VkSpecializationInfo* specialization = nullptr);

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_REFLECTION_H_
