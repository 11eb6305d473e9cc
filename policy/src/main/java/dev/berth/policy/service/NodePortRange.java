package dev.berth.policy.service;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ports of nodes that services are reached at. The lower ones, a thirty-second of all but at
 * least 16 and at most 128, are left to those who choose a port themselves, as long as there are
 * others.
 */
public record NodePortRange(int first, int last) {
  public static final NodePortRange DEFAULT = new NodePortRange(30_000, 32_767);

  private static final int LEAST_STATIC = 16;
  private static final int MOST_STATIC = 128;
  private static final int STATIC_SHARE = 32;
  private static final int LAST_PORT = 65_535;
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,5})([-+])([0-9]{1,5})");

  public NodePortRange {
    if (first < 1 || last < first || last > LAST_PORT) {
      throw new IllegalArgumentException("no ports: " + first + "-" + last);
    }
  }

  /** Reads {@code 30000-32767}, or {@code 30000+2767}; empty if it is something else. */
  public static Optional<NodePortRange> parse(String text) {
    Matcher parts = TEXT.matcher(text.strip());
    if (!parts.matches()) {
      return Optional.empty();
    }
    int first = Integer.parseInt(parts.group(1));
    int second = Integer.parseInt(parts.group(3));
    int last = parts.group(2).equals("+") ? Math.min(first + second, LAST_PORT) : second;
    return first < 1 || last < first || last > LAST_PORT
        ? Optional.empty()
        : Optional.of(new NodePortRange(first, last));
  }

  public int size() {
    return last - first + 1;
  }

  int staticSize() {
    return size() <= LEAST_STATIC
        ? 0
        : Math.clamp(size() / STATIC_SHARE, LEAST_STATIC, MOST_STATIC);
  }

  public boolean contains(long port) {
    return port >= first && port <= last;
  }

  /** A free port, if there is one: at random among the upper ones, or else among the lower ones. */
  public OptionalInt choose(IntPredicate isFree, LongSupplier random) {
    OptionalInt upper = choose(staticSize(), size() - staticSize(), isFree, random);
    return upper.isPresent() ? upper : choose(0, staticSize(), isFree, random);
  }

  private OptionalInt choose(int from, int count, IntPredicate isFree, LongSupplier random) {
    int start = count == 0 ? 0 : (int) Long.remainderUnsigned(random.getAsLong(), count);
    for (int i = 0; i < count; i++) {
      int port = first + from + (start + i) % count;
      if (isFree.test(port)) {
        return OptionalInt.of(port);
      }
    }
    return OptionalInt.empty();
  }

  @Override
  public String toString() {
    return first + "-" + last;
  }
}
