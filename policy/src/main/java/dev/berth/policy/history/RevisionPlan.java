package dev.berth.policy.history;

import dev.berth.model.tree.JsonObject;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * How a set's revisions come to have its template as the latest.
 *
 * <ol>
 *   <li>If the latest revision is the template's, nothing is to be done.
 *   <li>If an older one is, it becomes the latest: it gets the next number. So whoever goes back to
 *       a template goes back to its revision, and the pods that are left of it are up to date.
 *   <li>Otherwise there is a new one, of the next number.
 * </ol>
 *
 * <p>Two revisions may hold one template when one was adopted; then the later one counts.
 */
public sealed interface RevisionPlan {

  /** The template's revision is the latest. */
  record Keep(Revision current) implements RevisionPlan {}

  /** A revision is to become the latest. */
  record Renumber(Revision revision, long number) implements RevisionPlan {}

  /** A new one is to be made. */
  record Create(long number) implements RevisionPlan {}

  Comparator<Revision> OLDEST_FIRST =
      Comparator.comparingLong(Revision::number).thenComparing(Revision::name);

  /** Decides by the template and the revisions that its set owns. */
  static RevisionPlan decide(JsonObject template, Collection<Revision> revisions) {
    Optional<Revision> latest = revisions.stream().max(OLDEST_FIRST);
    long last = latest.map(Revision::number).orElse(0L);
    Optional<Revision> same =
        revisions.stream().filter(r -> RevisionData.matches(r.data(), template)).max(OLDEST_FIRST);
    if (same.isEmpty()) {
      return new Create(last + 1);
    }
    return same.get().number() == last && same.equals(latest)
        ? new Keep(same.get())
        : new Renumber(same.get(), last + 1);
  }

  /**
   * The revisions that are too many, the oldest first. Those that somebody uses stay and do not
   * count. Unlike upstream, that is the same for DaemonSets and StatefulSets.
   *
   * @param used whether pods are of a revision, or the set names it in its status
   */
  static List<Revision> beyond(
      Collection<Revision> revisions, Predicate<Revision> used, long limit) {
    List<Revision> idle = revisions.stream().filter(used.negate()).sorted(OLDEST_FIRST).toList();
    return idle.subList(0, Math.clamp(idle.size() - limit, 0, idle.size()));
  }
}
