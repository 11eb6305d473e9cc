package dev.berth.policy.cronjob;

import dev.berth.model.quantity.GoDuration;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads schedules. Its complaints are those of the library that Kubernetes uses. */
final class CronParser {
  private static final String EVERY = "@every ";
  private static final int FIELDS = 5;

  /** Set in a field in which {@code *} stands without a step: it restricts nothing. */
  private static final long ANY = 1L << 63;

  private static final Field MINUTES = new Field(0, 59, List.of());
  private static final Field HOURS = new Field(0, 23, List.of());
  private static final Field DAYS_OF_MONTH = new Field(1, 31, List.of());
  private static final Field MONTHS =
      new Field(
          1,
          12,
          List.of(
              "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"));
  private static final Field DAYS_OF_WEEK =
      new Field(0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat"));

  private CronParser() {}

  /** A text is no schedule. */
  static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1;
    private final String why;

    Unreadable(String why) {
      super(why, null, false, false);
      this.why = why;
    }

    String why() {
      return why;
    }
  }

  /**
   * What may stand in a field.
   *
   * @param names of its numbers, from the least on
   */
  private record Field(int least, int most, List<String> names) {}

  static CronSchedule parse(String text, ZoneId zone) throws Unreadable {
    String spec = text;
    ZoneId own = zone;
    if (spec.startsWith("TZ=") || spec.startsWith("CRON_TZ=")) {
      int end = spec.indexOf(' ');
      String name = spec.substring(spec.indexOf('=') + 1, end < 0 ? spec.length() : end);
      Optional<ZoneId> named = CronSchedule.zone(name);
      if (named.isEmpty()) {
        throw new Unreadable(
            "provided bad location %s: unknown time zone %s".formatted(name, name));
      }
      own = named.get();
      spec = end < 0 ? "" : spec.substring(end);
    }
    spec = spec.strip();
    if (spec.isEmpty()) {
      throw new Unreadable("empty spec string");
    }
    if (!spec.startsWith("@")) {
      return fields(spec, own);
    }
    return spec.startsWith(EVERY) ? every(spec) : fields(described(spec), own);
  }

  private static String described(String spec) throws Unreadable {
    return switch (spec) {
      case "@yearly", "@annually" -> "0 0 1 1 *";
      case "@monthly" -> "0 0 1 * *";
      case "@weekly" -> "0 0 * * 0";
      case "@daily", "@midnight" -> "0 0 * * *";
      case "@hourly" -> "0 * * * *";
      default -> throw new Unreadable("unrecognized descriptor: " + spec);
    };
  }

  private static CronSchedule every(String spec) throws Unreadable {
    String text = spec.substring(EVERY.length());
    Duration delay = GoDuration.parse(text);
    if (delay == null) {
      throw new Unreadable(
          "failed to parse duration %s: time: invalid duration \"%s\"".formatted(spec, text));
    }
    return new FixedDelay(delay);
  }

  private static CronSchedule fields(String spec, ZoneId zone) throws Unreadable {
    String[] texts = spec.split("\\s+", -1);
    if (texts.length != FIELDS) {
      throw new Unreadable(
          "expected exactly 5 fields, found %d: [%s]"
              .formatted(texts.length, String.join(" ", texts)));
    }
    long daysOfMonth = set(texts[2], DAYS_OF_MONTH);
    long daysOfWeek = set(texts[4], DAYS_OF_WEEK);
    return new CronFields(
        set(texts[0], MINUTES) & ~ANY,
        set(texts[1], HOURS) & ~ANY,
        daysOfMonth & ~ANY,
        set(texts[3], MONTHS) & ~ANY,
        daysOfWeek & ~ANY,
        ((daysOfMonth | daysOfWeek) & ANY) != 0,
        zone);
  }

  private static long set(String text, Field field) throws Unreadable {
    long set = 0;
    for (String range : text.split(",", -1)) {
      if (!range.isEmpty()) {
        set |= range(range, field);
      }
    }
    return set;
  }

  /** {@code *}, {@code n}, {@code n-m}, each perhaps with a step; {@code n/s} goes to the end. */
  private static long range(String text, Field field) throws Unreadable {
    List<String> stepped = Arrays.asList(text.split("/", -1));
    List<String> ends = Arrays.asList(stepped.getFirst().split("-", -1));
    boolean isAny = ends.getFirst().equals("*") || ends.getFirst().equals("?");
    int from = isAny ? field.least() : number(ends.getFirst(), field);
    int to = from;
    if (isAny) {
      to = field.most();
    } else if (ends.size() == 2) {
      to = number(ends.get(1), field);
    } else if (ends.size() > 2) {
      throw new Unreadable("too many hyphens: " + text);
    }
    int step = 1;
    if (stepped.size() == 2) {
      step = number(stepped.get(1));
      to = ends.size() == 1 ? field.most() : to;
    } else if (stepped.size() > 2) {
      throw new Unreadable("too many slashes: " + text);
    }
    check(from, to, step, field, text);
    long set = isAny && step == 1 ? ANY : 0;
    for (long i = from; i <= to; i += step) {
      set |= 1L << i;
    }
    return set;
  }

  private static void check(int from, int to, int step, Field field, String text)
      throws Unreadable {
    if (from < field.least()) {
      throw new Unreadable(
          "beginning of range (%d) below minimum (%d): %s".formatted(from, field.least(), text));
    }
    if (to > field.most()) {
      throw new Unreadable(
          "end of range (%d) above maximum (%d): %s".formatted(to, field.most(), text));
    }
    if (from > to) {
      throw new Unreadable(
          "beginning of range (%d) beyond end of range (%d): %s".formatted(from, to, text));
    }
    if (step == 0) {
      throw new Unreadable("step of range should be a positive number: " + text);
    }
  }

  private static int number(String text, Field field) throws Unreadable {
    int index = field.names().indexOf(text.toLowerCase(Locale.ROOT));
    return index >= 0 ? field.least() + index : number(text);
  }

  private static int number(String text) throws Unreadable {
    int number;
    try {
      number = Integer.parseInt(text);
    } catch (NumberFormatException _) {
      throw new Unreadable(
          "failed to parse int from %s: strconv.Atoi: parsing \"%s\": invalid syntax"
              .formatted(text, text));
    }
    if (number < 0) {
      throw new Unreadable("negative number (%d) not allowed: %s".formatted(number, text));
    }
    return number;
  }
}
