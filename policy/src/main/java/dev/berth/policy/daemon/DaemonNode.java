package dev.berth.policy.daemon;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodPhase;
import dev.berth.policy.reconcile.Note;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A node as one DaemonSet sees it, and what is to be done there.
 *
 * <ol>
 *   <li>No pod belongs here: all go. If the node is no more, only those that are not on it go, as
 *       nobody else would delete them.
 *   <li>A failed pod goes, and another comes; see {@link FailureBackoff}. A pod that ended well
 *       goes at once.
 *   <li>A node that is shutting down would only refuse pods: none is made, and none that ended is
 *       deleted. A pod that such a node refused or ended is replaced when the node is ready.
 *   <li>Of several pods the oldest stays. While the strategy surges, an old one that is ready and a
 *       new one that is not available yet may both stay.
 *   <li>If there is none, not even one on its way out, and one belongs here, one is made. While the
 *       strategy surges, those on their way out are not waited for.
 *   <li>In a rolling update, an old pod that is not available is replaced at once; one that is
 *       available, when the strategy has {@linkplain DaemonStrategy#room room}. So do those go
 *       after which no new one would be made; but while the strategy surges, an available one only
 *       goes when there are more of them than there are nodes that should have one.
 * </ol>
 *
 * @param pods those that are here or meant for here
 * @param podIsComing whether one is being made
 * @param failures when failed pods of this node were replaced
 */
public record DaemonNode(
    DaemonEligibility eligibility,
    State state,
    List<DaemonPod> pods,
    boolean podIsComing,
    FailureBackoff failures) {

  /** How the node is. */
  public enum State {
    READY,
    NOT_READY,
    SHUTTING_DOWN,
    /** There is no such node. */
    GONE;

    private static final String SHUTDOWN = "node is shutting down";

    /** An agent says that it shuts down as the reason or in the message, among other sentences. */
    static State of(NodeView node) {
      Optional<Condition> ready = node.condition(Condition.READY);
      if (ready.isEmpty() || ready.get().status() == ConditionStatus.UNKNOWN) {
        return NOT_READY;
      }
      if (ready.get().status() == ConditionStatus.TRUE) {
        return READY;
      }
      boolean shutsDown =
          ready.get().reason().equals(SHUTDOWN) || ready.get().message().contains(SHUTDOWN);
      return shutsDown ? SHUTTING_DOWN : NOT_READY;
    }
  }

  /** Whether every DaemonSet sees the same in both. Heartbeats change nothing that matters. */
  public static boolean isSame(NodeView before, NodeView after) {
    return State.of(before) == State.of(after)
        && before.uid().equals(after.uid())
        && before.labels().equals(after.labels())
        && before.taints().equals(after.taints());
  }

  /** Why a pod goes. */
  public enum Reason {
    NOT_HERE,
    FAILED,
    SUCCEEDED,
    TOO_MANY,
    OUTDATED
  }

  /** A pod that is to be deleted. */
  public record Removal(DaemonPod pod, Reason reason) {

    /** What to tell of the set before that, if the pod has ended. */
    public Optional<Note> note(String namespace) {
      String which = namespace + "/" + pod.name() + " on node " + pod.node();
      return switch (reason) {
        case FAILED ->
            Optional.of(
                Note.warning(
                    "FailedDaemonPod",
                    "Found failed daemon pod " + which + ", will try to kill it"));
        case SUCCEEDED ->
            Optional.of(
                Note.normal(
                    "SucceededDaemonPod",
                    "Found succeeded daemon pod " + which + ", will try to delete it"));
        case NOT_HERE, TOO_MANY, OUTDATED -> Optional.empty();
      };
    }
  }

  /**
   * A pod of an older template.
   *
   * @param isReplaced whether its node gets a new one: after it was deleted, or before if the
   *     strategy surges
   */
  public record Outdated(DaemonPod pod, boolean isReplaced) {}

  /**
   * What is to be done.
   *
   * @param create whether a pod is to be made
   * @param counts how the node counts
   * @param outdated the pod that is to go when there is room
   * @param again when to look again, though nothing has happened
   */
  public record Verdict(
      boolean create,
      List<Removal> removals,
      DaemonCounts counts,
      Optional<Outdated> outdated,
      Optional<Instant> again) {

    /** Whether nothing is to be done, but to replace an outdated pod when there is room. */
    public boolean isSettled() {
      return !create && removals.isEmpty();
    }
  }

  /** What all nodes have in common. */
  public record Rules(DaemonStrategy strategy, Set<String> currentRevisions) {
    boolean isCurrent(DaemonPod pod) {
      return currentRevisions.contains(pod.revision());
    }
  }

  public Verdict decide(Rules rules, Instant now) {
    return new DaemonNodeDecision(this, rules, now).decide();
  }

  /** The node as it will be when what was decided is done. */
  DaemonNode after(Verdict verdict) {
    Set<DaemonPod> leaving =
        verdict.removals().stream().map(Removal::pod).collect(Collectors.toSet());
    return new DaemonNode(
        eligibility,
        state,
        pods.stream().map(pod -> leaving.contains(pod) ? pod.left() : pod).toList(),
        podIsComing || verdict.create(),
        failures);
  }

  boolean refusesPods() {
    return state == State.SHUTTING_DOWN || state == State.GONE;
  }

  /** Whether a pod that has ended is to be replaced, sooner or later, as things are. */
  boolean mayReplace(DaemonPod ended) {
    boolean refused =
        ended.phase() == PodPhase.FAILED
            && (ended.reason().equals("NodeShutdown") || ended.reason().equals("Terminated"));
    return !refusesPods() && (!refused || state == State.READY);
  }

  /** Those that run or will, the oldest first. */
  List<DaemonPod> alive() {
    List<DaemonPod> alive = new ArrayList<>(pods.size());
    for (DaemonPod pod : pods) {
      if (!pod.leaving() && !pod.phase().finished()) {
        alive.add(pod);
      }
    }
    alive.sort(DaemonPod.OLDEST_FIRST);
    return alive;
  }
}
