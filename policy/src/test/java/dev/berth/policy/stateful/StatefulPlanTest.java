package dev.berth.policy.stateful;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.apps.StatefulSetSpec;
import dev.berth.model.apps.StatefulSetView;
import dev.berth.model.core.IntOrPercent;
import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.history.Revision;
import dev.berth.policy.pod.RejectionBackoff;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StatefulPlanTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final StatefulSetSpec ORDERED = spec(3, false, true, 0, 1);
  private static final StatefulSetSpec PARALLEL = spec(3, true, true, 0, 1);

  private static final StatefulSetSpec WITH_CLAIMS =
      StatefulSetView.read(
              set("'replicas':3,'volumeClaimTemplates':[{'metadata':{'name':'data'}}]"))
          .spec();

  private static JsonObject set(String spec) {
    return JsonReader.object(
        "{'kind':'StatefulSet','apiVersion':'apps/v1','metadata':{'name':'web','namespace':'default','uid':'s'},'spec':{%s}}"
            .formatted(spec)
            .replace('\'', '"')
            .getBytes(StandardCharsets.UTF_8),
        JsonLimits.REQUEST);
  }

  private static StatefulSetSpec spec(
      long replicas, boolean parallel, boolean rolling, long partition, long maxUnavailable) {
    return new StatefulSetSpec(
        "",
        JsonObject.EMPTY,
        replicas,
        0,
        parallel,
        rolling,
        partition,
        new IntOrPercent.Count(maxUnavailable),
        Duration.ofSeconds(10),
        List.of(),
        false,
        false);
  }

  /**
   * A pod in few letters: its ordinal, and then {@code r}eady, {@code p}ending, {@code n}ot ready,
   * {@code y}oung, {@code f}ailed; {@code o}ld, {@code g}oing.
   */
  private static StatefulPod pod(String text) {
    String name = "web-" + text.charAt(0);
    JsonObject labels = JsonObject.of("statefulset.kubernetes.io/pod-name", name);
    JsonObject metadata = new JsonObject.Builder().put("name", name).put("labels", labels).build();
    PodPhase phase =
        text.indexOf('f') > 0
            ? PodPhase.FAILED
            : text.indexOf('p') > 0 ? PodPhase.PENDING : PodPhase.RUNNING;
    Instant ready =
        text.indexOf('r') > 0
            ? Instant.EPOCH
            : text.indexOf('y') > 0 ? NOW.minusSeconds(4) : Instant.MAX;
    return new StatefulPod(
        JsonObject.of("metadata", metadata),
        text.charAt(0) - '0',
        text.indexOf('o') > 0 ? "web-1" : "web-2",
        phase,
        text.indexOf('g') > 0,
        ready);
  }

  static Stream<Arguments> sets() {
    return Stream.of(
        argumentSet("none yet", ORDERED, "", "create 0"),
        argumentSet("none yet, parallel", PARALLEL, "", "create 0, create 1, create 2"),
        argumentSet("waits for the first", ORDERED, "0n", ""),
        argumentSet("waits for the first to be ready for long enough", ORDERED, "0y", ""),
        argumentSet("the first waits", ORDERED, "0p", ""),
        argumentSet("the first waits for its claims", WITH_CLAIMS, "0p", "claims 0"),
        argumentSet("the next", ORDERED, "0r", "create 1"),
        argumentSet("a hole", ORDERED, "0r 2r", "create 1"),
        argumentSet("one on its way out is there", ORDERED, "0r 1rg 2r", ""),
        argumentSet("one on its way out is there, parallel", PARALLEL, "0rg 1r", "create 2"),
        argumentSet("all there", ORDERED, "0r 1r 2r", ""),
        argumentSet("a failed one", ORDERED, "0r 1f 2r", "FAILED 1"),
        argumentSet("a failed one on its way out", ORDERED, "0r 1fg 2r", ""),
        argumentSet("too many", ORDERED, "0r 1r 2r 3r 4r", "SCALED_DOWN 4"),
        argumentSet(
            "too many, parallel", PARALLEL, "0r 1r 2r 3r 4n", "SCALED_DOWN 4, SCALED_DOWN 3"),
        argumentSet("too many, one goes", ORDERED, "0r 1r 2r 3r 4rg", ""),
        argumentSet("too many, the highest is unwell", ORDERED, "0r 1r 2r 3r 4n", "SCALED_DOWN 4"),
        argumentSet("too many, two are unwell", ORDERED, "0r 1r 2r 3n 4n", ""),
        argumentSet("too many, two have ended", ORDERED, "0r 1r 2r 3f 4f", "SCALED_DOWN 4"),
        argumentSet("too many, but one is missing", ORDERED, "0r 1r 3r", "create 2"),
        argumentSet("outdated", ORDERED, "0ro 1ro 2ro", "OUTDATED 2"),
        argumentSet("half way", ORDERED, "0ro 1ro 2r", "OUTDATED 1"),
        argumentSet("half way, not ready", ORDERED, "0ro 1ro 2n", ""),
        argumentSet("half way, not ready, parallel", PARALLEL, "0ro 1ro 2n", ""),
        argumentSet("outdated and unwell, parallel", PARALLEL, "0ro 1no 2ro", "OUTDATED 1"),
        argumentSet("scaling comes first", ORDERED, "0ro 1ro 2ro 3ro", "SCALED_DOWN 3"),
        argumentSet("partition", spec(3, false, true, 2, 1), "0ro 1ro 2r", ""),
        argumentSet(
            "made below the partition", spec(3, false, true, 2, 1), "0ro", "create 1 current"),
        argumentSet("on delete", spec(3, false, false, 0, 1), "0ro 1ro 2ro", ""),
        argumentSet("on delete, made anew", spec(3, false, false, 2, 1), "0ro", "create 1"),
        argumentSet(
            "two at once", spec(3, true, true, 0, 2), "0ro 1ro 2ro", "OUTDATED 2, OUTDATED 1"),
        argumentSet("scaled to none", spec(0, false, true, 0, 1), "0r 1r", "SCALED_DOWN 1"));
  }

  private static StatefulPodPlan decide(StatefulSetSpec spec, String pods) {
    List<StatefulPod> all =
        Arrays.stream(pods.split(" ", -1))
            .filter(text -> !text.isEmpty())
            .map(StatefulPlanTest::pod)
            .toList();
    return StatefulPodPlan.decide(
        spec, all, new StatefulStatus.Revisions("web-1", "web-2"), RejectionBackoff.NONE, NOW);
  }

  @ParameterizedTest
  @MethodSource("sets")
  void whatIsToBeDone(StatefulSetSpec spec, String pods, String expected) {
    List<String> done =
        decide(spec, pods).actions().stream()
            .map(action ->
                switch (action) {
                  case PodAction.Create(long ordinal, boolean current) ->
                      "create " + ordinal + (current ? " current" : "");
                  case PodAction.Delete(var pod, var reason) -> reason + " " + pod.ordinal();
                  case PodAction.Label(var pod) -> "label " + pod.ordinal();
                  case PodAction.CreateClaims(var pod) -> "claims " + pod.ordinal();
                })
            .toList();
    assertThat(String.join(", ", done)).isEqualTo(expected);
  }

  @Test
  void countsAndTheTimeToLookAgain() {
    StatefulPodPlan plan = decide(PARALLEL, "0ro 1y 2rg 3n");
    assertThat(plan.counts()).isEqualTo(new StatefulCounts(4, 3, 2, 1, 2));
    assertThat(plan.next()).contains(NOW.plusSeconds(6));
  }

  private static StatefulSnapshot snapshot(JsonObject set) {
    Revision update = Revision.read(JsonObject.of("metadata", JsonObject.of("name", "web-2")));
    return new StatefulSnapshot(
        StatefulSetView.read(set),
        List.of(pod("0r")),
        List.of(),
        Optional.of(update),
        0,
        Optional.empty(),
        RejectionBackoff.NONE);
  }

  @Test
  void theStatusNamesTheRevisionOfTheTemplate() {
    StatefulPlan plan = StatefulPlan.decide(snapshot(set("'replicas':2")), NOW);
    assertThat(plan.withStatus().object("status").text("updateRevision")).isEqualTo("web-2");
    assertThat(plan.next()).isEmpty();
    assertThat(plan.actions()).hasSize(1);
  }

  @Test
  void claimsGetTheirOwnersWhenTheSetHasChanged() {
    JsonObject set = set("'replicas':1,'volumeClaimTemplates':[{'metadata':{'name':'data'}}]");
    StatefulSnapshot changed = snapshot(set);
    assertThat(StatefulPlan.decide(changed, NOW).afterStatus())
        .containsExactly(new StatefulAction.OwnClaims(changed.pods()));
    StatefulSnapshot done =
        new StatefulSnapshot(
            changed.set(),
            changed.pods(),
            changed.revisions(),
            changed.update(),
            0,
            Optional.of(changed.set().spec()),
            RejectionBackoff.NONE);
    assertThat(StatefulPlan.decide(done, NOW).afterStatus()).isEmpty();
  }

  @Test
  void aSetThatIsBeingDeletedOnlyCounts() {
    JsonObject set =
        Metadata.update(
            set("'replicas':2"),
            metadata -> metadata.with("deletionTimestamp", "2030-01-01T00:00:00Z"));
    StatefulPlan plan = StatefulPlan.decide(snapshot(set), NOW);
    assertThat(plan.actions()).isEmpty();
    assertThat(plan.withStatus().object("status").integer("replicas")).hasValue(1);
  }

  private static JsonObject object(String kind, String name, String uid) {
    return new JsonObject.Builder()
        .put("apiVersion", "v1")
        .put("kind", kind)
        .put("metadata", new JsonObject.Builder().put("name", name).put("uid", uid).build())
        .build();
  }

  private static String owners(boolean withSet, boolean withPod, long ordinal, JsonArray before) {
    StatefulSetView set =
        StatefulSetView.read(
            set(
                "'replicas':1,'persistentVolumeClaimRetentionPolicy':{'whenDeleted':'%s','whenScaled':'%s'}"
                    .formatted(withSet ? "Delete" : "Retain", withPod ? "Delete" : "Retain")));
    JsonObject pod = object("Pod", "web-" + ordinal, "p");
    JsonObject claim = JsonObject.of("metadata", JsonObject.of("ownerReferences", before));
    return ClaimOwners.update(claim, set, ordinal, pod)
        .map(owned -> Metadata.of(owned).ownerReferences())
        .map(owners -> owners.stream().map(OwnerReference::kind).toList().toString())
        .orElse("as they are");
  }

  @Test
  void claimsBelongToWhomTheyGoWith() {
    JsonArray none = JsonArray.EMPTY;
    assertThat(owners(false, false, 0, none)).isEqualTo("as they are");
    assertThat(owners(true, false, 0, none)).isEqualTo("[StatefulSet]");
    assertThat(owners(true, false, 5, none)).isEqualTo("[StatefulSet]");
    assertThat(owners(false, true, 0, none)).isEqualTo("as they are");
    assertThat(owners(false, true, 5, none)).isEqualTo("[Pod]");
    assertThat(owners(true, true, 0, none)).isEqualTo("[StatefulSet]");
    assertThat(owners(true, true, 5, none)).isEqualTo("[Pod]");
    JsonArray other =
        JsonArray.of(
            new JsonObject.Builder()
                .put("kind", "Other")
                .put("name", "o")
                .put("uid", "o")
                .put("controller", true)
                .build());
    assertThat(owners(true, true, 0, other)).isEqualTo("as they are");
  }

  @Test
  void aPodIsMadeWithItsNameAndItsClaims() {
    JsonObject claim =
        new JsonObject.Builder()
            .put("metadata", JsonObject.of("name", "data"))
            .put("spec", JsonObject.EMPTY)
            .build();
    JsonObject template =
        new JsonObject.Builder()
            .put("metadata", JsonObject.of("labels", JsonObject.of("app", "web")))
            .put(
                "spec",
                JsonObject.of(
                    "volumes",
                    JsonArray.of(JsonObject.of("name", "data"), JsonObject.of("name", "tmp"))))
            .build();
    JsonObject selector = JsonObject.of("matchLabels", JsonObject.of("app", "web"));
    JsonObject set =
        object("StatefulSet", "web", "s")
            .with(
                "spec",
                new JsonObject.Builder()
                    .put("serviceName", "www")
                    .put("selector", selector)
                    .put("volumeClaimTemplates", JsonArray.of(claim))
                    .build());
    StatefulSetView view = StatefulSetView.read(set);
    JsonObject pod = StatefulIdentity.pod(view, template, "web-abc", 4);
    assertThat(Metadata.of(pod).name()).isEqualTo("web-4");
    assertThat(Metadata.of(pod).labels().toString())
        .isEqualTo(
            "{\"app\":\"web\",\"controller-revision-hash\":\"web-abc\","
                + "\"statefulset.kubernetes.io/pod-name\":\"web-4\","
                + "\"apps.kubernetes.io/pod-index\":\"4\"}");
    assertThat(pod.object("spec").array("volumes").toString())
        .isEqualTo(
            "[{\"name\":\"data\",\"persistentVolumeClaim\":{\"claimName\":\"data-web-4\"}},"
                + "{\"name\":\"tmp\"}]");
    assertThat(StatefulIdentity.claims(view, 4))
        .singleElement()
        .satisfies(made -> {
          assertThat(Metadata.of(made).name()).isEqualTo("data-web-4");
          assertThat(Metadata.of(made).label("app")).contains("web");
        });
  }
}
