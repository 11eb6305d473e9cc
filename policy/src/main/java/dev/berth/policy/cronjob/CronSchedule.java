package dev.berth.policy.cronjob;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The times at which a cron job runs.
 *
 * <ol>
 *   <li>{@code minute hour day-of-month month day-of-week}: each a list of numbers, names, ranges
 *       ({@code 1-5}), steps ({@code 0-59/15}, {@code 10/15}) or {@code *}; {@code ?} is {@code *}.
 *   <li>{@code @yearly} ({@code @annually}), {@code @monthly}, {@code @weekly}, {@code @daily}
 *       ({@code @midnight}), {@code @hourly}.
 *   <li>{@code @every 1h30m}: so long after the last time, to the second.
 *   <li>In front of each, {@code TZ=} or {@code CRON_TZ=} with a zone; servers let that in no more,
 *       but older objects have it.
 * </ol>
 */
public sealed interface CronSchedule permits CronFields, FixedDelay {

  /** The first time after an instant; empty if there is none within five years. */
  Optional<Instant> next(Instant after);

  /** The last time after an instant and not after another; empty if there is none. */
  Optional<Instant> latest(Instant after, Instant until);

  /** What a text says. */
  sealed interface Parsed {
    record Valid(CronSchedule schedule) implements Parsed {}

    /** Nothing; {@code why} is worded as Kubernetes words it. */
    record Invalid(String why) implements Parsed {}
  }

  /**
   * Reads a schedule.
   *
   * @param zone whose clocks it speaks of, unless it names another zone itself
   */
  static Parsed parse(String text, ZoneId zone) {
    try {
      return new Parsed.Valid(CronParser.parse(text, zone));
    } catch (CronParser.Unreadable e) {
      return new Parsed.Invalid(e.why());
    }
  }

  /**
   * The zone of a name of IANA's; empty if there is none. Java knows more names, such as {@code
   * UTC+2}, which Kubernetes does not.
   */
  static Optional<ZoneId> zone(String name) {
    if (name.isEmpty() || name.equals("UTC")) {
      return Optional.of(ZoneOffset.UTC);
    }
    return Zones.NAMES.contains(name)
        ? Optional.of(ZoneId.of(name))
        : Optional.ofNullable(Zones.OLDER.get(name)).map(ZoneId::of);
  }

  /** Read once: asking Java makes a copy of six hundred names each time. */
  final class Zones {
    private static final Set<String> NAMES = Set.copyOf(ZoneId.getAvailableZoneIds());

    /** Names of IANA's that Java leaves out, and what they are links to. */
    private static final Map<String, String> OLDER =
        Map.of(
            "EST",
            "America/Panama",
            "Factory",
            "GMT",
            "GMT+0",
            "GMT",
            "GMT-0",
            "GMT",
            "HST",
            "Pacific/Honolulu",
            "MST",
            "America/Phoenix",
            "ROC",
            "Asia/Taipei");

    private Zones() {}
  }
}
