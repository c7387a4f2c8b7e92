// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/id.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace assay::spirv_instrument {

void AppendString(std::vector<Word>& words, std::string_view text) {
  for (size_t offset = 0; offset <= text.size(); offset += sizeof(uint32_t)) {
    uint32_t word = 0;
    const std::string_view part = text.substr(offset, sizeof(word));
    std::memcpy(&word, part.data(), part.size());
    words.push_back(word);
  }
}

}  // namespace assay::spirv_instrument
