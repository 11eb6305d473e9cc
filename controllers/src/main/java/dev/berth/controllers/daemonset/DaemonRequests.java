package dev.berth.controllers.daemonset;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.client.event.EventRecorder;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.daemon.DaemonNode;
import dev.berth.policy.daemon.DaemonPod;
import dev.berth.policy.daemon.DaemonPodSpec;
import dev.berth.policy.owner.FromTemplate;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Makes and deletes daemon pods. As many requests as there are run in parallel, some at a time; a
 * node whose request failed is left alone for a while.
 *
 * <p>A pod gets its name here and not by the server, in the same form. So a request whose answer
 * was lost can be sent again, and does not make a second pod.
 */
final class DaemonRequests {
  private static final int AT_ONCE = 32;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** How long a pod that exists, for all that is known, may take to be heard of. */
  private static final Duration HEARD_OF_WITHIN = Duration.ofMinutes(1);

  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
  private static final int SUFFIX = 5;
  private static final int LONGEST_PREFIX = 58;

  private final Api api;
  private final Loop loop;
  private final Time time;
  private final boolean scheduled;
  private final BoundedRequests bounded;
  private final EventRecorder events;
  private final RandomGenerator random;
  private final Predicate<Slot> isWanted;
  private final Consumer<Slot> touch;

  /**
   * @param isWanted whether a pod is still to be made somewhere
   * @param touch has a node looked at again
   */
  DaemonRequests(
      ControllerParts parts,
      Loop loop,
      boolean scheduled,
      Predicate<Slot> isWanted,
      Consumer<Slot> touch) {
    this.api = parts.api();
    this.loop = loop;
    this.time = parts.time();
    this.scheduled = scheduled;
    this.bounded = new BoundedRequests(loop, AT_ONCE);
    this.events = EventRecorder.counting(api, loop, time, "daemonset-controller");
    // Who comes after a crash draws other names.
    this.random = time.random("daemon pods " + time.now());
    this.isWanted = isWanted;
    this.touch = touch;
  }

  EventRecorder events() {
    return events;
  }

  /** Begins to make a pod of the set's template for a node. */
  void create(Slot slot) {
    send(slot, name(slot.set.name.name()), slot.set.hash, false);
  }

  private String name(String set) {
    StringBuilder name = new StringBuilder();
    name.append(set, 0, Math.min(set.length(), LONGEST_PREFIX)).append('-');
    for (int i = 0; i < SUFFIX; i++) {
      name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return name.toString();
  }

  /**
   * @param mayExist whether the pod may have been made by an earlier request
   */
  private void send(Slot slot, String name, String hash, boolean mayExist) {
    JsonObject set = slot.set.tree;
    if (set == null) {
      slot.coming = "";
      return;
    }
    slot.coming = name;
    bounded.run(
        () -> isStillWanted(slot, name, hash),
        () -> api.create(Resources.PODS, pod(set, slot.node, name, hash)),
        result -> created(slot, name, hash, mayExist, result));
  }

  private boolean isStillWanted(Slot slot, String name, String hash) {
    if (!slot.coming.equals(name)) {
      return false;
    }
    if (!slot.set.hash.equals(hash) || !isWanted.test(slot)) {
      slot.coming = "";
      touch.accept(slot);
      return false;
    }
    return true;
  }

  /** Runs beside the loop. */
  private JsonObject pod(JsonObject set, String node, String name, String hash) {
    JsonObject template = set.object("spec").object("template");
    JsonObject spec = template.object("spec");
    JsonObject labels =
        template
            .object("metadata")
            .object("labels")
            .with(WellKnownLabels.CONTROLLER_REVISION_HASH, hash);
    String generation =
        Metadata.of(set).annotation(WellKnownAnnotations.DAEMON_SET_TEMPLATE_GENERATION).orElse("");
    JsonObject labelled =
        generation.isEmpty()
            ? labels
            : labels.with(WellKnownLabels.POD_TEMPLATE_GENERATION, generation);
    JsonObject pod = FromTemplate.pod(set, template);
    return Metadata.update(pod, metadata -> metadata.with("name", name).with("labels", labelled))
        .with(
            "spec",
            scheduled ? DaemonPodSpec.scheduled(spec, node) : DaemonPodSpec.bound(spec, node));
  }

  private void created(Slot slot, String name, String hash, boolean mayExist, ApiResult result) {
    if (!slot.coming.equals(name)) {
      // It was heard of before.
      slot.failedRequests = 0;
      return;
    }
    switch (result) {
      case ApiResult.Done(JsonObject pod) -> {
        slot.coming = "";
        slot.failedRequests = 0;
        slot.set.made(slot, pod, time.now());
        record(slot, EventRecorder.Type.NORMAL, "SuccessfulCreate", "Created pod: " + name);
        touch.accept(slot);
      }
      case ApiResult.Unreachable _ -> {
        Duration pause = pause(slot);
        loop.after(
            pause,
            () -> {
              if (slot.coming.equals(name)) {
                send(slot, name, hash, true);
              }
            });
      }
      case ApiResult.Refused(ApiError error) -> {
        if (error.isAlreadyExists() && mayExist) {
          awaitNews(slot, name);
        } else if (error.isAlreadyExists()) {
          create(slot);
        } else {
          slot.coming = "";
          record(
              slot,
              EventRecorder.Type.WARNING,
              "FailedCreate",
              "Error creating: " + error.message());
          pause(slot);
          touch.accept(slot);
        }
      }
    }
  }

  /** The pod seems to exist; if nothing is heard of it, it was another one. */
  private void awaitNews(Slot slot, String name) {
    loop.after(
        HEARD_OF_WITHIN,
        () -> {
          if (slot.coming.equals(name)) {
            slot.coming = "";
            touch.accept(slot);
          }
        });
  }

  /** Begins to delete a pod. */
  void delete(Slot slot, DaemonPod pod, DaemonNode.Reason reason) {
    slot.put(pod.left());
    slot.set.deleted.add(pod.uid());
    explain(slot, pod, reason);
    ObjectName name = new ObjectName(slot.set.name.namespace(), pod.name());
    bounded.run(
        () -> api.delete(Resources.PODS, name, DeleteOptions.NONE.onlyUid(pod.uid())),
        result -> deleted(slot, pod, result));
  }

  private void explain(Slot slot, DaemonPod pod, DaemonNode.Reason reason) {
    String which = slot.set.name.namespace() + "/" + pod.name() + " on node " + slot.node;
    switch (reason) {
      case FAILED ->
          record(
              slot,
              EventRecorder.Type.WARNING,
              "FailedDaemonPod",
              "Found failed daemon pod " + which + ", will try to kill it");
      case SUCCEEDED ->
          record(
              slot,
              EventRecorder.Type.NORMAL,
              "SucceededDaemonPod",
              "Found succeeded daemon pod " + which + ", will try to delete it");
      case NOT_HERE, TOO_MANY, OUTDATED -> {}
    }
  }

  private void deleted(Slot slot, DaemonPod pod, ApiResult result) {
    switch (result) {
      case ApiResult.Done _ -> {
        slot.failedRequests = 0;
        record(slot, EventRecorder.Type.NORMAL, "SuccessfulDelete", "Deleted pod: " + pod.name());
      }
      case ApiResult.Failure why -> {
        if (why.isNotFound()) {
          // It is gone, and that will be heard of.
          return;
        }
        slot.set.isStillThere(slot, pod.uid());
        record(
            slot, EventRecorder.Type.WARNING, "FailedDelete", "Error deleting: " + why.message());
        pause(slot);
        touch.accept(slot);
      }
    }
  }

  private Duration pause(Slot slot) {
    Duration pause = FIRST_PAUSE;
    for (int i = 0; i < slot.failedRequests && pause.compareTo(LONGEST_PAUSE) < 0; i++) {
      pause = pause.multipliedBy(2);
    }
    pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    slot.failedRequests++;
    slot.pausedUntil = time.monotonicNow().plus(pause);
    return pause;
  }

  private void record(Slot slot, EventRecorder.Type type, String reason, String note) {
    if (slot.set.tree != null) {
      events.record(slot.set.tree, type, reason, reason, note);
    }
  }
}
