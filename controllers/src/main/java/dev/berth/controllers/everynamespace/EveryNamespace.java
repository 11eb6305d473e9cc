package dev.berth.controllers.everynamespace;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an object of the same name in every namespace that is not being deleted: makes it where it
 * is missing, and mends it where it is not as it should be.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable.
 */
public final class EveryNamespace implements Controller {
  private static final int AT_ONCE = 16;
  private static final Duration BETWEEN_COMPLAINTS = Duration.ofSeconds(10);
  private static final Set<Integer> PASSING = Set.of(403, 404, 409);

  private final Api api;
  private final Time time;
  private final Consumer<String> warnings;
  private final Loop loop;
  private final Wanted wanted;
  private final InformerSet informers;
  private final BoundedRequests requests;
  private final WorkQueue queue;
  private final Set<String> namespaces = new LinkedHashSet<>();

  /** By namespace. */
  private final Map<String, JsonObject> objects = new HashMap<>();

  /** What was wanted last. */
  private JsonObject made = JsonObject.EMPTY;

  private Instant nextComplaint = Instant.MIN;

  /** The object. */
  public interface Wanted {
    GroupVersionResource resource();

    String name();

    /** What it is like, but for its name and namespace. */
    JsonObject made();

    /** What one that is there should be like; empty if it is. */
    Optional<JsonObject> mended(JsonObject found);

    /** How often to look whether something else is wanted; empty if that never changes. */
    default Optional<Duration> checkedEvery() {
      return Optional.empty();
    }
  }

  private EveryNamespace(ControllerParts parts, String name, Wanted wanted) {
    this.api = parts.api();
    this.time = parts.time();
    this.warnings = parts.warnings();
    this.loop = time.start(name);
    this.wanted = wanted;
    this.requests = new BoundedRequests(loop, AT_ONCE);
    this.queue = new WorkQueue(parts, loop, name, AT_ONCE, this::reconcile);
    this.informers = new InformerSet(parts.informers(), loop, this::synced, parts.warnings());
    informers
        .on(Resources.NAMESPACES, this::namespaceChanged)
        .on(
            ListRequest.of(wanted.resource()).fields("metadata.name=" + wanted.name()),
            this::objectChanged);
  }

  /**
   * Begins to keep it.
   *
   * @param name of the loop
   */
  public static EveryNamespace start(ControllerParts parts, String name, Wanted wanted) {
    EveryNamespace controller = new EveryNamespace(parts, name, wanted);
    controller.informers.start();
    return controller;
  }

  private void synced() {
    made = wanted.made();
    namespaces.forEach(this::add);
    checkLater();
  }

  private void checkLater() {
    wanted.checkedEvery().ifPresent(period -> loop.after(period, this::check));
  }

  private void check() {
    JsonObject now = wanted.made();
    if (!now.equals(made)) {
      made = now;
      namespaces.forEach(this::add);
    }
    checkLater();
  }

  private void add(String namespace) {
    if (informers.isSynced()) {
      queue.add(new ObjectName(namespace, wanted.name()));
    }
  }

  private void namespaceChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null && !Metadata.of(after).isBeingDeleted()) {
      String name = Metadata.of(after).name();
      if (namespaces.add(name)) {
        add(name);
      }
    } else if (before != null) {
      namespaces.remove(Metadata.of(before).name());
    }
  }

  private void objectChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      String namespace = Metadata.of(after).namespace();
      objects.put(namespace, after);
      add(namespace);
    } else if (before != null) {
      String namespace = Metadata.of(before).namespace();
      objects.remove(namespace);
      add(namespace);
    }
  }

  private void reconcile(ObjectName name, WorkQueue.Item item) {
    if (!namespaces.contains(name.namespace())) {
      item.succeeded();
      return;
    }
    JsonObject found = objects.get(name.namespace());
    if (found == null) {
      JsonObject made =
          Metadata.update(
              wanted.made(),
              metadata -> metadata.with("name", name.name()).with("namespace", name.namespace()));
      requests.run(() -> api.create(wanted.resource(), made), result -> ended(name, result, item));
      return;
    }
    wanted
        .mended(found)
        .ifPresentOrElse(
            mended ->
                requests.run(
                    () -> api.update(wanted.resource(), mended),
                    result -> ended(name, result, item)),
            item::succeeded);
  }

  private void ended(ObjectName name, ApiResult result, WorkQueue.Item item) {
    if (!(result instanceof ApiResult.Failure why)) {
      item.succeeded();
      return;
    }
    item.failed();
    boolean passing = why instanceof ApiResult.Refused(var error) && PASSING.contains(error.code());
    Instant now = time.monotonicNow();
    if (!passing && !now.isBefore(nextComplaint)) {
      nextComplaint = now.plus(BETWEEN_COMPLAINTS);
      warnings.accept(
          "cannot write %s %s, and tries again: %s"
              .formatted(wanted.resource().groupResource(), name, why.message()));
    }
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
