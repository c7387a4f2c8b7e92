#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
//@ part
#extension GL_EXT_ray_tracing : require
layout(location = 0) rayPayloadInEXT float payload;

void main() { payload = -1; }
