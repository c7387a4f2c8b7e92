// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_INSTRUMENT_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_INSTRUMENT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/passes/block_counts.h"
#include "spirv_instrument/passes/buffer_bounds.h"
#include "spirv_instrument/passes/debug_printf.h"
#include "spirv_instrument/passes/descriptor_index.h"
#include "spirv_instrument/passes/device_address.h"
#include "spirv_instrument/passes/frame/config.h"
#include "spirv_instrument/passes/frame/pass.h"
#include "spirv_instrument/passes/frame/run_passes.h"
#include "spirv_instrument/passes/image_coordinate.h"
#include "spirv_instrument/passes/image_layout.h"
#include "spirv_instrument/passes/mesh_output.h"
#include "spirv_instrument/passes/ray_query.h"
#include "spirv_instrument/passes/undefined_arithmetic.h"
#include "spirv_instrument/passes/vertex_fetch.h"

// Shaders that check themselves. A *pass* is one kind of check: it looks at instructions, says what it wants checked
// (CheckRequest), and emits the code that decides and that reports. It is a class with a name, a configuration and
// Process (frame/pass.h), and each has a header whose essay says what it sees and what it does not.
//
// The *frame* (frame/run_passes.h) does the rest once for all passes: it walks each function, lets the steps (steps/)
// drop checks and share conditions, puts branches around accesses, and connects the shader with the memory that it
// reads and writes (runtime/runtime.h). What a check decides is written in GLSL (checks/) and linked in (link/).
//
// The passes:
//
//   descriptor_index        descriptors that do not exist, were not written, or are of destroyed resources
//   buffer_bounds           accesses past the range of a uniform or storage buffer's descriptor
//   device_address          accesses by address outside of all live buffers, across an end, or misaligned
//   image_coordinate        texels, levels, layers and samples outside of their image; offsets past limits
//   ray_query               rays that must not be traced; ray queries and hit objects that must not be asked
//   mesh_output             outputs of mesh and task shaders past what was set, declared or allowed
//   vertex_fetch            vertex attributes past their buffer; draw parameters
//   undefined_arithmetic    divisions, shifts, bit fields and conversions without defined result; NaN and infinity
//   image_layout            no check: notes which images are accessed, for the host to compare their layouts
//   block_counts            no check: counts how often each block is executed
//   debug_printf            no check: writes what debugPrintf prints
//
// An access that is bad is not executed, and its result is zero, unless the configuration or the pass says that it is
// only reported. What the shader leaves to the host is in Instrumented::host_conditions: who ignores these conditions
// sets StepsConfig::host to kNothing.
//
// The rooms:
//
//   frame/        what a pass stands on, and what runs it: paths from pointers to buffers, layouts, wanted checks
//   steps/        what saves work: checks that others decide, that the host decides, that leave loops, that are joined
//   emission/     branches, stage words, the ways to the memory of the runtime
//   operands/     what instructions of images, rays, meshes and vertex inputs name
//   tracking/     what a shader keeps of what it did; values that are uniform
//   arithmetic/   numbers: their words, tests of floats, groups of operations
//   goldens/      modules as text, and what passes make of them
//
// docs/instrumentation.md adds a pass, file by file: a header with its configuration and essay, a source with its
// class, check functions in checks/, a place in PassConfigs, MakePasses and the table of names, and goldens.
namespace assay::spirv_instrument {

// Which passes run, and how: those that have a configuration. They run in this order.
struct PassConfigs {
  std::optional<DescriptorIndexConfig> descriptor_index;
  std::optional<BufferBoundsConfig> buffer_bounds;
  std::optional<DeviceAddressConfig> device_address;
  std::optional<ImageCoordinateConfig> image_coordinate;
  std::optional<RayQueryConfig> ray_query;
  std::optional<MeshOutputConfig> mesh_output;
  std::optional<VertexFetchConfig> vertex_fetch;
  std::optional<UndefinedArithmeticConfig> undefined_arithmetic;
  std::optional<ImageLayoutConfig> image_layout;
  // Before debug_printf, which removes what a block may begin with.
  std::optional<BlockCountsConfig> block_counts;
  std::optional<DebugPrintfConfig> debug_printf;
};

struct InstrumentConfig {
  FrameConfig frame;
  PassConfigs passes;
};

// Makes a shader check itself. The same words and configuration give the same result. Thread-safe.
absl::StatusOr<Instrumented> Instrument(absl::Span<const uint32_t> words, const InstrumentConfig& config);

// The names of all passes, in order, for settings and the command.
std::vector<std::string_view> PassNames();
// Turns a pass on by its name, with the configuration that it has by default. NotFound if there is none.
absl::Status EnablePass(PassConfigs& passes, std::string_view name);
// Turns all on, with the configurations that they have by default.
void EnableAllPasses(PassConfigs& passes);

// Objects for one run.
std::vector<std::unique_ptr<Pass>> MakePasses(const PassConfigs& configs);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_INSTRUMENT_H_
