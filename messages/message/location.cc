// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/message/location.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "vk/command_info.h"

namespace assay::messages {

void Location::AppendPath(std::string& text) const {
  if (parent_ == nullptr) return;
  parent_->AppendPath(text);
  const bool first = parent_->parent_ == nullptr;
  const auto append_name = [&text, first](auto... parts) { absl::StrAppend(&text, first ? "" : ".", parts...); };
  if (!struct_name_.empty()) {
    append_name("pNext<", struct_name_, ">");
    if (!member_.empty()) absl::StrAppend(&text, ".", member_);
  } else if (!member_.empty()) {
    append_name(member_);
  }
  if (index_ != kNoIndex) absl::StrAppend(&text, "[", index_, "]");
}

std::string Location::Text() const {
  std::string path;
  AppendPath(path);
  return absl::StrCat(vk::GetCommandInfo(command_).name, path.empty() ? "()" : "(): ", path);
}

}  // namespace assay::messages
