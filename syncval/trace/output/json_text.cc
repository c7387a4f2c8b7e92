// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/output/json_text.h"

#include "absl/strings/str_replace.h"
#include "nlohmann/json.hpp"

namespace assay::syncval::trace {

std::string Quoted(std::string_view text) {
  using Json = nlohmann::json;
  return absl::StrReplaceAll(Json(text).dump(-1, ' ', true, Json::error_handler_t::replace), {{"</", "<\\/"}});
}

}  // namespace assay::syncval::trace
