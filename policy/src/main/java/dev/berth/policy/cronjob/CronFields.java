package dev.berth.policy.cronjob;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Every minute whose hands on the clock of a zone match five sets of numbers.
 *
 * <ol>
 *   <li>If both kinds of days are restricted, one of them must match; otherwise both must.
 *   <li>Where clocks go forward, times that they skip do not occur that day.
 *   <li>Where clocks go back, times that they show twice occur twice.
 * </ol>
 *
 * <p>The second and third rule are those of the library that Kubernetes uses. A zone's time is
 * searched from one change of its clocks to the next, since in between it is plain arithmetic.
 *
 * @param minutes bit <i>n</i> is set if minute <i>n</i> matches; so are the others
 * @param daysOfWeek Sunday is 0
 * @param bothDays whether both kinds of days must match
 */
record CronFields(
    long minutes,
    long hours,
    long daysOfMonth,
    long months,
    long daysOfWeek,
    boolean bothDays,
    ZoneId zone)
    implements CronSchedule {
  private static final int YEARS = 5;
  private static final int DAYS_OF_WEEK = 7;
  private static final int HOURS = 24;
  private static final int MINUTES = 60;

  @Override
  public Optional<Instant> next(Instant after) {
    ZoneRules rules = zone.getRules();
    Instant from = after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    int lastYear = LocalDateTime.ofInstant(from, zone).getYear() + YEARS;
    while (true) {
      ZoneOffset offset = rules.getOffset(from);
      LocalDateTime local = LocalDateTime.ofInstant(from, offset);
      if (local.getYear() > lastYear) {
        return Optional.empty();
      }
      ZoneOffsetTransition change = rules.nextTransition(from);
      LocalDateTime found = nextLocal(wholeMinute(local), lastYear);
      if (found != null) {
        Instant at = found.toInstant(offset);
        if (change == null || at.isBefore(change.getInstant())) {
          return Optional.of(at);
        }
      }
      if (change == null) {
        return Optional.empty();
      }
      from = change.getInstant();
    }
  }

  private static LocalDateTime wholeMinute(LocalDateTime time) {
    LocalDateTime minute = time.truncatedTo(ChronoUnit.MINUTES);
    return minute.equals(time) ? minute : minute.plusMinutes(1);
  }

  /** The first match on a clock that nobody changes; null if there is none up to that year. */
  private @Nullable LocalDateTime nextLocal(LocalDateTime from, int lastYear) {
    LocalDate date = from.toLocalDate();
    int minute = from.getHour() * MINUTES + from.getMinute();
    while (date.getYear() <= lastYear) {
      if (!has(months, date.getMonthValue())) {
        date = date.withDayOfMonth(1).plusMonths(1);
      } else {
        int found = matches(date) ? nextMinute(minute) : -1;
        if (found >= 0) {
          return date.atTime(found / MINUTES, found % MINUTES);
        }
        date = date.plusDays(1);
      }
      minute = 0;
    }
    return null;
  }

  private boolean matches(LocalDate date) {
    boolean ofMonth = has(daysOfMonth, date.getDayOfMonth());
    boolean ofWeek = has(daysOfWeek, date.getDayOfWeek().getValue() % DAYS_OF_WEEK);
    return bothDays ? ofMonth && ofWeek : ofMonth || ofWeek;
  }

  /** The first matching minute of a day from one on; negative if there is none. */
  private int nextMinute(int from) {
    for (int hour = from / MINUTES; hour < HOURS; hour++) {
      if (has(hours, hour)) {
        int first = hour == from / MINUTES ? from % MINUTES : 0;
        int minute = Long.numberOfTrailingZeros(minutes >>> first << first);
        if (minute < MINUTES) {
          return hour * MINUTES + minute;
        }
      }
    }
    return -1;
  }

  private static boolean has(long set, int number) {
    return (set >>> number & 1) != 0;
  }

  /** By halves, since there may be years in between. */
  @Override
  public Optional<Instant> latest(Instant after, Instant until) {
    Instant found = notAfter(until, next(after));
    Instant noneAfter = until;
    while (found != null) {
      Instant another = notAfter(until, next(found));
      if (another == null) {
        break;
      }
      Instant middle = another.plus(Duration.between(another, noneAfter).dividedBy(2));
      Instant later = notAfter(until, next(middle));
      if (later == null) {
        noneAfter = middle;
      }
      found = later == null ? another : later;
    }
    return Optional.ofNullable(found);
  }

  private static @Nullable Instant notAfter(Instant until, Optional<Instant> time) {
    return time.filter(at -> !at.isAfter(until)).orElse(null);
  }
}
