package dev.berth.apiserver;

import static dev.berth.registry.fixture.TestCluster.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Events do not stay for ever. */
class EventExpiryTest {
  private final TestCluster cluster = new TestCluster();
  private final Resource events = cluster.core("events");

  private void create(String name) {
    cluster.create(
        "events",
        "{'metadata':{'name':'%s'},'involvedObject':{'kind':'Pod','namespace':'default','name':'web'},"
                .formatted(name)
            + "'reason':'Pulled','message':'got it','type':'Normal','count':3,"
            + "'source':{'component':'kubelet','host':'n1'},"
            + "'firstTimestamp':'2030-01-01T00:00:00Z','lastTimestamp':'2030-01-01T00:00:00Z'}");
  }

  private boolean exists(String name) {
    return cluster.registry.find(events, named(name)).isPresent();
  }

  @Test
  void anEventIsGoneAnHourAfterItHappenedLast() {
    new EventExpiry(cluster.registry, EventExpiry.ONE_HOUR, cluster.time).start();
    create("once");
    create("again");
    cluster.time.advance(Duration.ofMinutes(30));
    cluster.registry.modify(
        events,
        named("again"),
        WriteOptions.DEFAULT,
        event -> event.with("lastTimestamp", "2030-01-01T00:30:00Z").with("count", 4L));
    cluster.time.advance(Duration.ofMinutes(29));
    assertThat(exists("once")).isTrue();
    cluster.time.advance(Duration.ofMinutes(1));
    assertThat(exists("once")).isFalse();
    assertThat(exists("again")).isTrue();
    cluster.time.advance(Duration.ofMinutes(30));
    assertThat(exists("again")).isFalse();
  }
}
