// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// render LOG [JSON]: makes the JSON trace and the page of a process that was killed, from its log (log/trace_log.h).
// Without a path for the JSON trace, it is the log's with the extension .json. The page is beside it.

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "syncval/trace/log/log_reader.h"
#include "syncval/trace/output/write_trace.h"

namespace assay::syncval::trace {
namespace {

// Bazel runs programs in a folder of theirs.
std::string PathOf(const char* argument) {
  const char* const folder = std::getenv("BUILD_WORKING_DIRECTORY");
  return folder != nullptr ? (std::filesystem::path(folder) / argument).string() : argument;
}

const char* SentenceOf(LogState state) {
  switch (state) {
    case LogState::kWhole:
      return "";
    case LogState::kCut:
      return "The last record is not whole, and left out.";
    case LogState::kDamaged:
      return "The log is damaged. What comes after this is left out.";
    case LogState::kOtherVersion:
      return "The log is of another version of Assay. Render it with that.";
    case LogState::kNoLog:
      return "This is no log of a trace.";
  }
  return "";
}

int Render(const std::string& log_path, const std::string& json_path) {
  std::ifstream file(log_path, std::ios::binary);
  if (!file.is_open()) {
    std::fprintf(stderr, "%s: %s\n", log_path.c_str(), std::strerror(errno));
    return 1;
  }
  std::ostringstream text;
  text << file.rdbuf();
  const std::string log = text.str();
  const LogContents contents = ReadLog(log);
  if (contents.state != LogState::kWhole) {
    std::fprintf(stderr, "%s: at byte %zu of %zu: %s\n", log_path.c_str(), contents.size, log.size(),
                 SentenceOf(contents.state));
  }
  if (contents.state == LogState::kOtherVersion || contents.state == LogState::kNoLog) return 1;
  if (!WriteTrace(contents.run.timelines(), json_path)) {
    std::fprintf(stderr, "%s: %s\n", json_path.c_str(), std::strerror(errno));
    return 1;
  }
  std::printf("%s\n%s\n", json_path.c_str(), PagePathOf(json_path).c_str());
  return contents.state == LogState::kDamaged ? 1 : 0;
}

}  // namespace
}  // namespace assay::syncval::trace

int main(int count, char** arguments) {
  using namespace assay::syncval::trace;
  if (count < 2 || count > 3) {
    std::fprintf(stderr, "render LOG [JSON]\n");
    return 2;
  }
  const std::string log = PathOf(arguments[1]);
  return Render(log, count == 3 ? PathOf(arguments[2]) : StemOf(log) + ".json");
}
