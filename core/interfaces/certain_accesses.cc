// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What each invocation of an entry point certainly does with its descriptors.
//
// Each invocation executes an instruction if its block is on every path through its function, and so is each call up to
// the entry point. With a function that may end an invocation from within a call, nothing is certain.

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "core/interfaces/interface_reader.h"
#include "spirv_instrument/ir/control_flow/control_flow_graph.h"
#include "spirv_instrument/ir/control_flow/dominators.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/images/image_operands.h"
#include "spirv_instrument/ir/module.h"

namespace assay::core {
namespace {

using spirv_instrument::ControlFlowGraph;
using spirv_instrument::DominatorTree;
using spirv_instrument::Id;
using spirv_instrument::ImageAccess;
using spirv_instrument::Instruction;
using spirv_instrument::Module;
using spv::Op;

bool EndsInvocation(Op op) {
  switch (op) {
    case Op::OpKill:
    case Op::OpTerminateInvocation:
    case Op::OpIgnoreIntersectionKHR:
    case Op::OpIgnoreIntersectionNV:
    case Op::OpTerminateRayKHR:
    case Op::OpTerminateRayNV:
      return true;
    default:
      return false;
  }
}

// Whether the name of the instruction has ImplicitLod, Dref or Proj.
bool NeedsNormalized(Op op) {
  switch (op) {
    case Op::OpImageSampleExplicitLod:
    case Op::OpImageSparseSampleExplicitLod:
      return false;
    default:
      return true;
  }
}

bool ComparesDepth(Op op) {
  switch (op) {
    case Op::OpImageSampleDrefImplicitLod:
    case Op::OpImageSampleDrefExplicitLod:
    case Op::OpImageSampleProjDrefImplicitLod:
    case Op::OpImageSampleProjDrefExplicitLod:
    case Op::OpImageDrefGather:
    case Op::OpImageSparseSampleDrefImplicitLod:
    case Op::OpImageSparseSampleDrefExplicitLod:
    case Op::OpImageSparseDrefGather:
      return true;
    default:
      return false;
  }
}

constexpr uint32_t MaskOf(spv::ImageOperandsMask bit) { return static_cast<uint32_t>(bit); }
constexpr uint32_t kExtends = MaskOf(spv::ImageOperandsMask::SignExtend) | MaskOf(spv::ImageOperandsMask::ZeroExtend);
constexpr uint32_t kOffset = MaskOf(spv::ImageOperandsMask::ConstOffset) | MaskOf(spv::ImageOperandsMask::Offset);
constexpr uint32_t kBiasOrOffset =
    kOffset | MaskOf(spv::ImageOperandsMask::Bias) | MaskOf(spv::ImageOperandsMask::ConstOffsets);

// What an instruction of QCOM_image_processing does with its first and its second image.
struct Processing {
  uint32_t first = 0;
  uint32_t second = 0;
};
Processing ProcessingOf(Op op) {
  switch (op) {
    case Op::OpImageSampleWeightedQCOM:
      return {kIsWeighted, kHasWeights};
    case Op::OpImageBoxFilterQCOM:
      return {kIsBoxFiltered, 0};
    case Op::OpImageBlockMatchSSDQCOM:
      return {kMatchesSquares, kMatchesSquares};
    case Op::OpImageBlockMatchSADQCOM:
      return {kMatchesDifferences, kMatchesDifferences};
    case Op::OpImageBlockMatchWindowSSDQCOM:
    case Op::OpImageBlockMatchWindowSADQCOM:
    case Op::OpImageBlockMatchGatherSSDQCOM:
    case Op::OpImageBlockMatchGatherSADQCOM:
      return {kMatchesWindows, kMatchesWindows};
    default:
      return {};
  }
}

class CertainAccesses {
 public:
  CertainAccesses(const Module& module, ShaderInterface& out) : module_(module), out_(out) {
    for (ResourceVariable& resource : out.resources) {
      const bool is_wanted = resource.dim != spv::Dim::Max || resource.kind == Kind::kAccelerationStructure ||
                             resource.kind == Kind::kSampler;
      if (resource.array_length) {
        arrays_[resource.variable] = &resource;
      } else if (is_wanted) {
        resources_[resource.variable] = &resource;
      }
    }
  }

  void Find(Id entry) {
    if (resources_.empty() && arrays_.empty()) return;
    const std::vector<Id> functions = ReachableFunctions(module_, entry);
    for (Id function : functions) {
      for (Instruction at : module_.FindFunction(function).instructions()) {
        if (function != entry && EndsInvocation(at.op())) return;
        if (at.op() == Op::OpRayQueryInitializeKHR) ++initializations_[at.id(0)];
        const ImageAccess image = ReadImageAccess(module_, at);
        if ((image.mask & kExtends) != 0) NoteExtension(image);
      }
    }
    Walk(entry);
  }

 private:
  using Kind = ResourceVariable::Kind;

  void Walk(Id id) {
    if (!seen_.insert(id).second) return;
    const ControlFlowGraph graph(module_, module_.FindFunction(id));
    if (graph.size() == 0) return;
    const DominatorTree certain = DominatorTree::PostDominators(graph);
    for (uint32_t number : graph.reverse_post_order()) {
      if (!certain.Dominates(number, 0)) continue;
      for (Instruction at : graph.block(number).instructions()) Look(at);
    }
  }

  void Look(Instruction at) {
    switch (at.op()) {
      case Op::OpFunctionCall:
        return Walk(at.id(0));
      case Op::OpLoad:
      case Op::OpStore:
        return LookAtElement(module_.Find(at.id(0)));
      case Op::OpTraceRayKHR:
        return Add(VariableOf(at.id(0)), kTracesRay);
      case Op::OpTraceRayMotionNV:
        return Add(VariableOf(at.id(0)), kTracesRayInMotion);
      case Op::OpHitObjectTraceRayMotionNV:
        return Add(VariableOf(at.id(1)), kTracesHitObjectInMotion);
      case Op::OpRayQueryInitializeKHR:
        if (initializations_[at.id(0)] == 1) queries_[at.id(0)] = VariableOf(at.id(1));
        return Add(VariableOf(at.id(1)), kQueriesRay);
      case Op::OpRayQueryGenerateIntersectionKHR:
        return AddOfQuery(at.id(0), kGeneratesIntersection);
      case Op::OpRayQueryGetIntersectionTriangleVertexPositionsKHR:
        return AddOfQuery(at.id(0), kReadsPositions);
      default:
        break;
    }
    const ImageAccess image = ReadImageAccess(module_, at);
    switch (image.kind) {
      case ImageAccess::Kind::kNone:
        return LookAtProcessing(at);
      case ImageAccess::Kind::kTexelPointer:
        return Add(image.pointer, kAccessesImage | kAccessesAtomically | kIsNotSampled);
      case ImageAccess::Kind::kTexel:
        return LookAtTexels(at, image);
      case ImageAccess::Kind::kGather:
      case ImageAccess::Kind::kSample:
        return LookAtSamples(at, image);
    }
  }

  void LookAtElement(Instruction pointer) {
    if (pointer.op() != Op::OpAccessChain && pointer.op() != Op::OpInBoundsAccessChain) return;
    const auto found = arrays_.find(pointer.id(0));
    const Instruction index = module_.Find(pointer.id(1));
    if (found == arrays_.end() || index.op() != Op::OpConstant || index.operand_count() != 1) return;
    std::optional<uint32_t>& largest = found->second->largest_index;
    largest = std::max(largest.value_or(0), index.literal(0));
  }

  void LookAtTexels(Instruction at, const ImageAccess& image) {
    uint32_t accesses = kAccessesImage | kIsNotSampled;
    if (at.op() == Op::OpImageRead || at.op() == Op::OpImageSparseRead) accesses |= kReadsTexels;
    if (at.op() == Op::OpImageWrite) accesses |= kWritesTexels;
    const Id variable = VariableOf(image.image);
    Add(variable, accesses);
    const auto found = resources_.find(variable);
    if (at.op() != Op::OpImageWrite || found == resources_.end()) return;
    const Instruction type = module_.TypeOf(at.id(2));
    const uint32_t components = type.op() == Op::OpTypeVector ? type.literal(1) : 1;
    uint8_t& fewest = found->second->texel_components;
    fewest = static_cast<uint8_t>(std::min<uint32_t>(fewest, components));
  }
  void LookAtSamples(Instruction at, const ImageAccess& image) {
    const bool is_gather = image.kind == ImageAccess::Kind::kGather;
    uint32_t accesses = kAccessesImage;
    if (is_gather) accesses |= kIsNotSampled;
    if (ComparesDepth(at.op())) accesses |= kComparesDepth;
    if ((image.mask & kOffset) != 0) accesses |= kHasOffset;
    Add(VariableOf(image.image), accesses);
    uint8_t uses = is_gather ? kGathers : kSamples;
    if (!is_gather && NeedsNormalized(at.op())) uses |= kNeedsNormalized;
    if (!is_gather && (image.mask & kBiasOrOffset) != 0) uses |= kHasBiasOrOffset;
    AddSampler(image.image, uses);
  }
  void LookAtProcessing(Instruction at) {
    const Processing processing = ProcessingOf(at.op());
    if (processing.first == 0) return;
    Add(VariableOf(at.id(0)), processing.first);
    AddSampler(at.id(0), kProcesses);
    if (processing.second == 0) return;
    Add(VariableOf(at.id(2)), processing.second);
    AddSampler(at.id(2), kProcesses);
  }
  // Notes the sampler of an OpTypeSampledImage.
  void AddSampler(Id sampled, uint8_t uses) {
    Instruction at = module_.Find(sampled);
    while (at.op() == Op::OpCopyObject) at = module_.Find(at.id(0));
    const auto image = resources_.find(VariableOf(sampled));
    const auto sampler = resources_.find(VariableOf(at.op() == Op::OpSampledImage ? at.id(1) : sampled));
    if (image == resources_.end() || sampler == resources_.end()) return;
    const auto index_of = [&](const ResourceVariable* of) { return static_cast<uint32_t>(of - out_.resources.data()); };
    const SampledImage pair = {index_of(image->second), index_of(sampler->second), uses};
    for (SampledImage& known : out_.sampled_images) {
      if (known.image != pair.image || known.sampler != pair.sampler) continue;
      known.uses |= uses;
      return;
    }
    out_.sampled_images.push_back(pair);
  }

  // The variable from which an image or acceleration structure is loaded; kNoId where that is not to be seen.
  Id VariableOf(Id handle) const {
    Instruction at = module_.Find(handle);
    while (at.op() == Op::OpSampledImage || at.op() == Op::OpImage || at.op() == Op::OpCopyObject) {
      at = module_.Find(at.id(0));
    }
    return at.op() == Op::OpLoad ? at.id(0) : spirv_instrument::kNoId;
  }

  void Add(Id variable, uint32_t accesses) {
    const auto found = resources_.find(variable);
    if (found != resources_.end()) found->second->accesses |= accesses;
  }
  void AddOfQuery(Id query, uint32_t accesses) {
    const auto found = queries_.find(query);
    if (found != queries_.end()) Add(found->second, accesses);
  }
  void NoteExtension(const ImageAccess& image) {
    // An access that is not followed may be to any of them.
    const auto found = resources_.find(VariableOf(image.image));
    if (found != resources_.end()) {
      found->second->is_extended = true;
    } else {
      for (auto& [id, resource] : resources_) resource->is_extended = true;
    }
  }

  const Module& module_;
  ShaderInterface& out_;
  absl::flat_hash_map<Id, ResourceVariable*> resources_;
  absl::flat_hash_map<Id, ResourceVariable*> arrays_;
  absl::flat_hash_set<Id> seen_;
  // How often each ray query is initialized, and the variable with which one that is initialized once certainly is.
  absl::flat_hash_map<Id, uint32_t> initializations_;
  absl::flat_hash_map<Id, Id> queries_;
};

}  // namespace

void AddCertainAccesses(const ModuleReader& reader, const spirv_instrument::EntryPoint& entry_point,
                        ShaderInterface& out) {
  CertainAccesses(reader.module.module(), out).Find(entry_point.function());
}

}  // namespace assay::core
