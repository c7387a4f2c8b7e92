// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/sinks/sarif_file.h"

#include <unistd.h>

#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/const_init.h"
#include "absl/base/no_destructor.h"
#include "absl/strings/str_cat.h"
#include "messages/message/specification_url.h"
#include "messages/message/text.h"
#include "messages/sinks/json.h"
#include "nlohmann/json.hpp"

namespace assay::messages {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kBegin =
    R"({"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"results":[)";

std::string_view Level(Severity severity) {
  switch (severity) {
    case Severity::kVerbose:
    case Severity::kInformation:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      break;
  }
  return "error";
}

// The command and the path in it, and one location for each object.
Json Locations(const Message& message, std::span<const std::string> object_names) {
  Json logical = Json::array();
  if (!message.location.empty()) {
    logical.push_back({{"name", message.location.substr(0, message.location.find('('))},
                       {"fullyQualifiedName", message.location},
                       {"kind", "function"}});
  }
  for (size_t i = 0; i < message.objects.size(); ++i) {
    logical.push_back(
        {{"fullyQualifiedName", DescribeObject(message.objects[i], object_names[i])}, {"kind", "resource"}});
  }
  if (logical.empty()) return Json::array();
  return Json::array({Json{{"logicalLocations", std::move(logical)}}});
}

Json Properties(const Message& message, std::span<const std::string> object_names) {
  Json result = Json::object();
  if (!message.objects.empty()) result["objects"] = ObjectsToJson(message, object_names);
  if (!message.queue_labels.empty()) result["queueLabels"] = LabelsToJson(message.queue_labels);
  if (!message.command_buffer_labels.empty()) {
    result["commandBufferLabels"] = LabelsToJson(message.command_buffer_labels);
  }
  if (!message.related_ids.empty()) result["relatedIds"] = message.related_ids;
  if (!message.fix.empty()) result["fix"] = message.fix;
  if (!message.properties.empty()) result["details"] = PropertiesToJson(message.properties);
  return result;
}

Json Result(const Message& message, std::span<const std::string> object_names,
            std::optional<std::string_view> suppression_reason) {
  Json result;
  if (!message.id.empty()) result["ruleId"] = message.id;
  result["level"] = Level(message.severity);
  result["message"] = {{"text", FormatText(message)}};
  Json locations = Locations(message, object_names);
  if (!locations.empty()) result["locations"] = std::move(locations);
  if (suppression_reason.has_value()) {
    result["suppressions"] = Json::array({Json{{"kind", "external"}, {"justification", *suppression_reason}}});
  }
  Json properties = Properties(message, object_names);
  if (!properties.empty()) result["properties"] = std::move(properties);
  return result;
}

Json Rule(const std::string& id, const std::string& specification) {
  Json rule = {{"id", id}};
  if (!specification.empty()) rule["fullDescription"] = {{"text", specification}};
  const std::string url = SpecificationUrl(id);
  if (!url.empty()) rule["helpUri"] = url;
  return rule;
}

}  // namespace

std::shared_ptr<SarifFile> SarifFile::Open(const std::string& path) {
  static absl::Mutex mutex(absl::kConstInit);
  static absl::NoDestructor<std::map<std::string, std::shared_ptr<SarifFile>>> open;
  absl::MutexLock lock(&mutex);
  std::shared_ptr<SarifFile>& entry = (*open)[path];
  if (entry != nullptr) return entry;
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file != nullptr) entry = std::make_shared<SarifFile>(file);
  return entry;
}

SarifFile::SarifFile(std::FILE* file) : file_(file) {
  absl::MutexLock lock(&mutex_);
  WriteEnd(kBegin, "");
}

SarifFile::~SarifFile() { std::fclose(file_); }

void SarifFile::Add(const Message& message, std::span<const std::string> object_names,
                    std::optional<std::string_view> suppression_reason) {
  const std::string result = ToOneLine(Result(message, object_names, suppression_reason));
  absl::MutexLock lock(&mutex_);
  if (!message.id.empty()) rules_.try_emplace(message.id, message.specification);
  WriteEnd(absl::StrCat(has_results_ ? ",\n" : "\n", result), "");
  has_results_ = true;
}

void SarifFile::Finish() {
  absl::MutexLock lock(&mutex_);
  Json rules = Json::array();
  for (const auto& [id, specification] : rules_) rules.push_back(Rule(id, specification));
  WriteEnd("", absl::StrCat(",\"rules\":", ToOneLine(rules)));
}

void SarifFile::WriteEnd(std::string_view results, std::string_view rules) {
  std::fseek(file_, end_of_results_, SEEK_SET);
  std::fwrite(results.data(), 1, results.size(), file_);
  end_of_results_ += static_cast<long>(results.size());
  const std::string end = absl::StrCat(
      "\n],\"tool\":{\"driver\":{\"name\":\"Assay\",\"organization\":\"The Assay Authors\"", rules, "}}}]}\n");
  std::fwrite(end.data(), 1, end.size(), file_);
  std::fflush(file_);
  // The rules of an earlier Finish() may have been longer. A failure cannot be reported here.
  if (ftruncate(fileno(file_), end_of_results_ + static_cast<long>(end.size())) != 0) return;
}

}  // namespace assay::messages
