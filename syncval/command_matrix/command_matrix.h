// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMAND_MATRIX_COMMAND_MATRIX_H_
#define ASSAY_SYNCVAL_COMMAND_MATRIX_COMMAND_MATRIX_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "syncval/command_matrix/access_shader.h"
#include "syncval/engine/engine.h"
#include "syncval/engine/matrix/expectation.h"
#include "syncval/engine/matrix/registry_sync.h"
#include "syncval/fixture/sync_test.h"

// The hazard matrix through the whole layer: every command that makes one access of a known kind after every other. The
// expected hazards of two kinds come from syncval/engine/matrix.
//
// A *command* here is a function that records one access to the *target*: bytes of a buffer, or a mip level of an
// image. All other resources that it accesses are its own. There are two of each command, one to be first and one to be
// second, and they share only the target. So the layer reports the one hazard of the two accesses of a case, or
// nothing.
namespace assay::syncval::command_matrix {

struct Target {
  // Bytes [kOffset, kOffset + kSize).
  test::Buffer buffer;
  // Mip level 0.
  test::Image image;
  VkImageView view = VK_NULL_HANDLE;

  VkImageSubresourceRange Level(uint32_t level) const;
  VkImageSubresourceLayers Layers() const;
};
inline constexpr VkDeviceSize kOffset = 256;
inline constexpr VkDeviceSize kSize = 256;
inline constexpr uint32_t kSide = 64;

struct Command {
  std::string name;
  const matrix::Kind* kind = nullptr;
  std::function<void(VkCommandBuffer)> record;
  // Whether the access is a possible read. It is not the first of two: only a write of all of its range conflicts.
  bool is_possible_read = false;
};
using Commands = std::vector<Command>;
void Append(Commands& commands, Commands more);

class CommandMatrix : public SyncTest {
 public:
  // The commands that record barriers.
  enum class BarrierCommand { kPipelineBarrier2, kPipelineBarrier, kEvent2 };

  // Records the dependencies with one command. is_transition is whether they change the layout of the target too.
  void RecordDependencies(VkCommandBuffer c, absl::Span<const matrix::Dependency> dependencies, bool is_transition,
                          BarrierCommand command = BarrierCommand::kPipelineBarrier2);
  // The hazard that was reported since the last call.
  HazardKind TakeHazard();

  static const matrix::RegistrySync& Registry();
  static const matrix::Expectation& Specification();
  Target target;

 protected:
  test::DeviceOptions Options() override;

  // Each call makes new commands, which share only the target with others.
  Commands BufferTransfers();
  Commands DrawInputs();
  Commands IndirectCommands();
  Commands TransformFeedbacks();
  Commands AccelerationStructures();
  Commands Videos();
  Commands BufferDescriptors();
  Commands AllBufferCommands();

  Commands ImageTransfers();
  Commands ImageDescriptors();
  Commands ColorAttachments();
  Commands DepthAttachments();
  Commands RenderPasses();
  Commands Transitions();
  Commands AllImageCommands();

  VkImageView MakeLevelView(const test::Image& image);

 private:
  static const matrix::Kind* KindOf(VkPipelineStageFlags2 stage, VkAccessFlags2 access);

  struct PipelineOptions {
    VkPipelineLayout layout = VK_NULL_HANDLE;
    // Other stages have no shader, unless these stages need one.
    std::vector<std::pair<VkShaderStageFlagBits, std::vector<uint32_t>>> shaders;
    bool has_vertices = false;
    bool rasterizes = false;
    VkColorComponentFlags color_writes = 0;
    VkPipelineDepthStencilStateCreateInfo depth = {};
    VkRenderPass render_pass = VK_NULL_HANDLE;
  };
  VkPipeline MakePipeline(PipelineOptions options);
  // The set of an event and the wait for it.
  void RecordEventDependency(VkCommandBuffer c, const VkDependencyInfo& info);
  VkPipeline MakeRayTracingPipeline(VkPipelineLayout layout, const std::vector<uint32_t>& ray_generation);
  // A pipeline without descriptors or attachments.
  VkPipeline MakePlainPipeline();
  VkPipeline MakeMeshPipeline();

  struct Attachment {
    VkImageView view = VK_NULL_HANDLE;
    VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_NONE;
    VkAttachmentStoreOp store = VK_ATTACHMENT_STORE_OP_NONE;
    VkImageView resolve = VK_NULL_HANDLE;
  };
  // Dynamic rendering to at most one attachment.
  void Render(VkCommandBuffer c, const Attachment& color, const Attachment& depth,
              const std::function<void(VkCommandBuffer)>& commands);
  void RenderNothing(VkCommandBuffer c, VkPipeline pipeline, const std::function<void(VkCommandBuffer)>& commands);

  VkDeviceAddress AddressOf(VkBuffer buffer);
  VkAccelerationStructureKHR MakeAccelerationStructure(VkBuffer buffer, VkDeviceSize offset);
  // A build from geometry. If `structure` is null, it has a structure of its own.
  Command Build(std::string name, VkAccessFlags2 access, const VkAccelerationStructureGeometryKHR& geometry,
                VkAccelerationStructureKHR structure = VK_NULL_HANDLE,
                VkAccelerationStructureKHR source = VK_NULL_HANDLE);
  VkAccelerationStructureGeometryKHR Triangles();
  void WriteDescriptor(VkDescriptorSet set, const DescriptorAccess& access);
  Command ThroughDescriptor(const ShaderStage& stage, const DescriptorAccess& access);
  Command RenderPass(std::string name, VkAccessFlags2 access, VkAttachmentLoadOp load, VkAttachmentStoreOp store,
                     bool draws, bool is_sync2);

  // Set in turns, so that a command buffer sets each only once.
  std::vector<VkEvent> events_;
  size_t next_event_ = 0;
};

}  // namespace assay::syncval::command_matrix

#endif  // ASSAY_SYNCVAL_COMMAND_MATRIX_COMMAND_MATRIX_H_
