// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMAND_MATRIX_COMMAND_SCENARIO_H_
#define ASSAY_SYNCVAL_COMMAND_MATRIX_COMMAND_SCENARIO_H_

#include <array>
#include <string_view>

#include "syncval/command_matrix/command_matrix.h"
#include "syncval/engine/matrix/scenario.h"
#include "syncval/engine/matrix/submission_scenarios.h"

// The command buffers of a case, and the reports of the layer.
namespace assay::syncval::command_matrix {

using matrix::Case;
using matrix::Dependency;
using matrix::Kind;

class CommandScenario : public matrix::Scenario {
 public:
  explicit CommandScenario(CommandMatrix& matrix) : matrix_(matrix) {}

  // The commands whose accesses are the kinds of the cases that follow.
  void SetCommands(const Command& first, const Command& second) {
    first_ = &first;
    second_ = &second;
  }

  // Whether both commands are in one command buffer.
  virtual bool is_recorded_together() const { return false; }

  Case MinimalCase(const Kind& first, const Kind& second) const override {
    return matrix::MinimalCaseAtOnePlace(first, second);
  }
  Case UnsynchronizedCase(const Kind& first, const Kind& second) const override {
    return matrix::UnsynchronizedCaseAtOnePlace(first, second);
  }
  Case ChainCase(const Kind& first, const Kind& second, VkPipelineStageFlags2 middle,
                 VkPipelineStageFlags2 from) const override {
    return matrix::ChainCaseAtOnePlace(first, second, middle, from);
  }
  HazardKind DetectHazard(const Case& c) override;

 protected:
  // The command buffer for the first access, for what comes after that, and for what comes after a semaphore. Null
  // continues with the same one.
  virtual VkCommandBuffer Start() = 0;
  virtual VkCommandBuffer AfterFirst() { return VK_NULL_HANDLE; }
  virtual VkCommandBuffer AtPlace(const Dependency*) { return VK_NULL_HANDLE; }
  virtual void Finish() = 0;

  CommandMatrix& matrix_;
  CommandMatrix::BarrierCommand barrier_command_ = CommandMatrix::BarrierCommand::kPipelineBarrier2;

 private:
  const Command* first_ = nullptr;
  const Command* second_ = nullptr;
};

class OneCommandBuffer : public CommandScenario {
 public:
  explicit OneCommandBuffer(CommandMatrix& matrix) : CommandScenario(matrix), commands_(matrix.MakeCommandBuffer()) {}
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

// With vkCmdPipelineBarrier, whose masks have fewer bits: the exact barrier has the bits that include the needed ones.
class Sync1 final : public OneCommandBuffer {
 public:
  explicit Sync1(CommandMatrix& matrix) : OneCommandBuffer(matrix) {
    barrier_command_ = CommandMatrix::BarrierCommand::kPipelineBarrier;
  }
  std::string_view name() const override { return "one command buffer, sync1 barriers"; }
  Case MinimalCase(const Kind& first, const Kind& second) const override;
};

// With the set of an event and the wait for it.
class ByEvent final : public OneCommandBuffer {
 public:
  explicit ByEvent(CommandMatrix& matrix) : OneCommandBuffer(matrix) {
    barrier_command_ = CommandMatrix::BarrierCommand::kEvent2;
  }
  std::string_view name() const override { return "one command buffer, events"; }
};

class TwoCommandBuffers final : public CommandScenario {
 public:
  // of_one: whether both are in one submission.
  TwoCommandBuffers(CommandMatrix& matrix, bool of_one)
      : CommandScenario(matrix), of_one_(of_one), commands_{matrix.MakeCommandBuffer(), matrix.MakeCommandBuffer()} {}
  std::string_view name() const override { return of_one_ ? "two command buffers of a submission" : "two submissions"; }

 protected:
  VkCommandBuffer Start() override;
  VkCommandBuffer AfterFirst() override;
  void Finish() override;

 private:
  const bool of_one_;
  const std::array<VkCommandBuffer, 2> commands_;
};

class TwoQueues final : public CommandScenario {
 public:
  explicit TwoQueues(CommandMatrix& matrix)
      : CommandScenario(matrix),
        cases_(CommandMatrix::Specification()),
        semaphore_(matrix.MakeSemaphore()),
        commands_{matrix.MakeCommandBuffer(), matrix.MakeCommandBuffer()} {}
  std::string_view name() const override { return "two queues"; }
  Case MinimalCase(const Kind& first, const Kind& second) const override { return cases_.MinimalCase(first, second); }
  Case UnsynchronizedCase(const Kind& first, const Kind& second) const override {
    return cases_.UnsynchronizedCase(first, second);
  }
  Case ChainCase(const Kind& first, const Kind& second, VkPipelineStageFlags2 middle,
                 VkPipelineStageFlags2 from) const override {
    return cases_.ChainCase(first, second, middle, from);
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
