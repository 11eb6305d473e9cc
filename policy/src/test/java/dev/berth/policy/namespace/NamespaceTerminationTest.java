package dev.berth.policy.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.namespace.NamespaceTermination.Attempt;
import dev.berth.policy.namespace.NamespaceTermination.Remaining;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NamespaceTerminationTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final GroupVersionResource PODS = new GroupVersionResource("", "v1", "pods");
  private static final GroupVersionResource SETS =
      new GroupVersionResource("apps", "v1", "replicasets");
  private static final Attempt CLEAN =
      new Attempt(Optional.empty(), List.of(), List.of(), List.of());

  private static JsonObject namespace(boolean deleted, String... finalizers) {
    JsonObject metadata = JsonObject.of("name", "team");
    return new JsonObject.Builder()
        .put(
            "metadata",
            deleted ? metadata.with("deletionTimestamp", "2030-01-01T00:00:00Z") : metadata)
        .put("spec", JsonObject.of("finalizers", JsonArray.of((Object[]) finalizers)))
        .build();
  }

  private static JsonObject object(String deletion, String... finalizers) {
    return JsonObject.of(
        "metadata",
        new JsonObject.Builder()
            .put("name", "a")
            .put("deletionTimestamp", deletion)
            .put("finalizers", JsonArray.of((Object[]) finalizers))
            .build());
  }

  private static List<String> conditions(Attempt attempt) {
    return NamespaceTermination.reported(namespace(true), "team", attempt, NOW)
        .object("status")
        .array("conditions")
        .objects()
        .stream()
        .map(c ->
            "%s=%s %s: %s"
                .formatted(c.text("type"), c.text("status"), c.text("reason"), c.text("message")))
        .toList();
  }

  @Test
  void onlyWhatIsBeingDeletedAndNotEmptiedIsDue() {
    assertThat(NamespaceTermination.isDue(namespace(true, "kubernetes"))).isTrue();
    assertThat(NamespaceTermination.isDue(namespace(false, "kubernetes"))).isFalse();
    assertThat(NamespaceTermination.isDue(namespace(true, "example.com/x"))).isFalse();
    assertThat(NamespaceTermination.emptied(namespace(true, "example.com/x", "kubernetes")))
        .isEqualTo(namespace(true, "example.com/x"));
  }

  @Test
  void aCleanAttemptSaysThatAllIsWell() {
    assertThat(CLEAN.isClean()).isTrue();
    assertThat(conditions(CLEAN))
        .containsExactly(
            "NamespaceDeletionDiscoveryFailure=False ResourcesDiscovered: All resources"
                + " successfully discovered",
            "NamespaceDeletionGroupVersionParsingFailure=False ParsedGroupVersions: All legacy"
                + " kube types successfully parsed",
            "NamespaceDeletionContentFailure=False ContentDeleted: All content successfully"
                + " deleted, may be waiting on finalization",
            "NamespaceContentRemaining=False ContentRemoved: All content successfully removed",
            "NamespaceFinalizersRemaining=False ContentRemoved: All content successfully"
                + " removed");
  }

  @Test
  void everyProblemHasItsCondition() {
    Remaining pods =
        Remaining.of(
            PODS, List.of(object("2029-12-31T23:59:59Z"), object("2030-01-01T00:00:00Z")), NOW);
    Remaining sets =
        Remaining.of(SETS, List.of(object("2029-12-31T23:59:59Z", "example.com/x")), NOW);
    Attempt attempt =
        new Attempt(
            Optional.of("it failed"), List.of("a/b/c"), List.of("not now"), List.of(sets, pods));
    assertThat(attempt.isClean()).isFalse();
    assertThat(conditions(attempt))
        .containsExactly(
            "NamespaceDeletionDiscoveryFailure=True DiscoveryFailed: it failed",
            "NamespaceDeletionGroupVersionParsingFailure=True GroupVersionParsingFailed: a/b/c",
            "NamespaceDeletionContentFailure=True ContentDeletionFailed: Failed to delete all"
                + " resource types, 2 remaining: not now, unexpected items still remain in"
                + " namespace: team for gvr: /v1, Resource=pods",
            "NamespaceContentRemaining=True SomeResourcesRemain: Some resources are remaining:"
                + " pods. has 2 resource instances, replicasets.apps has 1 resource instances",
            "NamespaceFinalizersRemaining=True SomeFinalizersRemain: Some finalizers are"
                + " remaining: example.com/x in 1 resource instances");
  }

  @Test
  void whatHasTimeLeftIsNotLate() {
    List<JsonObject> pods = List.of(object("2029-12-31T23:59:59Z"), object("2030-01-01T00:00:01Z"));
    assertThat(Remaining.of(PODS, pods, NOW).late()).isFalse();
  }

  @Test
  void whatWasSaidAlreadyIsNotSaidAgain() {
    JsonObject once = NamespaceTermination.reported(namespace(true), "team", CLEAN, NOW);
    assertThat(NamespaceTermination.reported(once, "team", CLEAN, NOW.plusSeconds(9)))
        .isSameAs(once);
  }
}
