#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Writes what the mesh shader says of the primitive.
//@ part
#extension GL_EXT_mesh_shader : require
layout(location = 0) in perprimitiveEXT flat uint value;
layout(location = 0) out uint color;

void main() { color = value; }
