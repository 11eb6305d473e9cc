package dev.berth.controllers.garbagecollector;

import dev.berth.client.Discovery;
import dev.berth.client.Discovery.Served;
import dev.berth.client.event.EventRecorder;
import dev.berth.controllers.garbagecollector.Node.Identity;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.metrics.Counter;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deletes objects whose owners are gone, and lets owners that are deleted in the foreground, or
 * without what they own, go when it is time; {@link dev.berth.policy.garbage.Garbage} says what is
 * garbage.
 *
 * <p>It watches every resource that can be listed, watched and deleted, but for events. Nothing is
 * done before all of them have been listed, since an owner whose dependents are unknown seems to
 * have none. Whoever seems to have lost its owners is read anew, and they are, before it goes.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable.
 */
public final class GarbageCollector implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "generic-garbage-collector";

  private static final List<String> VERBS = List.of("delete", "list", "watch");
  private static final Duration SOON = Duration.ofSeconds(1);

  private final ControllerParts parts;
  private final GarbageCollectorSettings settings;
  private final Loop loop;
  private final Monitors monitors;
  private final Graph graph;
  private final Collector collector;
  private final EventRecorder events;
  private final Counter syncErrors;
  private List<Served> watched = List.of();

  private GarbageCollector(ControllerParts parts, GarbageCollectorSettings settings) {
    this.parts = parts;
    this.settings = settings;
    this.loop = parts.time().start("garbage-collector");
    this.events =
        EventRecorder.counting(parts.api(), loop, parts.time(), "garbage-collector-controller");
    this.syncErrors =
        parts
            .metrics()
            .counters(
                "garbagecollector_controller_resources_sync_error_total",
                "Number of garbage collector resources sync errors")
            .with();
    Heard heard = new Heard();
    this.monitors = new Monitors(parts, loop, heard);
    this.graph = new Graph(monitors, heard);
    this.collector =
        new Collector(
            parts, loop, settings.concurrentSyncs(), new Collector.Sources(graph, monitors, heard));
  }

  public static GarbageCollector start(ControllerParts parts, GarbageCollectorSettings settings) {
    GarbageCollector controller = new GarbageCollector(parts, settings);
    controller.loop.after(Duration.ZERO, controller::discover);
    return controller;
  }

  private void discover() {
    if (!loop.call(() -> Discovery.read(parts.api()), this::discovered)) {
      loop.after(SOON, this::discover);
    }
  }

  private void discovered(Discovery discovery) {
    List<Served> resources = new ArrayList<>();
    for (Served served : discovery.resources()) {
      boolean events = served.resource().resource().equals("events");
      if (!events && VERBS.stream().allMatch(served::can)) {
        resources.add(served);
      }
    }
    if (!discovery.failures().isEmpty()) {
      syncErrors.increment();
      discovery.problem().ifPresent(parts.warnings());
      // What could not be found out this time is there as before.
      for (Served before : watched) {
        String version = before.resource().groupVersion().toString();
        boolean unknown =
            discovery.failures().containsKey(version)
                || discovery.failures().containsKey(path(before));
        if (unknown && !resources.contains(before)) {
          resources.add(before);
        }
      }
    }
    boolean complete = discovery.failures().isEmpty() || !watched.isEmpty();
    if (complete && !resources.equals(watched)) {
      watched = List.copyOf(resources);
      monitors.watch(resources);
      collector.kindsChanged();
    }
    loop.after(complete ? settings.discovery() : SOON, this::discover);
  }

  private static String path(Served served) {
    return served.resource().group().isEmpty() ? "/api" : "/apis";
  }

  /** What the watches and the graph tell. */
  private final class Heard implements Monitors.Listener, Graph.Listener {
    @Override
    public void changed(Served served, @Nullable JsonObject before, @Nullable JsonObject after) {
      graph.changed(served, before, after);
    }

    @Override
    public void synced() {
      collector.synced();
    }

    @Override
    public void reconcile(Node node) {
      collector.add(node.uid);
    }

    @Override
    public void gone(Identity identity, String uid) {
      collector.gone(identity, uid);
    }

    @Override
    public void misplaced(Identity dependent, String uid, OwnerReference reference) {
      String namespace = dependent.name().namespace();
      events.record(
          dependent.reference(uid),
          EventRecorder.Type.WARNING,
          "OwnerRefInvalidNamespace",
          "GarbageCollection",
          "ownerRef [%s/%s, namespace: %s, name: %s, uid: %s] does not exist in namespace \"%s\""
              .formatted(
                  reference.apiVersion(),
                  reference.kind(),
                  namespace,
                  reference.name(),
                  reference.uid(),
                  namespace));
    }
  }

  @Override
  public void close() {
    monitors.close();
    loop.close();
  }
}
