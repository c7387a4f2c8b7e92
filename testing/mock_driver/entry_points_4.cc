// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/mock_driver/entry.h"

namespace assay::test {

std::span<const EntryPoint> EntryPoints4() {
#define ASSAY_ENTRY_POINT(Command) MakeEntryPoint<vk::Command>(),
  static const EntryPoint entries[] = {ASSAY_VK_COMMANDS_4(ASSAY_ENTRY_POINT)};
#undef ASSAY_ENTRY_POINT
  return entries;
}

}  // namespace assay::test
