package dev.berth.agent.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.fixture.SeededTest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.io.TempDir;

/**
 * Containers end, pods are made and deleted, agents crash, the server is away and the machine is
 * restarted, all at random. The runtime itself refuses to run a container twice. Once all is calm,
 * what runs is what should.
 */
final class PodHistoryTest {
  private static final int STEPS = 60;
  private static final List<String> SPECS =
      List.of(
          "{}",
          "{'restartPolicy':'Never'}",
          "{'restartPolicy':'OnFailure','terminationGracePeriodSeconds':3}",
          "{'initContainers':[{'name':'init','image':'i'},{'name':'side','image':'i','restartPolicy':'Always'}]}",
          "{'containers':[{'name':'c','image':'i'},{'name':'d','image':'i','readinessProbe':{'tcpSocket':{'port':1}},"
              + "'lifecycle':{'preStop':{'sleep':{'seconds':2}},'postStart':{'sleep':{'seconds':1}}}}]}");
  private static final List<String> CONTAINERS = List.of("c", "d", "init", "side");

  @TempDir private Path root;

  @SeededTest(fixed = 12, fresh = 4)
  void whatRunsIsWhatShould(long seed) {
    try (TestNode node = new TestNode(root, seed)) {
      node.start();
      RandomGenerator random = node.time().random("history");
      for (int i = 0; i < STEPS; i++) {
        step(node, random, i);
      }
      node.cut(false);
      node.start();
      // Every back-off has run out by then, and every init container has had its turn.
      for (int i = 0; i < 8; i++) {
        node.runtime().exitAll("init", 0);
        node.advanceSeconds(320);
      }
      check(node);
      for (JsonObject pod : pods(node)) {
        node.delete(Metadata.of(pod).name());
      }
      node.advanceSeconds(120);
      assertThat(pods(node)).isEmpty();
      assertThat(node.runtime().sandboxes()).isEmpty();
      assertThat(node.volumes().prepared()).isEmpty();
    }
  }

  private static void step(TestNode node, RandomGenerator random, int number) {
    List<JsonObject> pods = pods(node);
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> node.pod("p" + number, SPECS.get(random.nextInt(SPECS.size())));
      case 3, 4 -> {
        if (!pods.isEmpty()) {
          String pod = Metadata.of(pods.get(random.nextInt(pods.size()))).name();
          node.runtime()
              .exit(pod, CONTAINERS.get(random.nextInt(CONTAINERS.size())), random.nextInt(2));
        }
      }
      case 5 -> {
        if (!pods.isEmpty()) {
          String pod = Metadata.of(pods.get(random.nextInt(pods.size()))).name();
          node.delete(pod, random.nextInt(3));
        }
      }
      case 6 -> node.cut(random.nextBoolean());
      case 7 -> node.start();
      case 8 -> {
        if (random.nextInt(4) == 0) {
          node.stop();
          node.runtime().reboot();
          node.advanceSeconds(1);
          node.start();
        }
      }
      default -> node.advanceSeconds(random.nextInt(20));
    }
    node.settle();
  }

  private static List<JsonObject> pods(TestNode node) {
    return switch (node.admin().list(ListRequest.of(Resources.PODS))) {
      case ListResult.Page page -> page.items();
      case ApiResult.Failure failure -> throw new AssertionError(failure.message());
    };
  }

  private static void check(TestNode node) {
    Set<String> wanted = new TreeSet<>();
    List<String> known = new ArrayList<>();
    for (JsonObject pod : pods(node)) {
      String name = Metadata.of(pod).name();
      known.add(name);
      if (PodPhase.of(pod.object("status").text("phase", "")).finished()) {
        continue;
      }
      assertThat(pod.object("status").text("phase")).as(name).isEqualTo("Running");
      for (JsonObject container : pod.object("spec").array("containers").objects()) {
        String own = container.text("name", "");
        if (!node.container(name, own).object("state").has("terminated")) {
          wanted.add(name + "/" + own);
        }
      }
      if (!pod.object("spec").array("initContainers").isEmpty()) {
        wanted.add(name + "/side");
      }
    }
    assertThat(new TreeSet<>(node.runtime().running())).isEqualTo(wanted);
    assertThat(node.runtime().sandboxes().stream().map(PodSandbox::pod).map(p -> p.name()).toList())
        .isSubsetOf(known);
  }
}
