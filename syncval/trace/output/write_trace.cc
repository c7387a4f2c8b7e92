// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/output/write_trace.h"

#include <fstream>

#include "syncval/trace/output/trace_json.h"
#include "syncval/trace/output/trace_page.h"

namespace assay::syncval::trace {

std::string StemOf(const std::string& path) {
  const size_t dot = path.rfind('.');
  const size_t slash = path.rfind('/');
  const bool has_extension = dot != std::string::npos && (slash == std::string::npos || dot > slash + 1);
  return has_extension ? path.substr(0, dot) : path;
}

std::string PagePathOf(const std::string& json_path) {
  // If the path itself ends in .html, the page must not overwrite the trace.
  const std::string page = StemOf(json_path) + ".html";
  return page == json_path ? StemOf(json_path) + ".page.html" : page;
}

bool WriteTrace(const std::vector<const Timeline*>& timelines, const std::string& json_path) {
  std::ofstream json(json_path, std::ios::binary);
  WriteTraceJson(timelines, json);
  json.close();
  std::ofstream page(PagePathOf(json_path), std::ios::binary);
  WriteTracePage(timelines, page);
  page.close();
  return json.good() && page.good();
}

}  // namespace assay::syncval::trace
