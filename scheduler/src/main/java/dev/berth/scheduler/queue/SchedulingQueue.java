package dev.berth.scheduler.queue;

import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEvent.PodEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The pods that have no node yet, in upstream's queues.
 *
 * <ul>
 *   <li><em>Active</em>: scheduled by priority, then by who was added first.
 *   <li><em>Back-off</em>: worth another attempt, after a delay that doubles with each failure.
 *   <li><em>Unschedulable</em>: refused or {@linkplain FilterPlugin#holds held}, and no event since
 *       then may help it.
 *   <li><em>Gated</em>: has scheduling gates; active when the last is removed.
 *   <li><em>In flight</em>: {@linkplain #pop popped}, until it is {@linkplain #putBack put back},
 *       {@linkplain #done done} or deleted. Events in between count when it is put back.
 * </ul>
 *
 * <p>Owned by the scheduler's loop. It reads no clock and sets no timer: {@link #nextDue} says when
 * to call {@link #pop} again. All of it is soft state, rebuilt from pods without a node. The caller
 * adds only pods of schedulers that it has a profile for.
 */
public final class SchedulingQueue {
  private final QueueSettings settings;
  private final QueueingHints hints;

  private final Map<String, QueueEntry> entries = new HashMap<>();
  private final TreeSet<QueueEntry> active = new TreeSet<>(QueueEntry.BY_PRIORITY);
  private final TreeSet<QueueEntry> backoff = new TreeSet<>(QueueEntry.BY_BACKOFF);

  /** Those in back-off whose last attempt failed by an error: they are never tried early. */
  private final TreeSet<QueueEntry> errorBackoff = new TreeSet<>(QueueEntry.BY_BACKOFF);

  private final UnschedulablePods unschedulable;
  private final InFlightPods inFlight = new InFlightPods();
  private int gated;
  private long nextNumber;

  public SchedulingQueue(QueueSettings settings, QueueingHints hints) {
    this.settings = settings;
    this.hints = hints;
    this.unschedulable = new UnschedulablePods(hints);
  }

  /** Adds a pod that has no node, or takes note of its new revision. Returns where it is now. */
  public QueuePart add(PodInfo pod, Instant now) {
    if (entries.containsKey(pod.uid())) {
      return update(pod, now);
    }
    QueueEntry entry = new QueueEntry(pod, now, nextNumber++);
    entries.put(pod.uid(), entry);
    ready(entry, now);
    return entry.part;
  }

  /**
   * Takes note of a pod's new revision, which may wake it: its last gate is gone, or it was changed
   * so that plugins that refused it may allow a node now. A pod that is not here is added.
   */
  public QueuePart update(PodInfo pod, Instant now) {
    QueueEntry entry = entries.get(pod.uid());
    if (entry == null) {
      return add(pod, now);
    }
    if (entry.pod.isScheduledLike(pod)) {
      // Mostly a change of its status, which we wrote ourselves.
      entry.pod = pod;
      return entry.part;
    }
    ClusterEvent change = new PodEvent(ClusterEventKind.WAITING_POD_CHANGED, entry.pod, pod);
    QueuePart part = entry.part;
    if (part == QueuePart.IN_FLIGHT) {
      entry.pod = pod;
      inFlight.log(change);
      return part;
    }
    takeOut(entry);
    entry.pod = pod;
    entry.priority = pod.priority();
    switch (part) {
      case ACTIVE, GATED -> ready(entry, now);
      case BACKOFF -> retry(entry, now);
      case UNSCHEDULABLE -> {
        if (hints.mayHelp(entry.refusing, pod, change)) {
          retry(entry, now);
        } else {
          place(entry, QueuePart.UNSCHEDULABLE);
        }
      }
      case IN_FLIGHT, NONE -> throw new IllegalStateException("cannot be " + part);
    }
    return entry.part;
  }

  /** Forgets a pod: it was deleted, got a node, or is another scheduler's now. */
  public void delete(String uid) {
    QueueEntry entry = entries.remove(uid);
    if (entry != null) {
      takeOut(entry);
    }
  }

  /** Where a pod is. */
  public QueuePart part(String uid) {
    QueueEntry entry = entries.get(uid);
    return entry == null ? QueuePart.NONE : entry.part;
  }

  /** Takes out the first active pod; null if there is none. */
  public @Nullable QueuedPod pop(Instant now) {
    wakeDue(now);
    QueueEntry entry = active.pollFirst();
    if (entry == null && settings.idleSkipsBackoff()) {
      entry = backoff.pollFirst();
    }
    if (entry == null) {
      return null;
    }
    entry.attempts++;
    entry.activated = false;
    entry.part = QueuePart.IN_FLIGHT;
    inFlight.add(entry);
    Instant arrived = entry.firstReady;
    return new QueuedPod(entry.pod, entry.attempts, arrived == null ? now : arrived);
  }

  /**
   * Puts back a pod that was popped and could not be placed; does nothing if it was deleted
   * meanwhile.
   *
   * @param refusing the plugins that refused it; none if it failed by an error, which is tried
   *     again after a back-off whatever happens
   */
  public QueuePart putBack(PodInfo pod, Set<String> refusing, Instant now) {
    QueueEntry entry = entries.get(pod.uid());
    if (entry == null || entry.part != QueuePart.IN_FLIGHT) {
      return entry == null ? QueuePart.NONE : entry.part;
    }
    entry.since = now;
    entry.number = nextNumber++;
    entry.priority = entry.pod.priority();
    entry.refusing = Set.copyOf(refusing);
    entry.errors = refusing.isEmpty() ? entry.errors + 1 : 0;
    entry.refusals += refusing.isEmpty() ? 0 : 1;
    entry.backoffUntil =
        now.plus(settings.backoff(entry.hasFailed() ? entry.errors : entry.refusals));
    boolean again = entry.hasFailed() || helpedMeanwhile(entry);
    inFlight.remove(entry);
    if (entry.activated && !entry.hasFailed()) {
      ready(entry, now);
    } else if (again) {
      retry(entry, now);
    } else {
      place(entry, QueuePart.UNSCHEDULABLE);
    }
    return entry.part;
  }

  private boolean helpedMeanwhile(QueueEntry entry) {
    return inFlight.anySince(
        entry,
        event ->
            !isAboutAnotherWaitingPod(entry, event)
                && !isItself(entry, event)
                && hints.mayHelp(entry.refusing, entry.pod, event));
  }

  private static boolean isAboutAnotherWaitingPod(QueueEntry entry, ClusterEvent event) {
    return event.kind() == ClusterEventKind.WAITING_POD_CHANGED
        && event instanceof PodEvent change
        && change.after() != null
        && !change.after().isSamePodAs(entry.pod);
  }

  /** Whether it is the pod itself that a node is no longer kept for. */
  private static boolean isItself(QueueEntry entry, ClusterEvent event) {
    return event instanceof PodEvent(ClusterEventKind kind, PodInfo before, var _)
        && kind == ClusterEventKind.NOMINATION_GONE
        && before != null
        && before.isSamePodAs(entry.pod);
  }

  /** A pod that was popped has its node: it is not put back. */
  public void done(String uid) {
    QueueEntry entry = entries.get(uid);
    if (entry != null && entry.part == QueuePart.IN_FLIGHT) {
      delete(uid);
    }
  }

  /** Wakes the pods that an event may help. Returns how many these are. */
  public int handle(ClusterEvent event, Instant now) {
    inFlight.log(event);
    int woken = 0;
    for (QueueEntry entry : unschedulable.helpedBy(event)) {
      takeOut(entry);
      retry(entry, now);
      woken++;
    }
    return woken;
  }

  /**
   * Makes a pod active, whatever it waits for: its nomination was cleared, say. One that is being
   * scheduled is active again when it is put back.
   */
  public void activate(String uid, Instant now) {
    QueueEntry entry = entries.get(uid);
    if (entry == null) {
      return;
    }
    switch (entry.part) {
      case BACKOFF, UNSCHEDULABLE -> {
        takeOut(entry);
        ready(entry, now);
      }
      case IN_FLIGHT -> entry.activated = true;
      case ACTIVE, GATED, NONE -> {}
    }
  }

  /** When, at the latest, {@link #pop} may find a pod that it does not find now. */
  public Optional<Instant> nextDue() {
    Instant due = null;
    for (TreeSet<QueueEntry> waiting : List.of(backoff, errorBackoff)) {
      if (!waiting.isEmpty()) {
        due = earlier(due, waiting.first().backoffUntil);
      }
    }
    QueueEntry oldest = unschedulable.oldest();
    if (oldest != null) {
      due = earlier(due, retryAt(oldest));
    }
    return Optional.ofNullable(due);
  }

  private Instant retryAt(QueueEntry entry) {
    return entry.since.plus(settings.maxUnschedulable());
  }

  private static Instant earlier(@Nullable Instant known, Instant other) {
    return known == null || other.isBefore(known) ? other : known;
  }

  /** The UIDs of all that are here, wherever they are. */
  public Set<String> pods() {
    return Set.copyOf(entries.keySet());
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
    for (TreeSet<QueueEntry> waiting : List.of(backoff, errorBackoff)) {
      while (!waiting.isEmpty() && !waiting.first().backoffUntil.isAfter(now)) {
        QueueEntry entry = waiting.first();
        takeOut(entry);
        ready(entry, now);
      }
    }
    for (QueueEntry oldest = unschedulable.oldest();
        oldest != null && !retryAt(oldest).isAfter(now);
        oldest = unschedulable.oldest()) {
      takeOut(oldest);
      retry(oldest, now);
    }
  }

  /** To be tried when its back-off is over, which may be now. */
  private void retry(QueueEntry entry, Instant now) {
    if (entry.backoffUntil.isAfter(now)) {
      place(entry, QueuePart.BACKOFF);
    } else {
      ready(entry, now);
    }
  }

  /** To be tried, unless it is gated, or held by a plugin until an event may help it. */
  private void ready(QueueEntry entry, Instant now) {
    if (entry.pod.hasSchedulingGates()) {
      place(entry, QueuePart.GATED);
      return;
    }
    String holding = hints.holding(entry.pod);
    if (!holding.isEmpty()) {
      entry.refusing = Set.of(holding);
      entry.since = now;
      place(entry, QueuePart.UNSCHEDULABLE);
      return;
    }
    if (entry.firstReady == null) {
      entry.firstReady = now;
    }
    place(entry, QueuePart.ACTIVE);
  }

  private void place(QueueEntry entry, QueuePart part) {
    entry.part = part;
    switch (part) {
      case ACTIVE -> active.add(entry);
      case BACKOFF -> (entry.hasFailed() ? errorBackoff : backoff).add(entry);
      case UNSCHEDULABLE -> unschedulable.add(entry);
      case GATED -> gated++;
      case IN_FLIGHT, NONE -> throw new IllegalStateException("not a place: " + part);
    }
  }

  private void takeOut(QueueEntry entry) {
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
