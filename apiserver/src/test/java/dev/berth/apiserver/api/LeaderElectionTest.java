package dev.berth.apiserver.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.Resources;
import dev.berth.client.leaderelection.LeaderElection;
import dev.berth.client.leaderelection.LeaderElection.Config;
import dev.berth.model.leader.LeaderTerm;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaderElectionTest {
  private static final ObjectName LEASE = new ObjectName("kube-system", "kube-scheduler");
  private static final Duration LEASE_DURATION = Duration.ofSeconds(15);

  private final LocalCluster cluster = new LocalCluster(1);
  private final List<String> told = new ArrayList<>();

  /** Somebody who runs, with a network of its own. */
  private final class Candidate implements LeaderElection.Listener {
    private final String name;
    private final BrokenApi api = new BrokenApi(cluster.api);
    private final Loop loop;
    private final LeaderElection election;

    Candidate(String name) {
      this.name = name;
      this.loop = cluster.time.start(name);
      this.election =
          new LeaderElection(api, loop, cluster.time, Config.standard(LEASE, name), this);
      election.start();
      cluster.time.settle();
    }

    void leave() {
      loop.offer(election::close);
      cluster.time.settle();
    }

    @Override
    public void started(LeaderTerm term) {
      told.add(name + " started");
    }

    @Override
    public void stopped() {
      told.add(name + " stopped");
    }
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private JsonObject lease() {
    return LocalCluster.done(cluster.api.get(Resources.LEASES, LEASE)).object("spec");
  }

  @Test
  void theFirstLeadsAndRenews() {
    Candidate a = new Candidate("a");

    assertThat(told).containsExactly("a started");
    assertThat(a.election.isLeader()).isTrue();
    JsonObject first = lease();
    assertThat(first.text("holderIdentity")).isEqualTo("a");
    assertThat(first.integer("leaseDurationSeconds")).hasValue(15);
    assertThat(first.integer("leaseTransitions")).hasValue(0);

    cluster.time.advance(Duration.ofMinutes(5));

    JsonObject later = lease();
    assertThat(told).containsExactly("a started");
    assertThat(later.text("acquireTime")).isEqualTo(first.text("acquireTime"));
    Instant renewed = Times.parseMicro(later.text("renewTime", ""));
    assertThat(Duration.between(renewed, cluster.time.now())).isLessThan(Duration.ofSeconds(3));
  }

  @Test
  void theOtherWaitsForAsLongAsTheLeaderRenews() {
    new Candidate("a");
    Candidate b = new Candidate("b");

    cluster.time.advance(Duration.ofMinutes(10));

    assertThat(told).containsExactly("a started");
    assertThat(b.election.leader()).isEqualTo("a");
  }

  @Test
  void aLeaderThatIsCutOffStopsBeforeTheOtherBegins() {
    Candidate a = new Candidate("a");
    new Candidate("b");
    cluster.time.advance(Duration.ofSeconds(30));

    a.api.unreachable();
    cluster.time.advance(Duration.ofSeconds(10));
    assertThat(told).containsExactly("a started", "a stopped");

    cluster.time.advance(LEASE_DURATION);
    assertThat(told).containsExactly("a started", "a stopped", "b started");
    assertThat(lease().text("holderIdentity")).isEqualTo("b");
    assertThat(lease().integer("leaseTransitions")).hasValue(1);

    a.api.mended();
    cluster.time.advance(Duration.ofMinutes(1));
    assertThat(told).containsExactly("a started", "a stopped", "b started");
    assertThat(a.election.leader()).isEqualTo("b");
  }

  /** Whenever it dies between two renewals, and whenever the other looked last. */
  @Test
  void theOtherLeadsWithinAPeriodAfterTheLeaseHasExpired() {
    List<Candidate> candidates = List.of(new Candidate("a"), new Candidate("b"));
    for (int i = 0; i < 40; i++) {
      Candidate leader = candidates.get(i % 2);
      Candidate other = candidates.get((i + 1) % 2);
      assertThat(leader.election.isLeader()).isTrue();
      cluster.time.advance(Duration.ofMillis(30_000 + 130 * i));
      leader.api.unreachable();
      Instant renewed = Times.parseMicro(lease().text("renewTime", ""));

      cluster.time.advance(
          Duration.between(cluster.time.now(), renewed.plus(LEASE_DURATION)).minusMillis(1));
      assertThat(other.election.isLeader()).isFalse();
      cluster.time.advance(Duration.ofSeconds(2).plusMillis(1));
      assertThat(other.election.isLeader()).isTrue();

      leader.api.mended();
    }
  }

  @Test
  void whoeverLeavesGivesTheLeaseBack() {
    Candidate a = new Candidate("a");
    new Candidate("b");

    a.leave();
    assertThat(lease().text("holderIdentity")).isEmpty();
    cluster.time.advance(Duration.ofSeconds(5));

    assertThat(told).containsExactly("a started", "a stopped", "b started");
  }

  @Test
  void aLeaderWhoseLeaseWasTakenStops() {
    new Candidate("a");
    JsonObject taken = LocalCluster.done(cluster.api.get(Resources.LEASES, LEASE));
    LocalCluster.done(
        cluster.api.update(
            Resources.LEASES,
            taken.with("spec", taken.object("spec").with("holderIdentity", "thief"))));

    cluster.time.advance(Duration.ofSeconds(5));

    assertThat(told).containsExactly("a started", "a stopped");
  }

  /** However often networks break, no two lead at once. */
  @SeededTest(fixed = 4, fresh = 2)
  void noTwoLead(long seed) {
    List<Candidate> all = List.of(new Candidate("a"), new Candidate("b"), new Candidate("c"));
    var random = new SplittableRandom(seed);
    for (int step = 0; step < 500; step++) {
      Candidate any = all.get(random.nextInt(all.size()));
      if (random.nextBoolean()) {
        any.api.unreachable();
      } else {
        any.api.mended();
      }
      cluster.time.advance(Duration.ofMillis(random.nextInt(10_000)));
      assertThat(all.stream().filter(candidate -> candidate.election.isLeader()).count())
          .as("seed %d, step %d", seed, step)
          .isLessThanOrEqualTo(1);
    }
    all.forEach(candidate -> candidate.api.mended());
    cluster.time.advance(Duration.ofMinutes(1));
    assertThat(all.stream().filter(candidate -> candidate.election.isLeader())).hasSize(1);
  }

  @Test
  void durationsThatCannotWorkAreRefused() {
    assertThatThrownBy(() ->
            new Config(LEASE, "a", Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ZERO))
        .hasMessage("leaseDuration must be greater than renewDeadline");
    assertThatThrownBy(() ->
            new Config(
                LEASE, "a", Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofSeconds(2)))
        .hasMessage("renewDeadline must be greater than retryPeriod*1.2");
  }
}
