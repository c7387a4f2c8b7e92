// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/filter/suppressions.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"

namespace assay::messages {
namespace {

using nlohmann::json;

constexpr const char* kMembers[] = {"id", "object", "label", "reason", "expires"};

Message Problem(std::string id, std::string text) {
  return {.severity = Severity::kWarning,
          .type = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
          .id = std::move(id),
          .text = std::move(text)};
}

Message Malformed(std::string_view what, std::string_view wrong) {
  return Problem("ASSAY-malformed-suppression", absl::StrCat(what, " ", wrong, "; it is ignored."));
}

// "2026-12-31". The order of such texts is the order of dates.
bool IsDate(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-dd";
  return text.size() == kForm.size() && std::equal(text.begin(), text.end(), kForm.begin(), [](char c, char form) {
           return form == 'd' ? absl::ascii_isdigit(c) : c == form;
         });
}

std::string Today() {
  const auto days = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  const std::chrono::year_month_day date{days};
  return absl::StrFormat("%04d-%02u-%02u", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                         static_cast<unsigned>(date.day()));
}

// The problem of an entry; "" if there is none.
std::string DescribeProblem(const json& entry) {
  if (!entry.is_object()) return "is not an object";
  for (const auto& [name, value] : entry.items()) {
    if (std::ranges::find(kMembers, name) == std::end(kMembers)) {
      return absl::StrCat("has \"", EscapeName(name), "\", which is not one of ", absl::StrJoin(kMembers, ", "));
    }
    if (!value.is_string()) return absl::StrCat("has a \"", name, "\" that is not a string");
  }
  if (entry.value("reason", "").empty()) return "has no \"reason\"";
  if (!entry.contains("id") && !entry.contains("object") && !entry.contains("label")) {
    return "has none of \"id\", \"object\" and \"label\"";
  }
  if (entry.contains("expires") && !IsDate(entry["expires"].get<std::string>())) {
    return absl::StrCat("has \"expires\": \"", EscapeName(entry["expires"].get<std::string>()),
                        "\", which is not a date such as 2026-12-31");
  }
  return "";
}

std::string Describe(const json& entry, size_t index, std::string_view path) {
  std::vector<std::string> parts;
  for (const char* name : {"id", "object", "label"}) {
    if (entry.contains(name)) parts.push_back(absl::StrCat(name, " ", EscapeName(entry[name].get<std::string>())));
  }
  return absl::StrCat("suppressions[", index, "] (", absl::StrJoin(parts, ", "), ") of ", path);
}

std::optional<std::string> Text(const json& entry, const char* name) {
  if (!entry.contains(name)) return std::nullopt;
  return entry[name].get<std::string>();
}

bool AnyLabelMatches(std::string_view pattern, const std::vector<Label>& labels) {
  return std::ranges::any_of(labels, [pattern](const Label& label) { return MatchesWildcard(pattern, label.name); });
}

}  // namespace

std::shared_ptr<Suppressions> Suppressions::Parse(std::string_view contents, std::string_view path,
                                                  std::string_view today, std::vector<Message>* problems) {
  auto result = std::make_shared<Suppressions>();
  const json file = json::parse(contents, nullptr, /*allow_exceptions=*/false, /*ignore_comments=*/true);
  const std::string what = absl::StrCat("The suppression file ", EscapeName(path));
  if (file.is_discarded() || !file.is_object() || !file.contains("suppressions") || !file["suppressions"].is_array()) {
    problems->push_back(Malformed(what, "is not JSON with an array \"suppressions\""));
    return result;
  }
  size_t index = 0;
  for (const json& entry : file["suppressions"]) {
    const size_t number = index++;
    const std::string wrong = DescribeProblem(entry);
    if (!wrong.empty()) {
      problems->push_back(Malformed(absl::StrCat("The entry suppressions[", number, "] of ", EscapeName(path)), wrong));
      continue;
    }
    const std::string description = Describe(entry, number, EscapeName(path));
    const std::string expires = Text(entry, "expires").value_or("");
    const std::string reason = *Text(entry, "reason");
    if (!expires.empty() && expires < today) {
      problems->push_back(
          Problem("ASSAY-expired-suppression",
                  absl::StrCat("The entry ", description, " expired on ", expires,
                               "; it suppresses nothing any more. Its reason is: ", EscapeName(reason))));
      continue;
    }
    Entry& added = result->entries_.emplace_back();
    added.description = description;
    if (const auto id = Text(entry, "id")) added.id.emplace(*id);
    added.object = Text(entry, "object");
    added.label = Text(entry, "label");
    added.reason = reason;
  }
  return result;
}

std::shared_ptr<Suppressions> Suppressions::Load(const std::string& path, std::vector<Message>* problems) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream contents;
  if (file) contents << file.rdbuf();
  if (!file) {
    problems->push_back(Problem("ASSAY-unreadable-suppression-file",
                                absl::StrCat("The suppression file ", EscapeName(path), " cannot be read (",
                                             std::strerror(errno), "); nothing is suppressed.")));
    return std::make_shared<Suppressions>();
  }
  return Parse(contents.str(), path, Today(), problems);
}

bool Suppressions::Entry::Matches(const Message& message, std::span<const std::string> object_names) const {
  if (id.has_value() && !id->Matches(message.id)) return false;
  if (object.has_value() && std::ranges::none_of(object_names, [this](const std::string& name) {
        return !name.empty() && MatchesWildcard(*object, name);
      })) {
    return false;
  }
  return !label.has_value() || AnyLabelMatches(*label, message.queue_labels) ||
         AnyLabelMatches(*label, message.command_buffer_labels);
}

std::optional<std::string_view> Suppressions::Find(const Message& message,
                                                   std::span<const std::string> object_names) const {
  for (const Entry& entry : entries_) {
    if (!entry.Matches(message, object_names)) continue;
    entry.has_matched.store(true, std::memory_order_relaxed);
    return entry.reason;
  }
  return std::nullopt;
}

std::vector<Message> Suppressions::ReportUnused() const {
  std::vector<Message> result;
  for (const Entry& entry : entries_) {
    if (entry.has_matched.load(std::memory_order_relaxed)) continue;
    result.push_back(Problem("ASSAY-unused-suppression",
                             absl::StrCat("The entry ", entry.description, " has suppressed nothing in this run.")));
  }
  return result;
}

}  // namespace assay::messages
