#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// SHA-256 of a block of 64 bytes for each invocation, all rounds unrolled: a module of tens of thousands of words, as
// programs that unroll their loops have. The constants of the rounds are in a buffer.
//@ buffer constants 256
//@ buffer messages 128
//@ buffer out 64
//@ bind 0.0 storage constants
//@ bind 0.1 storage messages
//@ bind 0.2 storage out
//@ push u32 0
//@ dispatch 2
//@ write constants 0 : u32 0x428a2f98 0x71374491 0xb5c0fbcf 0xe9b5dba5 0x3956c25b 0x59f111f1 0x923f82a4 0xab1c5ed5
//@ write constants 32 : u32 0xd807aa98 0x12835b01 0x243185be 0x550c7dc3 0x72be5d74 0x80deb1fe 0x9bdc06a7 0xc19bf174
//@ write constants 64 : u32 0xe49b69c1 0xefbe4786 0x0fc19dc6 0x240ca1cc 0x2de92c6f 0x4a7484aa 0x5cb0a9dc 0x76f988da
//@ write constants 96 : u32 0x983e5152 0xa831c66d 0xb00327c8 0xbf597fc7 0xc6e00bf3 0xd5a79147 0x06ca6351 0x14292967
//@ write constants 128 : u32 0x27b70a85 0x2e1b2138 0x4d2c6dfc 0x53380d13 0x650a7354 0x766a0abb 0x81c2c92e 0x92722c85
//@ write constants 160 : u32 0xa2bfe8a1 0xa81a664b 0xc24b8b70 0xc76c51a3 0xd192e819 0xd6990624 0xf40e3585 0x106aa070
//@ write constants 192 : u32 0x19a4c116 0x1e376c08 0x2748774c 0x34b0bcb5 0x391c0cb3 0x4ed8aa4a 0x5b9cca4f 0x682e6ff3
//@ write constants 224 : u32 0x748f82ee 0x78a5636f 0x84c87814 0x8cc70208 0x90befffa 0xa4506ceb 0xbef9a3f7 0xc67178f2
//@ write messages 0 : u32 0x61626380 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000
//@ write messages 32 : u32 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000018
//@ write messages 64 : u32 0x56756c6b 0x616e2076 0x616c6964 0x61746573 0x206e6f74 0x68696e67 0x20627920 0x69747365
//@ write messages 96 : u32 0x6c662e80 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000118
//@ expect out 0 : u32 0xba7816bf 0x8f01cfea 0x414140de 0x5dae2223 0xb00361a3 0x96177a9c 0xb410ff61 0xf20015ad
//@ expect out 32 : u32 0xe3208502 0xa60e86d5 0x1e3b8125 0xb98b9096 0x8f76723f 0x02af616a 0x56bfc93a 0x46691222
//@ fault past-the-messages buffer-bounds at load
//@   push u32 1
layout(binding = 0) readonly buffer Constants { uvec4 k[16]; };
layout(binding = 1) readonly buffer Messages { uint messages[]; };
layout(binding = 2) writeonly buffer Digests { uint digests[]; };
layout(push_constant) uniform Push { uint first; };

#define ROTATE(x, n) (((x) >> n) | ((x) << (32 - n)))

#define EXPAND(t)                                                                                             \
  w[t] = w[t - 16] + (ROTATE(w[t - 15], 7) ^ ROTATE(w[t - 15], 18) ^ (w[t - 15] >> 3)) + w[t - 7] +           \
         (ROTATE(w[t - 2], 17) ^ ROTATE(w[t - 2], 19) ^ (w[t - 2] >> 10));

#define EXPAND_8(t) \
  EXPAND(t) EXPAND(t + 1) EXPAND(t + 2) EXPAND(t + 3) EXPAND(t + 4) EXPAND(t + 5) EXPAND(t + 6) EXPAND(t + 7)

#define ROUND(a, b, c, d, e, f, g, h, constant, t)                                                             \
  h += (ROTATE(e, 6) ^ ROTATE(e, 11) ^ ROTATE(e, 25)) + ((e & f) ^ (~e & g)) + constant + w[t];                \
  d += h;                                                                                                     \
  h += (ROTATE(a, 2) ^ ROTATE(a, 13) ^ ROTATE(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));

#define ROUND_4(a, b, c, d, e, f, g, h, t)              \
  four = k[(t) / 4];                                    \
  ROUND(a, b, c, d, e, f, g, h, four.x, t)              \
  ROUND(h, a, b, c, d, e, f, g, four.y, t + 1)          \
  ROUND(g, h, a, b, c, d, e, f, four.z, t + 2)          \
  ROUND(f, g, h, a, b, c, d, e, four.w, t + 3)

#define ROUND_8(t) ROUND_4(a, b, c, d, e, f, g, h, t) ROUND_4(e, f, g, h, a, b, c, d, t + 4)

void main() {
  uint message = first + gl_GlobalInvocationID.x;
  uint w[64];
  for (uint i = 0; i < 16; ++i) {
    w[i] = messages[message * 16 + i];  //@ load
  }
  EXPAND_8(16) EXPAND_8(24) EXPAND_8(32) EXPAND_8(40) EXPAND_8(48) EXPAND_8(56)
  const uint initial[8] = uint[](0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19);
  uint a = initial[0], b = initial[1], c = initial[2], d = initial[3];
  uint e = initial[4], f = initial[5], g = initial[6], h = initial[7];
  uvec4 four;
  ROUND_8(0) ROUND_8(8) ROUND_8(16) ROUND_8(24) ROUND_8(32) ROUND_8(40) ROUND_8(48) ROUND_8(56)
  uint last[8] = uint[](a, b, c, d, e, f, g, h);
  for (uint i = 0; i < 8; ++i) digests[gl_GlobalInvocationID.x * 8 + i] = initial[i] + last[i];
}
