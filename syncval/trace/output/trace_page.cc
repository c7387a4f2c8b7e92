// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/output/trace_page.h"

#include <string_view>

#include "syncval/trace/output/page_data.h"
#include "syncval/trace/page/page_template.h"

namespace assay::syncval::trace {

void WriteTracePage(const std::vector<const Timeline*>& timelines, std::ostream& out) {
  constexpr std::string_view kPlace = "@DATA@";
  const std::string_view page = kPageTemplate;
  const size_t at = page.find(kPlace);
  out << page.substr(0, at);
  WritePageData(timelines, out);
  out << page.substr(at + kPlace.size());
}

}  // namespace assay::syncval::trace
