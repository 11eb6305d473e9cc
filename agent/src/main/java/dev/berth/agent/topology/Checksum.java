package dev.berth.agent.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The checksums of a kubelet's state files: FNV-1a of the text that Go's spew makes of the
 * structure that is written.
 */
final class Checksum {
  private static final int OFFSET = 0x811c9dc5;
  private static final int PRIME = 0x01000193;

  private Checksum() {}

  static long of(String text) {
    int hash = OFFSET;
    for (byte each : text.getBytes(UTF_8)) {
      hash = (hash ^ (each & 0xff)) * PRIME;
    }
    return Integer.toUnsignedLong(hash);
  }
}
