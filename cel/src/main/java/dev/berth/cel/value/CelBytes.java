package dev.berth.cel.value;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A value of the type bytes. */
public final class CelBytes implements Comparable<CelBytes> {
  private final byte[] bytes;

  /** Takes the array over. */
  public CelBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  public int size() {
    return bytes.length;
  }

  public byte[] toArray() {
    return bytes.clone();
  }

  public CelBytes plus(CelBytes other) {
    byte[] sum = Arrays.copyOf(bytes, bytes.length + other.bytes.length);
    System.arraycopy(other.bytes, 0, sum, bytes.length, other.bytes.length);
    return new CelBytes(sum);
  }

  /** The text of these bytes, or null if they are not UTF-8. */
  public @Nullable String text() {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  @Override
  public int compareTo(CelBytes other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CelBytes that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
