// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/mock_driver/mock_driver.h"

#include <algorithm>
#include <mutex>
#include <string_view>

#include "testing/mock_driver/generic.h"
#include "testing/mock_driver/objects.h"
#include "testing/mock_driver/pending_work.h"
#include "vk/command_info.h"

namespace assay::test {

bool MockDriver::interposed_ = false;

struct MockDriver::Private {
  struct Failure {
    vk::CommandId id;
    VkResult result;
    uint32_t times;
    uint32_t skip;
  };

  Observer observer;
  std::mutex mutex;
  std::vector<Failure> failures;
  bool check_handles = false;
  std::vector<std::string> misuses;
};

MockDriver& MockDriver::Get() {
  static auto* driver = new MockDriver;
  return *driver;
}

MockDriver::MockDriver() : private_(std::make_unique<Private>()) {}
MockDriver::~MockDriver() = default;

void MockDriver::Reset() {
  CompleteWork();
  config_ = MockConfig();
  private_ = std::make_unique<Private>();
  UpdateInterposed();
}

void MockDriver::SetObserver(Observer observer) {
  private_->observer = std::move(observer);
  UpdateInterposed();
}

void MockDriver::FailNext(vk::CommandId id, VkResult result, uint32_t times, uint32_t skip) {
  private_->failures.push_back({id, result, times, skip});
  UpdateInterposed();
}

void MockDriver::CheckHandles(bool on) {
  private_->check_handles = on;
  UpdateInterposed();
}

void MockDriver::UpdateInterposed() {
  interposed_ = private_->observer || !private_->failures.empty() || private_->check_handles;
}

bool MockDriver::Interpose(vk::CommandId id, const void* parameters, VkResult* result) {
  if (private_->check_handles) CheckParameterHandles(vk::GetCommandInfo(id), parameters);
  if (private_->observer) private_->observer(id, parameters);
  std::lock_guard lock(private_->mutex);
  auto& failures = private_->failures;
  auto failure = std::find_if(failures.begin(), failures.end(), [&](const auto& entry) { return entry.id == id; });
  if (failure == failures.end()) return false;
  if (failure->skip > 0) {
    --failure->skip;
    return false;
  }
  *result = failure->result;
  if (--failure->times == 0) failures.erase(failure);
  return true;
}

void MockDriver::AddMisuse(std::string misuse) {
  std::lock_guard lock(private_->mutex);
  private_->misuses.push_back(std::move(misuse));
}

std::vector<std::string> MockDriver::TakeMisuses() {
  std::lock_guard lock(private_->mutex);
  return std::exchange(private_->misuses, {});
}

void MockDriver::CompleteWork() { PendingWork::Get().Complete(); }

std::byte* MockDriver::MappedBytes(VkDeviceMemory memory) {
  const Object* object = FindObject(memory);
  return object != nullptr ? object->bytes.get() : nullptr;
}

size_t MockDriver::LiveObjects(VkObjectType type) const {
  return ObjectTable::Get().Count(type) + CountDispatchable(type);
}

}  // namespace assay::test
