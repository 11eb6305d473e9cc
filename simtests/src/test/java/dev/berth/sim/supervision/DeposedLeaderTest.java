package dev.berth.sim.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.client.leaderelection.LeaderElected;
import dev.berth.client.leaderelection.LeaderElection;
import dev.berth.component.Supervisor;
import dev.berth.metrics.Metrics;
import dev.berth.model.leader.LeaderTerm;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.ProcessTime;
import dev.berth.sim.VirtualCluster;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A leader that sleeps for longer than its lease and wakes up changes nothing. */
class DeposedLeaderTest {
  private static final ObjectName LEASE = new ObjectName("kube-system", "kube-scheduler");

  /** How long a request of a candidate is on its way: one is begun ten times as often. */
  private static final Duration WAY = Duration.ofSeconds(1);

  private static final Duration MUCH_LONGER_THAN_THE_LEASE = Duration.ofSeconds(60);

  private final VirtualCluster cluster = new VirtualCluster(1);
  private final Loop network = cluster.time().start("network");

  @AfterEach
  void close() {
    cluster.close();
  }

  /** A process that writes a new object again and again while it leads. */
  private final class Candidate {
    final String name;
    final ProcessTime time;
    final List<ApiResult> results = new ArrayList<>();
    Loop led = network;
    int begun;
    int lost;

    Candidate(String name) {
      this.name = name;
      time = new ProcessTime(cluster.time(), name, network, () -> WAY);
      LeaderElected.run(
          new Supervisor(time, new Metrics()),
          cluster.admin(),
          LeaderElection.Config.standard(LEASE, name),
          (scope, leader) ->
              () ->
                  scope.run(
                      "led",
                      own -> {
                        led = own.time().start("led");
                        work(leader.apply(cluster.admin()));
                        return () -> {};
                      }),
          new LeaderElected.Observer() {
            @Override
            public void lost() {
              lost++;
            }
          });
      cluster.settle();
    }

    private void work(Api api) {
      JsonObject object =
          JsonObject.of(
              "metadata",
              JsonObject.of("namespace", "kube-system").with("name", name + "-" + begun++));
      led.call(() -> results.add(api.create(Resources.CONFIG_MAPS, object)), _ -> {});
      led.after(WAY.dividedBy(10), () -> work(api));
    }

    long written() {
      var all = (ListResult.Page) cluster.admin().list(ListRequest.of(Resources.CONFIG_MAPS));
      return all.items().stream()
          .filter(object -> ObjectName.of(object).name().startsWith(name + "-"))
          .count();
    }
  }

  private LeaderTerm term() {
    return LeaderTerm.of(((ApiResult.Done) cluster.admin().get(Resources.LEASES, LEASE)).object());
  }

  @Test
  void whatItHadBegunIsRefusedAndItIsACandidateAgain() {
    Candidate a = new Candidate("a");
    Candidate b = new Candidate("b");
    cluster.advance(Duration.ofSeconds(30));
    LeaderTerm first = term();
    assertThat(first.holder()).isEqualTo("a");
    assertThat(a.written()).isPositive();

    a.time.sleep();
    cluster.advance(MUCH_LONGER_THAN_THE_LEASE);
    LeaderTerm second = term();
    assertThat(second.holder()).isEqualTo("b");
    assertThat(second.transitions()).isGreaterThan(first.transitions());
    long written = a.written();
    int answered = a.results.size();
    assertThat(a.begun).as("requests were under way").isGreaterThan(answered + 5);

    a.time.wake();
    cluster.advance(Duration.ofSeconds(30));
    assertThat(a.results).as("what was sent late").hasSizeGreaterThan(answered);
    assertThat(a.written()).as("objects of a leader that was deposed").isEqualTo(written);
    assertThat(a.results.subList(answered, a.results.size()))
        .allSatisfy(
            result -> assertThat(((ApiResult.Refused) result).error().isTermOver()).isTrue());
    assertThat(a.lost).isEqualTo(1);
    assertThat(b.written()).isPositive();
    assertThat(term()).as("the other leads on").isEqualTo(second);

    b.time.sleep();
    cluster.advance(MUCH_LONGER_THAN_THE_LEASE);
    assertThat(term().holder()).isEqualTo("a");
    assertThat(a.written()).as("it writes again, in a term of its own").isGreaterThan(written);
    long last = b.written();
    b.time.wake();
    cluster.advance(Duration.ofSeconds(30));
    assertThat(b.written()).isEqualTo(last);
  }

  /** Who leads again in the same process counts as another leader. */
  @Test
  void eachTermIsUnique() {
    Candidate a = new Candidate("a");
    cluster.advance(Duration.ofSeconds(30));
    LeaderTerm first = term();
    a.time.sleep();
    cluster.advance(MUCH_LONGER_THAN_THE_LEASE);
    long written = a.written();
    a.time.wake();
    cluster.advance(Duration.ofSeconds(30));
    assertThat(a.written()).isGreaterThan(written);
    assertThat(term().holder()).isEqualTo("a");
    assertThat(term().transitions()).isGreaterThan(first.transitions());
  }
}
