package dev.berth.sim.run;

import dev.berth.client.Api;
import dev.berth.client.BoundedRequests;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.scenario.ScenarioAction;
import dev.berth.sim.scenario.Spans;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Empties nodes as {@code kubectl drain --ignore-daemonsets --force --delete-emptydir-data} does:
 * each is cordoned, its pods are evicted by the Eviction API, and whoever a disruption budget holds
 * back is asked again every five seconds. Lives on a loop of its own.
 */
public final class Drainer implements AutoCloseable {
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final int AT_ONCE = 16;

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final BoundedRequests requests;
  private final BiConsumer<String, Boolean> power;
  private final Consumer<String> notes;

  /**
   * @param power turns a node off and on again
   * @param notes is told what is worth telling
   */
  public Drainer(Api api, Time time, BiConsumer<String, Boolean> power, Consumer<String> notes) {
    this.api = api;
    this.time = time;
    this.loop = time.start("drain");
    this.requests = new BoundedRequests(loop, AT_ONCE);
    this.power = power;
    this.notes = notes;
  }

  public void drain(List<String> nodes, ScenarioAction.Drain how) {
    loop.after(Duration.ZERO, () -> new Round(nodes, how).begin());
  }

  /** The nodes of one drain. */
  private final class Round {
    private final Deque<String> waiting;
    private final ScenarioAction.Drain how;
    private final int all;
    private int done;

    Round(List<String> nodes, ScenarioAction.Drain how) {
      this.waiting = new ArrayDeque<>(nodes);
      this.all = nodes.size();
      this.how = how;
    }

    void begin() {
      for (int i = 0; i < how.parallel(); i++) {
        next();
      }
    }

    private void next() {
      String node = waiting.poll();
      if (node != null) {
        Instant began = time.monotonicNow();
        cordon(node, true, () -> evict(node, began));
      }
    }

    /** Whoever evicts from a node that was not cordoned has the pods back at once. */
    private void cordon(String node, boolean on, Runnable then) {
      requests.run(
          () ->
              api.patch(
                  Target.of(Resources.NODES, ObjectName.of(node)),
                  PatchType.MERGE,
                  JsonObject.of("spec", JsonObject.of("unschedulable", on))),
          result -> {
            if (result.isDone() || result.isNotFound()) {
              then.run();
            } else {
              loop.after(RETRY, () -> cordon(node, on, then));
            }
          });
    }

    private void evict(String node, Instant began) {
      requests.run(
          () -> api.list(ListRequest.of(Resources.PODS).fields("spec.nodeName=" + node)),
          result -> {
            if (!(result instanceof ListResult.Page page)) {
              loop.after(RETRY, () -> evict(node, began));
              return;
            }
            List<PodTree> left =
                page.items().stream().map(PodTree::new).filter(Drainer::mustGo).toList();
            boolean late =
                how.timeout().filter(limit -> time.since(began).compareTo(limit) > 0).isPresent();
            if (left.isEmpty()) {
              emptied(node, began);
            } else if (late) {
              notes.accept(
                  "drain of %s gave up after %s with %d pods left"
                      .formatted(node, Spans.text(how.timeout().orElseThrow()), left.size()));
              next();
            } else {
              evict(left, node, began);
            }
          });
    }

    private void evict(List<PodTree> left, String node, Instant began) {
      List<PodTree> asked = left.stream().filter(pod -> !pod.terminating()).toList();
      if (asked.isEmpty()) {
        loop.after(POLL, () -> evict(node, began));
        return;
      }
      int[] open = {asked.size()};
      boolean[] heldBack = {false};
      for (PodTree pod : asked) {
        requests.run(
            () -> api.create(eviction(pod), evictionOf(pod)),
            result -> {
              heldBack[0] |= !result.isDone() && !result.isNotFound();
              if (--open[0] == 0) {
                loop.after(heldBack[0] ? RETRY : POLL, () -> evict(node, began));
              }
            });
      }
    }

    private void emptied(String node, Instant began) {
      done++;
      notes.accept(
          "%s drained in %s (%d of %d)"
              .formatted(
                  node, Spans.text(Duration.ofSeconds(time.since(began).toSeconds())), done, all));
      if (how.maintenance().isEmpty()) {
        next();
        return;
      }
      power.accept(node, false);
      loop.after(
          how.maintenance().get(),
          () -> {
            power.accept(node, true);
            cordon(node, false, this::next);
          });
    }
  }

  private static boolean mustGo(PodTree pod) {
    boolean ofDaemon =
        pod.metadata().controller().filter(owner -> owner.kind().equals("DaemonSet")).isPresent();
    return !ofDaemon && !pod.metadata().annotations().has(WellKnownAnnotations.CONFIG_MIRROR);
  }

  private static Target eviction(PodTree pod) {
    return Target.of(Resources.PODS, pod.name()).subresource("eviction");
  }

  private static JsonObject evictionOf(PodTree pod) {
    return new JsonObject.Builder()
        .put("apiVersion", "policy/v1")
        .put("kind", "Eviction")
        .put(
            "metadata",
            new JsonObject.Builder()
                .put("namespace", pod.name().namespace())
                .put("name", pod.name().name())
                .build())
        .build();
  }

  @Override
  public void close() {
    loop.close();
  }
}
