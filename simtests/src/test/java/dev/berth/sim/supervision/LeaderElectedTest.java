package dev.berth.sim.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.client.leaderelection.LeaderElected;
import dev.berth.client.leaderelection.LeaderElection;
import dev.berth.component.Supervisor;
import dev.berth.metrics.Metrics;
import dev.berth.model.resource.ObjectName;
import dev.berth.sim.ProcessTime;
import dev.berth.sim.VirtualCluster;
import dev.berth.time.Loop;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody leads whose components do not run, and no two lead. */
class LeaderElectedTest {
  private static final ObjectName LEASE = new ObjectName("kube-system", "kube-controller-manager");
  private static final Duration RETRIES = Duration.ofSeconds(5);

  private final VirtualCluster cluster = new VirtualCluster(1);

  @AfterEach
  void close() {
    cluster.close();
  }

  /** A process of its own, with a component that only a leader may run. */
  private final class Candidate {
    final ProcessTime time = new ProcessTime(cluster.time());
    final Supervisor supervisor = new Supervisor(time, new Metrics());
    final String name;
    Loop led = ended();
    int terms;

    Candidate(String name) {
      this.name = name;
      LeaderElected.run(
          supervisor,
          cluster.admin(),
          LeaderElection.Config.standard(LEASE, name),
          (scope, _) ->
              () ->
                  scope.run(
                      "led",
                      own -> {
                        terms++;
                        led = own.time().start("led");
                        work(led);
                        return () -> {};
                      }),
          new LeaderElected.Observer() {});
      cluster.settle();
    }

    private Loop ended() {
      Loop none = cluster.time().start("none");
      none.close();
      return none;
    }

    private void work(Loop loop) {
      loop.after(Duration.ofMillis(100), () -> work(loop));
    }

    boolean leads() {
      return !led.hasEnded();
    }

    void fail(String loop) {
      boolean[] struck = {false};
      time.failWhere(asked -> {
        boolean now = asked.equals(loop) && !struck[0];
        struck[0] |= now;
        return now;
      });
    }
  }

  private String holder() {
    return ((ApiResult.Done) cluster.admin().get(Resources.LEASES, LEASE))
        .object()
        .object("spec")
        .text("holderIdentity", "");
  }

  /** Whichever loop fails, the election's own among them. */
  @ParameterizedTest
  @ValueSource(strings = {"led", LeaderElected.NAME})
  void aFailureEndsTheTermAndTheOtherLeadsAtOnce(String failing) {
    Candidate a = new Candidate("a");
    Candidate b = new Candidate("b");
    cluster.advance(Duration.ofSeconds(30));
    assertThat(a.leads()).isTrue();

    a.fail(failing);
    int steps = 0;
    while (a.leads() && steps++ < 100) {
      cluster.advance(Duration.ofMillis(100));
    }
    assertThat(a.leads()).as("everything that was led has ended").isFalse();
    assertThat(holder()).as("the lease was given back, not left to run out").isEmpty();
    cluster.advance(RETRIES);

    assertThat(b.leads() || a.leads()).as("somebody leads long before the lease ran out").isTrue();
    assertThat(b.leads() && a.leads()).isFalse();
  }

  @Test
  void whoFailedIsACandidateAgain() {
    Candidate a = new Candidate("a");
    cluster.advance(Duration.ofSeconds(10));
    a.fail("led");
    cluster.advance(Duration.ofSeconds(10));

    assertThat(a.terms).isEqualTo(2);
    assertThat(a.leads()).isTrue();
    assertThat(holder()).isEqualTo("a");
  }

  @Test
  void stoppingGivesTheLeaseBack() {
    Candidate a = new Candidate("a");
    cluster.advance(Duration.ofSeconds(10));
    var stopped = a.supervisor.stop();
    cluster.settle();

    assertThat(stopped).isDone();
    assertThat(a.leads()).isFalse();
    assertThat(holder()).isEmpty();
  }

  /** A clock that is an hour off, from one moment to the next, is no reason for a change. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void aClockThatIsSetNeitherEndsATermNorBeginsAnother(int hours) {
    Candidate a = new Candidate("a");
    Candidate b = new Candidate("b");
    cluster.advance(Duration.ofSeconds(30));

    for (Candidate set : List.of(a, b)) {
      set.time.stepWallClock(Duration.ofHours(hours));
      for (int second = 0; second < 60; second++) {
        cluster.advance(Duration.ofSeconds(1));
        assertThat(a.leads()).isTrue();
        assertThat(b.leads()).isFalse();
      }
    }
    assertThat(a.terms).isEqualTo(1);

    // Nor is it a reason to wait longer for one that is gone.
    a.time.failWhere(_ -> true);
    cluster.advance(Duration.ofSeconds(25));
    assertThat(b.leads()).isTrue();
  }

  @SeededTest(fixed = 1, fresh = 1)
  void noTwoLeadWhateverFailsAndHoweverClocksAreSet(long seed) {
    List<Candidate> all = List.of(new Candidate("a"), new Candidate("b"), new Candidate("c"));
    SplittableRandom random = new SplittableRandom(seed);
    for (int step = 0; step < 300; step++) {
      Candidate any = all.get(random.nextInt(all.size()));
      switch (random.nextInt(4)) {
        case 0 -> any.fail("led");
        case 1 -> any.fail(LeaderElected.NAME);
        case 2 -> any.time.stepWallClock(Duration.ofMinutes(random.nextInt(-90, 90)));
        default -> {}
      }
      cluster.advance(Duration.ofMillis(random.nextInt(4_000)));
      assertThat(all.stream().filter(Candidate::leads)).hasSizeLessThanOrEqualTo(1);
      all.stream()
          .filter(Candidate::leads)
          .forEach(leader -> assertThat(holder()).isEqualTo(leader.name));
    }
    all.forEach(candidate -> candidate.time.failWhere(_ -> false));
    cluster.advance(Duration.ofMinutes(2));
    assertThat(all.stream().filter(Candidate::leads)).hasSize(1);
  }
}
