// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The one symbol that the layer exports.

#include "dispatch/dispatch.h"
#include "layer/compose.h"

extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* pVersionStruct) {
  assay::layer::InstallComposer();
  return assay::dispatch::NegotiateLoaderLayerInterfaceVersion(pVersionStruct);
}
