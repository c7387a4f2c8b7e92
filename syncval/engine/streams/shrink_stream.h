// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_STREAMS_SHRINK_STREAM_H_
#define ASSAY_SYNCVAL_ENGINE_STREAMS_SHRINK_STREAM_H_

#include "absl/functional/function_ref.h"
#include "syncval/engine/streams/random_stream.h"

namespace assay::syncval {

// Returns a smaller stream that still fails. No single command, access, barrier, mask bit or byte can be taken out of
// it. `stream` must fail.
Stream ShrinkStream(Stream stream, absl::FunctionRef<bool(const Stream&)> fails);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_STREAMS_SHRINK_STREAM_H_
