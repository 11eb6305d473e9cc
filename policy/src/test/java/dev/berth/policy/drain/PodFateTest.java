package dev.berth.policy.drain;

import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.PodTree;
import dev.berth.model.drain.DrainSpec;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodFateTest {
  private static final PodFixture BARE = pod("web").on("n1").phase("Running");
  private static final PodFixture OF_SET = BARE.ownedBy("ReplicaSet", "u1");
  private static final PodFixture OF_DAEMON = BARE.ownedBy("DaemonSet", "u2");
  private static final PodFixture WITH_DATA =
      OF_SET.with(
          "spec.volumes",
          JsonArray.of(
              new JsonObject.Builder().put("name", "v").put("emptyDir", JsonObject.EMPTY).build()));
  private static final PodFixture MIRROR =
      BARE.with("metadata.annotations", JsonObject.of(WellKnownAnnotations.CONFIG_MIRROR, "x"));

  static Stream<Arguments> fates() {
    return Stream.of(
        argumentSet("one with a controller goes", OF_SET, "", PodFate.GOES),
        argumentSet("one without stops the drain", BARE, "", PodFate.UNMANAGED),
        argumentSet("unless that is allowed", BARE, "force", PodFate.GOES),
        argumentSet("or it is finished", BARE.phase("Succeeded"), "", PodFate.GOES),
        argumentSet("or on its way out", BARE.terminatingSince(Instant.EPOCH), "", PodFate.GOES),
        argumentSet("data that would be lost stop it", WITH_DATA, "force", PodFate.LOCAL_DATA),
        argumentSet("unless that is allowed", WITH_DATA, "deleteEmptyDirData", PodFate.GOES),
        argumentSet("data of a finished pod do not", WITH_DATA.phase("Failed"), "", PodFate.GOES),
        argumentSet("a daemon's pod stops it", OF_DAEMON, "force", PodFate.DAEMON),
        argumentSet("unless it is to stay", OF_DAEMON, "ignoreDaemonSets", PodFate.STAYS),
        argumentSet(
            "one that is on its way out is not waited for",
            OF_DAEMON.terminatingSince(Instant.EPOCH),
            "ignoreDaemonSets",
            PodFate.STAYS),
        argumentSet("a finished one goes", OF_DAEMON.phase("Failed"), "", PodFate.GOES),
        argumentSet("a mirror stays", MIRROR, "force", PodFate.STAYS),
        argumentSet("one that is selected goes", OF_SET.labelled("a", "b"), "select", PodFate.GOES),
        argumentSet("one that is not stays", BARE, "select", PodFate.STAYS));
  }

  @ParameterizedTest
  @MethodSource("fates")
  void aPodGoesStaysOrStopsTheDrain(PodFixture pod, String allowed, PodFate expected) {
    JsonObject spec =
        allowed.equals("select")
            ? JsonObject.of("podSelector", JsonObject.of("matchLabels", JsonObject.of("a", "b")))
            : allowed.isEmpty() ? JsonObject.EMPTY : JsonObject.of(allowed, true);
    assertThat(PodFate.of(new PodTree(pod.tree()), DrainSpec.read(JsonObject.of("spec", spec))))
        .isEqualTo(expected);
  }
}
