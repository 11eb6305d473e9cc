package dev.berth.policy.daemon;

import static dev.berth.model.fixture.Fixtures.expressions;
import static dev.berth.model.fixture.Fixtures.fields;
import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.requirement;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.PodTree;
import dev.berth.model.core.Toleration;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class DaemonPodSpecTest {
  private static final PodFixture TEMPLATE = pod("template").requesting("cpu", "1");

  private static JsonObject spec(PodFixture template) {
    return template.tree().object("spec");
  }

  private static JsonObject scheduled(PodFixture template, String node) {
    return DaemonPodSpec.scheduled(template.tree(), node).object("spec");
  }

  private static JsonObject bound(PodFixture template, String node) {
    return DaemonPodSpec.bound(template.tree(), node).object("spec");
  }

  private static JsonObject at(JsonObject spec, String path) {
    return FieldPath.parse(path).get(spec) instanceof JsonObject found ? found : JsonObject.EMPTY;
  }

  @Test
  void aScheduledPodRequiresItsNodeByName() {
    JsonObject spec = scheduled(TEMPLATE, "n1");
    assertThat(at(spec, "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"))
        .isEqualTo(
            JsonObject.of(
                "nodeSelectorTerms",
                JsonArray.of(fields(requirement("metadata.name", "In", "n1")))));
    assertThat(spec.has("nodeName")).as("it begins Pending").isFalse();
    assertThat(spec.get("containers")).isEqualTo(spec(TEMPLATE).get("containers"));
  }

  @Test
  void theRequiredAffinityThatWasThereIsReplacedAndTheRestIsNot() {
    JsonArray preferred =
        JsonArray.of(
            JsonObject.of("weight", 1L)
                .with("preference", expressions(requirement("disk", "In", "ssd"))));
    PodFixture template =
        TEMPLATE
            .requiringNodes(expressions(requirement("disk", "In", "ssd")))
            .with(
                "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution",
                preferred)
            .with("spec.affinity.podAffinity", object("kept", "yes"));
    JsonObject affinity = at(scheduled(template, "n1"), "affinity");
    assertThat(PodSpecView.read(JsonObject.of("affinity", affinity)).nodeAffinity())
        .isEqualTo(
            PodSpecView.read(
                    spec(
                        TEMPLATE
                            .requiringNodes(fields(requirement("metadata.name", "In", "n1")))
                            .with(
                                "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution",
                                preferred)))
                .nodeAffinity());
    assertThat(affinity.object("podAffinity")).isEqualTo(object("kept", "yes"));
  }

  @Test
  void withoutASchedulerThePodIsBoundFromTheStart() {
    JsonObject spec = bound(TEMPLATE, "n1");
    assertThat(spec.text("nodeName")).isEqualTo("n1");
    assertThat(spec.has("affinity")).isFalse();
  }

  @Test
  void bothKindsCarryTheAutomaticTolerations() {
    PodFixture hostNetwork = TEMPLATE.with("spec.hostNetwork", true);
    for (JsonObject spec : List.of(scheduled(hostNetwork, "n1"), bound(hostNetwork, "n1"))) {
      assertThat(spec.array("tolerations").objects().stream().map(Toleration::read))
          .isEqualTo(DaemonTolerations.automatic(true));
    }
  }

  @Test
  void thePodsNodeIsFoundAgain() {
    assertThat(target(scheduled(TEMPLATE, "n1"))).isEqualTo("n1");
    assertThat(target(bound(TEMPLATE, "n2"))).isEqualTo("n2");
    assertThat(target(spec(TEMPLATE))).isEmpty();
    assertThat(
            target(
                spec(TEMPLATE.requiringNodes(fields(requirement("metadata.name", "NotIn", "n1"))))))
        .isEmpty();
  }

  @Test
  void aBoundPodIsWhereItIsBound() {
    JsonObject moved = scheduled(TEMPLATE, "n1").with("nodeName", "n2");
    assertThat(target(moved)).isEqualTo("n2");
  }

  private static String target(JsonObject spec) {
    return DaemonPod.nodeOf(new PodTree(JsonObject.of("spec", spec)));
  }
}
