// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMAND_MATRIX_COMMAND_SCENARIO_H_
#define ASSAY_SYNCVAL_COMMAND_MATRIX_COMMAND_SCENARIO_H_

#include <array>
#include <string_view>

#include "syncval/command_matrix/command_matrix.h"
#include "syncval/engine/matrix/scenario.h"
#include "syncval/engine/matrix/submission_scenarios.h"

// Where the commands of a case are recorded, and what the layer reports there.
namespace assay::syncval::command_matrix {

using matrix::Case;
using matrix::Dependency;
using matrix::Kind;

class CommandSetting : public matrix::Setting {
 public:
  explicit CommandSetting(CommandMatrix& matrix) : matrix_(matrix) {}

  // The commands whose accesses are the kinds of the cases that follow.
  void Use(const Command& first, const Command& second) {
    first_ = &first;
    second_ = &second;
  }

  // In one command buffer.
  virtual bool is_recorded_together() const { return false; }

  Case Exact(const Kind& first, const Kind& second) const override { return matrix::ExactOfOnePlace(first, second); }
  Case Nothing(const Kind& first, const Kind& second) const override {
    return matrix::NothingOfOnePlace(first, second);
  }
  Case Chain(const Kind& first, const Kind& second, VkPipelineStageFlags2 middle,
             VkPipelineStageFlags2 from) const override {
    return matrix::ChainOfOnePlace(first, second, middle, from);
  }
  HazardKind Find(const Case& c) override;

 protected:
  // What is recorded into at first, after the first access, and after a semaphore; null goes on with the same.
  virtual VkCommandBuffer Start() = 0;
  virtual VkCommandBuffer AfterFirst() { return VK_NULL_HANDLE; }
  virtual VkCommandBuffer AtPlace(const Dependency*) { return VK_NULL_HANDLE; }
  virtual void Finish() = 0;

  CommandMatrix& matrix_;
  CommandMatrix::Generation generation_ = CommandMatrix::Generation::kPipelineBarrier2;

 private:
  const Command* first_ = nullptr;
  const Command* second_ = nullptr;
};

class OneCommandBuffer : public CommandSetting {
 public:
  explicit OneCommandBuffer(CommandMatrix& matrix) : CommandSetting(matrix), commands_(matrix.MakeCommandBuffer()) {}
  std::string_view name() const override { return "one command buffer"; }
  bool is_recorded_together() const override { return true; }

 protected:
  VkCommandBuffer Start() override {
    matrix_.Begin(commands_);
    return commands_;
  }
  void Finish() override { matrix_.End(commands_); }

 private:
  const VkCommandBuffer commands_;
};

// With vkCmdPipelineBarrier, whose masks have fewer bits: the exact barrier is of those that stand for what is needed.
class FirstGeneration final : public OneCommandBuffer {
 public:
  explicit FirstGeneration(CommandMatrix& matrix) : OneCommandBuffer(matrix) {
    generation_ = CommandMatrix::Generation::kPipelineBarrier;
  }
  std::string_view name() const override { return "one command buffer, first generation of barriers"; }
  Case Exact(const Kind& first, const Kind& second) const override;
};

// With the set of an event and the wait for it.
class ByEvent final : public OneCommandBuffer {
 public:
  explicit ByEvent(CommandMatrix& matrix) : OneCommandBuffer(matrix) {
    generation_ = CommandMatrix::Generation::kEvent2;
  }
  std::string_view name() const override { return "one command buffer, events"; }
};

class TwoCommandBuffers final : public CommandSetting {
 public:
  // Of one submission or of two.
  TwoCommandBuffers(CommandMatrix& matrix, bool of_one)
      : CommandSetting(matrix), of_one_(of_one), commands_{matrix.MakeCommandBuffer(), matrix.MakeCommandBuffer()} {}
  std::string_view name() const override { return of_one_ ? "two command buffers of a submission" : "two submissions"; }

 protected:
  VkCommandBuffer Start() override;
  VkCommandBuffer AfterFirst() override;
  void Finish() override;

 private:
  const bool of_one_;
  const std::array<VkCommandBuffer, 2> commands_;
};

class TwoQueues final : public CommandSetting {
 public:
  explicit TwoQueues(CommandMatrix& matrix)
      : CommandSetting(matrix),
        cases_(CommandMatrix::Specification()),
        semaphore_(matrix.MakeSemaphore()),
        commands_{matrix.MakeCommandBuffer(), matrix.MakeCommandBuffer()} {}
  std::string_view name() const override { return "two queues"; }
  Case Exact(const Kind& first, const Kind& second) const override { return cases_.Exact(first, second); }
  Case Nothing(const Kind& first, const Kind& second) const override { return cases_.Nothing(first, second); }
  Case Chain(const Kind& first, const Kind& second, VkPipelineStageFlags2 middle,
             VkPipelineStageFlags2 from) const override {
    return cases_.Chain(first, second, middle, from);
  }

 protected:
  VkCommandBuffer Start() override;
  VkCommandBuffer AtPlace(const Dependency* semaphore) override;
  void Finish() override;

 private:
  const matrix::TwoQueues<> cases_;
  const VkSemaphore semaphore_;
  const std::array<VkCommandBuffer, 2> commands_;
  std::vector<VkSemaphoreSubmitInfo> waits_;
};

}  // namespace assay::syncval::command_matrix

#endif  // ASSAY_SYNCVAL_COMMAND_MATRIX_COMMAND_SCENARIO_H_
