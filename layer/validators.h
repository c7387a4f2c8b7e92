// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_LAYER_VALIDATORS_H_
#define ASSAY_LAYER_VALIDATORS_H_

#include "dispatch/dispatch.h"

namespace assay::layer {

// Which validators there are: the only place that knows them all. To be called before the first vkCreateInstance;
// calling it again changes nothing.
void InstallValidatorFactory();

}  // namespace assay::layer

#endif  // ASSAY_LAYER_VALIDATORS_H_
