// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_ACCESS_PATH_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_ACCESS_PATH_H_

#include <cstdint>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/id_table.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/passed_pointers.h"
#include "spirv_instrument/passes/frame/statistics.h"
#include "spirv_instrument/passes/frame/type_layout.h"

namespace assay::spirv_instrument {

// An index that is not constant.
struct PathTerm {
  // An integer, as the access chain has it.
  Id index = kNoId;
  // What it is multiplied by: bytes in a buffer, descriptors in an array of arrays.
  uint32_t stride = 0;
  // Of the array, vector or matrix that it selects from; 0 for a runtime array and a length that is not constant.
  uint32_t length = 0;
  bool is_of_runtime_array = false;
  // Of a buffer with descriptor: the element of an OpPtrAccessChain, which may be negative and good. It has 32 bits or
  // less. All other indices of such a buffer are good only if they are not.
  bool is_signed = false;
};

// Which descriptor a pointer or image is of: SPIR-V, "DescriptorSet" and "Binding".
struct DescriptorPath {
  Id variable = kNoId;
  uint32_t set = 0;
  uint32_t binding = 0;
  // The index into an array of descriptors is `index` and the sum of terms, each index times stride: one descriptor has
  // index 0 and no term; arrays of arrays have one term for each level.
  uint32_t index = 0;
  absl::InlinedVector<PathTerm, 1> terms;
  // How many descriptors the type declares: 1 without array, 0 if it is not constant.
  uint32_t length = 1;
  // If it is null, why: kUnknownPointer or one of the next ones.
  Outcome why_unknown = Outcome::kUnknownPointer;

  explicit operator bool() const { return variable != kNoId; }
};

// What a pointer points to.
struct AccessPath {
  enum class Root : uint8_t {
    // Neither of these, or not known.
    kUnknown,
    // A block in a buffer with descriptor: storage classes Uniform and StorageBuffer.
    kBuffer,
    // A descriptor itself: UniformConstant.
    kDescriptor,
    // PhysicalStorageBuffer: `base` is a pointer that no access chain made.
    kAddress,
    // A variable of another storage class.
    kOther,
  };

  Root root = Root::kUnknown;
  spv::StorageClass storage = spv::StorageClass::Max;
  // The variable, or the pointer of kAddress.
  Id base = kNoId;
  // Of kBuffer and kDescriptor.
  DescriptorPath descriptor;
  // In bytes from the block's or address's begin: `offset` and the sum of terms. Of kBuffer and kAddress.
  uint32_t offset = 0;
  absl::InlinedVector<PathTerm, 4> terms;
  // Whether the offset is known: the types have layout, and it is below 4 GiB.
  bool has_layout = true;
  // What it points to, and how that lays out a matrix, if it is one or has some.
  Id type = kNoId;
  MatrixLayout matrix;
  // If it points to a column of a matrix, or a component of one, that is row-major, components are so many bytes from
  // one another; 0 otherwise.
  uint32_t component_stride = 0;
  // Of kUnknown: kUnknownPointer or one of the next ones.
  Outcome why_unknown = Outcome::kUnknownPointer;
};

// Walks from pointers to where they come from. Each walk is bounded in length, so that all is linear; longer chains are
// unknown. Through OpAccessChain, OpInBoundsAccessChain, OpPtrAccessChain, OpInBoundsPtrAccessChain, OpCopyObject, and
// parameters of functions: those that PassIndices() knows, and others if all calls pass the same, and indices are
// constants. Not through OpPhi and OpSelect, and variables that hold pointers, but into PhysicalStorageBuffer, where
// the value is what counts.
class AccessPaths {
 public:
  // Reads all calls once. `passed` may be null, and must outlive this.
  AccessPaths(Module& module, TypeLayouts& layouts, const PassedPointers* passed = nullptr);

  AccessPath Find(Id pointer) const;

  // How many bytes an access of all that `path` points to touches, counted from its offset; nullopt without layout.
  std::optional<uint32_t> ExtentOf(const AccessPath& path) const;

  // The descriptor that an image, sampler, sampled image or acceleration structure was loaded from: through OpLoad,
  // OpImage, OpCopyObject, parameters; of OpSampledImage the image's. Null if it is not known.
  DescriptorPath FindDescriptor(Id value) const;
  // The sampler's descriptor, if the sampled image was put together of two; null otherwise.
  DescriptorPath FindSampler(Id sampled_image) const;

 private:
  // The chains between a pointer and its root, the last one first.
  struct Link {
    // Null if `passed` is the chain.
    Instruction chain;
    const PassedPointer* passed;
    // Whether it is in another function than the access, where its indices mean nothing.
    bool is_elsewhere;
  };
  using Links = absl::InlinedVector<Link, 4>;
  struct Walk;

  AccessPath FindFrom(Id pointer, bool is_elsewhere) const;
  AccessPath Follow(Instruction root, const Links& links) const;
  // Of a parameter; null without.
  const PassedPointer* PassedFor(Id parameter) const { return passed_ == nullptr ? nullptr : passed_->Find(parameter); }
  void StartAtVariable(Instruction variable, Walk& walk) const;
  void StartAtAddress(Instruction pointer, Walk& walk) const;
  void ApplyLink(const Link& link, Walk& walk) const;
  void ApplyElement(Instruction chain, Walk& walk) const;
  void ApplyIndex(Id index, Walk& walk) const;
  void ApplyDescriptorIndex(Id index, Walk& walk) const;
  void AddTerm(const PathTerm& term, AccessPath& path) const;
  // What all calls pass for a parameter; kNoId if they differ.
  Id ArgumentOf(Id parameter) const;

  Module& module_;
  TypeLayouts& layouts_;
  const PassedPointers* passed_;
  // By parameter. kNoId if calls differ, or there is none.
  IdTable<Id> arguments_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_ACCESS_PATH_H_
