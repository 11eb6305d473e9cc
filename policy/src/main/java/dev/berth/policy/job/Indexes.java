package dev.berth.policy.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Completion indexes as ranges, in rising order, none touching the next: in a status {@code
 * 1,3-5,7,8}. Two neighbours stand for themselves, three and more become a range.
 */
public record Indexes(List<Range> ranges) {
  public static final Indexes NONE = new Indexes(List.of());

  /** All from the first to the last, both included. */
  public record Range(long first, long last) {
    long size() {
      return last - first + 1;
    }
  }

  public Indexes {
    ranges = List.copyOf(ranges);
  }

  /** Reads what a status or a rule says, as far as it makes sense and is below an end. */
  public static Indexes parse(String text, long end) {
    List<Range> read = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int dash = part.indexOf('-');
      try {
        long first = Long.parseLong(dash < 0 ? part : part.substring(0, dash));
        long last = dash < 0 ? first : Long.parseLong(part.substring(dash + 1));
        if (first >= 0 && first <= last && first < end) {
          read.add(new Range(first, Math.min(last, end - 1)));
        }
      } catch (NumberFormatException _) {
        // Somebody else wrote nonsense; the other ranges count all the same.
      }
    }
    return joined(read);
  }

  static Indexes of(Collection<Long> indexes) {
    return joined(indexes.stream().map(index -> new Range(index, index)).toList());
  }

  /** These and others. */
  Indexes and(Indexes others) {
    if (others.ranges.isEmpty()) {
      return this;
    }
    List<Range> all = new ArrayList<>(ranges);
    all.addAll(others.ranges);
    return joined(all);
  }

  private static Indexes joined(List<Range> parts) {
    List<Range> joined = new ArrayList<>();
    for (Range next : parts.stream().sorted(Comparator.comparingLong(Range::first)).toList()) {
      if (joined.isEmpty() || next.first() > joined.getLast().last() + 1) {
        joined.add(next);
      } else {
        Range last = joined.removeLast();
        joined.add(new Range(last.first(), Math.max(last.last(), next.last())));
      }
    }
    return new Indexes(joined);
  }

  public boolean has(long index) {
    int low = 0;
    int high = ranges.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ranges.get(middle).last() < index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < ranges.size() && ranges.get(low).first() <= index;
  }

  public long size() {
    return ranges.stream().mapToLong(Range::size).sum();
  }

  /** How many are among others too. */
  long common(Indexes others) {
    long common = 0;
    int i = 0;
    int j = 0;
    while (i < ranges.size() && j < others.ranges.size()) {
      Range own = ranges.get(i);
      Range other = others.ranges.get(j);
      long first = Math.max(own.first(), other.first());
      common += Math.max(0, Math.min(own.last(), other.last()) - first + 1);
      if (own.last() < other.last()) {
        i++;
      } else {
        j++;
      }
    }
    return common;
  }

  /** The first that are not among these, below an end: so many, or as many as there are. */
  List<Long> missing(long end, long count) {
    List<Long> missing = new ArrayList<>();
    long next = 0;
    for (Range range : ranges) {
      while (next < range.first() && next < end && missing.size() < count) {
        missing.add(next++);
      }
      next = Math.max(next, range.last() + 1);
    }
    while (next < end && missing.size() < count) {
      missing.add(next++);
    }
    return missing;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Range range : ranges) {
      text.append(text.isEmpty() ? "" : ",").append(range.first());
      if (range.size() > 1) {
        text.append(range.size() == 2 ? ',' : '-').append(range.last());
      }
    }
    return text.toString();
  }
}
