// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/copy_check.h"

#include "absl/strings/str_cat.h"

namespace assay::core {

using messages::Location;

void CheckResource(const CopyCheck& check, const ResourceIds& ids, const ResourceOperand& resource,
                   const Location& command) {
  const Location where = command.Dot(resource.name);
  const std::string_view kind = resource.object.type == VK_OBJECT_TYPE_IMAGE ? "image" : "buffer";
  const auto object = [&] { return check.report().reporter().Describe(resource.object); };
  check.Require(resource.has_usage, ids.usage, resource.object, where, [&] {
    return std::pair(absl::StrCat(object(), " was created without ", resource.usage, "."),
                     absl::StrCat("Create the ", kind, " with ", resource.usage, "."));
  });
  check.Require(resource.is_bound, ids.bound, resource.object, where, [&] {
    return std::pair(absl::StrCat(object(), " is not bound to memory."),
                     absl::StrCat("Bind memory to the ", kind, " before this call."));
  });
  if (check.facts().protected_no_fault || check.is_protected() == resource.is_protected) return;
  check.Require(!resource.is_protected, ids.is_protected, resource.object, where, [&] {
    return std::pair(absl::StrCat(object(), " is a protected ", kind, ", but the command buffer is unprotected."), "");
  });
  check.Require(resource.is_protected, ids.is_unprotected, resource.object, where, [&] {
    return std::pair(absl::StrCat(object(), " is an unprotected ", kind, ", but the command buffer is protected."), "");
  });
}

void CheckClearedDepth(const CopyCheck& check, messages::ObjectRef object, const VkClearDepthStencilValue& value,
                       const Location& where) {
  const bool is_unrestricted = check.facts().device.IsEnabled(vk::ExtensionId::kExtDepthRangeUnrestricted);
  check.Require(is_unrestricted || (value.depth >= 0 && value.depth <= 1),
                vk::Vuid("VUID-VkClearDepthStencilValue-depth-00022"), object, where.Dot("depth"), [&] {
                  return std::pair(absl::StrCat("(", value.depth, ") is not between 0 and 1."),
                                   "Enable VK_EXT_depth_range_unrestricted for other depths.");
                });
}

}  // namespace assay::core
