package dev.berth.kinds.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Indexes of a job as text: {@code 1,3-5}, in rising order and below the completions. */
sealed interface IndexText {

  /**
   * Text that is valid.
   *
   * @param size how many indexes it names
   */
  record Good(long size) implements IndexText {}

  /** Text that is not valid, and the reason, in upstream's words. */
  record Bad(String why) implements IndexText, Part {}

  /** One part of such a text. */
  sealed interface Part {}

  /** Indexes that follow each other, both ends included. */
  record Interval(long first, long last) implements Part {}

  static IndexText read(String text, long completions) {
    long size = 0;
    long last = -1;
    for (String part : parts(text)) {
      switch (interval(part, completions)) {
        case Interval(long from, long to) -> {
          if (from <= last) {
            return new Bad("non-increasing order, previous: %d, current: %d".formatted(last, from));
          }
          size += to - from + 1;
          last = to;
        }
        case Bad bad -> {
          return bad;
        }
      }
    }
    return new Good(size);
  }

  /** The lowest index that both texts name, as far as they can be read. */
  static Optional<Long> overlap(String one, String other, long completions) {
    for (Interval a : intervals(one, completions)) {
      for (Interval b : intervals(other, completions)) {
        if (a.first <= b.last && b.first <= a.last) {
          return Optional.of(Math.max(a.first, b.first));
        }
      }
    }
    return Optional.empty();
  }

  private static List<Interval> intervals(String text, long completions) {
    List<Interval> intervals = new ArrayList<>();
    for (String part : parts(text)) {
      if (interval(part, completions) instanceof Interval interval) {
        intervals.add(interval);
      }
    }
    return intervals;
  }

  private static String[] parts(String text) {
    return text.isEmpty() ? new String[0] : text.split(",", -1);
  }

  private static Part interval(String part, long completions) {
    String[] ends = part.split("-", -1);
    if (ends.length > 2) {
      return new Bad(
          "the fragment \"%s\" violates the requirement that an index interval can have at most two parts separated by '-'"
              .formatted(part));
    }
    long[] indexes = new long[ends.length];
    for (int i = 0; i < ends.length; i++) {
      try {
        indexes[i] = Long.parseLong(ends[i]);
      } catch (NumberFormatException _) {
        return new Bad("cannot convert string to integer for index: \"" + ends[i] + '"');
      }
      if (indexes[i] >= completions) {
        return new Bad("too large index: \"" + ends[i] + '"');
      }
    }
    if (indexes.length == 2 && indexes[0] >= indexes[1]) {
      return new Bad(
          "non-increasing order, previous: %d, current: %d".formatted(indexes[0], indexes[1]));
    }
    return new Interval(indexes[0], indexes[indexes.length - 1]);
  }
}
