// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/contexts/access_context.h"

#include "syncval/engine/contexts/access_context_bodies.h"

namespace assay::syncval {

template class BasicAccessContext<Mutation::kNone>;

}  // namespace assay::syncval
