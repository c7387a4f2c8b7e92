// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 450
layout(set = 0, binding = 0) buffer Target { uint values[4]; } target;
void main() { target.values[3] = 1; }
