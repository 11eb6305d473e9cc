package dev.berth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.hollow.HollowSettings;
import dev.berth.log.CapturedLog;
import dev.berth.log.LogFormat;
import dev.berth.log.LogLine;
import dev.berth.time.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** A cluster on virtual time logs virtual times, and so the same for the same seed. */
class LogOnVirtualTimeTest {

  private static CapturedLog run(long seed) {
    CapturedLog log = CapturedLog.from(Level.DEBUG);
    try (WholeCluster whole = new WholeCluster(seed, HollowSettings.of(2))) {
      whole.advance(Duration.ofMinutes(1));
      whole
          .cluster()
          .create(
              Resources.DEPLOYMENTS,
              "{'metadata':{'namespace':'default','name':'web'},'spec':{'replicas':2,'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
      whole.advance(Duration.ofMinutes(1));
    }
    log.close();
    return log;
  }

  @Test
  void theSameSeedLogsTheSame() {
    assertThat(run(7).text(LogFormat.TEXT)).isEqualTo(run(7).text(LogFormat.TEXT));
  }

  @Test
  void everyWriteIsLoggedWithItsComponentAndItsVirtualTime() {
    CapturedLog log = run(7);
    assertThat(log.lines())
        .extracting(LogLine::time)
        .allMatch(time -> !time.isBefore(VirtualTime.EPOCH))
        .allMatch(
            time -> time.isBefore(VirtualTime.EPOCH.plus(Duration.ofMinutes(2).plusNanos(1))));
    assertThat(log.text(LogFormat.TEXT))
        .containsPattern(
            "deployment-controller +created resource=replicasets.apps object=default/web-")
        .containsPattern("replicaset-controller +created resource=pods object=default/")
        .containsPattern("scheduler +created resource=pods/binding object=default/web-")
        .containsPattern("hollow +patched resource=pods/status object=default/web-");
  }
}
