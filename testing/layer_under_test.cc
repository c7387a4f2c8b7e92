// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/fixture.h"

#include <vulkan/vk_layer.h>

extern "C" VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* pVersionStruct);

namespace assay::test {

const InProcessLoader& LoaderUnderTest() {
  static const InProcessLoader loader(&vkNegotiateLoaderLayerInterfaceVersion);
  return loader;
}

}  // namespace assay::test
