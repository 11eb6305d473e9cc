package dev.berth.policy.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;

/**
 * A short word for what a revision holds, as upstream finds it for a StatefulSet: FNV-1 in 32 bits
 * over its bytes, in letters and digits that make no words by chance.
 */
public final class RevisionHash {
  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
  private static final int OFFSET = 0x811c9dc5;
  private static final int PRIME = 0x01000193;

  private RevisionHash() {}

  /**
   * The word for a template.
   *
   * @param collisions how many words of this template turned out to be taken
   */
  public static String of(JsonObject template, long collisions) {
    int hash = add(OFFSET, JsonWriter.toBytes(RevisionData.of(template)));
    hash = add(hash, Long.toString(collisions).getBytes(UTF_8));
    String digits = Integer.toUnsignedString(hash);
    StringBuilder word = new StringBuilder(digits.length());
    for (int i = 0; i < digits.length(); i++) {
      word.append(ALPHABET.charAt(digits.charAt(i) % ALPHABET.length()));
    }
    return word.toString();
  }

  private static int add(int before, byte[] bytes) {
    int hash = before;
    for (byte b : bytes) {
      hash = (hash * PRIME) ^ (b & 0xff);
    }
    return hash;
  }
}
