package dev.berth.policy.drain;

import dev.berth.model.drain.DrainNode;
import dev.berth.model.drain.DrainStatus;
import dev.berth.model.drain.NodeProgress;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Decision;
import dev.berth.policy.reconcile.Note;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is to be done about a NodeDrain.
 *
 * <ol>
 *   <li>One that is cancelled takes away the cordons that it has put, also after its end, and
 *       evicts nobody.
 *   <li>One that is over stays as it is.
 *   <li>One that cannot be carried out, or names a node that there is not, fails before anything is
 *       touched.
 *   <li>It begins unless it is paused: from then on its nodes are those that the selector selected
 *       then, and its deadline counts.
 *   <li>Then {@link DrainStep} goes on, until all its nodes are through.
 * </ol>
 *
 * @param nodeNotes what is to be told about nodes once the status is written
 * @param goesOn whether to decide again as soon as it is
 */
public record DrainPlan(
    List<DrainAction> actions,
    JsonObject withStatus,
    List<Note> notes,
    List<NodeNote> nodeNotes,
    boolean goesOn,
    Optional<Instant> next)
    implements Decision<DrainAction> {

  /** Something to tell about a node. */
  public record NodeNote(JsonObject node, Note note) {}

  public DrainPlan {
    actions = List.copyOf(actions);
    notes = List.copyOf(notes);
    nodeNotes = List.copyOf(nodeNotes);
  }

  public static DrainPlan decide(DrainSnapshot seen, Instant now) {
    DrainStatus status = seen.status();
    if (seen.spec().cancelled()) {
      return cancel(seen, now);
    }
    if (status.phase().isOver()) {
      return nothing(seen);
    }
    if (seen.spec().problem().isPresent()) {
      return failed(seen, "InvalidSpec", seen.spec().problem().get(), now);
    }
    if (status.startTime() != null) {
      return new DrainStep(seen, now).decide();
    }
    return seen.spec().paused() ? waiting(seen, now) : begin(seen, now);
  }

  private static DrainPlan nothing(DrainSnapshot seen) {
    return new DrainPlan(List.of(), seen.drain(), List.of(), List.of(), false, Optional.empty());
  }

  private static DrainPlan cancel(DrainSnapshot seen, Instant now) {
    List<DrainAction> actions = new ArrayList<>();
    for (NodeProgress progress : seen.status().nodes()) {
      DrainNode node = seen.nodes().get(progress.name());
      if (node != null && node.mark().equals(seen.uid())) {
        actions.add(new DrainAction.Uncordon(node));
      }
    }
    if (!actions.isEmpty() || seen.status().phase() == DrainStatus.Phase.CANCELLED) {
      // Its status tells that it is cancelled once nothing is cordoned any more.
      return new DrainPlan(actions, seen.drain(), List.of(), List.of(), false, Optional.empty());
    }
    String message = "cancelled; its nodes are schedulable again, unless others cordoned them";
    DrainStatus before = seen.status();
    DrainStatus after =
        new DrainStatus(
            DrainStatus.Phase.CANCELLED, before.startTime(), now, "", message, before.nodes());
    return written(seen, after, now, Note.normal("Cancelled", message));
  }

  private static DrainPlan waiting(DrainSnapshot seen, Instant now) {
    DrainStatus status =
        new DrainStatus(
            DrainStatus.Phase.PAUSED, null, null, "", "paused before it began", List.of());
    return new DrainPlan(
        List.of(),
        status.placeIn(seen.drain(), now),
        List.of(),
        List.of(),
        false,
        Optional.empty());
  }

  private static DrainPlan begin(DrainSnapshot seen, Instant now) {
    Set<String> names = new LinkedHashSet<>(seen.spec().nodes());
    List<String> missing = names.stream().filter(name -> !seen.nodes().containsKey(name)).toList();
    if (!missing.isEmpty()) {
      return failed(seen, "NodesNotFound", "no such node: " + String.join(", ", missing), now);
    }
    for (DrainNode node : seen.nodes().values()) {
      if (seen.spec().nodeSelector().matches(node.labels())) {
        names.add(node.name());
      }
    }
    if (names.isEmpty()) {
      return failed(seen, "NodesNotFound", "spec.nodeSelector selects no node", now);
    }
    String message = "draining " + count(names.size(), "node");
    DrainStatus status =
        new DrainStatus(
            DrainStatus.Phase.RUNNING,
            now,
            null,
            "",
            message,
            names.stream().map(NodeProgress::pending).toList());
    DrainPlan plan = written(seen, status, now, Note.normal("Started", message));
    return new DrainPlan(
        plan.actions, plan.withStatus, plan.notes, plan.nodeNotes, true, plan.next);
  }

  private static DrainPlan failed(DrainSnapshot seen, String reason, String why, Instant now) {
    DrainStatus before = seen.status();
    DrainStatus after =
        new DrainStatus(
            DrainStatus.Phase.FAILED, before.startTime(), now, reason, why, before.nodes());
    return written(seen, after, now, Note.warning(reason, why));
  }

  private static DrainPlan written(DrainSnapshot seen, DrainStatus status, Instant now, Note note) {
    return new DrainPlan(
        List.of(),
        status.placeIn(seen.drain(), now),
        List.of(note),
        List.of(),
        false,
        Optional.empty());
  }

  static String count(long many, String what) {
    return many + " " + what + (many == 1 ? "" : "s");
  }
}
