// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/random/shader_maker.h"

#include <algorithm>
#include <array>

#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/model/random/make_program.h"
#include "spirv_instrument/model/random/recipe_layout.h"

namespace assay::spirv_instrument::model {
namespace {

constexpr spv::Capability kCapabilities[] = {
    spv::Capability::Shader,
    spv::Capability::Int8,
    spv::Capability::Int16,
    spv::Capability::Int64,
    spv::Capability::Float64,
    spv::Capability::StorageBuffer8BitAccess,
    spv::Capability::UniformAndStorageBuffer8BitAccess,
    spv::Capability::StoragePushConstant8,
    spv::Capability::StorageBuffer16BitAccess,
    spv::Capability::UniformAndStorageBuffer16BitAccess,
    spv::Capability::StoragePushConstant16,
    spv::Capability::PhysicalStorageBufferAddresses,
    spv::Capability::VariablePointersStorageBuffer,
    spv::Capability::VariablePointers,
    spv::Capability::ImageBuffer,
    spv::Capability::RuntimeDescriptorArray,
    spv::Capability::ShaderNonUniform,
    spv::Capability::StorageBufferArrayDynamicIndexing,
    spv::Capability::UniformBufferArrayDynamicIndexing,
    spv::Capability::StorageImageArrayDynamicIndexing,
    spv::Capability::SampledImageArrayDynamicIndexing,
    spv::Capability::StorageTexelBufferArrayDynamicIndexing,
    spv::Capability::StorageBufferArrayNonUniformIndexing,
    spv::Capability::UniformBufferArrayNonUniformIndexing,
    spv::Capability::StorageImageArrayNonUniformIndexing,
    spv::Capability::SampledImageArrayNonUniformIndexing,
    spv::Capability::StorageTexelBufferArrayNonUniformIndexing,
};

Module EmptyModule() {
  constexpr uint32_t kVersion = 0x00010500;
  const std::array<uint32_t, 5> header = {spv::MagicNumber, kVersion, 0, 1, 0};
  return *Module::Read(header);
}

bool IsImage(RecipeResource::Kind kind) {
  return kind == RecipeResource::Kind::kStorageImage || kind == RecipeResource::Kind::kSampledImage ||
         kind == RecipeResource::Kind::kTexelBuffer;
}

spv::StorageClass StorageOf(RecipeResource::Kind kind) {
  if (IsImage(kind)) return spv::StorageClass::UniformConstant;
  if (kind == RecipeResource::Kind::kUniform) return spv::StorageClass::Uniform;
  return kind == RecipeResource::Kind::kPushConstants ? spv::StorageClass::PushConstant
                                                      : spv::StorageClass::StorageBuffer;
}

}  // namespace

ShaderMaker::ShaderMaker(const Recipe& recipe) : recipe_(recipe), module_(EmptyModule()) {}

absl::StatusOr<std::vector<uint32_t>> ShaderMaker::Make() {
  DeclareCapabilities();
  DeclareVariables();
  for (size_t i = 0; i <= recipe_.functions.size(); ++i) {
    functions_.push_back({.id = module_.FreshId(), .number = i, .returns_value = i < recipe_.functions.size()});
  }
  const size_t count = functions_.size() - (recipe_.is_body_in_main ? 1 : 0);
  for (size_t i = 0; i < count; ++i) MakeFunction(i);
  DeclareMain();
  return module_.Write();
}

void ShaderMaker::DeclareCapabilities() {
  for (const spv::Capability capability : kCapabilities) {
    module_.AddToSection(spv::Op::OpCapability, kNoId, kNoId, {capability});
  }
  module_.AddToSection(spv::Op::OpMemoryModel, kNoId, kNoId,
                       {spv::AddressingModel::PhysicalStorageBuffer64, spv::MemoryModel::GLSL450});
}

void ShaderMaker::DeclareVariables() {
  for (size_t i = 0; i < recipe_.resources.size(); ++i) DeclareResource(i);
  const Id sum_type = globals().Pointer(spv::StorageClass::Private, UintType());
  sum_ = globals().AddVariable(sum_type, spv::StorageClass::Private, Uint(0));
  const DecorationOfType stride[] = {{spv::Decoration::ArrayStride, std::nullopt, {4}}};
  const Id words = globals().Type(spv::Op::OpTypeRuntimeArray, {UintType()}, stride);
  const DecorationOfType block[] = {{spv::Decoration::Block}, {spv::Decoration::Offset, 0, {0}}};
  const Id result_type = globals().Type(spv::Op::OpTypeStruct, {words}, block);
  result_ = globals().AddVariable(globals().Pointer(spv::StorageClass::StorageBuffer, result_type),
                                  spv::StorageClass::StorageBuffer);
  Decorate(module_, result_, spv::Decoration::DescriptorSet, {kResultSet});
  Decorate(module_, result_, spv::Decoration::Binding, {0u});
  const Id uint3 = globals().Vector(UintType(), 3);
  invocation_variable_ =
      globals().AddVariable(globals().Pointer(spv::StorageClass::Input, uint3), spv::StorageClass::Input);
  Decorate(module_, invocation_variable_, spv::Decoration::BuiltIn, {spv::BuiltIn::GlobalInvocationId});
}

void ShaderMaker::DeclareResource(size_t number) {
  const RecipeResource& resource = recipe_.resources[number];
  const spv::StorageClass storage = StorageOf(resource.kind);
  Id type = kNoId;
  if (IsImage(resource.kind)) {
    const bool is_buffer = resource.kind == RecipeResource::Kind::kTexelBuffer;
    const bool is_sampled = resource.kind == RecipeResource::Kind::kSampledImage;
    type = globals().Type(spv::Op::OpTypeImage,
                          {UintType(), is_buffer ? spv::Dim::Buffer : spv::Dim::Dim2D, 0u, 0u, 0u, is_sampled ? 1u : 2u,
                           is_sampled ? spv::ImageFormat::Unknown : spv::ImageFormat::R32ui});
  } else {
    type = BlockType(resource.block);
  }
  if (resource.is_array && resource.is_runtime_array) {
    type = globals().RuntimeArray(type);
  } else if (resource.is_array) {
    const size_t count = resource.elements.size() + resource.further_descriptors;
    type = globals().Array(type, Uint(std::max(static_cast<uint32_t>(count), 1u)));
  }
  const Id variable = globals().AddVariable(globals().Pointer(storage, type), storage);
  if (storage != spv::StorageClass::PushConstant) {
    Decorate(module_, variable, spv::Decoration::DescriptorSet, {kResourceSet});
    Decorate(module_, variable, spv::Decoration::Binding, {static_cast<uint32_t>(number)});
  }
  variables_.push_back(variable);
}

void ShaderMaker::MakeFunction(size_t number) {
  FunctionParts& parts = functions_[number];
  const bool is_body = !parts.returns_value;
  std::vector<Id> parameters;
  Id pointer_type = kNoId;
  if (!is_body) {
    parameters.push_back(UintType());
    pointer_type = ParameterType(recipe_.functions[number]);
    if (pointer_type != kNoId) parameters.push_back(pointer_type);
  }
  const Id return_type = is_body ? globals().Void() : UintType();
  const Function function = module_.AddFunction(parts.id, return_type, spv::FunctionControlMask::MaskNone,
                                                globals().FunctionType(return_type, parameters));
  if (!is_body) {
    parts.argument = module_.FreshId();
    module_.AddParameter(function, UintType(), parts.argument);
  }
  if (pointer_type != kNoId) {
    parts.pointer = module_.FreshId();
    module_.AddParameter(function, pointer_type, parts.pointer);
    if (module_.Find(pointer_type).enumerant<spv::StorageClass>(0) == spv::StorageClass::PhysicalStorageBuffer) {
      Decorate(module_, parts.pointer, spv::Decoration::Aliased);
    }
  }
  function_ = parts;
  BeginFunction(function);
  visible_.clear();
  loops_.clear();
  const Id value = MakeBody(is_body ? recipe_.body : recipe_.functions[number].body);
  if (is_body) {
    At().AddVoid(spv::Op::OpReturn, {});
  } else {
    At().AddVoid(spv::Op::OpReturnValue, {value});
  }
}

void ShaderMaker::BeginFunction(Function function) {
  block_ = module_.AddBlock(function, module_.FreshId());
  const Id array = globals().Array(UintType(), Uint(kLocalArraySize));
  function_.local_array = Emit(spv::Op::OpVariable, globals().Pointer(spv::StorageClass::Function, array),
                               {spv::StorageClass::Function, globals().Null(array)});
  const Id ids = At().Load(globals().Vector(UintType(), 3), invocation_variable_);
  invocation_ = Emit(spv::Op::OpCompositeExtract, UintType(), {ids, 0u});
}

// Calls the body, or is it, and stores what has become of the sum. The body may return early.
void ShaderMaker::DeclareMain() {
  const Id main = module_.FreshId();
  const Function function = module_.AddFunction(main, globals().Void(), spv::FunctionControlMask::MaskNone,
                                                globals().FunctionType(globals().Void(), {}));
  function_ = functions_.back();
  BeginFunction(function);
  if (recipe_.is_body_in_main) {
    visible_.clear();
    loops_.clear();
    MakeBody(recipe_.body);
  } else {
    At().Call(globals().Void(), functions_.back().id, {});
  }
  const Id pointer = At().AccessChain(globals().Pointer(spv::StorageClass::StorageBuffer, UintType()), result_,
                                      {Uint(0), invocation_});
  At().Store(pointer, At().Load(UintType(), sum_));
  At().AddVoid(spv::Op::OpReturn, {});
  std::vector<Word> entry_point = {spv::ExecutionModel::GLCompute, main};
  AppendString(entry_point, "main");
  for (const Id variable : variables_) entry_point.emplace_back(variable);
  for (const Id variable : {sum_, result_, invocation_variable_}) entry_point.emplace_back(variable);
  module_.AddToSection(spv::Op::OpEntryPoint, kNoId, kNoId, entry_point);
  module_.AddToSection(spv::Op::OpExecutionMode, kNoId, kNoId,
                       {main, spv::ExecutionMode::LocalSize, recipe_.local_size, 1u, 1u});
}

Id ShaderMaker::ParameterType(const RecipeFunction& function) {
  if (!function.has_pointer || function.resource >= recipe_.resources.size()) return kNoId;
  const RecipeResource& resource = recipe_.resources[function.resource];
  if (resource.is_array || IsImage(resource.kind)) return kNoId;
  if (resource.kind == RecipeResource::Kind::kStorage) {
    return globals().Pointer(spv::StorageClass::StorageBuffer, BlockType(resource.block));
  }
  const RecipeType& block = BlockOf(resource.block);
  if (block.parts.empty() || block.parts[0].kind != RecipeType::Kind::kAddress) return kNoId;
  return TypeOf(block.parts[0]);
}

}  // namespace assay::spirv_instrument::model
