// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_INTERFACES_SHADER_INTERFACE_H_
#define ASSAY_CORE_INTERFACES_SHADER_INTERFACE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/constants/specialization.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"
#include "vk/vulkan.h"

// The interface of an entry point: what it shares with other stages, with vertex buffers, attachments and the pipeline
// layout. It is read once for an entry point, and compared many times; names and source lines are not in it, since only
// messages need them (variable_text.h).
namespace assay::core {

// A type of user-defined inputs and outputs, without structures.
struct InterfaceType {
  enum class Kind : uint8_t { kFloat, kSignedInt, kUnsignedInt, kOther };

  Kind kind = Kind::kOther;
  // Bits of a component.
  uint8_t width = 32;
  // Of a vector, or of a column of a matrix; 1 for a scalar.
  uint8_t components = 1;
  // 0 for what is no matrix.
  uint8_t columns = 0;
  // Outermost first.
  std::vector<uint32_t> lengths;

  bool is_vector() const { return components > 1 && columns == 0; }
  // How many words of a location a vector takes: one of 64 bits has two for each component.
  uint32_t words() const { return width == 64 ? 2u * components : components; }
  // Locations of one vector.
  uint32_t locations() const { return words() > 4 ? 2 : 1; }
  // How many vectors there are.
  uint32_t vector_count() const;
  friend bool operator==(const InterfaceType&, const InterfaceType&) = default;
};

// An input or output: a variable, or a member of one that is a structure.
struct InterfaceElement {
  InterfaceType type;
  uint32_t location = 0;
  uint32_t component = 0;
  // Which of the two inputs of blending a fragment output is for.
  uint32_t index = 0;
  bool is_patch = false;
  bool is_per_primitive = false;
  // Whether the entry point statically uses the variable.
  bool is_used = false;
  spirv_instrument::Id variable = spirv_instrument::kNoId;
  // From the variable to the member; elements of arrays of structures are not in it.
  std::vector<uint32_t> members;
};

// The inputs or the outputs of an entry point.
struct StageInterface {
  // Indices of elements by location and word; -1 where there is none. Those of index 1 are left out.
  std::vector<std::array<int16_t, 4>> slots;
  std::vector<InterfaceElement> elements;
  // False if something is not understood: invalid, too large, or of an extension with rules of its own. Then a missing
  // element means nothing.
  bool is_complete = true;
  // The built-ins of the interface block without PerPrimitiveEXT, in order; empty without one.
  std::vector<spv::BuiltIn> block;
  spirv_instrument::Id block_variable = spirv_instrument::kNoId;
  bool is_block_used = false;
  // All built-ins, those of the block too.
  std::vector<spv::BuiltIn> built_ins;
  // Those outside of blocks that the entry point statically uses.
  std::vector<spv::BuiltIn> used_built_ins;

  // Null where there is none.
  const InterfaceElement* At(uint32_t location, uint32_t word) const;
  bool Has(spv::BuiltIn built_in) const;
};

// What each invocation that ends does with a descriptor. Each traversal is of an acceleration structure.
enum ResourceAccess : uint32_t {
  // Accesses texels of the image; not with QCOM_image_processing.
  kAccessesImage = 1 << 0,
  // With one of OpAtomic*.
  kAccessesAtomically = 1 << 1,
  // OpTraceRayKHR, OpTraceRayMotionNV, OpHitObjectTraceRayMotionNV and OpRayQueryInitializeKHR.
  kTracesRay = 1 << 2,
  kTracesRayInMotion = 1 << 3,
  kTracesHitObjectInMotion = 1 << 4,
  kQueriesRay = 1 << 5,
  // OpRayQueryGenerateIntersectionKHR and OpRayQueryGetIntersectionTriangleVertexPositionsKHR, of such a ray query.
  kGeneratesIntersection = 1 << 6,
  kReadsPositions = 1 << 7,
  // OpImageRead, OpImageWrite.
  kReadsTexels = 1 << 8,
  kWritesTexels = 1 << 9,
  // With OpImageSample*Dref* or OpImageDrefGather.
  kComparesDepth = 1 << 10,
  // With something else than OpImageSample*, with the image operands ConstOffset or Offset.
  kIsNotSampled = 1 << 11,
  kHasOffset = 1 << 12,
  // QCOM_image_processing: the texture and the weights of OpImageSampleWeightedQCOM, the texture of
  // OpImageBoxFilterQCOM,
  // and both textures of OpImageBlockMatchSSDQCOM, of OpImageBlockMatchSADQCOM, and of OpImageBlockMatchWindow*QCOM and
  // OpImageBlockMatchGather*QCOM.
  kIsWeighted = 1 << 13,
  kHasWeights = 1 << 14,
  kIsBoxFiltered = 1 << 15,
  kMatchesSquares = 1 << 16,
  kMatchesDifferences = 1 << 17,
  kMatchesWindows = 1 << 18,
};
// What each invocation that ends does with a sampler and an image.
enum SamplerUse : uint8_t {
  // OpImageSample*.
  kSamples = 1 << 0,
  // OpImage*Gather.
  kGathers = 1 << 1,
  // An instruction of QCOM_image_processing.
  kProcesses = 1 << 2,
  // Samples with ImplicitLod, Dref or Proj in the name of the instruction.
  kNeedsNormalized = 1 << 3,
  // Samples with the image operand Bias or with offsets.
  kHasBiasOrOffset = 1 << 4,
};

// A variable that is a descriptor, or an array of them, and that the entry point statically uses.
struct ResourceVariable {
  enum class Kind : uint8_t {
    kUniformBuffer,
    kStorageBuffer,
    kSampler,
    kSampledImage,
    kCombinedImageSampler,
    kStorageImage,
    kUniformTexelBuffer,
    kStorageTexelBuffer,
    kInputAttachment,
    kAccelerationStructure,
    // Read with QCOM_image_processing.
    kProcessedImage,
    // Not known here, or invalid.
    kOther,
  };

  spirv_instrument::Id variable = spirv_instrument::kNoId;
  uint32_t set = 0;
  uint32_t binding = 0;
  Kind kind = Kind::kOther;
  // Nothing for what is no array; 0 for a runtime array, and for a length that is not known.
  std::optional<uint32_t> array_length;
  // Of an input attachment.
  std::optional<uint32_t> input_attachment_index;
  // Of an image: operands of OpTypeImage, and the Sampled Type with its bits.
  spv::Dim dim = spv::Dim::Max;
  bool is_arrayed = false;
  bool is_multisampled = false;
  InterfaceType::Kind sampled_kind = InterfaceType::Kind::kOther;
  uint8_t sampled_width = 0;
  // Whether an access has the image operand SignExtend or ZeroExtend, which say what its numbers are.
  bool is_extended = false;
  // Whether the Image Format is Unknown.
  bool has_unknown_format = false;
  // The fewest components of the texels that are certainly written.
  uint8_t texel_components = 4;
  // Bits of ResourceAccess: those that are certain. None for what is an array.
  uint32_t accesses = 0;
  // Of an array: the largest constant index of an element that is certainly loaded or stored.
  std::optional<uint32_t> largest_index;
};

// An image and the sampler that it is certainly sampled with.
struct SampledImage {
  // Indices of ShaderInterface::resources; the same twice for an image that is combined with its sampler.
  uint32_t image;
  uint32_t sampler;
  // Bits of SamplerUse.
  uint8_t uses = 0;
};

// A member of a push constant block that the entry point statically uses.
struct PushConstantMember {
  uint32_t member;
  // Bytes from the start of the push constants, and behind the member.
  uint64_t begin;
  uint64_t end;
};

// An instruction of VK_QCOM_image_processing, or of its successor, that compares blocks of two textures.
struct BlockMatch {
  spirv_instrument::Id result = spirv_instrument::kNoId;
  // Of the first of both extensions.
  bool is_first = false;
  bool is_window = false;
  // The variables that have the samplers; kNoId where that is not to be seen.
  spirv_instrument::Id target_sampler = spirv_instrument::kNoId;
  spirv_instrument::Id reference_sampler = spirv_instrument::kNoId;
};

// What a shader before rasterization makes, as its execution modes say. Those of a tessellation control and evaluation
// shader count together: the larger one is made.
enum class OutputPrimitive : uint8_t { kOther, kLines, kPoints };

struct ShaderInterface {
  // False if there is no such entry point, or no valid module. Then all else is empty.
  bool is_known = false;
  VkShaderStageFlagBits stage = {};
  spv::ExecutionModel model = spv::ExecutionModel::Max;
  // Whether the module declares RayQueryKHR.
  bool has_ray_queries = false;
  StageInterface inputs;
  StageInterface outputs;
  // By set, then binding.
  std::vector<ResourceVariable> resources;
  std::vector<SampledImage> sampled_images;
  // kNoId if the entry point uses no push constants.
  spirv_instrument::Id push_constants = spirv_instrument::kNoId;
  std::vector<PushConstantMember> push_constant_members;
  std::vector<BlockMatch> block_matches;
  OutputPrimitive primitive = OutputPrimitive::kOther;
  // Whether an instruction stores to PrimitiveShadingRateKHR.
  bool writes_shading_rate = false;
  // Whether the values of specialization constants decide something of it.
  bool is_specialized = false;
};

// Reads the interface of an entry point. `module` may be invalid in any way. Linear in the size of the module.
ShaderInterface ReadShaderInterface(const spirv_instrument::Module& module, std::string_view entry_point,
                                    VkShaderStageFlagBits stage,
                                    absl::Span<const spirv_instrument::Specialization> specialization = {});

}  // namespace assay::core

#endif  // ASSAY_CORE_INTERFACES_SHADER_INTERFACE_H_
