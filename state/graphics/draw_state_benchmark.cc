// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The cost of bind and set commands in the state tracker, without dispatch.

#include <array>
#include <cstdint>

#include "benchmark/benchmark.h"
#include "dispatch/dispatch.h"
#include "state/graphics/draw_state.h"
#include "state/memory/buffer.h"

namespace assay::state {
namespace {

// Handles of buffers with state in the handle table.
class Buffers {
 public:
  Buffers() {
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 65536};
    for (size_t i = 0; i < handles_.size(); ++i) {
      dispatch::Slot* slot = dispatch::HandleTable::Get().Add(VK_OBJECT_TYPE_BUFFER, i + 1, nullptr, nullptr,
                                                              dispatch::HandleKind::kWrapped);
      states_[i] = MakeRef<Buffer>(slot->application_handle, info);
      slot->state = static_cast<Object*>(states_[i].get());
      handles_[i] = reinterpret_cast<VkBuffer>(slot->application_handle);
    }
  }
  const VkBuffer* At(uint32_t i) const { return &handles_[i % 4]; }

 private:
  std::array<VkBuffer, 8> handles_;
  std::array<Ref<Buffer>, 8> states_;
};

const Buffers& TheBuffers() {
  static const Buffers* const buffers = new Buffers;
  return *buffers;
}

void BindVertexBuffer(benchmark::State& state) {
  const Buffers& buffers = TheBuffers();
  DrawState draw;
  const VkDeviceSize offset = 16;
  uint32_t i = 0;
  for (auto _ : state) {
    draw.Set(vk::CmdBindVertexBuffers{VK_NULL_HANDLE, 0, 1, buffers.At(i++), &offset});
    benchmark::DoNotOptimize(draw);
  }
}
BENCHMARK(BindVertexBuffer);

void BindSameVertexBuffer(benchmark::State& state) {
  const Buffers& buffers = TheBuffers();
  DrawState draw;
  const VkDeviceSize offset = 16;
  for (auto _ : state) {
    draw.Set(vk::CmdBindVertexBuffers{VK_NULL_HANDLE, 0, 1, buffers.At(0), &offset});
    benchmark::DoNotOptimize(draw);
  }
}
BENCHMARK(BindSameVertexBuffer);

void BindIndexBuffer(benchmark::State& state) {
  const Buffers& buffers = TheBuffers();
  DrawState draw;
  uint32_t i = 0;
  for (auto _ : state) {
    draw.Set(vk::CmdBindIndexBuffer{VK_NULL_HANDLE, *buffers.At(i++), 0, VK_INDEX_TYPE_UINT16});
    benchmark::DoNotOptimize(draw);
  }
}
BENCHMARK(BindIndexBuffer);

void SetDepthTestEnable(benchmark::State& state) {
  DrawState draw;
  VkBool32 enable = VK_FALSE;
  for (auto _ : state) {
    enable = !enable;
    draw.Set(vk::CmdSetDepthTestEnable{VK_NULL_HANDLE, enable});
    benchmark::DoNotOptimize(draw);
  }
}
BENCHMARK(SetDepthTestEnable);

void SetStencilOp(benchmark::State& state) {
  DrawState draw;
  uint32_t i = 0;
  for (auto _ : state) {
    draw.Set(vk::CmdSetStencilOp{VK_NULL_HANDLE, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_KEEP,
                                 static_cast<VkStencilOp>(++i % 4), VK_STENCIL_OP_KEEP, VK_COMPARE_OP_LESS});
    benchmark::DoNotOptimize(draw);
  }
}
BENCHMARK(SetStencilOp);

void Reset(benchmark::State& state) {
  DrawState draw;
  for (auto _ : state) {
    draw.Reset();
    benchmark::DoNotOptimize(draw);
  }
}
BENCHMARK(Reset);

}  // namespace
}  // namespace assay::state
