// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/description/parse.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/vulkan.h"

namespace assay::spirv_instrument::corpus {
namespace {

// A source with these directives. The mark "read" is on its last line, which is line 4 if there is one directive.
Sources SourceWith(const std::string& directives) {
  return {{"a.comp", absl::StrCat("#version 460\n// What for.\n", directives, "\nvoid main() {}  //@ read")}};
}

Program Parse(const std::string& directives) {
  absl::StatusOr<Program> program = ParseDescription(SourceWith(directives), "a.comp");
  EXPECT_TRUE(program.ok()) << program.status().message();
  return program.ok() ? *std::move(program) : Program();
}

void ExpectError(const std::string& directives, absl::string_view message) {
  const absl::Status status = ParseDescription(SourceWith(directives), "a.comp").status();
  EXPECT_EQ(status.message(), message) << directives;
}

TEST(ParseTest, Resources) {
  const Program program = Parse(
      "//@ buffer data 16 : u32 1 2\n"
      "//@ image volume 3d r32ui 4x2x2 : u32 5\n"
      "//@ image array cube_array rgba8 4x4 layers=12 levels=2\n"
      "//@ sampler smp linear\n"
      "//@ scene boxes boxes : f32 0 0 0 1 1 1");
  const auto& setup = program.inputs.at(0).setup;
  EXPECT_EQ(program.purpose, "What for.");
  EXPECT_EQ(setup.buffers.at(0).size, 16u);
  EXPECT_EQ(setup.buffers.at(0).contents.bytes.size(), 8u);
  EXPECT_EQ(setup.images.at(0).extent.depth, 2u);
  EXPECT_EQ(setup.images.at(0).contents.bytes.at(0), 5u);
  EXPECT_EQ(setup.images.at(1).type, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY);
  EXPECT_EQ(setup.images.at(1).layers, 12u);
  EXPECT_EQ(setup.images.at(1).levels, 2u);
  EXPECT_EQ(setup.samplers.at(0).filter, VK_FILTER_LINEAR);
  EXPECT_TRUE(setup.scenes.at(0).is_boxes);
}

TEST(ParseTest, Bindings) {
  const Program program = Parse(
      "//@ bind 1.2 storage[variable 8] data data+16:32 none null gone(other)\n"
      "//@ bind 0.0 uniform_dynamic data+0:64@256\n"
      "//@ bind 0.1 combined[3] image/2d_array#1|smp*2 null|smp\n"
      "//@ bind 0.2 mutable(storage,image) image=img\n"
      "//@ bind 0.3 inline[16] : u32 1 2 3 4\n"
      "//@ bind 0.4 uniform_texel data/r32ui");
  const std::vector<BindingDescription>& bindings = program.inputs.at(0).setup.bindings;
  ASSERT_EQ(bindings.size(), 6u);
  EXPECT_EQ(bindings[0].set, 1u);
  EXPECT_EQ(bindings[0].binding, 2u);
  EXPECT_TRUE(bindings[0].is_variable);
  EXPECT_EQ(bindings[0].count, 8u);
  ASSERT_EQ(bindings[0].elements.size(), 5u);
  EXPECT_EQ(bindings[0].elements[0].range, VK_WHOLE_SIZE);
  EXPECT_EQ(bindings[0].elements[1].offset, 16u);
  EXPECT_EQ(bindings[0].elements[1].range, 32u);
  EXPECT_EQ(bindings[0].elements[2].state, Element::State::kUnwritten);
  EXPECT_EQ(bindings[0].elements[3].state, Element::State::kNull);
  EXPECT_EQ(bindings[0].elements[4].state, Element::State::kDestroyed);
  EXPECT_EQ(bindings[0].elements[4].resource, "other");
  EXPECT_EQ(bindings[1].elements.at(0).dynamic_offset, 256u);
  EXPECT_EQ(bindings[1].elements.at(0).range, 64u);
  ASSERT_EQ(bindings[2].elements.size(), 3u);
  EXPECT_EQ(bindings[2].elements[1].sampler, "smp");
  EXPECT_EQ(bindings[2].elements[1].view_type, VK_IMAGE_VIEW_TYPE_2D_ARRAY);
  EXPECT_EQ(bindings[2].elements[1].level, 1u);
  EXPECT_FALSE(bindings[2].elements[1].all_levels);
  EXPECT_EQ(bindings[2].elements[2].sampler, "smp");
  EXPECT_EQ(bindings[2].elements[2].state, Element::State::kNull);
  EXPECT_EQ(bindings[3].mutable_types.size(), 2u);
  EXPECT_EQ(bindings[3].elements.at(0).type, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  EXPECT_EQ(bindings[4].count, 16u);
  EXPECT_EQ(bindings[4].inline_contents.bytes.size(), 16u);
  EXPECT_EQ(bindings[5].elements.at(0).format, VK_FORMAT_R32_UINT);
}

TEST(ParseTest, Work) {
  EXPECT_EQ(Parse("//@ dispatch 2 3").inputs.at(0).setup.work.size, (std::array<uint32_t, 3>{2, 3, 1}));
  EXPECT_EQ(Parse("//@ mesh 4").inputs.at(0).setup.work.kind, Work::Kind::kDrawMeshTasks);
  const Work draw = Parse("//@ draw 6 instances=2 first=1 indices=i topology=patches patch=4").inputs.at(0).setup.work;
  EXPECT_EQ(draw.kind, Work::Kind::kDrawIndexed);
  EXPECT_EQ(draw.vertices, 6u);
  EXPECT_EQ(draw.instances, 2u);
  EXPECT_EQ(draw.first_vertex, 1u);
  EXPECT_EQ(draw.index_buffer, "i");
  EXPECT_EQ(draw.patch_vertices, 4u);
}

TEST(ParseTest, LaterInputsChangeTheFirst) {
  const Program program = Parse(
      "//@ buffer data 16 : u32 1 2 3 4\n"
      "//@ push u32 1\n"
      "//@ expect data 0 : u32 1\n"
      "//@ input other\n"
      "//@   push u32 2\n"
      "//@   expect data 4 : u32 9\n"
      "//@ fault bad buffer-bounds at read\n"
      "//@   write data 8 : u32 7\n"
      "//@   also division at read\n"
      "//@   dominated shift at read");
  ASSERT_EQ(program.inputs.size(), 3u);
  EXPECT_EQ(program.inputs[0].name, "valid");
  EXPECT_EQ(program.inputs[1].setup.push_constants.bytes.at(0), 2u);
  EXPECT_EQ(program.inputs[1].expected.size(), 1u);
  EXPECT_EQ(program.inputs[1].expected.at(0).offset, 4u);
  EXPECT_EQ(program.inputs[2].setup.push_constants.bytes.at(0), 1u);
  EXPECT_EQ(program.inputs[2].setup.buffers.at(0).contents.bytes.at(8), 7u);
  EXPECT_EQ(program.inputs[0].setup.buffers.at(0).contents.bytes.at(8), 3u);
  ASSERT_EQ(program.inputs[2].faults.size(), 3u);
  EXPECT_EQ(program.inputs[2].faults[0].kind, FaultKind::kBufferBounds);
  EXPECT_EQ(program.inputs[2].faults[0].source, "a.comp");
  EXPECT_EQ(program.inputs[2].faults[0].line, 13u);
  EXPECT_EQ(program.inputs[2].faults[1].kind, FaultKind::kDivision);
  EXPECT_FALSE(program.inputs[2].faults[1].is_dominated);
  EXPECT_EQ(program.inputs[2].faults[2].kind, FaultKind::kShift);
  EXPECT_TRUE(program.inputs[2].faults[2].is_dominated);
  EXPECT_TRUE(program.inputs[2].expected.empty());
}

TEST(ParseTest, ProgramOfSeveralSources) {
  Sources sources = SourceWith("//@ with b.vert c.frag\n//@ fault bad shift at c.frag:there");
  sources["b.vert"] = "//@ part\nvoid main() {}";
  sources["c.frag"] = "//@ part\n\nvoid main() {}  //@ there";
  absl::StatusOr<Program> program = ParseDescription(sources, "a.comp");
  ASSERT_TRUE(program.ok()) << program.status().message();
  ASSERT_EQ(program->stages.size(), 3u);
  EXPECT_EQ(program->stages[1].stage, VK_SHADER_STAGE_VERTEX_BIT);
  EXPECT_EQ(program->inputs.at(1).faults.at(0).source, "c.frag");
  EXPECT_EQ(program->inputs.at(1).faults.at(0).line, 3u);
  EXPECT_TRUE(DescribesProgram(sources["a.comp"]));
  EXPECT_FALSE(DescribesProgram(sources["b.vert"]));
}

TEST(ParseTest, Errors) {
  ExpectError("//@ fly 3", "a.comp:3: there is no directive 'fly'");
  ExpectError("//@ buffer data", "a.comp:3: there is no size");
  ExpectError("//@ buffer data 0", "a.comp:3: the size is not sensible");
  ExpectError("//@ buffer data 4 : u32 1 2", "a.comp:3: the contents are larger than the buffer");
  ExpectError("//@ buffer data 4 5", "a.comp:3: '5' is one argument too many");
  ExpectError("//@ image i 2d r99 4x4", "a.comp:3: 'r99' is no format");
  ExpectError("//@ bind 0 storage data", "a.comp:3: '0' is no SET.BINDING");
  ExpectError("//@ bind 0.0 storage[1] a b", "a.comp:3: more elements than descriptors");
  ExpectError("//@ bind 0.0 storehouse a", "a.comp:3: 'storehouse' is no descriptor type");
  ExpectError("//@ fault f buffer-bounds at nowhere", "a.comp:3: no line has the mark nowhere");
  ExpectError("//@ fault f fire at read", "a.comp:3: no kind fire");
  ExpectError("//@ fault f shift read", "a.comp:3: it is not NAME KIND at MARK");
  ExpectError("//@ input one\n//@ input one", "a.comp:4: another input is called one");
  ExpectError("//@ with b.vert", "a.comp:3: there is no source b.vert");
  ExpectError("//@ write data 0 : u32 1", "a.comp:3: there is no such buffer or image");
  ExpectError("//@ expect data 0 : u64 &data",
              "a.comp:3: an address differs from run to run, so that it cannot be expected");
}

TEST(ParseTest, SourceWithoutPurpose) {
  const Sources sources = {{"a.comp", "#version 460\nvoid main() {}"}};
  EXPECT_EQ(ParseDescription(sources, "a.comp").status().message(), "a.comp:1: the source does not say what it is for");
}

TEST(ParseTest, StagesByName) {
  EXPECT_EQ(StageOf("a.b.tese"), VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
  EXPECT_EQ(StageOf("a.comp.spv"), std::nullopt);
  EXPECT_EQ(StageOf("comp"), std::nullopt);
}

}  // namespace
}  // namespace assay::spirv_instrument::corpus
