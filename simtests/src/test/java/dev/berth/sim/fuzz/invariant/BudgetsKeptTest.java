package dev.berth.sim.fuzz.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the invariant of budgets counts: four pods, of which one may be unavailable. */
class BudgetsKeptTest {
  private static final String READY = "{'type':'Ready','status':'True'}";
  private static final String EVICTED =
      "{'type':'DisruptionTarget','status':'True','reason':'EvictionByEvictionAPI'}";

  private final ClusterState state = new ClusterState();
  private final BudgetsKept budgets = new BudgetsKept();

  @BeforeEach
  void begin() {
    write(ClusterState.BUDGETS, "web", "'spec':{'maxUnavailable':1}");
    scale(4);
    for (int i = 0; i < 4; i++) {
      run("p" + i);
    }
  }

  private Optional<String> write(String resource, String name, String fields) {
    return write(resource, name, "", fields);
  }

  private Optional<String> write(String resource, String name, String metadata, String fields) {
    JsonObject after =
        VirtualCluster.tree(
            "{'metadata':{'namespace':'default','name':'%s','labels':{'app':'web'}%s},%s}"
                .formatted(name, metadata, fields));
    ObjectName key = ObjectName.of(after);
    StoreChange change =
        new StoreChange(resource, key, state.find(resource, key), after, Instant.EPOCH, "user");
    state.apply(change);
    return budgets.changed(change, state);
  }

  private void scale(int replicas) {
    write(ClusterState.DEPLOYMENTS, "web", "'spec':{'replicas':%d}".formatted(replicas));
  }

  private void run(String pod) {
    write(ClusterState.PODS, pod, "'status':{'phase':'Running','conditions':[" + READY + "]}");
  }

  private Optional<String> evict(String pod) {
    return write(
        ClusterState.PODS,
        pod,
        ",'deletionTimestamp':'2030-01-01T00:00:00Z'",
        "'status':{'phase':'Running','conditions':[" + READY + "," + EVICTED + "]}");
  }

  @Test
  void aSecondEvictionBreaksTheBudgetUnlessTheFirstPodIsReplaced() {
    assertThat(evict("p0")).isEmpty();
    run("p4");
    assertThat(evict("p1")).isEmpty();
    assertThat(evict("p2")).isPresent();
  }

  /** The status tells of six pods, of which two are too many and were just deleted. */
  @Test
  void aBudgetThatHasNotHeardOfDeletedPodsAllowsEvictionsInTheirPlace() {
    write(
        ClusterState.BUDGETS,
        "web",
        "'spec':{'maxUnavailable':1},'status':{'currentHealthy':6,'expectedPods':4,'disruptedPods':{}}");
    assertThat(evict("p0", "'p0':''")).isEmpty();
    assertThat(evict("p1", "'p0':'','p1':''")).isEmpty();
    assertThat(evict("p2", "'p0':'','p1':'','p2':''")).isEmpty();
    assertThat(evict("p3", "'p0':'','p1':'','p2':'','p3':''")).isPresent();
  }

  private Optional<String> evict(String pod, String disrupted) {
    write(
        ClusterState.BUDGETS,
        "web",
        "'spec':{'maxUnavailable':1},'status':{'currentHealthy':6,'expectedPods':4,'disruptedPods':{%s}}"
            .formatted(disrupted));
    return evict(pod);
  }

  /** Until they are deleted, there are more pods than the workload is to have. */
  @Test
  void evictionsMayTakeWhatAScaledDownWorkloadHasTooMuch() {
    scale(2);
    assertThat(evict("p0")).isEmpty();
    assertThat(evict("p1")).isEmpty();
    assertThat(evict("p2")).isEmpty();
    assertThat(evict("p3")).isPresent();
  }
}
