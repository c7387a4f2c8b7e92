// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/streams/shrink_device_stream.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "syncval/engine/streams/shrink_stream.h"

namespace assay::syncval {
namespace {

class DeviceShrinker {
 public:
  DeviceShrinker(DeviceStream stream, absl::FunctionRef<bool(const DeviceStream&)> fails)
      : stream_(std::move(stream)), fails_(fails) {}

  DeviceStream Run() {
    do {
      changed_ = false;
      for (size_t i = stream_.steps.size(); i-- > 0;) DropStep(i);
      for (size_t i = 0; i < stream_.steps.size(); ++i) {
        DropEach(i, &DeviceStep::buffers);
        DropEach(i, &DeviceStep::waits);
        DropEach(i, &DeviceStep::signals);
      }
      for (size_t i = 0; i < stream_.buffers.size(); ++i) ShrinkBuffer(i);
    } while (changed_);
    return std::move(stream_);
  }

 private:
  bool Try(DeviceStream candidate) {
    if (!fails_(candidate)) return false;
    stream_ = std::move(candidate);
    changed_ = true;
    return true;
  }

  // Host waits name steps by number, so later steps get new numbers.
  void DropStep(size_t i) {
    DeviceStream candidate = stream_;
    candidate.steps.erase(candidate.steps.begin() + static_cast<ptrdiff_t>(i));
    for (DeviceStep& step : candidate.steps) {
      if (!step.is_host_wait || step.waited_for < i) continue;
      if (step.waited_for == i) {
        step = {};
      } else {
        --step.waited_for;
      }
    }
    Try(std::move(candidate));
  }

  template <typename Item>
  void DropEach(size_t step, std::vector<Item> DeviceStep::* list) {
    for (size_t i = 0; i < (stream_.steps[step].*list).size();) {
      DeviceStream candidate = stream_;
      std::vector<Item>& items = candidate.steps[step].*list;
      items.erase(items.begin() + static_cast<ptrdiff_t>(i));
      if (!Try(std::move(candidate))) ++i;
    }
  }

  void ShrinkBuffer(size_t i) {
    if (stream_.buffers[i].empty()) return;
    DeviceStream candidate = stream_;
    Stream small = ShrinkStream(stream_.buffers[i], [&](const Stream& buffer) {
      candidate.buffers[i] = buffer;
      return fails_(candidate);
    });
    size_t before = 0, after = 0;
    for (const StreamCommand& command : stream_.buffers[i])
      before += 1 + command.accesses.size() + command.barriers.size();
    for (const StreamCommand& command : small) after += 1 + command.accesses.size() + command.barriers.size();
    changed_ |= after < before;
    stream_.buffers[i] = std::move(small);
  }

  DeviceStream stream_;
  absl::FunctionRef<bool(const DeviceStream&)> fails_;
  bool changed_ = false;
};

}  // namespace

DeviceStream ShrinkDeviceStream(DeviceStream stream, absl::FunctionRef<bool(const DeviceStream&)> fails) {
  return DeviceShrinker(std::move(stream), fails).Run();
}

}  // namespace assay::syncval
