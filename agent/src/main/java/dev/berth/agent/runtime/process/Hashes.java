package dev.berth.agent.runtime.process;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names made of longer names. */
final class Hashes {
  private Hashes() {}

  static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Eight digits that tell one text from others, by and large; for names that must be short. */
  static String shortName(String text) {
    return HexFormat.of().formatHex(sha256(text.getBytes(StandardCharsets.UTF_8)), 0, 4);
  }

  /** The id of a container: one that is started again after a crash has the same. */
  static String containerId(String podUid, String name, int attempt) {
    String text = podUid + "/" + name + "/" + attempt;
    return HexFormat.of().formatHex(sha256(text.getBytes(StandardCharsets.UTF_8)));
  }
}
