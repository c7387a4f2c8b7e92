// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 450
layout(constant_id = 0) const bool kWrites = false;
layout(set = 0, binding = 0) buffer Target { uint value; } target;
void main() {
  if (kWrites) target.value = 1;
}
