package dev.berth.policy.drain;

import dev.berth.model.core.PodTree;
import dev.berth.model.drain.DrainNode;
import dev.berth.model.drain.DrainSpec;
import dev.berth.model.drain.DrainStatus;
import dev.berth.model.drain.NodeProgress;
import dev.berth.model.drain.NodeProgress.BlockedPod;
import dev.berth.model.drain.NodeProgress.Phase;
import dev.berth.policy.drain.DrainSnapshot.Attempt;
import dev.berth.policy.reconcile.Note;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The next step of a drain that has begun.
 *
 * <ol>
 *   <li>So many nodes at a time are being drained; when one is through, the next begins, in the
 *       order of the status.
 *   <li>A node on which a pod is that {@linkplain PodFate may not go} is refused: it is not
 *       cordoned for it, and if it is already, none of its pods is evicted any more.
 *   <li>A node is cordoned first, and again if somebody uncordons it; only then pods are evicted.
 *       It is through when all pods are gone that go, and not when they are about to.
 *   <li>A pod whose eviction was refused is asked again after a while. After the deadline, pods are
 *       deleted instead, if the drain says so.
 *   <li>While it is paused nothing is cordoned and nobody is evicted, whatever the deadline; what
 *       is on its way out goes.
 *   <li>It is over when all nodes are through, or else at the deadline.
 * </ol>
 */
final class DrainStep {
  /** Few enough that a drain that is paused now evicts but a few more. */
  private static final int MOST_AT_ONCE = 16;

  private final DrainSnapshot seen;
  private final DrainSpec spec;
  private final Instant now;
  private final boolean isLate;
  private final List<DrainAction> actions = new ArrayList<>();
  private final List<PodTree> going = new ArrayList<>();
  private final List<Note> notes = new ArrayList<>();
  private final List<DrainPlan.NodeNote> nodeNotes = new ArrayList<>();
  private @Nullable Instant next;
  private int underWay;

  DrainStep(DrainSnapshot seen, Instant now) {
    this.seen = seen;
    this.spec = seen.spec();
    this.now = now;
    this.isLate = seen.deadline().filter(deadline -> !deadline.isAfter(now)).isPresent();
    seen.deadline().filter(deadline -> deadline.isAfter(now)).ifPresent(this::wakeAt);
  }

  private void wakeAt(Instant time) {
    if (next == null || time.isBefore(next)) {
      next = time;
    }
  }

  /** Whether pods are deleted, and no longer evicted. */
  private boolean deletes() {
    return isLate && spec.deletesAfterDeadline();
  }

  /** Whether nothing new is to be done. */
  private boolean isHalted() {
    return spec.paused() || (isLate && !spec.deletesAfterDeadline());
  }

  DrainPlan decide() {
    List<NodeProgress> nodes = new ArrayList<>();
    for (NodeProgress node : seen.status().nodes()) {
      NodeProgress after = node.phase() == Phase.DRAINING ? goOn(node) : node;
      underWay += after.phase() == Phase.DRAINING ? 1 : 0;
      nodes.add(after);
    }
    nodes.replaceAll(node -> node.phase() == Phase.PENDING ? beginIfPossible(node) : node);
    if (!going.isEmpty()) {
      actions.add(deletes() ? new DrainAction.Delete(going) : new DrainAction.Evict(going));
    }
    DrainStatus status = status(nodes);
    note(status);
    return new DrainPlan(
        actions,
        status.placeIn(seen.drain(), now),
        notes,
        nodeNotes,
        false,
        Optional.ofNullable(status.phase().isOver() ? null : next));
  }

  private List<PodTree> pods(NodeProgress node) {
    return seen.pods().getOrDefault(node.name(), List.of());
  }

  private NodeProgress beginIfPossible(NodeProgress progress) {
    if (!seen.nodes().containsKey(progress.name())) {
      return gone(progress);
    }
    if (isHalted() || underWay >= spec.maxConcurrentNodes()) {
      return progress;
    }
    NodeProgress begun = goOn(progress);
    underWay += begun.phase() == Phase.DRAINING ? 1 : 0;
    return begun;
  }

  private NodeProgress goOn(NodeProgress progress) {
    DrainNode node = seen.nodes().get(progress.name());
    if (node == null) {
      return gone(progress);
    }
    List<String> refusals = refusals(progress);
    if (!refusals.isEmpty()) {
      return ended(progress, node, Phase.REFUSED, String.join("; ", refusals));
    }
    List<PodTree> leaving =
        pods(progress).stream().filter(pod -> PodFate.of(pod, spec) == PodFate.GOES).toList();
    NodeProgress after = progress.draining(leaving.size(), blocked(leaving));
    if (!node.unschedulable()) {
      if (!isHalted()) {
        actions.add(new DrainAction.Cordon(node));
      }
      return after;
    }
    if (leaving.isEmpty()) {
      return ended(after, node, Phase.DRAINED, "");
    }
    if (!isHalted()) {
      leaving.forEach(this::letGo);
    }
    return after;
  }

  private List<String> refusals(NodeProgress progress) {
    List<String> refusals = new ArrayList<>();
    for (PodTree pod : pods(progress)) {
      PodFate.of(pod, spec)
          .refusal()
          .ifPresent(why -> refusals.add("pod " + pod.name() + " " + why));
    }
    return refusals;
  }

  private List<BlockedPod> blocked(List<PodTree> leaving) {
    List<BlockedPod> blocked = new ArrayList<>();
    for (PodTree pod : leaving) {
      Attempt attempt = seen.attempts().get(pod.uid());
      if (attempt != null && !attempt.refusal().isEmpty() && !pod.terminating()) {
        blocked.add(new BlockedPod(pod.name().toString(), attempt.refusal()));
      }
    }
    return blocked;
  }

  private void letGo(PodTree pod) {
    if (pod.terminating()) {
      return;
    }
    Attempt attempt = seen.attempts().get(pod.uid());
    if (attempt != null && attempt.nextAt().isAfter(now) && attempt.isEviction() != deletes()) {
      wakeAt(attempt.nextAt());
    } else if (going.size() < MOST_AT_ONCE) {
      going.add(pod);
    }
  }

  private NodeProgress gone(NodeProgress progress) {
    notes.add(Note.normal("NodeGone", "Node %s is no more".formatted(progress.name())));
    return progress.ended(Phase.GONE, "the node is no more");
  }

  private NodeProgress ended(NodeProgress progress, DrainNode node, Phase how, String why) {
    NodeProgress after = progress.ended(how, why);
    Note note =
        how == Phase.DRAINED
            ? Note.normal(
                "NodeDrained",
                "Node %s is drained: %s evicted"
                    .formatted(node.name(), DrainPlan.count(after.podsEvicted(), "pod")))
            : Note.warning("NodeRefused", "Node %s is not drained: %s".formatted(node.name(), why));
    notes.add(note);
    nodeNotes.add(new DrainPlan.NodeNote(node.tree(), note));
    return after;
  }

  private DrainStatus status(List<NodeProgress> nodes) {
    DrainStatus before = seen.status();
    List<String> left =
        nodes.stream().filter(node -> !node.phase().isOver()).map(NodeProgress::name).toList();
    List<String> refused =
        nodes.stream()
            .filter(node -> node.phase() == Phase.REFUSED)
            .map(NodeProgress::name)
            .toList();
    if (left.isEmpty()) {
      return refused.isEmpty()
          ? ended(DrainStatus.Phase.SUCCEEDED, "", "drained", nodes)
          : ended(
              DrainStatus.Phase.FAILED,
              "NodesRefused",
              "not drained: %s, for what status.nodes says".formatted(String.join(", ", refused)),
              nodes);
    }
    if (isLate && !spec.deletesAfterDeadline()) {
      return ended(
          DrainStatus.Phase.FAILED,
          "DeadlineExceeded",
          "the deadline passed before these were drained: " + String.join(", ", left),
          nodes);
    }
    DrainStatus.Phase phase = spec.paused() ? DrainStatus.Phase.PAUSED : DrainStatus.Phase.RUNNING;
    DrainStatus counted =
        new DrainStatus(phase, before.startTime(), null, "", "", List.copyOf(nodes));
    return new DrainStatus(
        phase, before.startTime(), null, "", message(counted, left), counted.nodes());
  }

  private String message(DrainStatus status, List<String> left) {
    if (spec.paused()) {
      return "paused with %s to go".formatted(DrainPlan.count(left.size(), "node"));
    }
    return status
        .firstBlocked()
        .map(pod ->
            "%s held back, such as %s: %s"
                .formatted(DrainPlan.count(status.podsBlocked(), "pod"), pod.pod(), pod.message()))
        .orElse(
            "draining, with %s to go".formatted(DrainPlan.count(left.size(), "node"))
                + (deletes() ? "; the deadline is over and budgets no longer count" : ""));
  }

  private DrainStatus ended(
      DrainStatus.Phase how, String reason, String message, List<NodeProgress> nodes) {
    return new DrainStatus(
        how, seen.status().startTime(), now, reason, message, List.copyOf(nodes));
  }

  private void note(DrainStatus after) {
    DrainStatus before = seen.status();
    if (after.podsBlocked() > 0 && before.podsBlocked() == 0) {
      notes.add(Note.warning("EvictionRefused", after.message()));
    }
    if (after.phase() == before.phase()) {
      return;
    }
    switch (after.phase()) {
      case SUCCEEDED ->
          notes.add(
              Note.normal(
                  "Completed",
                  "Drained %s of %s"
                      .formatted(
                          DrainPlan.count(after.nodes().size(), "node"),
                          DrainPlan.count(after.podsEvicted(), "pod"))));
      case FAILED -> notes.add(Note.warning(after.reason(), after.message()));
      case PAUSED -> notes.add(Note.normal("Paused", after.message()));
      case RUNNING -> notes.add(Note.normal("Resumed", after.message()));
      case PENDING, CANCELLED -> {}
    }
  }
}
