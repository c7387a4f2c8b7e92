// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The one symbol that the layer exports. Compiled once for each name of the layer; ASSAY_LOADED_AS is an enumerator of
// dispatch::LoadedAs.

#include "dispatch/dispatch.h"
#include "layer/validators/validators.h"

extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* pVersionStruct) {
  assay::dispatch::SetLoadedAs(assay::dispatch::LoadedAs::ASSAY_LOADED_AS);
  assay::layer::InstallValidatorFactory();
  return assay::dispatch::NegotiateLoaderLayerInterfaceVersion(pVersionStruct);
}
