// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/fixture.h"

namespace assay::test {

ValidationTest::ValidationTest() : TestDevice(LoaderUnderTest(), messages) {
  driver().Reset();
  driver().CheckHandles(true);
}

// The messages must outlive the instance.
ValidationTest::~ValidationTest() { Destroy(); }

void ValidationTest::TearDown() {
  Destroy();
  messages.ExpectNothing();
  for (const std::string& misuse : driver().TakeMisuses())
    ADD_FAILURE() << "The driver was given what is not its own: " << misuse;
  driver().Reset();
}

}  // namespace assay::test
