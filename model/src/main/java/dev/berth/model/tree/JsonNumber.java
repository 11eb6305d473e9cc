package dev.berth.model.tree;

import java.math.BigDecimal;

/**
 * A number that is not a plain 64-bit integer, kept as it was written: {@code 1.50}, {@code 1e3},
 * {@code -0}. Plain integers are held as {@link Long}, which is smaller. Two numbers are equal when
 * they are written alike, because a tree that is read and written again must not change.
 *
 * <p>The order is that of the texts. It means nothing, but a hash table finds numbers by it that
 * somebody chose for their hashes.
 */
public record JsonNumber(String text) implements Comparable<JsonNumber> {

  @Override
  public int compareTo(JsonNumber other) {
    return text.compareTo(other.text);
  }

  public BigDecimal exact() {
    return new BigDecimal(text);
  }

  public double approximate() {
    return Double.parseDouble(text);
  }

  @Override
  public String toString() {
    return text;
  }
}
