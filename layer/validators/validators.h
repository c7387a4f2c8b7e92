// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_LAYER_VALIDATORS_VALIDATORS_H_
#define ASSAY_LAYER_VALIDATORS_VALIDATORS_H_

#include "dispatch/dispatch.h"

// The layer: dispatch and all validators in one library. But for tests, this package is the only one that knows every
// validator.
//
// The settings of an instance decide which validators it and its devices have (validator_sets.h). layer/entry.cc
// exports vkNegotiateLoaderLayerInterfaceVersion, by which the loader reaches all of the layer. layer/manifest.h makes
// the manifest by which the loader finds it. The drop-in is the same layer under the Khronos layer's name.
namespace assay::layer {

// Makes dispatch attach the validators to instances and devices. Call it before the first vkCreateInstance. A second
// call changes nothing.
void InstallValidatorFactory();

}  // namespace assay::layer

#endif  // ASSAY_LAYER_VALIDATORS_VALIDATORS_H_
