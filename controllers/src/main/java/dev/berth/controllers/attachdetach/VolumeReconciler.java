package dev.berth.controllers.attachdetach;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.attachment.AttachAction;
import dev.berth.policy.attachment.AttachDecision;
import dev.berth.policy.attachment.AttachableVolume;
import dev.berth.policy.attachment.NodeVolumes;
import dev.berth.policy.attachment.VolumePlace;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reconciles volumes: decides to which nodes each is to be attached, and does what was decided.
 *
 * <p>An attachment is deleted in three steps. Its node is told that the volume is no longer
 * attached; the answer says whether the node uses it, or is about to; only if it does not, or the
 * volume is taken by force, is the attachment deleted. Whatever the server did not answer is asked
 * for before anything else is decided about the volume.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
final class VolumeReconciler {
  private static final int AT_ONCE = 32;
  private static final Duration BETWEEN_COMPLAINTS = Duration.ofSeconds(10);

  private final Api api;
  private final Time time;
  private final AttachDetachSettings settings;
  private final BoundedRequests requests;
  private final WorkQueue queue;
  private final VolumeIndex volumes;
  private final AttachmentIndex attachments;
  private final NodeReports reports;
  private final AttachmentEvents events;
  private final Family<Counter> forced;
  private final Consumer<String> warnings;
  private Instant nextComplaint = Instant.MIN;

  VolumeReconciler(
      ControllerParts parts,
      Loop loop,
      AttachDetachSettings settings,
      WorkQueue queue,
      VolumeIndex volumes,
      AttachmentIndex attachments,
      NodeReports reports,
      AttachmentEvents events) {
    this.api = parts.api();
    this.time = parts.time();
    this.settings = settings;
    this.requests = new BoundedRequests(loop, AT_ONCE);
    this.queue = queue;
    this.volumes = volumes;
    this.attachments = attachments;
    this.reports = reports;
    this.events = events;
    this.warnings = parts.warnings();
    this.forced =
        parts
            .metrics()
            .counters(
                "attach_detach_controller_attachdetach_controller_forced_detaches",
                "Number of times the A/D Controller performed a forced detach",
                "reason");
  }

  /** The steps of one reconciliation that have not ended. */
  private final class Steps {
    private final ObjectName volume;
    private final WorkQueue.Item item;
    private int left;
    private boolean failed;

    Steps(ObjectName volume, WorkQueue.Item item, int left) {
      this.volume = volume;
      this.item = item;
      this.left = left;
    }

    void end(boolean well) {
      failed |= !well;
      if (--left > 0) {
        return;
      }
      if (failed) {
        item.failed();
      } else {
        item.succeeded();
      }
    }

    /** Ends a step after which the volume is not as it was when it was decided upon. */
    void endAndReconcileAgain() {
      queue.add(volume);
      end(true);
    }
  }

  void reconcile(ObjectName key, WorkQueue.Item item) {
    TrackedVolume volume = volumes.volume(key);
    if (volume == null) {
      item.succeeded();
      return;
    }
    Instant now = time.monotonicNow();
    List<TrackedAttachment> doubtful = new ArrayList<>();
    List<VolumePlace> places = new ArrayList<>();
    for (TrackedPlace place : volume.places.values()) {
      TrackedAttachment attachment = place.attachment;
      if (attachment != null && attachment.isDoubtful(now)) {
        doubtful.add(attachment);
      } else if (attachment != null) {
        Duration delay = attachment.doubtfulAfter();
        if (delay != null) {
          queue.addAfter(key, delay);
        }
      }
      places.add(place.view(volumes.node(place.node), now));
    }
    if (!doubtful.isEmpty()) {
      Steps steps = new Steps(key, item, doubtful.size());
      doubtful.forEach(attachment -> ask(attachment, steps));
      return;
    }
    AttachableVolume of = volume.volume;
    boolean exclusive = of == null || of.exclusive();
    List<AttachAction> actions =
        AttachDecision.decide(exclusive, places, settings.patience(), settings.outOfService(), now);
    settle(volume, actions);
    Steps steps = new Steps(key, item, actions.size() + 1);
    actions.forEach(action -> act(volume, action, steps));
    steps.end(true);
  }

  /** Takes back what was done for what is no longer to be done. */
  private void settle(TrackedVolume volume, List<AttachAction> actions) {
    Set<String> detached = new HashSet<>();
    Set<String> refused = new HashSet<>();
    for (AttachAction action : actions) {
      if (action instanceof AttachAction.Detach) {
        detached.add(action.node());
      } else if (action instanceof AttachAction.Refuse) {
        refused.add(action.node());
      }
    }
    for (TrackedPlace place : volume.places.values()) {
      place.isRefused &= refused.contains(place.node);
      TrackedAttachment attachment = place.attachment;
      if (attachment != null && attachment.isWithdrawn && !detached.contains(place.node)) {
        attachment.isWithdrawn = false;
        reports.check(place.node);
      }
    }
  }

  /** Asks the server how an attachment is that it may have. */
  private void ask(TrackedAttachment attachment, Steps steps) {
    requests.run(
        () -> api.get(Resources.VOLUME_ATTACHMENTS, ObjectName.of(attachment.name)),
        result -> {
          switch (result) {
            case ApiResult.Done(JsonObject tree) -> {
              attachments.answered(tree);
              steps.endAndReconcileAgain();
            }
            case ApiResult.Failure failure -> {
              if (failure.isNotFound()) {
                attachments.gone(attachment.name, "");
                steps.endAndReconcileAgain();
              } else {
                steps.end(false);
              }
            }
          }
        });
  }

  private void act(TrackedVolume volume, AttachAction action, Steps steps) {
    switch (action) {
      case AttachAction.Attach(String node) -> attach(volume, node, steps);
      case AttachAction.Detach detach -> withdraw(volume, detach, steps);
      case AttachAction.AwaitUnmount(String _, Instant until) -> {
        if (until.isBefore(Instant.MAX)) {
          Duration delay = Duration.between(time.monotonicNow(), until);
          queue.addAfter(volume.key, delay.isNegative() ? Duration.ZERO : delay);
        }
        steps.end(true);
      }
      case AttachAction.Refuse refuse -> {
        TrackedPlace place = volume.places.get(refuse.node());
        if (place != null && !place.isRefused) {
          place.isRefused = true;
          events.refused(volume, place, refuse);
        }
        steps.end(true);
      }
    }
  }

  private void attach(TrackedVolume volume, String node, Steps steps) {
    AttachableVolume attached = volume.volume;
    if (attached == null) {
      steps.end(true);
      return;
    }
    JsonObject tree = attached.attachmentTo(node);
    attachments.asked(attached, node);
    requests.run(
        () -> api.create(Resources.VOLUME_ATTACHMENTS, tree),
        result -> {
          switch (result) {
            case ApiResult.Done(JsonObject made) -> {
              attachments.answered(made);
              steps.endAndReconcileAgain();
            }
            case ApiResult.Failure failure -> {
              complain("attach volume " + attached.persistentVolume() + " to " + node, failure);
              steps.end(false);
            }
          }
        });
  }

  /** Tells the node that the volume is not attached any more, and sees whether it is in use. */
  private void withdraw(TrackedVolume volume, AttachAction.Detach detach, Steps steps) {
    TrackedPlace place = volume.places.get(detach.node());
    TrackedAttachment tracked = place == null ? null : place.attachment;
    if (place == null || tracked == null) {
      steps.end(true);
      return;
    }
    tracked.isWithdrawn = true;
    reports.tell(
        detach.node(),
        answer -> {
          switch (answer) {
            case NodeReports.Answer.Told(NodeVolumes node) -> {
              if (detach.isAllowedBy(node)
                  && place.pods.isEmpty()
                  && tracked.isOf(detach.attachment().uid())) {
                delete(tracked, detach, steps);
              } else {
                steps.endAndReconcileAgain();
              }
            }
            case NodeReports.Answer.Gone _ -> {
              if (place.pods.isEmpty()) {
                delete(tracked, detach, steps);
              } else {
                steps.endAndReconcileAgain();
              }
            }
            case NodeReports.Answer.Failed _ -> steps.end(false);
          }
        });
  }

  private void delete(TrackedAttachment tracked, AttachAction.Detach detach, Steps steps) {
    String uid = detach.attachment().uid();
    requests.run(
        () ->
            api.delete(
                Resources.VOLUME_ATTACHMENTS,
                ObjectName.of(tracked.name),
                DeleteOptions.NONE.onlyUid(uid)),
        result -> {
          switch (result) {
            case ApiResult.Done _ -> {
              if (detach.reason().isForced()) {
                forced.with(detach.reason().word()).increment();
              }
              if (tracked.isOf(uid)) {
                tracked.left();
              }
              steps.end(true);
            }
            case ApiResult.Failure failure -> {
              if (failure.isNotFound()) {
                attachments.gone(tracked.name, uid);
                steps.end(true);
              } else {
                tracked.isDoubted = true;
                complain("detach " + tracked.name + " from " + tracked.node, failure);
                steps.end(false);
              }
            }
          }
        });
  }

  private void complain(String what, ApiResult.Failure why) {
    Instant now = time.monotonicNow();
    boolean isNews = why instanceof ApiResult.Refused && !why.isConflict();
    if (isNews && !why.isAlreadyExists() && !now.isBefore(nextComplaint)) {
      nextComplaint = now.plus(BETWEEN_COMPLAINTS);
      warnings.accept("cannot %s, and tries again: %s".formatted(what, why.message()));
    }
  }
}
