// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/fixture.h"

#include <malloc.h>

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

void ValidationTest::ExpectNoGrowth(int times, size_t bytes, const std::function<void()>& f) {
  // Of the process.
  const auto allocated_bytes = [] {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  for (int i = 0; i < times; ++i) f();
  const size_t before = allocated_bytes();
  for (int i = 0; i < times; ++i) f();
  const size_t after = allocated_bytes();
  EXPECT_LT(after, before + bytes * times) << static_cast<double>(after - before) / times << " bytes a call";
}

}  // namespace assay::test
