package dev.berth.cel.value;

/** A value of the type uint. */
public record UnsignedInt(long bits) implements Comparable<UnsignedInt> {
  @Override
  public int compareTo(UnsignedInt other) {
    return Long.compareUnsigned(bits, other.bits);
  }

  @Override
  public String toString() {
    return Long.toUnsignedString(bits);
  }
}
