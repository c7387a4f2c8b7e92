// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/fixture.h"

namespace assay::test {

const InProcessLoader& LoaderUnderTest() {
  static const InProcessLoader loader(nullptr);
  return loader;
}

}  // namespace assay::test
