package dev.berth.access.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.node.NodeGraph.Kind;
import dev.berth.model.reference.PodReferences;
import dev.berth.model.resource.ObjectName;
import dev.berth.time.fixture.SeededTest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which objects a node has to do with. */
class NodeGraphTest {
  private final NodeGraph graph = new NodeGraph(42);

  private static ObjectName named(String name) {
    return ObjectName.parse(name);
  }

  private static PodReferences using(String secret, String claim) {
    return new PodReferences("robot", Set.of(secret), Set.of("settings"), Set.of(claim), Set.of());
  }

  @Test
  void aNodeHasToDoWithWhatItsPodsUse() {
    graph.putPod(named("a/p"), "n1", using("s", "c"));
    for (String node : List.of("n1", "n2")) {
      boolean own = node.equals("n1");
      assertThat(graph.connects(node, Kind.POD, named("a/p"))).isEqualTo(own);
      assertThat(graph.connects(node, Kind.SECRET, named("a/s"))).isEqualTo(own);
      assertThat(graph.connects(node, Kind.CONFIG_MAP, named("a/settings"))).isEqualTo(own);
      assertThat(graph.connects(node, Kind.SERVICE_ACCOUNT, named("a/robot"))).isEqualTo(own);
      assertThat(graph.connects(node, Kind.CLAIM, named("a/c"))).isEqualTo(own);
    }
    assertThat(graph.connects("n1", Kind.SECRET, named("b/s"))).isFalse();
    assertThat(graph.connects("n1", Kind.CONFIG_MAP, named("a/s"))).isFalse();
  }

  @Test
  void aVolumeAndItsSecretsAreReachedThroughTheClaim() {
    graph.putVolume("v", named("a/c"), List.of(named("storage/key")));
    graph.putPod(named("a/p"), "n1", using("s", "c"));
    graph.putPod(named("a/q"), "n2", using("s", "other"));
    assertThat(graph.connects("n1", Kind.VOLUME, ObjectName.of("v"))).isTrue();
    assertThat(graph.connects("n1", Kind.SECRET, named("storage/key"))).isTrue();
    assertThat(graph.connects("n2", Kind.VOLUME, ObjectName.of("v"))).isFalse();
    assertThat(graph.connects("n2", Kind.SECRET, named("storage/key"))).isFalse();
    graph.removeVolume("v");
    assertThat(graph.connects("n1", Kind.SECRET, named("storage/key"))).isFalse();
    assertThat(graph.connects("n1", Kind.CLAIM, named("a/c"))).isTrue();
  }

  @Test
  void nothingIsKeptOfWhatIsGone() {
    graph.putPod(named("a/p"), "n1", using("s", "c"));
    graph.putVolume("v", named("a/c"), List.of(named("storage/key")));
    graph.putAttachment("va", "n1");
    assertThat(graph.connects("n1", Kind.ATTACHMENT, ObjectName.of("va"))).isTrue();
    graph.putAttachment("va", "n2");
    assertThat(graph.connects("n1", Kind.ATTACHMENT, ObjectName.of("va"))).isFalse();
    graph.removeAttachment("va");
    graph.removePod(named("a/p"));
    graph.removeVolume("v");
    assertThat(graph.size()).isZero();
  }

  /** What is known after a history is what a look at all pods and volumes says. */
  @SeededTest(fixed = 20, fresh = 5)
  void itAnswersAsALookAtEverythingDoes(long seed) {
    Random random = new Random(seed);
    Map<String, String> nodeOf = new HashMap<>();
    Map<String, PodReferences> pods = new HashMap<>();
    Map<String, String> claimOf = new HashMap<>();
    for (int step = 0; step < 2_000; step++) {
      String pod = "ns" + random.nextInt(3) + "/p" + random.nextInt(60);
      String volume = "v" + random.nextInt(15);
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> {
          nodeOf.put(pod, "n" + random.nextInt(8));
          pods.put(pod, using("s" + random.nextInt(20), "c" + random.nextInt(20)));
          graph.putPod(named(pod), nodeOf.get(pod), pods.get(pod));
        }
        case 3 -> {
          pods.remove(pod);
          graph.removePod(named(pod));
        }
        case 4 -> {
          claimOf.put(volume, "ns" + random.nextInt(3) + "/c" + random.nextInt(20));
          graph.putVolume(volume, named(claimOf.get(volume)), List.of(named("key/" + volume)));
        }
        default -> {
          claimOf.remove(volume);
          graph.removeVolume(volume);
        }
      }
      String node = "n" + random.nextInt(8);
      Set<String> reached = new TreeSet<>();
      pods.forEach((name, uses) -> {
        if (node.equals(nodeOf.get(name))) {
          String namespace = named(name).namespace() + "/";
          uses.secrets().forEach(secret -> reached.add(namespace + secret));
          claimOf.forEach((of, claim) -> {
            if (uses.claims().contains(named(claim).name()) && claim.startsWith(namespace)) {
              reached.add("key/" + of);
            }
          });
        }
      });
      String secret =
          random.nextBoolean()
              ? "ns" + random.nextInt(3) + "/s" + random.nextInt(20)
              : "key/v" + random.nextInt(15);
      assertThat(graph.connects(node, Kind.SECRET, named(secret)))
          .as("%s reads %s in step %s", node, secret, step)
          .isEqualTo(reached.contains(secret));
    }
    List.copyOf(pods.keySet()).forEach(name -> graph.removePod(named(name)));
    claimOf.keySet().forEach(graph::removeVolume);
    assertThat(graph.size()).isZero();
  }
}
