package dev.berth.policy.daemon;

import dev.berth.model.tree.JsonObject;
import dev.berth.policy.daemon.DaemonNode.Outdated;
import dev.berth.policy.daemon.DaemonNode.Reason;
import dev.berth.policy.daemon.DaemonNode.Removal;
import dev.berth.policy.daemon.DaemonNode.Rules;
import dev.berth.policy.daemon.DaemonNode.Verdict;
import dev.berth.policy.reconcile.Decision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is to be done about a DaemonSet.
 *
 * <ol>
 *   <li>Without a revision of its template nothing is.
 *   <li>On each node where something has changed, what {@link DaemonNode} says.
 *   <li>Then outdated pods are replaced, on as many nodes as the strategy has {@linkplain
 *       DaemonStrategy#room room} for once all that is done.
 *   <li>Not more than a thousand pods come and go at once, so that the status tells how far it is,
 *       and what was decided does not get old; the others follow.
 * </ol>
 *
 * @param verdicts for the nodes where something had changed, by name
 */
public record DaemonPlan(
    List<DaemonAction> actions, JsonObject withStatus, Map<String, Verdict> verdicts)
    implements Decision<DaemonAction> {
  private static final int MOST = 1_000;

  /** Each node is looked at again by itself. */
  @Override
  public Optional<Instant> next() {
    return Optional.empty();
  }

  public static DaemonPlan decide(DaemonSnapshot snapshot, Instant now) {
    if (snapshot.revisions().isEmpty()) {
      return new DaemonPlan(List.of(), snapshot.set().tree(), Map.of());
    }
    Rules rules = new Rules(DaemonStrategy.of(snapshot.set()), snapshot.revisions());
    DaemonCounts counts = snapshot.others();
    DaemonCounts afterwards = snapshot.others();
    Map<String, Verdict> verdicts = new LinkedHashMap<>();
    List<String> create = new ArrayList<>();
    List<Removal> remove = new ArrayList<>();
    for (Map.Entry<String, DaemonSnapshot.Node> changed : snapshot.changed().entrySet()) {
      DaemonNode node = changed.getValue().read(snapshot.set(), snapshot.tolerations());
      Verdict verdict = node.decide(rules, now);
      verdicts.put(changed.getKey(), verdict);
      counts = counts.plus(verdict.counts());
      if (verdict.isSettled()) {
        afterwards = afterwards.plus(verdict.counts());
        continue;
      }
      afterwards = afterwards.plus(node.after(verdict).decide(rules, now).counts());
      if (create.size() + remove.size() < MOST) {
        remove.addAll(verdict.removals());
        if (verdict.create()) {
          create.add(changed.getKey());
        }
      }
    }
    int room = rules.strategy().room(afterwards);
    int most = Math.max(0, MOST - create.size() - remove.size());
    if (rules.strategy().surges()) {
      outdated(snapshot, verdicts)
          .filter(Outdated::isReplaced)
          .limit(Math.min(room, most))
          .forEach(old -> create.add(old.pod().node()));
      outdated(snapshot, verdicts)
          .filter(old -> !old.isReplaced())
          .limit(Math.min(rules.strategy().roomToShrink(afterwards), most))
          .forEach(old -> remove.add(new Removal(old.pod(), Reason.OUTDATED)));
    } else {
      outdated(snapshot, verdicts)
          .limit(Math.min(room, most))
          .forEach(old -> remove.add(new Removal(old.pod(), Reason.OUTDATED)));
    }
    return new DaemonPlan(
        create.isEmpty() && remove.isEmpty()
            ? List.of()
            : List.of(new DaemonAction.ManagePods(create, remove)),
        DaemonStatus.of(snapshot.set(), counts, snapshot.collisions()),
        verdicts);
  }

  /** The pods that may be replaced now; not a copy, since there may be many and room for few. */
  private static Stream<Outdated> outdated(DaemonSnapshot snapshot, Map<String, Verdict> verdicts) {
    return Stream.concat(
        snapshot.outdated().values().stream()
            .filter(old -> !verdicts.containsKey(old.pod().node())),
        verdicts.values().stream()
            .filter(Verdict::isSettled)
            .flatMap(verdict -> verdict.outdated().stream()));
  }
}
