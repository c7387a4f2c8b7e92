// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// validate FILE...: prints the name of each file with a valid module. What is wrong with the others goes to standard
// error.

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "spirv_instrument/tool/validate_module.h"

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
    bytes.copy(reinterpret_cast<char*>(words.data()), words.size() * sizeof(uint32_t));
    const absl::Status status = assay::spirv_instrument::ValidateModule(words);
    if (status.ok()) {
      std::printf("%s\n", argv[i]);
    } else {
      std::fprintf(stderr, "%s: %s\n", argv[i], std::string(status.message()).c_str());
    }
  }
  return 0;
}
