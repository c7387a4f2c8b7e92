// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/image_coordinate.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/images/image_operands.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/passes/frame/access_path.h"
#include "spirv_instrument/passes/frame/emitter.h"
#include "spirv_instrument/passes/frame/module_facts.h"
#include "spirv_instrument/passes/frame/statistics.h"
#include "spirv_instrument/passes/frame/wanted_check.h"
#include "spirv_instrument/passes/operands/components.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

enum Variant : uint32_t { kImage, kTexelBuffer, kQueriedImage, kOffset };

// What a literal of a check says of the image and the ids that there are.
enum Shape : uint32_t {
  kPlaneComponentsMask = 3,
  kHasLayer = 1 << 2,
  kIsArrayed = 1 << 3,
  kIsMultisampled = 1 << 4,
  kIsSampled = 1 << 5,
  kIsBuffer = 1 << 6,
  kIsCube = 1 << 7,
  kHasOffset = 1 << 8,
  kHasLevel = 1 << 9,
  kHasSample = 1 << 10,
};

// The literals of a check of a texel.
enum Literal : size_t { kSetLiteral, kBindingLiteral, kIndexLiteral, kShapeLiteral, kFirstFactorLiteral };
// Those of a check of an offset.
enum OffsetLiteral : size_t { kSmallestLiteral, kLargestLiteral };

uint32_t ShapeOf(const ImageType& type, const ImageAccess& access) {
  uint32_t shape = type.plane_components();
  if (type.has_layer()) shape |= kHasLayer;
  if (type.is_arrayed) shape |= kIsArrayed;
  if (type.is_multisampled) shape |= kIsMultisampled;
  if (type.sampled == 1) shape |= kIsSampled;
  if (type.dim == spv::Dim::Buffer) shape |= kIsBuffer;
  if (type.dim == spv::Dim::Cube) shape |= kIsCube;
  if (access.offset != kNoId || access.constant_offset != kNoId) shape |= kHasOffset;
  if (access.level != kNoId) shape |= kHasLevel;
  // OpImageTexelPointer names a sample of any image.
  if (access.sample != kNoId && type.is_multisampled) shape |= kHasSample;
  return shape;
}

// Whether the shader can ask for levels: storage images have one, multisampled ones and buffers none.
bool HasLevels(uint32_t shape) { return (shape & kIsSampled) != 0 && (shape & (kIsMultisampled | kIsBuffer)) == 0; }

class ImageCoordinate : public Pass {
 public:
  explicit ImageCoordinate(const ImageCoordinateConfig& config) : config_(config) {}

  std::string_view name() const override { return "image_coordinate"; }
  absl::Span<const spv::Op> opcodes() const override { return CoordinateOpcodes(); }
  bool FollowsDescriptors() const override { return true; }
  void Begin(ModuleFacts& facts) override { facts_ = &facts; }
  void Process(Instruction instruction, WantedChecks& wanted) override;
  Id EmitCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) override;
  void EmitReport(const WantedCheck& check, Emitter& emitter) override;

 private:
  using Arguments = absl::InlinedVector<Id, 12>;
  // What of a texel is compared, as 32-bit unsigned integers.
  struct Texel {
    Id x;
    Id y;
    Id z;
    Id level;
    Id sample;
    Id z_is_depth;
  };
  // What the shader asks of an image.
  struct Sizes {
    Id extent;
    Id levels;
    Id samples;
  };

  void WantTexel(Instruction instruction, const ImageAccess& access, WantedChecks& wanted);
  void WantOffset(Instruction instruction, const ImageAccess& access, WantedChecks& wanted);

  Texel EmitTexel(const WantedCheck& check, Emitter& emitter) const;
  Sizes EmitQueries(const WantedCheck& check, const Texel& texel, Emitter& emitter) const;
  Id LoadImage(Id image_or_pointer, Emitter& emitter) const;
  Arguments DescriptorArguments(const WantedCheck& check, const Texel& texel, Emitter& emitter) const;
  Id EmitOffsetCondition(const WantedCheck& check, Emitter& emitter) const;
  size_t FirstTexelId(const WantedCheck& check, Emitter& emitter) const;

  const ImageCoordinateConfig config_;
  ModuleFacts* facts_ = nullptr;
};

void ImageCoordinate::Process(Instruction instruction, WantedChecks& wanted) {
  const ImageAccess access = ReadImageAccess(facts_->module(), instruction);
  if (access.kind == ImageAccess::Kind::kNone) return;
  if (access.kind == ImageAccess::Kind::kTexel || access.kind == ImageAccess::Kind::kTexelPointer) {
    WantTexel(instruction, access, wanted);
  }
  if (config_.offsets && access.offset != kNoId) WantOffset(instruction, access, wanted);
}

void ImageCoordinate::WantTexel(Instruction instruction, const ImageAccess& access, WantedChecks& wanted) {
  Module& module = facts_->module();
  const bool is_pointer = access.pointer != kNoId;
  const ImageType type = ReadImageType(module, module.TypeOf(is_pointer ? access.pointer : access.image));
  const bool is_buffer = type.dim == spv::Dim::Buffer;
  if (!is_buffer && type.dim != spv::Dim::Dim1D && type.dim != spv::Dim::Dim2D && type.dim != spv::Dim::Dim3D &&
      type.dim != spv::Dim::Cube) {
    return;
  }
  if (is_buffer ? !config_.texel_buffers : !config_.images) return;

  const AccessPaths& paths = facts_->paths();
  const DescriptorPath path = is_pointer ? paths.Find(access.pointer).descriptor : paths.FindDescriptor(access.image);
  const bool is_known = path && path.set < kMaxSets;
  if (!is_known && !config_.queries) {
    const Outcome why = is_pointer ? paths.Find(access.pointer).why_unknown : path.why_unknown;
    return wanted.CountUnchecked(*this, why);
  }
  const uint32_t shape = ShapeOf(type, access);
  absl::InlinedVector<uint32_t, 8> literals = {0, 0, 0, shape};
  absl::InlinedVector<Id, 8> ids;
  if (is_known) {
    literals[kSetLiteral] = path.set;
    literals[kBindingLiteral] = path.binding;
    literals[kIndexLiteral] = path.index;
    for (const PathTerm& term : path.terms) {
      literals.push_back(term.stride);
      ids.push_back(term.index);
    }
  } else {
    ids.push_back(is_pointer ? access.pointer : access.image);
  }
  ids.push_back(access.coordinate);
  if ((shape & kHasOffset) != 0) ids.push_back(access.offset != kNoId ? access.offset : access.constant_offset);
  if ((shape & kHasLevel) != 0) ids.push_back(access.level);
  if ((shape & kHasSample) != 0) ids.push_back(access.sample);
  wanted.Add(*this, instruction,
             {.form = Form::kGuard,
              .variant = !is_known ? kQueriedImage : (is_buffer ? kTexelBuffer : kImage),
              .ids = ids,
              .literals = literals});
}

void ImageCoordinate::WantOffset(Instruction instruction, const ImageAccess& access, WantedChecks& wanted) {
  const bool is_gather = access.kind == ImageAccess::Kind::kGather;
  const int32_t smallest = is_gather ? config_.offsets->smallest_of_gather : config_.offsets->smallest;
  const int32_t largest = is_gather ? config_.offsets->largest_of_gather : config_.offsets->largest;
  // Storage images do not limit offsets.
  const bool is_fetch = instruction.op() == spv::Op::OpImageFetch || instruction.op() == spv::Op::OpImageSparseFetch;
  if (access.kind == ImageAccess::Kind::kTexel && !is_fetch) return;
  if (AreConstantsFromTo(*facts_, access.offset, smallest, largest)) {
    wanted.CountUnchecked(*this, Outcome::kAlwaysGood);
    return;
  }
  const uint32_t literals[] = {static_cast<uint32_t>(smallest), static_cast<uint32_t>(largest)};
  wanted.Add(*this, instruction,
             {.form = access.is_implicit ? Form::kReport : Form::kGuard,
              .variant = kOffset,
              .ids = {access.offset},
              .literals = literals});
}

// ---- Emitting.

// Of the ids, the coordinate and what follows it.
size_t ImageCoordinate::FirstTexelId(const WantedCheck& check, Emitter& emitter) const {
  return check.variant == kQueriedImage ? 1 : emitter.Literals(check).size() - kFirstFactorLiteral;
}

ImageCoordinate::Texel ImageCoordinate::EmitTexel(const WantedCheck& check, Emitter& emitter) const {
  const absl::Span<const Id> ids = emitter.Ids(check);
  const uint32_t shape = emitter.Literals(check)[kShapeLiteral];
  size_t next = FirstTexelId(check, emitter);
  const Id coordinate = ids[next++];
  const Id offset = (shape & kHasOffset) != 0 ? ids[next++] : kNoId;
  const uint32_t plane = shape & kPlaneComponentsMask;
  const uint32_t count = plane + ((shape & kHasLayer) != 0 ? 1 : 0);
  Id components[] = {kNoId, kNoId, kNoId};
  for (uint32_t i = 0; i < 3; ++i) {
    // The layer is z, also of an array of one dimension.
    uint32_t component = i;
    if (i == 2 && (shape & kHasLayer) != 0) component = plane;
    const bool is_missing = i < 2 ? i >= plane : component >= count;
    components[i] = is_missing ? emitter.Uint(0) : EmitComponent(emitter, coordinate, component);
    if (offset == kNoId || i >= plane) continue;
    components[i] = emitter.builder().Binary(spv::Op::OpIAdd, emitter.globals().Uint32(), components[i],
                                             EmitComponent(emitter, offset, i));
  }
  Texel texel = {.x = components[0], .y = components[1], .z = components[2]};
  texel.level = (shape & kHasLevel) != 0 ? emitter.AsUint(ids[next++]) : emitter.Uint(0);
  if (check.variant == kQueriedImage && !HasLevels(shape)) texel.level = emitter.Uint(0);
  texel.sample = (shape & kHasSample) != 0 ? emitter.AsUint(ids[next++]) : emitter.Uint(0);
  texel.z_is_depth = emitter.Uint(plane == 3 ? 1 : 0);
  return texel;
}

// Where the check names a pointer, what it points to.
Id ImageCoordinate::LoadImage(Id image_or_pointer, Emitter& emitter) const {
  Module& module = emitter.module();
  const Instruction type = module.TypeOf(image_or_pointer);
  if (type.op() != spv::Op::OpTypePointer) return image_or_pointer;
  const Id image = emitter.builder().Load(type.id(1), image_or_pointer);
  if (module.decorations().Has(image_or_pointer, spv::Decoration::NonUniform)) {
    Decorate(module, image, spv::Decoration::NonUniform);
  }
  return image;
}

// Of the module's own image. The results are those of the level.
ImageCoordinate::Sizes ImageCoordinate::EmitQueries(const WantedCheck& check, const Texel& texel,
                                                    Emitter& emitter) const {
  Module& module = emitter.module();
  Globals globals = emitter.globals();
  Builder& builder = emitter.builder();
  const uint32_t shape = emitter.Literals(check)[kShapeLiteral];
  AddCapability(module, spv::Capability::ImageQuery);
  const Id image = LoadImage(emitter.Ids(check).front(), emitter);

  const Id uint_type = globals.Uint32();
  const Id one = emitter.Uint(1);
  const uint32_t plane = shape & kPlaneComponentsMask;
  const uint32_t count = plane + ((shape & kIsArrayed) != 0 ? 1 : 0);
  const Id size_type = count == 1 ? uint_type : globals.Vector(uint_type, count);
  const bool has_levels = HasLevels(shape);
  const Id size = has_levels ? builder.Add(spv::Op::OpImageQuerySizeLod, size_type, {image, texel.level})
                             : builder.Add(spv::Op::OpImageQuerySize, size_type, {image});
  Id z = one;
  if (plane == 3) {
    z = EmitComponent(emitter, size, 2);
  } else if ((shape & kIsCube) != 0) {
    // The query counts cubes, and coordinates count faces.
    const Id faces = emitter.Uint(6);
    z = (shape & kIsArrayed) == 0
            ? faces
            : builder.Binary(spv::Op::OpIMul, uint_type, EmitComponent(emitter, size, plane), faces);
  } else if ((shape & kIsArrayed) != 0) {
    z = EmitComponent(emitter, size, plane);
  }
  const Id x = EmitComponent(emitter, size, 0);
  const Id y = plane > 1 ? EmitComponent(emitter, size, 1) : one;
  Sizes sizes;
  sizes.extent = builder.Add(spv::Op::OpCompositeConstruct, globals.Vector(uint_type, 3), {x, y, z});
  sizes.levels = has_levels ? builder.Add(spv::Op::OpImageQueryLevels, uint_type, {image}) : one;
  sizes.samples = (shape & kIsMultisampled) != 0 ? builder.Add(spv::Op::OpImageQuerySamples, uint_type, {image}) : one;
  return sizes;
}

// Set, binding and index, and what is compared of the texel.
ImageCoordinate::Arguments ImageCoordinate::DescriptorArguments(const WantedCheck& check, const Texel& texel,
                                                                Emitter& emitter) const {
  const absl::Span<const uint32_t> literals = emitter.Literals(check);
  const absl::Span<const Id> terms = emitter.Ids(check).first(FirstTexelId(check, emitter));
  const Id accepted = emitter.Uint(config_.null_descriptors ? 0 : kDescriptorIsNull);
  const Id index = emitter.SaturatedSum(literals[kIndexLiteral], terms, literals.subspan(kFirstFactorLiteral));
  Arguments arguments = {emitter.Uint(literals[kSetLiteral]), emitter.Uint(literals[kBindingLiteral]), index, texel.x};
  if (check.variant == kImage) {
    arguments.insert(arguments.end(), {texel.y, texel.z, texel.level, texel.sample, texel.z_is_depth});
  }
  arguments.push_back(accepted);
  return arguments;
}

Id ImageCoordinate::EmitOffsetCondition(const WantedCheck& check, Emitter& emitter) const {
  const Id offset = emitter.Ids(check).front();
  const Id smallest = emitter.Uint(emitter.Literals(check)[kSmallestLiteral]);
  const Id largest = emitter.Uint(emitter.Literals(check)[kLargestLiteral]);
  Id all = kNoId;
  for (uint32_t i = 0; i < ComponentCount(emitter.module(), offset); ++i) {
    const Id one = emitter.Call("OffsetIsInRange", {EmitComponent(emitter, offset, i), smallest, largest});
    all = all == kNoId ? one : emitter.builder().Binary(spv::Op::OpLogicalAnd, emitter.globals().Bool(), all, one);
  }
  return all;
}

Id ImageCoordinate::EmitCondition(const WantedCheck& check, AccessSpan, Emitter& emitter) {
  if (check.variant == kOffset) return EmitOffsetCondition(check, emitter);
  const Texel texel = EmitTexel(check, emitter);
  if (check.variant == kQueriedImage) {
    const Sizes sizes = EmitQueries(check, texel, emitter);
    return emitter.Call("QueriedImageHolds", {texel.x, texel.y, texel.z, texel.level, texel.sample, sizes.extent,
                                              sizes.levels, sizes.samples});
  }
  return emitter.Call(check.variant == kImage ? "ImageHolds" : "TexelBufferHolds",
                      DescriptorArguments(check, texel, emitter));
}

void ImageCoordinate::EmitReport(const WantedCheck& check, Emitter& emitter) {
  const Id instruction = emitter.InstructionOf(check);
  if (check.variant == kOffset) {
    const Id offset = emitter.Ids(check).front();
    for (uint32_t i = 0; i < ComponentCount(emitter.module(), offset); ++i) {
      emitter.Call("ReportOffset", {instruction, EmitComponent(emitter, offset, i),
                                    emitter.Uint(emitter.Literals(check)[kSmallestLiteral]),
                                    emitter.Uint(emitter.Literals(check)[kLargestLiteral])});
    }
    return;
  }
  const Texel texel = EmitTexel(check, emitter);
  if (check.variant == kQueriedImage) {
    const Sizes sizes = EmitQueries(check, texel, emitter);
    emitter.Call("ReportQueriedImage", {instruction, texel.x, texel.y, texel.z, texel.level, texel.sample,
                                        texel.z_is_depth, sizes.extent, sizes.levels, sizes.samples});
    return;
  }
  Arguments arguments = DescriptorArguments(check, texel, emitter);
  arguments.insert(arguments.begin(), instruction);
  arguments.push_back(emitter.Uint(config_.descriptors ? 1 : 0));
  emitter.Call(check.variant == kImage ? "ReportImage" : "ReportTexelBuffer", arguments);
}

}  // namespace

std::unique_ptr<Pass> MakeImageCoordinate(const ImageCoordinateConfig& config) {
  return std::make_unique<ImageCoordinate>(config);
}

}  // namespace assay::spirv_instrument
