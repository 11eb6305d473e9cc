package dev.berth.policy.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;

/**
 * A short word for a template: FNV-1a in 32 bits over its canonical text, in letters and digits
 * that make no words by chance, as upstream's are. Nobody computes it but the controller, so it
 * need not be the word that upstream finds for the same template.
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
    int hash = add(OFFSET, JsonWriter.toBytes(RevisionData.sorted(template)));
    if (collisions > 0) {
      hash = add(hash, Long.toString(collisions).getBytes(UTF_8));
    }
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
      hash = (hash ^ (b & 0xff)) * PRIME;
    }
    return hash;
  }
}
