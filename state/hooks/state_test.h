// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_HOOKS_STATE_TEST_H_
#define ASSAY_STATE_HOOKS_STATE_TEST_H_

#include "state/state.h"
#include "testing/fixture.h"

namespace assay::state {

// A device under a layer that keeps state, which a validator that needs it brings about.
class StateTest : public test::ValidationTest {
 protected:
  // No other validator: these tests make calls that others would report.
  test::DeviceOptions Options() override {
    return {.settings = {{"validate_sync", true},
                         {"validate_core", false},
                         {"stateless_param", false},
                         {"thread_safety", false},
                         {"object_lifetime", false}}};
  }

  // The state of what the application has a handle of; null when there is none.
  template <class T, class H>
  static T* StateOf(H handle) {
    return DeviceState::Get<T>(handle);
  }
  // The state outlives its handle as long as something refers to it.
  template <class T, class H>
  static Ref<T> Keep(H handle) {
    return Ref<T>(StateOf<T>(handle));
  }
};

}  // namespace assay::state

#endif  // ASSAY_STATE_HOOKS_STATE_TEST_H_
