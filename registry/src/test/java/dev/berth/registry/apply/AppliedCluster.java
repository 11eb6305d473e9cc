package dev.berth.registry.apply;

import static dev.berth.registry.patch.Trees.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;

/** One object that is applied and updated, at a time that stands still unless it is advanced. */
final class AppliedCluster {
  private static final String API_VERSION = "apps/v1";

  private final ServerSideApply apply;
  private final UpdateTracker tracker;
  private JsonObject live = JsonObject.EMPTY;
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");

  AppliedCluster(Structure structure) {
    apply =
        new ServerSideApply(
            structure,
            FieldSet.of("status"),
            TestStructures.ZERO,
            structure.equals(TestStructures.CUSTOM));
    tracker = new UpdateTracker(structure, FieldSet.of("status"), TestStructures.ZERO);
  }

  void advance(long seconds) {
    now = now.plusSeconds(seconds);
  }

  JsonObject live() {
    return live;
  }

  void store(JsonObject object) {
    live = object;
  }

  ApplyResult tryApply(String manager, JsonObject configuration, boolean force) {
    FieldManager applier = new FieldManager(manager, API_VERSION, "");
    return apply.apply(
        new ServerSideApply.Request(
            live,
            configuration,
            applier,
            force,
            now,
            merged -> merged,
            VersionedChanges.ONE_VERSION));
  }

  void apply(String manager, String configuration) {
    apply(manager, complete(configuration), false);
  }

  void forceApply(String manager, String configuration) {
    apply(manager, complete(configuration), true);
  }

  void apply(String manager, JsonObject configuration, boolean force) {
    ApplyResult result = tryApply(manager, configuration, force);
    assertThat(result).isInstanceOf(ApplyResult.Applied.class);
    live = ((ApplyResult.Applied) result).object();
  }

  ApplyResult.Conflicts conflicts(String manager, String configuration) {
    ApplyResult result = tryApply(manager, complete(configuration), false);
    assertThat(result).isInstanceOf(ApplyResult.Conflicts.class);
    return (ApplyResult.Conflicts) result;
  }

  /** The objects of tests name neither version nor kind. */
  private static JsonObject complete(String configuration) {
    JsonObject applied = object(configuration);
    return (applied.has("apiVersion") ? applied : applied.with("apiVersion", API_VERSION))
        .with("kind", "Deployment");
  }

  void update(String manager, String updated) {
    JsonObject object = complete(updated);
    JsonObject old = live.object("metadata");
    live =
        tracker.track(
            live,
            object.with(
                "metadata",
                old.has("managedFields")
                    ? object.object("metadata").with("managedFields", old.array("managedFields"))
                    : object.object("metadata")),
            new FieldManager(manager, API_VERSION, ""),
            now);
  }

  private JsonArray entries() {
    return live.object("metadata").array("managedFields");
  }

  List<String> managers() {
    return entries().objects().stream().map(entry -> entry.text("manager", "")).toList();
  }

  JsonObject entry(String manager) {
    return entries().objects().stream()
        .filter(entry -> entry.text("manager", "").equals(manager))
        .findFirst()
        .orElseThrow();
  }

  JsonObject fields(String manager) {
    return entry(manager).object("fieldsV1");
  }

  /** The object without what tests do not name; metadata only counts where they name it. */
  void assertObject(String expected) {
    JsonObject wanted = object(expected);
    assertThat(content(wanted.has("metadata"))).isEqualTo(wanted);
  }

  JsonObject content(boolean withMetadata) {
    JsonObject bare = live.without("apiVersion").without("kind");
    return withMetadata
        ? bare.with("metadata", bare.object("metadata").without("managedFields"))
        : bare.without("metadata");
  }
}
