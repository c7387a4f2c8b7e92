// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 460
layout(set = 0, binding = 0, input_attachment_index = 0) uniform subpassInput source;
layout(location = 0) out vec4 color;
void main() { color = subpassLoad(source); }
