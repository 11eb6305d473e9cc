package dev.berth.policy.cronjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cronjob.CronSchedule.Parsed;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronScheduleTest {
  private static final String NEVER = "never";

  private static CronSchedule schedule(String text, String zone) {
    ZoneId id = CronSchedule.zone(zone).orElseThrow();
    return switch (CronSchedule.parse(text, id)) {
      case Parsed.Valid(CronSchedule schedule) -> schedule;
      case Parsed.Invalid(String why) -> throw new AssertionError(why);
    };
  }

  private static String next(String text, String zone, String after) {
    return schedule(text, zone).next(Instant.parse(after)).map(Instant::toString).orElse(NEVER);
  }

  @ParameterizedTest(name = "{0}: after {1} comes {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          * * * * *             | 2026-07-09T14:45:00Z     | 2026-07-09T14:46:00Z
          * * * * *             | 2026-07-09T14:45:00.001Z | 2026-07-09T14:46:00Z
          * * * * *             | 2026-07-09T14:44:59.999Z | 2026-07-09T14:45:00Z
          */15 * * * *          | 2026-07-09T14:45:00Z     | 2026-07-09T15:00:00Z
          5/15 * * * *          | 2026-07-09T14:45:00Z     | 2026-07-09T14:50:00Z
          20-35/15 * * * *      | 2026-07-09T23:45:00Z     | 2026-07-10T00:20:00Z
          1,7,30 * * * *        | 2026-07-09T14:02:00Z     | 2026-07-09T14:07:00Z
          0 10-12 * * *         | 2026-07-09T12:00:00Z     | 2026-07-10T10:00:00Z
          30 8 ? Jul Sun        | 2026-07-05T08:30:00Z     | 2026-07-12T08:30:00Z
          0 0 9 Apr-Oct ?       | 2026-07-09T23:35:00Z     | 2026-08-09T00:00:00Z
          0 0 * FEB MON         | 2026-07-09T23:35:00Z     | 2027-02-01T00:00:00Z
          0 0 * * mon-fri       | 2026-07-10T00:00:00Z     | 2026-07-13T00:00:00Z
          59 23 31 12 *         | 2026-12-31T23:59:00Z     | 2027-12-31T23:59:00Z
          0 0 29 2 *            | 2026-07-09T00:00:00Z     | 2028-02-29T00:00:00Z
          0 0 30 2 *            | 2026-07-09T00:00:00Z     | never
          0 0 31 4,6,9,11 ?     | 2026-07-09T00:00:00Z     | never
          , * * * *             | 2026-07-09T00:00:00Z     | never
          */61 * * * *          | 2026-07-09T14:45:00Z     | 2026-07-09T15:00:00Z
          +5 08 * * *           | 2026-07-09T14:45:00Z     | 2026-07-10T08:05:00Z
          @yearly               | 2026-07-09T00:00:00Z     | 2027-01-01T00:00:00Z
          @annually             | 2026-07-09T00:00:00Z     | 2027-01-01T00:00:00Z
          @monthly              | 2026-07-09T00:00:00Z     | 2026-08-01T00:00:00Z
          @weekly               | 2026-07-09T00:00:00Z     | 2026-07-12T00:00:00Z
          @daily                | 2026-07-09T00:00:00Z     | 2026-07-10T00:00:00Z
          @midnight             | 2026-07-09T00:00:00Z     | 2026-07-10T00:00:00Z
          @hourly               | 2026-07-09T14:45:00Z     | 2026-07-09T15:00:00Z
          @every 1h30m          | 2026-07-09T14:45:07Z     | 2026-07-09T16:15:07Z
          @every 1h30m          | 2026-07-09T14:45:07.9Z   | 2026-07-09T16:15:07Z
          @every 1500ms         | 2026-07-09T14:45:07Z     | 2026-07-09T14:45:08Z
          @every 10ms           | 2026-07-09T14:45:07Z     | 2026-07-09T14:45:08Z
          TZ=Asia/Tokyo 0 9 * * *      | 2026-07-09T00:00:00Z | 2026-07-10T00:00:00Z
          CRON_TZ=Asia/Tokyo @daily    | 2026-07-09T00:00:00Z | 2026-07-09T15:00:00Z
          """)
  void saysWhenItIsTimeNext(String text, String after, String expected) {
    assertThat(next(text, "UTC", after)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}: {1} is {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # Both kinds of days are restricted: either will do.
          0 0 1,15 * Sun  | 2026-07-15 | true
          0 0 1,15 * Sun  | 2026-07-12 | true
          0 0 1,15 * Sun  | 2026-07-13 | false
          # One has a star: both must match.
          0 0 * * Mon     | 2026-07-12 | false
          0 0 * * Mon     | 2026-07-13 | true
          0 0 1,15 * *    | 2026-07-12 | false
          0 0 1,15 * ?    | 2026-07-15 | true
          # A star with a step restricts as well: either will do.
          0 0 */10 * Sun  | 2026-07-12 | true
          0 0 */10 * Sun  | 2026-07-21 | true
          0 0 */10 * Sun  | 2026-07-20 | false
          0 0 */1 * Sun   | 2026-07-20 | false
          """)
  void daysOfMonthAndOfWeekGoTogether(String text, String day, boolean matches) {
    Instant midnight = Instant.parse(day + "T00:00:00Z");
    assertThat(schedule(text, "UTC").next(midnight.minusSeconds(1)).equals(Optional.of(midnight)))
        .isEqualTo(matches);
  }

  @ParameterizedTest(name = "{0} in {1}: after {2} comes {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # Clocks go from 2:00 to 3:00: half past two does not occur.
          30 2 * * *    | America/New_York  | 2026-03-08T05:00:00Z | 2026-03-09T06:30:00Z
          30 2 8 Mar ?  | America/New_York  | 2026-03-08T05:00:00Z | 2027-03-08T07:30:00Z
          0 * * * *     | America/New_York  | 2026-03-08T06:00:00Z | 2026-03-08T07:00:00Z
          0 3 * * *     | America/New_York  | 2026-03-08T06:00:00Z | 2026-03-08T07:00:00Z
          # Clocks go from 2:00 back to 1:00: half past one occurs twice.
          30 1 * * *    | America/New_York  | 2026-11-01T04:00:00Z | 2026-11-01T05:30:00Z
          30 1 * * *    | America/New_York  | 2026-11-01T05:30:00Z | 2026-11-01T06:30:00Z
          30 1 * * *    | America/New_York  | 2026-11-01T06:30:00Z | 2026-11-02T06:30:00Z
          30 2 1 Nov ?  | America/New_York  | 2026-11-01T04:00:00Z | 2026-11-01T07:30:00Z
          # Midnight itself is skipped.
          0 0 * * *     | America/Sao_Paulo | 2018-11-03T12:00:00Z | 2018-11-05T02:00:00Z
          0 5 3 11 ?    | America/Sao_Paulo | 2018-11-03T09:00:00Z | 2019-11-03T08:00:00Z
          # Half an hour is skipped, and half an hour comes twice.
          15 2 * * *    | Australia/Lord_Howe | 2026-10-03T14:00:00Z | 2026-10-04T15:15:00Z
          45 1 * * *    | Australia/Lord_Howe | 2026-04-04T14:45:00Z | 2026-04-04T15:15:00Z
          # No changes, and an offset of three quarters of an hour.
          0 9 * * *     | Asia/Kathmandu    | 2026-07-09T00:00:00Z | 2026-07-09T03:15:00Z
          @every 1h     | America/New_York  | 2026-03-08T06:30:00Z | 2026-03-08T07:30:00Z
          # Names that Java does not know.
          0 9 * * *     | EST               | 2026-07-09T00:00:00Z | 2026-07-09T14:00:00Z
          0 9 * * *     | GMT+0             | 2026-07-09T00:00:00Z | 2026-07-09T09:00:00Z
          """)
  void followsTheClocksOfAZone(String text, String zone, String after, String expected) {
    assertThat(next(text, zone, after)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          61 * * * *         | end of range (61) above maximum (59): 61
          * 24 * * *         | end of range (24) above maximum (23): 24
          * * 0 * *          | beginning of range (0) below minimum (1): 0
          * * * 13 *         | end of range (13) above maximum (12): 13
          * * * * 7          | end of range (7) above maximum (6): 7
          30-10 * * * *      | beginning of range (30) beyond end of range (10): 30-10
          */0 * * * *        | step of range should be a positive number: */0
          1-2-3 * * * *      | too many hyphens: 1-2-3
          1/2/3 * * * *      | too many slashes: 1/2/3
          a * * * *          | failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax
          -1 * * * *         | failed to parse int from : strconv.Atoi: parsing "": invalid syntax
          1/-1 * * * *       | negative number (-1) not allowed: -1
          * * * * monday     | failed to parse int from monday: strconv.Atoi: parsing "monday": invalid syntax
          * * * *            | expected exactly 5 fields, found 4: [* * * *]
          0 * * * * *        | expected exactly 5 fields, found 6: [0 * * * * *]
          @fortnightly       | unrecognized descriptor: @fortnightly
          @every day         | failed to parse duration @every day: time: invalid duration "day"
          TZ=Mars * * * * *  | provided bad location Mars: unknown time zone Mars
          TZ=UTC             | empty spec string
          """)
  void saysWhatIsWrong(String text, String why) {
    assertThat(CronSchedule.parse(text, ZoneOffset.UTC)).isEqualTo(new Parsed.Invalid(why));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTC+2", "+02:00", "Z", "Local", "europe/paris", "Europe/Pariss"})
  void knowsNoZonesButThoseOfIana(String name) {
    assertThat(CronSchedule.zone(name)).isEmpty();
  }

  @Test
  void findsTheLatestTimeAmongMany() {
    Instant start = Instant.parse("2020-01-01T00:00:30Z");
    Instant now = Instant.parse("2026-07-09T14:45:30Z");
    for (String text : new String[] {"* * * * *", "* * 1 1 *", "* 3 * * *", "0 0 29 2 *"}) {
      CronSchedule schedule = schedule(text, "Europe/Berlin");
      Instant latest = schedule.latest(start, now).orElseThrow();
      assertThat(latest).as(text).isBeforeOrEqualTo(now);
      assertThat(schedule.next(latest).orElseThrow()).as(text).isAfter(now);
    }
    assertThat(schedule("0 0 1 1 *", "UTC").latest(now, now.plusSeconds(60))).isEmpty();
    assertThat(schedule("46 14 * * *", "UTC").latest(now, now.plusSeconds(30)))
        .contains(now.plusSeconds(30));
  }

  @Test
  void aFixedDelayCountsFromTheLastTime() {
    Instant start = Instant.parse("2026-07-09T14:45:07Z");
    CronSchedule schedule = schedule("@every 90s", "UTC");
    assertThat(schedule.latest(start, start.plusSeconds(89))).isEmpty();
    assertThat(schedule.latest(start, start.plusSeconds(90))).contains(start.plusSeconds(90));
    assertThat(schedule.latest(start, start.plusSeconds(3_599))).contains(start.plusSeconds(3_510));
    assertThat(schedule.latest(start, start.minusSeconds(5))).isEmpty();
  }

  /** The same as looking at the clock every minute. */
  @SeededTest(fixed = 4, fresh = 2)
  void agreesWithAClockOnTheWall(long seed) {
    Random random = new Random(seed);
    String[] zones = {
      "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "America/Sao_Paulo", "Asia/Gaza"
    };
    for (int round = 0; round < 50; round++) {
      ZoneId zone = ZoneId.of(zones[random.nextInt(zones.length)]);
      Instant change =
          zone.getRules().nextTransition(Instant.parse("2016-01-01T00:00:00Z")).getInstant();
      Instant start = change.minus(Duration.ofMinutes(random.nextInt(1_600)));
      int hour = random.nextInt(24);
      String text =
          "%d-%d %d-%d %s * %s"
              .formatted(
                  random.nextInt(30),
                  30 + random.nextInt(30),
                  Math.min(hour, 22 * random.nextInt(2)),
                  hour,
                  random.nextBoolean() ? "*" : "*/2",
                  random.nextBoolean() ? "*" : "0-4");
      CronFields schedule = (CronFields) schedule(text, zone.getId());
      Instant expected = start.plusSeconds(1);
      while (!matches(schedule, LocalDateTime.ofInstant(expected, zone))) {
        expected = expected.plusSeconds(1);
        expected = expected.plusSeconds(Math.floorMod(-expected.getEpochSecond(), 60));
      }
      assertThat(schedule.next(start))
          .as("round %d: %s in %s", round, text, zone)
          .contains(expected);
    }
  }

  private static boolean matches(CronFields fields, LocalDateTime time) {
    boolean ofMonth = (fields.daysOfMonth() >> time.getDayOfMonth() & 1) == 1;
    boolean ofWeek = (fields.daysOfWeek() >> time.getDayOfWeek().getValue() % 7 & 1) == 1;
    return time.getSecond() == 0
        && (fields.minutes() >> time.getMinute() & 1) == 1
        && (fields.hours() >> time.getHour() & 1) == 1
        && (fields.months() >> time.getMonthValue() & 1) == 1
        && (fields.bothDays() ? ofMonth && ofWeek : ofMonth || ofWeek);
  }
}
