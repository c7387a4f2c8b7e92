// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_STREAMS_SHRINK_DEVICE_STREAM_H_
#define ASSAY_SYNCVAL_ENGINE_STREAMS_SHRINK_DEVICE_STREAM_H_

#include "absl/functional/function_ref.h"
#include "syncval/engine/streams/device_stream.h"

namespace assay::syncval {

// Returns a smaller stream that still fails. No single step, execution, semaphore or part of a command buffer can be
// taken out of it. `stream` must fail.
DeviceStream ShrinkDeviceStream(DeviceStream stream, absl::FunctionRef<bool(const DeviceStream&)> fails);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_STREAMS_SHRINK_DEVICE_STREAM_H_
