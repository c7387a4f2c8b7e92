// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Prints a manifest. Arguments: "assay" or "dropin", and the library's path from the manifest.

#include <cstdio>
#include <string_view>

#include "layer/manifest.h"

int main(int argc, char** argv) {
  using assay::dispatch::LoadedAs;
  if (argc != 3) return 1;
  const bool is_drop_in = std::string_view(argv[1]) == "dropin";
  std::fputs(assay::layer::MakeManifest(is_drop_in ? LoadedAs::kDropIn : LoadedAs::kAssay, argv[2]).c_str(), stdout);
}
