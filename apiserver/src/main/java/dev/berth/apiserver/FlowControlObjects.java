package dev.berth.apiserver;

import dev.berth.kinds.flowcontrol.BootstrapFlowControl;
import dev.berth.kinds.flowcontrol.FlowControlResources;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.Stored;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Keeps the flow schemas and priority levels that every cluster has, as upstream does: at the start
 * and then once a minute.
 *
 * <ol>
 *   <li>What is missing is made.
 *   <li>Mandatory ones get their specification back, whatever was written to them; suggested ones
 *       do while their annotation {@value BootstrapFlowControl#AUTO_UPDATE} says true, or says
 *       nothing and nobody has changed them yet. The annotation is set to what holds.
 *   <li>What says so, but is none of these any more, is deleted.
 * </ol>
 */
final class FlowControlObjects {
  private static final Duration INTERVAL = Duration.ofMinutes(1);
  private static final int CONFLICT = 409;
  private static final int NOT_FOUND = 404;
  private static final WriteOptions OPTIONS =
      new WriteOptions(false, "", "api-priority-and-fairness-config-producer-v1", User.SERVER);

  private final Registry registry;
  private final Resource levels;
  private final Resource schemas;

  FlowControlObjects(Registry registry) {
    this.registry = registry;
    this.levels = resource(registry, FlowControlResources.PRIORITY_LEVELS);
    this.schemas = resource(registry, FlowControlResources.FLOW_SCHEMAS);
  }

  private static Resource resource(Registry registry, String plural) {
    return registry.catalog().get(FlowControlResources.GROUP, "v1", plural);
  }

  /** Does it again and again, in a loop of its own, until that is closed. */
  Loop keep(Time time) {
    Loop loop = time.start("flow-control-objects");
    ensureLater(loop);
    return loop;
  }

  private void ensureLater(Loop loop) {
    loop.after(INTERVAL, () -> loop.call(() -> ensure(Runnable::run), _ -> ensureLater(loop)));
  }

  /**
   * Does it, and returns when all is there.
   *
   * @param writers run the writes, at once or one after the other
   * @return how many writes that took
   */
  int ensure(Executor writers) {
    List<Runnable> writes = new ArrayList<>();
    for (JsonObject level : BootstrapFlowControl.suggestedLevels()) {
      write(levels, level, false).ifPresent(writes::add);
    }
    for (JsonObject level : BootstrapFlowControl.mandatoryLevels()) {
      write(levels, level, true).ifPresent(writes::add);
    }
    for (JsonObject schema : BootstrapFlowControl.suggestedSchemas()) {
      write(schemas, schema, false).ifPresent(writes::add);
    }
    for (JsonObject schema : BootstrapFlowControl.mandatorySchemas()) {
      write(schemas, schema, true).ifPresent(writes::add);
    }
    writes.addAll(
        deletions(
            schemas,
            BootstrapFlowControl.mandatorySchemas(),
            BootstrapFlowControl.suggestedSchemas()));
    writes.addAll(
        deletions(
            levels,
            BootstrapFlowControl.mandatoryLevels(),
            BootstrapFlowControl.suggestedLevels()));
    writes.stream()
        .map(write -> CompletableFuture.runAsync(write, writers))
        .toList()
        .forEach(CompletableFuture::join);
    return writes.size();
  }

  /** The write that an object asks for, if any. */
  private Optional<Runnable> write(Resource resource, JsonObject wanted, boolean mandatory) {
    ObjectName name = ObjectName.of(Metadata.of(wanted).name());
    Optional<Stored> stored = registry.find(resource, name);
    if (stored.isEmpty()) {
      return Optional.of(
          () -> unless(CONFLICT, () -> registry.create(resource, "", wanted, OPTIONS)));
    }
    JsonObject there = stored.get().tree();
    return revised(there, wanted, mandatory).equals(there)
        ? Optional.empty()
        : Optional.of(() ->
            unless(
                NOT_FOUND,
                () ->
                    registry.modify(
                        resource, name, OPTIONS, now -> revised(now, wanted, mandatory))));
  }

  /** An object as it shall be. */
  static JsonObject revised(JsonObject there, JsonObject wanted, boolean mandatory) {
    boolean ours = mandatory || isOurs(there);
    JsonObject spec = there.object("spec");
    JsonObject fixed = wanted.object("spec");
    if (fixed.has("exempt") && spec.has("exempt")) {
      // How many seats exempt requests are expected to take is for the operator to say.
      fixed = fixed.with("exempt", spec.object("exempt"));
    }
    JsonObject next = ours && !spec.equals(fixed) ? there.with("spec", fixed) : there;
    return says(there).filter(said -> said == ours).isPresent()
        ? next
        : Metadata.update(
            next,
            metadata ->
                metadata.with(
                    "annotations",
                    metadata
                        .object("annotations")
                        .with(BootstrapFlowControl.AUTO_UPDATE, Boolean.toString(ours))));
  }

  /** Who has not said whether it is ours, and has never changed it, left that to us. */
  private static boolean isOurs(JsonObject there) {
    return says(there)
        .orElseGet(() -> there.object("metadata").integer("generation").orElse(0) == 1);
  }

  /** What the annotation says, if it is a word for true or false. */
  private static Optional<Boolean> says(JsonObject object) {
    return Metadata.of(object)
        .annotation(BootstrapFlowControl.AUTO_UPDATE)
        .flatMap(word ->
            switch (word) {
              case "1", "t", "T", "true", "TRUE", "True" -> Optional.of(true);
              case "0", "f", "F", "false", "FALSE", "False" -> Optional.of(false);
              default -> Optional.empty();
            });
  }

  private List<Runnable> deletions(
      Resource resource, List<JsonObject> mandatory, List<JsonObject> suggested) {
    Set<String> kept = new HashSet<>();
    mandatory.forEach(object -> kept.add(Metadata.of(object).name()));
    suggested.forEach(object -> kept.add(Metadata.of(object).name()));
    List<Runnable> deletions = new ArrayList<>();
    registry
        .list(resource, ListOptions.ALL)
        .entries()
        .forEach(entry -> {
          JsonObject object = StoredEncoding.tree(entry);
          String name = Metadata.of(object).name();
          if (!kept.contains(name) && says(object).orElse(false)) {
            deletions.add(() ->
                unless(
                    NOT_FOUND,
                    () -> registry.delete(resource, ObjectName.of(name), DeletionOptions.DEFAULT)));
          }
        });
    return deletions;
  }

  /** Another server of the same cluster may have done it meanwhile. */
  private static void unless(int code, Runnable write) {
    try {
      write.run();
    } catch (StatusException e) {
      if (e.status().code() != code) {
        throw e;
      }
    }
  }
}
