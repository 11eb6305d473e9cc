package dev.berth.access.rbac;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.Stored;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/**
 * Brings the stored roles and bindings to what every cluster has.
 *
 * <ol>
 *   <li>What is missing is made.
 *   <li>Rules, subjects, labels and annotations that are missing are added; what somebody added
 *       stays.
 *   <li>What says {@code autoupdate: "false"} is left alone.
 *   <li>A binding of another role is made anew, since what it gives cannot change.
 * </ol>
 *
 * Nothing is written where nothing differs.
 */
public final class PolicyReconciliation {
  static final String AUTO_UPDATE = "rbac.authorization.kubernetes.io/autoupdate";

  private final Registry registry;

  private PolicyReconciliation(Registry registry) {
    this.registry = registry;
  }

  /**
   * Does it, and returns when all is there.
   *
   * @param writers run the writes: several at once let the store make many durable together
   */
  public static void run(Registry registry, Executor writers) {
    PolicyReconciliation reconciliation = new PolicyReconciliation(registry);
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (BootstrapPolicy.Declared declared : BootstrapPolicy.read()) {
      reconciliation
          .write(declared)
          .ifPresent(write -> writes.add(CompletableFuture.runAsync(write, writers)));
    }
    try {
      writes.forEach(CompletableFuture::join);
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /** The write that a declared object asks for, if any. */
  private Optional<Runnable> write(BootstrapPolicy.Declared declared) {
    Resource resource = registry.catalog().get(RoleIndex.GROUP, "v1", declared.plural());
    ObjectName name = declared.name();
    Optional<Stored> stored = registry.find(resource, name);
    if (stored.isEmpty()) {
      return Optional.of(() -> create(resource, declared));
    }
    JsonObject there = stored.get().tree();
    JsonObject wanted = reconciled(there, declared.object());
    if (wanted.equals(there)) {
      return Optional.empty();
    }
    if (!there.object("roleRef").equals(wanted.object("roleRef"))) {
      return Optional.of(() -> {
        registry.delete(resource, name, DeletionOptions.DEFAULT);
        create(resource, declared);
      });
    }
    return Optional.of(() ->
        registry.modify(
            resource, name, WriteOptions.DEFAULT, now -> reconciled(now, declared.object())));
  }

  private void create(Resource resource, BootstrapPolicy.Declared declared) {
    try {
      registry.create(
          resource, declared.name().namespace(), declared.object(), WriteOptions.DEFAULT);
    } catch (StatusException e) {
      if (e.status().code() != 409) {
        throw e;
      }
      // Another server of the same cluster made it.
    }
  }

  static JsonObject reconciled(JsonObject there, JsonObject declared) {
    boolean protectedByUser =
        Metadata.of(there).annotation(AUTO_UPDATE).filter("false"::equals).isPresent();
    if (protectedByUser) {
      return there;
    }
    JsonObject result =
        Metadata.update(
            there,
            metadata ->
                withMissing(
                    withMissing(metadata, "labels", Metadata.of(declared).labels()),
                    "annotations",
                    Metadata.of(declared).annotations()));
    if (declared.has("roleRef")) {
      result = withAll(result, "subjects", declared.array("subjects").objects());
      return result.with("roleRef", declared.object("roleRef"));
    }
    JsonObject gathering = declared.object("aggregationRule");
    if (!gathering.isEmpty()) {
      // The rules are for the aggregation to write.
      JsonObject selectors =
          withAll(
              there.object("aggregationRule"),
              "clusterRoleSelectors",
              gathering.array("clusterRoleSelectors").objects());
      return result.with("aggregationRule", selectors);
    }
    if (there.array("rules").equals(declared.array("rules"))) {
      return result;
    }
    List<PolicyRule> missing =
        RuleCoverage.missing(PolicyRule.ofRole(there), PolicyRule.ofRole(declared));
    return withAll(
        result, "rules", RuleCoverage.compact(missing).stream().map(PolicyRule::toTree).toList());
  }

  private static JsonObject withMissing(JsonObject object, String field, JsonObject wanted) {
    JsonObject values = object.object(field);
    for (String name : wanted.names()) {
      values = values.has(name) ? values : values.with(name, wanted.text(name, ""));
    }
    return values.isEmpty() ? object : object.with(field, values);
  }

  /** An object with elements that a list of it did not have. */
  private static JsonObject withAll(JsonObject object, String field, List<JsonObject> wanted) {
    List<Object> all = new ArrayList<>(object.array(field).values());
    wanted.stream().filter(value -> !all.contains(value)).forEach(all::add);
    return all.isEmpty() ? object : object.with(field, JsonArray.copyOf(all));
  }
}
