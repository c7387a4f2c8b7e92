// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Outputs of mesh and task shaders.

bool MeshCountsAreGood(const uint vertices, const uint primitives, const uint most_vertices,
                       const uint most_primitives) {
  return vertices <= most_vertices && primitives <= most_primitives;
}

void ReportMeshCounts(const uint instruction, const uint vertices, const uint primitives, const uint most_vertices,
                      const uint most_primitives) {
  if (vertices > most_vertices) {
    ReportFault(instruction, kMeshCountPastMaximum, vertices, most_vertices, 0u, 0u, 0u);
  } else if (primitives > most_primitives) {
    ReportFault(instruction, kMeshCountPastMaximum, primitives, most_primitives, 1u, 0u, 0u);
  }
}

// `state` is that of the counts, as TrackedState has it.
void ReportMeshOutput(const uint instruction, const uint index, const uint count, const uint state) {
  if (state == 0u) {
    ReportFault(instruction, kMeshOutputsNotSet, index, 0u, 0u, 0u, 0u);
  } else if (state == 1u && index >= count) {
    ReportFault(instruction, kMeshOutputPastCount, index, count, 0u, 0u, 0u);
  }
}

void ReportMeshIndex(const uint instruction, const uint index, const uint vertices) {
  if (index < vertices) return;
  ReportFault(instruction, kMeshIndexPastVertices, index, vertices, 0u, 0u, 0u);
}

// The product of three numbers is at most `most`. The first product may have 64 bits, the second is asked for only if
// it has 32.
bool ProductIsAtMost(const uint x, const uint y, const uint z, const uint most) {
  uint high;
  uint low;
  umulExtended(x, y, high, low);
  uint high_of_all;
  uint all_;
  umulExtended(low, z, high_of_all, all_);
  return (high == 0u || z == 0u) && high_of_all == 0u && all_ <= most;
}

bool TaskCountsAreGood(const uint x, const uint y, const uint z, const uvec3 most, const uint most_in_all) {
  return x <= most.x && y <= most.y && z <= most.z && ProductIsAtMost(x, y, z, most_in_all);
}

// `invocation` is the local invocation index: the counts are those of the first one.
void ReportTaskCounts(const uint instruction, const uint x, const uint y, const uint z, const uvec3 most,
                      const uint most_in_all, const uint invocation) {
  if (invocation != 0u || TaskCountsAreGood(x, y, z, most, most_in_all)) return;
  uint dimension = 3u;
  uint limit = most_in_all;
  if (x > most.x) {
    dimension = 0u;
    limit = most.x;
  } else if (y > most.y) {
    dimension = 1u;
    limit = most.y;
  } else if (z > most.z) {
    dimension = 2u;
    limit = most.z;
  }
  ReportFault(instruction, kTaskCountPastMaximum, x, y, z, limit, dimension);
}
