package dev.berth.serving.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.Action;
import dev.berth.model.resource.GroupResource;
import dev.berth.policy.flowcontrol.Work;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.request.Query;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many seats requests take. */
class WorkEstimatorTest {
  private static final int LEVELS_MOST = 8;

  private final TestCluster cluster = new TestCluster();
  private final WatchCounts watches = new WatchCounts();
  private final WorkEstimator estimator =
      new WorkEstimator(new StoredSizes(cluster.registry), watches);

  private Work estimate(String verb, String resource, String name, @Nullable String query) {
    return estimator.estimate(
        new Action.OnResource(verb, new GroupResource("", resource), "default", name, ""),
        Query.of(query == null ? Optional.empty() : Optional.of(query)),
        LEVELS_MOST,
        cluster.time.monotonicNow());
  }

  private void configMaps(int count, int bytes) {
    for (int i = 0; i < count; i++) {
      cluster.create(
          "configmaps",
          "{'metadata':{'name':'c%d'},'data':{'a':'%s'}}".formatted(i, "x".repeat(bytes)));
    }
  }

  @ParameterizedTest(name = "{0} {1} {2}?{3}: {4}")
  @CsvSource(
      textBlock =
          """
          list, configmaps, '', , 4
          list, configmaps, '', limit=30, 1
          list, configmaps, '', limit=200, 3
          list, configmaps, '', labelSelector=a%3Db, 4
          list, configmaps, c1, , 1
          get, configmaps, c1, , 1
          watch, configmaps, '', , 4
          watch, configmaps, '', resourceVersion=0, 4
          watch, configmaps, '', resourceVersion=7&sendInitialEvents=true, 4
          watch, configmaps, '', resourceVersion=7, 1
          list, secrets, '', , 1
          list, unheardof, '', , 1
          create, configmaps, '', , 1
          deletecollection, configmaps, '', , 1
          """)
  void aListTakesASeatForEach100Kilobytes(
      String verb, String resource, String name, String query, int seats) {
    configMaps(300, 1_000);
    assertThat(estimate(verb, resource, name, query)).isEqualTo(Work.seats(seats));
  }

  @Test
  void noRequestTakesMoreThanItsLevelAllows() {
    configMaps(60, 100_000);
    assertThat(estimate("list", "configmaps", "", null)).isEqualTo(Work.seats(LEVELS_MOST));
  }

  @Test
  void whatIsKnownOfSizesIsRenewedNowAndThen() {
    assertThat(estimate("list", "configmaps", "", null)).isEqualTo(Work.ONE_SEAT);
    configMaps(300, 1_000);
    assertThat(estimate("list", "configmaps", "", null)).isEqualTo(Work.ONE_SEAT);
    cluster.time.advance(Duration.ofSeconds(5));
    assertThat(estimate("list", "configmaps", "", null)).isEqualTo(Work.seats(4));
  }

  @Test
  void aWriteTakesSeatsForThoseWhoWatchIt() {
    GroupResource configMaps = new GroupResource("", "configmaps");
    List<Runnable> ends = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      ends.add(watches.begin(new Action.OnResource("watch", configMaps, "default", "", "")));
    }
    assertThat(estimate("update", "configmaps", "c", null)).isEqualTo(Work.ONE_SEAT);
    ends.add(watches.begin(new Action.OnResource("watch", configMaps, "", "", "")));
    assertThat(estimate("update", "configmaps", "c", null))
        .isEqualTo(new Work(1, 1, Duration.ofMillis(5)));
    for (int i = 0; i < 190; i++) {
      ends.add(watches.begin(new Action.OnResource("watch", configMaps, "default", "c", "")));
    }
    assertThat(estimate("patch", "configmaps", "c", null))
        .as("20 seats for 5 ms, on the 8 that it may have")
        .isEqualTo(new Work(1, 8, Duration.ofNanos(12_500_000)));
    ends.forEach(Runnable::run);
    assertThat(estimate("update", "configmaps", "c", null)).isEqualTo(Work.ONE_SEAT);
  }
}
