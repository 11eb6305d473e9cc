package dev.berth.sim.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.core.NodeView;
import dev.berth.sim.WholeCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody sets the clock of the machine that everything runs on, by an hour. */
class ClockStepTest {

  private static List<String> unhealthy(WholeCluster whole) {
    return whole.cluster().list(Resources.NODES).stream()
        .map(NodeView::read)
        .filter(node -> !node.ready() || !node.taints().isEmpty())
        .map(NodeView::name)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void noNodeIsLostAndNoHeartbeatIsLate(int hours) {
    try (WholeCluster whole = new WholeCluster(1, HollowSettings.of(5))) {
      whole.advance(Duration.ofMinutes(2));
      whole.cluster().time().stepWallClock(Duration.ofHours(hours));
      for (int i = 0; i < 30; i++) {
        whole.advance(Duration.ofSeconds(10));
        assertThat(unhealthy(whole)).isEmpty();
      }
      // One that is really silent is found as soon as ever.
      String node =
          whole.cluster().list(Resources.NODES).getFirst().object("metadata").text("name", "");
      whole.silence(node);
      whole.advance(Duration.ofSeconds(70));
      assertThat(unhealthy(whole)).containsExactly(node);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void aPodThatWaitsIsTriedAgainAfterItsBackOff(int hours) {
    try (WholeCluster whole = new WholeCluster(1, HollowSettings.of(1))) {
      whole.advance(Duration.ofMinutes(1));
      whole.cluster().pod("big", "1000");
      whole.cluster().settle();
      assertThat(whole.cluster().nodeOf("big")).isEmpty();
      whole.cluster().time().stepWallClock(Duration.ofHours(hours));
      whole.cluster().node("huge", "2000");
      whole.advance(Duration.ofSeconds(15));
      assertThat(whole.cluster().nodeOf("big")).isEqualTo("huge");
    }
  }

  /**
   * Schedules are times of day, so what a cron job does after a step is what the new time says,
   * seen when its timer, which was set by the old time, rings: after a step forward the run that
   * was due is begun late, by up to the time that was left, and only the last of those that were
   * skipped; after a step back nothing is run twice, and the next run waits for its time to come
   * again.
   */
  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void aCronJobFollowsTheNewTimeOnceItsTimerRings(int hours) {
    try (WholeCluster whole = new WholeCluster(1, HollowSettings.of(1))) {
      whole
          .cluster()
          .create(
              Resources.CRON_JOBS,
              "{'metadata':{'namespace':'default','name':'tick'},'spec':{'schedule':'*/10 * * * *',"
                  + "'successfulJobsHistoryLimit':100,'jobTemplate':{'spec':{'template':{'metadata':"
                  + "{'annotations':{'hollow.berth.dev/run-for':'1s'}},'spec':{'restartPolicy':'Never',"
                  + "'containers':[{'name':'c','image':'i'}]}}}}}}");
      whole.advance(Duration.ofMinutes(15));
      assertThat(whole.cluster().list(Resources.JOBS)).hasSize(1);

      whole.cluster().time().stepWallClock(Duration.ofHours(hours));
      whole.advance(Duration.ofMinutes(10));
      assertThat(whole.cluster().list(Resources.JOBS)).hasSize(hours > 0 ? 2 : 1);

      whole.advance(Duration.ofMinutes(60));
      assertThat(whole.cluster().list(Resources.JOBS)).hasSize(hours > 0 ? 8 : 2);
    }
  }
}
