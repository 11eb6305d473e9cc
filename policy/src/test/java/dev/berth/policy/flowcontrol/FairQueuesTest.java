package dev.berth.policy.flowcontrol;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.flowcontrol.FairQueues.Arrival;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who of a priority level runs, and who waits. Time is a number that the test advances. */
class FairQueuesTest {
  private static final long ALICE = 11;
  private static final long BOB = 4_711;

  /** A request with a name. */
  private static final class Named extends FairRequest {
    private final String name;

    Named(String name, Work work, long flow, Instant waitsUntil) {
      super(work, flow, waitsUntil);
      this.name = name;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private Instant now = Instant.EPOCH;
  private final List<String> decided = new ArrayList<>();

  private FairQueues<Named> queues(Queuing queuing, int seats) {
    return new FairQueues<>(
        queuing, seats, now, (request, runs) -> decided.add((runs ? "+" : "-") + request));
  }

  private static Queuing.Queues queues(int count, int hand, int length) {
    return new Queuing.Queues(new ShuffleSharding(count, hand), length);
  }

  private Named request(String name, int seats, long flow) {
    return new Named(name, Work.seats(seats), flow, now.plusSeconds(15));
  }

  private void advance(Duration time) {
    now = now.plus(time);
  }

  @Test
  void whatFitsRunsAndTheRestWaits() {
    FairQueues<Named> level = queues(queues(8, 1, 10), 2);
    Named first = request("first", 1, ALICE);
    assertThat(level.arrive(first, now)).isEqualTo(Arrival.RUNS);
    assertThat(level.arrive(request("second", 1, ALICE), now)).isEqualTo(Arrival.RUNS);
    assertThat(level.arrive(request("third", 1, ALICE), now)).isEqualTo(Arrival.WAITS);
    assertThat(decided).isEmpty();
    level.finish(first, now);
    assertThat(decided).containsExactly("+third");
  }

  @Test
  void whoDoesNotFitIntoTheQueueIsRefused() {
    FairQueues<Named> level = queues(queues(1, 1, 2), 1);
    level.arrive(request("runs", 1, ALICE), now);
    assertThat(level.arrive(request("a", 1, ALICE), now)).isEqualTo(Arrival.WAITS);
    assertThat(level.arrive(request("b", 1, ALICE), now)).isEqualTo(Arrival.WAITS);
    assertThat(level.arrive(request("c", 1, ALICE), now)).isEqualTo(Arrival.QUEUE_FULL);
    assertThat(level.figures().rejected()).isEqualTo(1);
  }

  @Test
  void withoutQueuesWhoDoesNotFitIsRefused() {
    FairQueues<Named> level = queues(new Queuing.Reject(), 1);
    assertThat(level.arrive(request("a", 1, ALICE), now)).isEqualTo(Arrival.RUNS);
    assertThat(level.arrive(request("b", 1, ALICE), now)).isEqualTo(Arrival.CONCURRENCY_LIMIT);
  }

  @Test
  void theExemptNeverWait() {
    FairQueues<Named> level = queues(new Queuing.Exempt(), 0);
    for (int i = 0; i < 1_000; i++) {
      assertThat(level.arrive(request("r", 10, ALICE), now)).isEqualTo(Arrival.RUNS);
    }
  }

  @Test
  void whoWaitsUntilTheLimitIsRefused() {
    FairQueues<Named> level = queues(queues(8, 2, 10), 1);
    level.arrive(request("runs", 1, ALICE), now);
    level.arrive(request("waits", 1, ALICE), now);
    assertThat(level.nextEvent()).contains(now.plusSeconds(15));
    advance(ofSeconds(15).minusNanos(1));
    level.advance(now);
    assertThat(decided).isEmpty();
    advance(Duration.ofNanos(1));
    level.advance(now);
    assertThat(decided).containsExactly("-waits");
    assertThat(level.nextEvent()).isEmpty();
    assertThat(level.figures().waiting()).isZero();
  }

  /** Whoever sends a lot waits behind themselves, not in front of others. */
  @Test
  void aFlowThatSendsMuchDoesNotHoldUpOneThatSendsLittle() {
    FairQueues<Named> level = queues(queues(64, 6, 50), 4);
    List<Named> running = new ArrayList<>();
    for (int i = 0; i < 304; i++) {
      Named request = request("alice-" + i, 1, ALICE);
      if (level.arrive(request, now) == Arrival.RUNS) {
        running.add(request);
      }
    }
    advance(FairQueues.GUESS);
    assertThat(level.arrive(request("bob", 1, BOB), now)).isEqualTo(Arrival.WAITS);
    running.forEach(request -> level.finish(request, now));
    assertThat(decided).as("300 of Alice's wait").hasSize(4).contains("+bob");
  }

  /** What counts is seats and time, not the number of requests. */
  @Test
  void flowsThatAlwaysWantMoreGetEqualPartsOfTheSeats() {
    FairQueues<Named> level = queues(queues(64, 1, 1_000), 10);
    Map<String, Double> seatSeconds = new HashMap<>();
    Set<Named> running = new LinkedHashSet<>();
    Map<Named, Instant> ends = new HashMap<>();
    Map<String, Named> requests = new HashMap<>();
    for (int i = 0; i < 1_000; i++) {
      for (Named each :
          List.of(
              new Named("wide-" + i, Work.seats(5), ALICE, now.plusSeconds(1_000)),
              new Named("small-" + i, Work.seats(1), BOB, now.plusSeconds(1_000)))) {
        requests.put(each.toString(), each);
        if (level.arrive(each, now) == Arrival.RUNS) {
          decided.add("+" + each);
        }
      }
    }
    for (int millis = 0; millis < 600; millis++) {
      for (String started : decided) {
        Named request = requireNonNull(requests.get(started.substring(1)));
        running.add(request);
        boolean wide = started.startsWith("+wide");
        ends.put(request, now.plusMillis(wide ? 50 : 5));
        seatSeconds.merge(
            wide ? "wide" : "small", request.seats() * (wide ? 0.05 : 0.005), Double::sum);
      }
      decided.clear();
      advance(ofMillis(1));
      for (Named request : List.copyOf(running)) {
        if (!requireNonNull(ends.get(request)).isAfter(now)) {
          running.remove(request);
          level.finish(request, now);
        }
      }
    }
    double small = seatSeconds.getOrDefault("small", 0.0);
    double part = small / (seatSeconds.getOrDefault("wide", 0.0) + small);
    assertThat(part).as("of %s", seatSeconds).isBetween(0.35, 0.65);
  }

  @Test
  void seatsAreTakenUntilOthersHavePassedTheChangeOn() {
    FairQueues<Named> level = queues(queues(8, 1, 10), 10);
    Named write = new Named("write", new Work(1, 10, ofMillis(5)), ALICE, now.plusSeconds(15));
    level.arrive(write, now);
    level.arrive(request("next", 1, BOB), now);
    level.finish(write, now);
    assertThat(decided).as("its client has its answer, its seats are in use").isEmpty();
    assertThat(level.nextEvent()).contains(now.plusMillis(5));
    advance(ofMillis(5));
    level.advance(now);
    assertThat(decided).containsExactly("+next");
  }

  @Test
  void aRequestThatIsWiderThanTheLevelRunsAlone() {
    FairQueues<Named> level = queues(queues(8, 1, 10), 4);
    Named small = request("small", 1, ALICE);
    level.arrive(small, now);
    assertThat(level.arrive(request("wide", 8, BOB), now)).isEqualTo(Arrival.WAITS);
    level.finish(small, now);
    assertThat(decided).containsExactly("+wide");
    assertThat(level.arrive(request("later", 1, ALICE), now)).isEqualTo(Arrival.WAITS);
  }

  @Test
  void moreSeatsLetMoreIn() {
    FairQueues<Named> level = queues(queues(8, 1, 10), 1);
    level.arrive(request("runs", 1, ALICE), now);
    level.arrive(request("a", 1, ALICE), now);
    level.arrive(request("b", 1, BOB), now);
    level.configure(queues(16, 2, 10), 3, now);
    assertThat(decided).containsExactlyInAnyOrder("+a", "+b");
  }

  @Test
  void whoRunsForTooLongLosesTheirSeats() {
    FairQueues<Named> level = queues(queues(8, 1, 10), 1);
    Named slow = request("slow", 1, ALICE);
    level.arrive(slow, now);
    advance(ofSeconds(59));
    Named waits = request("waits", 1, BOB);
    level.arrive(waits, now);
    level.reclaim(ofSeconds(60), now);
    assertThat(decided).isEmpty();
    advance(ofSeconds(1));
    level.reclaim(ofSeconds(60), now);
    assertThat(decided).containsExactly("+waits");
    level.finish(slow, now);
    assertThat(level.figures().seatsInUse()).as("nothing is given back twice").isEqualTo(1);
  }

  @Test
  void whoGivesUpWaitingLeavesNothingBehind() {
    FairQueues<Named> level = queues(queues(8, 1, 10), 1);
    level.arrive(request("runs", 1, ALICE), now);
    Named gone = request("gone", 1, BOB);
    level.arrive(gone, now);
    level.abandon(gone, now);
    assertThat(level.figures().waiting()).isZero();
    assertThat(level.figures().seatsWaiting()).isZero();
  }

  /** Whatever happens, no seat is given twice, none is lost, and everybody hears of a decision. */
  @SeededTest(fixed = 50, fresh = 20)
  void everySeatIsGivenOnceAndEverybodyIsDecidedAbout(long seed) {
    Random random = new Random(seed);
    int seats = 1 + random.nextInt(20);
    FairQueues<Named> level = queues(queues(16, 3, 5), seats);
    Map<String, Named> all = new HashMap<>();
    List<Named> running = new ArrayList<>();
    Set<String> waiting = new LinkedHashSet<>();
    for (int step = 0; step < 2_000; step++) {
      advance(Duration.ofNanos(random.nextInt(2_000_000)));
      if (random.nextInt(3) > 0 || running.isEmpty()) {
        Work work =
            random.nextBoolean()
                ? Work.seats(1 + random.nextInt(8))
                : new Work(1, 1 + random.nextInt(8), ofMillis(random.nextInt(10)));
        Instant until = now.plusMillis(random.nextInt(50));
        Named request = new Named("r" + step, work, random.nextLong(4), until);
        all.put(request.toString(), request);
        switch (level.arrive(request, now)) {
          case RUNS -> {
            if (!decided.contains("+" + request)) {
              running.add(request);
            }
          }
          case WAITS -> waiting.add(request.toString());
          case QUEUE_FULL, CONCURRENCY_LIMIT -> {}
        }
      } else {
        level.finish(running.remove(random.nextInt(running.size())), now);
      }
      for (String decision : decided) {
        Named request = requireNonNull(all.get(decision.substring(1)));
        waiting.remove(request.toString());
        if (decision.startsWith("+")) {
          running.add(request);
        }
      }
      decided.clear();
      FairQueues.Figures figures = level.figures();
      assertThat(figures.running()).isEqualTo(running.size());
      assertThat(figures.waiting()).isEqualTo(waiting.size());
      int wanted = running.stream().mapToInt(FairRequest::seats).sum();
      assertThat(figures.seatsInUse()).isGreaterThanOrEqualTo(wanted);
      assertThat(running.size() == 1 || wanted <= seats).as("%s of %d", running, seats).isTrue();
    }
    running.forEach(request -> level.finish(request, now));
    advance(ofSeconds(1));
    level.advance(now);
    decided.stream()
        .filter(decision -> decision.startsWith("+"))
        .forEach(decision -> level.finish(requireNonNull(all.get(decision.substring(1))), now));
    advance(ofSeconds(1));
    level.advance(now);
    assertThat(level.isIdle()).isTrue();
    assertThat(level.figures().seatsInUse()).isZero();
    assertThat(level.figures().seatsWaiting()).isZero();
  }
}
