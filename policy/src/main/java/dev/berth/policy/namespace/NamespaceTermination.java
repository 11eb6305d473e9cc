package dev.berth.policy.namespace;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.namespace.NamespaceView;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the conditions of a namespace that is being deleted say, and when it may go.
 *
 * <ol>
 *   <li>Five conditions say what keeps it: that discovery failed for some resources, that some
 *       version could not be read, that something could not be deleted, that objects remain, and
 *       that finalizers do.
 *   <li>Objects may remain that have finalizers, or time left to end. Others are a failure.
 *   <li>It may go when nothing failed and nothing remains.
 * </ol>
 */
public final class NamespaceTermination {
  /** The finalizer in the specification of a namespace that stands for what is in it. */
  public static final String FINALIZER = "kubernetes";

  private NamespaceTermination() {}

  /**
   * Objects of a resource that are still there.
   *
   * @param finalizers how many have each
   * @param late whether none of them has a finalizer or time left
   */
  public record Remaining(
      GroupVersionResource resource, int count, Map<String, Integer> finalizers, boolean late) {
    public Remaining {
      finalizers = Map.copyOf(finalizers);
    }

    /** What remains of a resource. */
    public static Remaining of(
        GroupVersionResource resource, List<JsonObject> objects, Instant now) {
      Map<String, Integer> finalizers = new TreeMap<>();
      boolean late = true;
      for (JsonObject object : objects) {
        Metadata metadata = Metadata.of(object);
        metadata.finalizers().forEach(f -> finalizers.merge(f, 1, Integer::sum));
        late &= metadata.deletionTimestamp().filter(end -> end.isAfter(now)).isEmpty();
      }
      return new Remaining(resource, objects.size(), finalizers, late && finalizers.isEmpty());
    }
  }

  /**
   * How an attempt to empty a namespace ended.
   *
   * @param discovery why discovery failed for some resources
   * @param malformed versions that could not be read
   * @param failures what could not be deleted, and why
   */
  public record Attempt(
      Optional<String> discovery,
      List<String> malformed,
      List<String> failures,
      List<Remaining> remaining) {
    public Attempt {
      malformed = List.copyOf(malformed);
      failures = List.copyOf(failures);
      remaining = remaining.stream().filter(r -> r.count() > 0).toList();
    }

    /** Whether nothing failed and nothing remains. */
    public boolean isClean() {
      return discovery.isEmpty()
          && malformed.isEmpty()
          && failures.isEmpty()
          && remaining.isEmpty();
    }
  }

  /** Whether a namespace is to be emptied. */
  public static boolean isDue(JsonObject namespace) {
    NamespaceView view = NamespaceView.read(namespace);
    return view.terminating() && view.finalizers().contains(FINALIZER);
  }

  /** The namespace without its finalizer for what is in it. */
  public static JsonObject emptied(JsonObject namespace) {
    List<String> left = new ArrayList<>(NamespaceView.read(namespace).finalizers());
    left.remove(FINALIZER);
    return namespace.update("spec", spec -> spec.with("finalizers", JsonArray.copyOf(left)));
  }

  /** The namespace with the outcome of an attempt in its status; itself if that says so already. */
  public static JsonObject reported(
      JsonObject namespace, String name, Attempt attempt, Instant now) {
    JsonArray before = NamespaceView.read(namespace).conditions();
    JsonArray conditions = before;
    for (JsonObject condition : conditions(name, attempt)) {
      conditions = Conditions.set(conditions, condition, now);
    }
    JsonArray after = conditions;
    return after.equals(before)
        ? namespace
        : namespace.update("status", status -> status.with("conditions", after));
  }

  private static List<JsonObject> conditions(String namespace, Attempt attempt) {
    List<String> failures = new ArrayList<>(attempt.failures());
    Map<String, Integer> finalizers = new TreeMap<>();
    List<String> counts = new ArrayList<>();
    for (Remaining remaining : attempt.remaining()) {
      GroupVersionResource resource = remaining.resource();
      counts.add(
          "%s.%s has %d resource instances"
              .formatted(resource.resource(), resource.group(), remaining.count()));
      remaining.finalizers().forEach((name, count) -> finalizers.merge(name, count, Integer::sum));
      if (remaining.late()) {
        failures.add(
            "unexpected items still remain in namespace: %s for gvr: %s/%s, Resource=%s"
                .formatted(namespace, resource.group(), resource.version(), resource.resource()));
      }
    }
    List<String> held = new ArrayList<>();
    finalizers.forEach((name, count) -> held.add(name + " in " + count + " resource instances"));
    counts.sort(null);
    failures.sort(null);
    return List.of(
        condition(
            "NamespaceDeletionDiscoveryFailure",
            attempt.discovery().map(why -> new Outcome("DiscoveryFailed", why)),
            new Outcome("ResourcesDiscovered", "All resources successfully discovered")),
        condition(
            "NamespaceDeletionGroupVersionParsingFailure",
            outcome("GroupVersionParsingFailed", "", attempt.malformed()),
            new Outcome("ParsedGroupVersions", "All legacy kube types successfully parsed")),
        condition(
            "NamespaceDeletionContentFailure",
            outcome(
                "ContentDeletionFailed",
                "Failed to delete all resource types, %d remaining: ".formatted(failures.size()),
                failures),
            new Outcome(
                "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization")),
        condition(
            "NamespaceContentRemaining",
            outcome("SomeResourcesRemain", "Some resources are remaining: ", counts),
            new Outcome("ContentRemoved", "All content successfully removed")),
        condition(
            "NamespaceFinalizersRemaining",
            outcome("SomeFinalizersRemain", "Some finalizers are remaining: ", held),
            new Outcome("ContentRemoved", "All content successfully removed")));
  }

  private record Outcome(String reason, String message) {}

  private static Optional<Outcome> outcome(String reason, String prefix, List<String> what) {
    return what.isEmpty()
        ? Optional.empty()
        : Optional.of(new Outcome(reason, prefix + String.join(", ", what)));
  }

  private static JsonObject condition(String type, Optional<Outcome> problem, Outcome otherwise) {
    Outcome outcome = problem.orElse(otherwise);
    return Conditions.condition(
        type,
        problem.isPresent() ? Conditions.TRUE : Conditions.FALSE,
        outcome.reason(),
        outcome.message());
  }
}
