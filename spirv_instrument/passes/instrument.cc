// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/instrument.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"

namespace assay::spirv_instrument {
namespace {

// A pass that can be turned on by name, in the order of PassConfigs.
struct Entry {
  std::string_view name;
  void (*enable)(PassConfigs& passes);
};

constexpr Entry kEntries[] = {
    {"descriptor_index", [](PassConfigs& passes) { passes.descriptor_index.emplace(); }},
    {"buffer_bounds", [](PassConfigs& passes) { passes.buffer_bounds.emplace(); }},
    {"device_address", [](PassConfigs& passes) { passes.device_address.emplace(); }},
    {"image_coordinate", [](PassConfigs& passes) { passes.image_coordinate.emplace(); }},
    {"ray_query", [](PassConfigs& passes) { passes.ray_query.emplace(); }},
    {"mesh_output", [](PassConfigs& passes) { passes.mesh_output.emplace(); }},
    {"vertex_fetch", [](PassConfigs& passes) { passes.vertex_fetch.emplace(); }},
    {"undefined_arithmetic", [](PassConfigs& passes) { passes.undefined_arithmetic.emplace(); }},
    {"image_layout", [](PassConfigs& passes) { passes.image_layout.emplace(); }},
    {"block_counts", [](PassConfigs& passes) { passes.block_counts.emplace(); }},
    {"debug_printf", [](PassConfigs& passes) { passes.debug_printf.emplace(); }},
};

DescriptorIndexConfig WithoutWhatBoundsFind(DescriptorIndexConfig config,
                                            const std::optional<BufferBoundsConfig>& bounds) {
  if (bounds && bounds->uniform && bounds->storage) config.buffers = false;
  return config;
}

ImageCoordinateConfig WithoutDescriptors(ImageCoordinateConfig config,
                                         const std::optional<DescriptorIndexConfig>& descriptors) {
  if (descriptors && descriptors->images) config.descriptors = false;
  return config;
}

}  // namespace

absl::StatusOr<Instrumented> Instrument(absl::Span<const uint32_t> words, const InstrumentConfig& config) {
  const std::vector<std::unique_ptr<Pass>> passes = MakePasses(config.passes);
  std::vector<Pass*> pointers;
  for (const std::unique_ptr<Pass>& pass : passes) pointers.push_back(pass.get());
  return RunPasses(words, config.frame, pointers);
}

std::vector<std::string_view> PassNames() {
  std::vector<std::string_view> names;
  for (const Entry& entry : kEntries) names.push_back(entry.name);
  return names;
}

absl::Status EnablePass(PassConfigs& passes, std::string_view name) {
  for (const Entry& entry : kEntries) {
    if (entry.name != name) continue;
    entry.enable(passes);
    return absl::OkStatus();
  }
  return absl::NotFoundError(absl::StrCat("there is no pass with the name ", name));
}

void EnableAllPasses(PassConfigs& passes) {
  for (const Entry& entry : kEntries) entry.enable(passes);
}

std::vector<std::unique_ptr<Pass>> MakePasses(const PassConfigs& configs) {
  std::vector<std::unique_ptr<Pass>> passes;
  if (configs.descriptor_index) {
    passes.push_back(MakeDescriptorIndex(WithoutWhatBoundsFind(*configs.descriptor_index, configs.buffer_bounds)));
  }
  if (configs.buffer_bounds) passes.push_back(MakeBufferBounds(*configs.buffer_bounds));
  if (configs.device_address) passes.push_back(MakeDeviceAddress(*configs.device_address));
  if (configs.image_coordinate) {
    passes.push_back(MakeImageCoordinate(WithoutDescriptors(*configs.image_coordinate, configs.descriptor_index)));
  }
  if (configs.ray_query) passes.push_back(MakeRayQuery(*configs.ray_query));
  if (configs.mesh_output) passes.push_back(MakeMeshOutput(*configs.mesh_output));
  if (configs.vertex_fetch) passes.push_back(MakeVertexFetch(*configs.vertex_fetch));
  if (configs.undefined_arithmetic) passes.push_back(MakeUndefinedArithmetic(*configs.undefined_arithmetic));
  if (configs.image_layout) passes.push_back(MakeImageLayout(*configs.image_layout));
  if (configs.block_counts) passes.push_back(MakeBlockCounts(*configs.block_counts));
  if (configs.debug_printf) passes.push_back(MakeDebugPrintf(*configs.debug_printf));
  return passes;
}

}  // namespace assay::spirv_instrument
