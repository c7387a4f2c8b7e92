#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Writes ones.
//@ part
layout(location = 0) out uint color;

void main() { color = 1; }
