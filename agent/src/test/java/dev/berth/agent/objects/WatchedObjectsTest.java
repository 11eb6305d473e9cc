package dev.berth.agent.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.Resources;
import dev.berth.model.fixture.Fixtures;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchedObjectsTest {
  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
  private final Loop loop = time.start("objects");
  private final FakeServer server = new FakeServer();
  private final List<String> changed = new ArrayList<>();
  private final WatchedObjects objects = new WatchedObjects(server, time, loop, changed::add);

  private static JsonObject pod(String uid, String configMap) {
    return Fixtures.tree(
        ("{'metadata':{'namespace':'ns','name':'p','uid':'%s'},'spec':{'containers':[{'name':'c',"
                + "'envFrom':[{'configMapRef':{'name':'%s'}}]}]}}")
            .formatted(uid, configMap));
  }

  private static JsonObject configMap(String value) {
    return Fixtures.tree(
        "{'metadata':{'namespace':'ns','name':'m'},'data':{'k':'%s'}}".formatted(value));
  }

  private String value() throws ObjectsUnavailable {
    return objects
        .configMap("ns", "m")
        .map(found -> found.object("data").text("k", ""))
        .orElse("(none)");
  }

  @Test
  void isReadOnceAndThenFollowed() throws Exception {
    server.put(Resources.CONFIG_MAPS, configMap("1"));
    objects.use(pod("u1", "m"));
    assertThat(value()).isEqualTo("1");
    time.settle();
    assertThat(value()).isEqualTo("1");
    assertThat(server.lists()).isEqualTo(1);
    assertThat(changed).isEmpty();

    server.put(Resources.CONFIG_MAPS, configMap("2"));
    time.settle();
    assertThat(value()).isEqualTo("2");
    assertThat(changed).containsExactly("u1");

    server.remove(Resources.CONFIG_MAPS, new ObjectName("ns", "m"));
    time.settle();
    assertThat(value()).isEqualTo("(none)");
    assertThat(server.lists()).isEqualTo(1);
  }

  @Test
  void whatChangesBetweenTheListAndTheWatchIsNotMissed() throws Exception {
    server.put(Resources.CONFIG_MAPS, configMap("1"));
    objects.use(pod("u1", "m"));
    assertThat(value()).isEqualTo("1");
    server.put(Resources.CONFIG_MAPS, configMap("2"));
    time.settle();
    assertThat(value()).isEqualTo("2");
    assertThat(changed).containsExactly("u1");
  }

  @Test
  void anObjectThatIsNotThereIsWaitedForByItsWatch() throws Exception {
    objects.use(pod("u1", "m"));
    assertThat(value()).isEqualTo("(none)");
    time.settle();
    server.put(Resources.CONFIG_MAPS, configMap("1"));
    time.settle();
    assertThat(changed).containsExactly("u1");
    assertThat(value()).isEqualTo("1");
  }

  @Test
  void isFollowedForAsLongAsAPodRefersToIt() throws Exception {
    server.put(Resources.CONFIG_MAPS, configMap("1"));
    objects.use(pod("u1", "m"));
    objects.use(pod("u2", "m"));
    objects.use(pod("u2", "m"));
    assertThat(value()).isEqualTo("1");
    time.settle();
    assertThat(server.openWatches()).isEqualTo(1);

    objects.release("u1");
    time.settle();
    assertThat(server.openWatches()).isEqualTo(1);

    objects.use(pod("u2", "another"));
    time.settle();
    assertThat(server.openWatches()).isZero();
    assertThat(objects.size()).isEqualTo(1);

    objects.release("u2");
    assertThat(objects.size()).isZero();
  }

  @Test
  void whatIsImmutableIsNotWatchedButReadAgainForANewPod() throws Exception {
    server.put(Resources.CONFIG_MAPS, configMap("1").with("immutable", true));
    objects.use(pod("u1", "m"));
    assertThat(value()).isEqualTo("1");
    time.settle();
    assertThat(server.openWatches()).isZero();

    server.put(Resources.CONFIG_MAPS, configMap("2").with("immutable", true));
    assertThat(value()).isEqualTo("1");
    objects.use(pod("u2", "m"));
    assertThat(value()).isEqualTo("2");
  }

  @Test
  void aWatchEndsWhenItsObjectBecomesImmutable() throws Exception {
    server.put(Resources.CONFIG_MAPS, configMap("1"));
    objects.use(pod("u1", "m"));
    assertThat(value()).isEqualTo("1");
    time.settle();
    server.put(Resources.CONFIG_MAPS, configMap("2").with("immutable", true));
    time.settle();
    assertThat(server.openWatches()).isZero();
    assertThat(value()).isEqualTo("2");
  }

  @Test
  void whatIsKnownStaysKnownWhileTheServerIsAway() throws Exception {
    server.put(Resources.CONFIG_MAPS, configMap("1"));
    objects.use(pod("u1", "m"));
    server.setReachable(false);
    assertThatThrownBy(this::value)
        .isInstanceOf(ObjectsUnavailable.class)
        .hasMessage("connection refused");
    server.setReachable(true);
    assertThat(value()).isEqualTo("1");
    server.setReachable(false);
    time.advance(Duration.ofMinutes(5));
    assertThat(value()).isEqualTo("1");
  }

  @Test
  void whatNoPodRefersToIsReadEachTime() throws Exception {
    server.put(Resources.SECRETS, configMap("s"));
    assertThat(objects.secret("ns", "m")).isPresent();
    server.remove(Resources.SECRETS, new ObjectName("ns", "m"));
    assertThat(objects.secret("ns", "m")).isEmpty();
    assertThat(server.openWatches()).isZero();
  }

  @Test
  void servicesAreFollowedAsAWhole() {
    server.put(
        Resources.SERVICES, Fixtures.tree("{'metadata':{'namespace':'ns','name':'b'},'spec':{}}"));
    objects.start();
    assertThat(objects.hasServices()).isFalse();
    time.settle();
    assertThat(objects.hasServices()).isTrue();
    server.put(
        Resources.SERVICES, Fixtures.tree("{'metadata':{'namespace':'ns','name':'a'},'spec':{}}"));
    time.settle();
    assertThat(objects.services("ns"))
        .extracting(service -> service.object("metadata").text("name"))
        .containsExactly("a", "b");
    server.remove(Resources.SERVICES, new ObjectName("ns", "b"));
    time.settle();
    assertThat(objects.services("ns")).hasSize(1);
    assertThat(objects.services("other")).isEmpty();
  }

  @Test
  void closingEndsAllWatches() throws Exception {
    server.put(Resources.CONFIG_MAPS, configMap("1"));
    objects.start();
    objects.use(pod("u1", "m"));
    assertThat(value()).isEqualTo("1");
    time.settle();
    assertThat(server.openWatches()).isEqualTo(2);
    objects.close();
    time.settle();
    assertThat(server.openWatches()).isZero();
  }
}
