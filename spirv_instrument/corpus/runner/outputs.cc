// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Comparing what runs computed.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "spirv_instrument/corpus/runner/run.h"

namespace assay::spirv_instrument::corpus {
namespace {

// The first difference from `offset` on, where `expected` is placed.
std::string Compare(std::string_view name, absl::Span<const uint8_t> expected, absl::Span<const uint8_t> actual,
                    uint64_t offset) {
  if (offset > actual.size() || expected.size() > actual.size() - offset) {
    return absl::StrCat(name, " has ", actual.size(), " bytes, not ", offset + expected.size());
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == actual[offset + i]) continue;
    return absl::StrFormat("%s differs at byte %d: %02x instead of %02x", std::string(name), offset + i,
                           actual[offset + i], expected[i]);
  }
  return "";
}

std::string Compare(const std::vector<Outputs::Resource>& expected, const std::vector<Outputs::Resource>& actual) {
  if (expected.size() != actual.size()) return "there are not as many outputs";
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].name != actual[i].name) return absl::StrCat(actual[i].name, " instead of ", expected[i].name);
    if (expected[i].bytes.size() != actual[i].bytes.size()) return absl::StrCat(actual[i].name, " has another size");
    std::string difference = Compare(expected[i].name, expected[i].bytes, actual[i].bytes, 0);
    if (!difference.empty()) return difference;
  }
  return "";
}

}  // namespace

const Outputs::Resource* Outputs::Find(std::string_view name) const {
  for (const std::vector<Resource>* list : {&buffers, &images}) {
    auto found = std::ranges::find(*list, name, &Resource::name);
    if (found != list->end()) return &*found;
  }
  return nullptr;
}

std::string FirstDifference(const Outputs& expected, const Outputs& actual) {
  std::string difference = Compare(expected.buffers, actual.buffers);
  return difference.empty() ? Compare(expected.images, actual.images) : difference;
}

std::vector<std::string> Unexpected(const Input& input, const Outputs& outputs) {
  std::vector<std::string> differences;
  for (const ExpectedContents& expected : input.expected) {
    const Outputs::Resource* resource = outputs.Find(expected.resource);
    std::string difference =
        resource == nullptr ? absl::StrCat("there is no output ", expected.resource)
                            : Compare(expected.resource, expected.contents.bytes, resource->bytes, expected.offset);
    if (!difference.empty()) differences.push_back(std::move(difference));
  }
  return differences;
}

}  // namespace assay::spirv_instrument::corpus
