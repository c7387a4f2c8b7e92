// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/message/specification_url.h"

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "vk/vuid.h"

namespace assay::messages {

std::string SpecificationUrl(std::string_view id) {
  vk::VuidIndex index;
  if (!vk::FindVuid(id, &index)) return "";
  return absl::StrCat("https://docs.vulkan.org/spec/latest/", vk::GetVuid(index).page, "#", id);
}

}  // namespace assay::messages
