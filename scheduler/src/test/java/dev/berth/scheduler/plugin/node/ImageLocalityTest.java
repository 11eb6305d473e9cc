package dev.berth.scheduler.plugin.node;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.fixture.NodeFixture;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.plugin.NodeScore;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ImageLocalityTest {
  private static final long MEBIBYTE = 1024 * 1024;

  static Stream<Arguments> sizes() {
    return Stream.of(
        argumentSet("no node has it", 500L, 0, "db", 0L),
        argumentSet("on every node", 500L, 4, "web", 48L),
        argumentSet("on half of the nodes it counts half", 500L, 2, "web", 23L),
        argumentSet("a small one counts nothing", 20L, 4, "web", 0L),
        argumentSet("more than the most counts as much", 3000L, 4, "web", 100L),
        argumentSet("the tag is latest if there is none", 500L, 4, "web:latest", 48L),
        argumentSet("another tag", 500L, 4, "web:1", 0L));
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void countsSizeTimesTheShareOfNodes(long mebibytes, int nodes, String image, long expected) {
    Cluster cluster = new Cluster();
    for (int i = 0; i < 4; i++) {
      cluster.put((i < nodes ? having("web:latest", mebibytes, i) : node("n" + i)).tree());
    }
    assertThat(score(cluster, image)).isEqualTo(expected);
  }

  @Test
  void imagesComeAndGoWithTheirNodes() {
    Cluster cluster = new Cluster();
    cluster.put(having("web:latest", 500, 0).tree());
    cluster.put(node("n1").tree());
    assertThat(score(cluster, "web")).isEqualTo(23);
    long version = new ImageLocality().version(cluster);

    cluster.remove("n1");
    assertThat(score(cluster, "web")).isEqualTo(48);
    assertThat(new ImageLocality().version(cluster)).isNotEqualTo(version);

    cluster.put(node("n0").tree());
    assertThat(score(cluster, "web")).isZero();
  }

  @Test
  void everyContainerRaisesWhatCountsAsMost() {
    Cluster cluster = new Cluster();
    cluster.put(having("web:latest", 1000, 0).tree());
    assertThat(score(cluster, "web")).isEqualTo(100);
    assertThat(score(cluster, "web", "db")).isEqualTo(49);
  }

  private static NodeFixture having(String image, long mebibytes, int number) {
    JsonObject report =
        JsonObject.of("names", JsonArray.of(image)).with("sizeBytes", mebibytes * MEBIBYTE);
    return node("n" + number).with("status.images", JsonArray.of(report));
  }

  private static long score(Cluster cluster, String... images) {
    Object[] containers =
        Arrays.stream(images).map(image -> object("name", image, "image", image)).toArray();
    NodeScore score =
        new ImageLocality()
            .score(
                cluster.read(pod("p").with("spec.containers", JsonArray.of(containers)).tree()),
                cluster);
    return score == null ? 0 : score.score(0);
  }
}
