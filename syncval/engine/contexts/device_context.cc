// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/contexts/device_context.h"

#include "syncval/engine/contexts/device_context_bodies.h"

namespace assay::syncval {

template class BasicDeviceContext<Mutation::kNone>;

}  // namespace assay::syncval
