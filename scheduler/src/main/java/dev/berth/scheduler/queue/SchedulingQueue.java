package dev.berth.scheduler.queue;

import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.plugin.ClusterEventKind;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The pods that have no node yet, and whose turn it is.
 *
 * <ul>
 *   <li><em>Active</em>: tried by priority, then by who came first.
 *   <li><em>Back-off</em>: worth another try, but not before a while that doubles with each
 *       failure.
 *   <li><em>Unschedulable</em>: refused, and nothing has happened since that may change it.
 *   <li><em>Gated</em>: has scheduling gates; tried when the last is removed.
 *   <li><em>In flight</em>: {@linkplain #pop taken out}, until it is {@linkplain #putBack put
 *       back}, {@linkplain #done done} or deleted. What happens meanwhile counts when it is put
 *       back.
 * </ul>
 *
 * <p>Owned by the scheduler's loop. It reads no clock and sets no timer: {@link #nextDue} says when
 * to look again. All of it is soft state, rebuilt from pods without a node. The caller adds only
 * pods of schedulers that it has a profile for.
 */
public final class SchedulingQueue {
  private final QueueSettings settings;
  private final Hints hints;

  private final Map<String, Entry> entries = new HashMap<>();
  private final TreeSet<Entry> active = new TreeSet<>(Entry.BY_TURN);
  private final TreeSet<Entry> backoff = new TreeSet<>(Entry.BY_BACKOFF);

  /** Those of the back-off that met errors: they are not tried early. */
  private final TreeSet<Entry> errorBackoff = new TreeSet<>(Entry.BY_BACKOFF);

  private final Unschedulable unschedulable;
  private final InFlight inFlight = new InFlight();
  private int gated;
  private long numbers;

  public SchedulingQueue(QueueSettings settings, Hints hints) {
    this.settings = settings;
    this.hints = hints;
    this.unschedulable = new Unschedulable(hints);
  }

  /** Adds a pod that has no node, or takes note of its new revision. Returns where it is now. */
  public QueuePart add(PodInfo pod, Instant now) {
    if (entries.containsKey(pod.uid())) {
      return update(pod, now);
    }
    Entry entry = new Entry(pod, now, numbers++);
    entries.put(pod.uid(), entry);
    ready(entry, now);
    return entry.part;
  }

  /**
   * Takes note of a pod's new revision, which may wake it: its last gate is gone, or it was changed
   * in something that matters to those who refused it. A pod that is not here is added.
   */
  public QueuePart update(PodInfo pod, Instant now) {
    Entry entry = entries.get(pod.uid());
    if (entry == null) {
      return add(pod, now);
    }
    if (isAlike(entry.pod, pod)) {
      // Mostly its status, which we wrote ourselves.
      entry.pod = pod;
      return entry.part;
    }
    ClusterEvent change =
        new ClusterEvent(ClusterEventKind.WAITING_POD_CHANGED, entry.pod.tree(), pod.tree());
    QueuePart part = entry.part;
    if (part == QueuePart.IN_FLIGHT) {
      entry.pod = pod;
      inFlight.happened(change);
      return part;
    }
    takeOut(entry);
    entry.pod = pod;
    entry.priority = pod.priority();
    switch (part) {
      case ACTIVE, GATED -> ready(entry, now);
      case BACKOFF -> retry(entry, now);
      case UNSCHEDULABLE -> {
        if (hints.mayHelp(entry.refusing, new WaitingPod(pod), change)) {
          retry(entry, now);
        } else {
          place(entry, QueuePart.UNSCHEDULABLE);
        }
      }
      case IN_FLIGHT, NONE -> throw new IllegalStateException("cannot be " + part);
    }
    return entry.part;
  }

  /** Whether two revisions of a pod are the same to whoever places it. */
  private static boolean isAlike(PodInfo before, PodInfo after) {
    return before.tree().object("spec").equals(after.tree().object("spec"))
        && before.labels().equals(after.labels());
  }

  /** Forgets a pod: it was deleted, got a node, or is another scheduler's now. */
  public void delete(String uid) {
    Entry entry = entries.remove(uid);
    if (entry != null) {
      takeOut(entry);
    }
  }

  /** Where a pod is. */
  public QueuePart part(String uid) {
    Entry entry = entries.get(uid);
    return entry == null ? QueuePart.NONE : entry.part;
  }

  /** Takes out the pod whose turn it is; null if there is none to be tried now. */
  public @Nullable QueuedPod pop(Instant now) {
    wakeDue(now);
    Entry entry = active.pollFirst();
    if (entry == null && settings.idleSkipsBackoff()) {
      entry = backoff.pollFirst();
    }
    if (entry == null) {
      return null;
    }
    entry.attempts++;
    entry.part = QueuePart.IN_FLIGHT;
    inFlight.add(entry);
    Instant arrived = entry.firstReady;
    return new QueuedPod(entry.pod, entry.attempts, arrived == null ? now : arrived);
  }

  /**
   * Puts back a pod that was taken out and could not be placed; does nothing if it was deleted
   * meanwhile.
   *
   * @param refusing the plugins that refused it; none if it failed by an error, which is tried
   *     again after a back-off whatever happens
   */
  public QueuePart putBack(PodInfo pod, Set<String> refusing, Instant now) {
    Entry entry = entries.get(pod.uid());
    if (entry == null || entry.part != QueuePart.IN_FLIGHT) {
      return entry == null ? QueuePart.NONE : entry.part;
    }
    entry.since = now;
    entry.number = numbers++;
    entry.priority = entry.pod.priority();
    entry.refusing = Set.copyOf(refusing);
    entry.errors = refusing.isEmpty() ? entry.errors + 1 : 0;
    entry.refusals += refusing.isEmpty() ? 0 : 1;
    entry.backoffUntil =
        now.plus(settings.backoff(entry.metError() ? entry.errors : entry.refusals));
    boolean again = entry.metError() || helpedMeanwhile(entry);
    inFlight.remove(entry);
    if (again) {
      retry(entry, now);
    } else {
      place(entry, QueuePart.UNSCHEDULABLE);
    }
    return entry.part;
  }

  private boolean helpedMeanwhile(Entry entry) {
    if (!inFlight.anythingSince(entry)) {
      return false;
    }
    WaitingPod waiting = new WaitingPod(entry.pod);
    return inFlight.anySince(
        entry,
        event ->
            (event.kind() != ClusterEventKind.WAITING_POD_CHANGED || isOf(entry, event.object()))
                && hints.mayHelp(entry.refusing, waiting, event));
  }

  private static boolean isOf(Entry entry, @Nullable JsonObject pod) {
    return pod != null && pod.object("metadata").text("uid", "").equals(entry.uid());
  }

  /** A pod that was taken out has its node: it does not come back. */
  public void done(String uid) {
    Entry entry = entries.get(uid);
    if (entry != null && entry.part == QueuePart.IN_FLIGHT) {
      delete(uid);
    }
  }

  /**
   * Wakes the pods that something that happened may help.
   *
   * @param before the object before; null if it was not there, or is not known
   * @param after the object now; null if it is gone
   * @return how many were woken
   */
  public int happened(
      ClusterEventKind kind, @Nullable JsonObject before, @Nullable JsonObject after, Instant now) {
    ClusterEvent event = new ClusterEvent(kind, before, after);
    inFlight.happened(event);
    int woken = 0;
    for (Entry entry : unschedulable.helpedBy(event)) {
      takeOut(entry);
      retry(entry, now);
      woken++;
    }
    return woken;
  }

  /** Lets a pod be tried now, whatever it waits for; for when an attempt to make room failed. */
  public void activate(String uid, Instant now) {
    Entry entry = entries.get(uid);
    if (entry != null
        && (entry.part == QueuePart.BACKOFF || entry.part == QueuePart.UNSCHEDULABLE)) {
      takeOut(entry);
      ready(entry, now);
    }
  }

  /** When, at the latest, {@link #pop} may find a pod that it does not find now. */
  public Optional<Instant> nextDue() {
    Instant due = null;
    for (TreeSet<Entry> waiting : List.of(backoff, errorBackoff)) {
      if (!waiting.isEmpty()) {
        due = earlier(due, waiting.first().backoffUntil);
      }
    }
    Entry oldest = unschedulable.oldest();
    if (oldest != null) {
      due = earlier(due, retryAt(oldest));
    }
    return Optional.ofNullable(due);
  }

  private Instant retryAt(Entry entry) {
    return entry.since.plus(settings.maxUnschedulable());
  }

  private static Instant earlier(@Nullable Instant known, Instant other) {
    return known == null || other.isBefore(known) ? other : known;
  }

  public QueueSizes sizes() {
    return new QueueSizes(
        active.size(),
        backoff.size() + errorBackoff.size(),
        unschedulable.size(),
        gated,
        inFlight.size());
  }

  // Moving between the parts.

  private void wakeDue(Instant now) {
    for (TreeSet<Entry> waiting : List.of(backoff, errorBackoff)) {
      while (!waiting.isEmpty() && !waiting.first().backoffUntil.isAfter(now)) {
        Entry entry = waiting.first();
        takeOut(entry);
        ready(entry, now);
      }
    }
    for (Entry oldest = unschedulable.oldest();
        oldest != null && !retryAt(oldest).isAfter(now);
        oldest = unschedulable.oldest()) {
      takeOut(oldest);
      retry(oldest, now);
    }
  }

  /** To be tried when its back-off is over, which may be now. */
  private void retry(Entry entry, Instant now) {
    if (entry.backoffUntil.isAfter(now)) {
      place(entry, QueuePart.BACKOFF);
    } else {
      ready(entry, now);
    }
  }

  /** To be tried, unless it is gated. */
  private void ready(Entry entry, Instant now) {
    if (entry.gated()) {
      place(entry, QueuePart.GATED);
      return;
    }
    if (entry.firstReady == null) {
      entry.firstReady = now;
    }
    place(entry, QueuePart.ACTIVE);
  }

  private void place(Entry entry, QueuePart part) {
    entry.part = part;
    switch (part) {
      case ACTIVE -> active.add(entry);
      case BACKOFF -> (entry.metError() ? errorBackoff : backoff).add(entry);
      case UNSCHEDULABLE -> unschedulable.add(entry);
      case GATED -> gated++;
      case IN_FLIGHT, NONE -> throw new IllegalStateException("not a place: " + part);
    }
  }

  private void takeOut(Entry entry) {
    switch (entry.part) {
      case ACTIVE -> active.remove(entry);
      case BACKOFF -> {
        backoff.remove(entry);
        errorBackoff.remove(entry);
      }
      case UNSCHEDULABLE -> unschedulable.remove(entry);
      case GATED -> gated--;
      case IN_FLIGHT -> inFlight.remove(entry);
      case NONE -> {}
    }
    entry.part = QueuePart.NONE;
  }
}
