package dev.berth.policy.job;

import dev.berth.model.batch.JobSpec;
import dev.berth.model.batch.JobView;
import dev.berth.model.core.PodPhase;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Decision;
import dev.berth.policy.reconcile.Note;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done about a job.
 *
 * <ol>
 *   <li>A job that ends says so, and then loses its active pods; {@link JobVerdict} says whether it
 *       does.
 *   <li>A job that is being deleted gets no pods any more and loses none here; its pods lose their
 *       finalizers.
 *   <li>A suspended job has no active pods. Otherwise it has as many as it may run at once, but not
 *       more than successes are missing; a job that does not say how many it wants gets no further
 *       ones after the first success.
 *   <li>Of an indexed job each index has one pod at a time, in rising order.
 *   <li>After failures there are none until {@link FailureBackoff} says so: for the whole job, or
 *       for each index if they are judged by themselves. Unlike upstream, indexes that wait do not
 *       keep others waiting.
 *   <li>At most so many come or go by one decision, so that the status tells how it goes on.
 * </ol>
 *
 * @param job what it is about
 * @param pods what is to be done about its pods first, if anything
 * @param status what is to be written if its pods stay as they are
 * @param backoff what is known of failures now
 * @param goesOn whether to look again as soon as the status is written
 * @param next when to look again, even if nothing happens
 */
public record JobPlan(
    JobView job,
    Optional<JobAction> pods,
    JobStatus status,
    FailureBackoff backoff,
    boolean goesOn,
    Optional<Instant> next)
    implements Decision<JobAction> {

  /** How many pods are created or deleted by one decision. */
  static final int BURST = 500;

  @Override
  public List<JobAction> actions() {
    return pods.stream().toList();
  }

  @Override
  public JsonObject withStatus() {
    return job.tree().with("status", status.tree());
  }

  @Override
  public List<Note> notes() {
    return status.events();
  }

  @Override
  public List<JobAction> afterStatus() {
    return status.untrack().isEmpty()
        ? List.of()
        : List.of(new JobAction.Untrack(trees(status.untrack(), Long.MAX_VALUE)));
  }

  public static JobPlan decide(JobSnapshot snapshot, Instant now) {
    JobSpec spec = snapshot.job().readSpec();
    JobTally tally = JobTally.of(snapshot, spec);
    FailureBackoff backoff = FailureBackoff.of(snapshot.backoff(), spec, snapshot.pods());
    Optional<JobVerdict> verdict = JobVerdict.of(snapshot, spec, tally, now);
    JobStatus status = JobStatus.of(snapshot, spec, tally, verdict, now);
    Optional<Instant> deadline =
        verdict.isPresent() ? Optional.empty() : JobVerdict.deadline(snapshot.job(), spec);
    if (verdict.isPresent() || snapshot.isBeingDeleted()) {
      boolean isSaid = verdict.filter(JobVerdict::isSaid).isPresent();
      Optional<JobAction> action =
          isSaid && !tally.active().isEmpty()
              ? Optional.of(new JobAction.End(trees(tally.active(), BURST)))
              : Optional.empty();
      return new JobPlan(
          snapshot.job(), action, status, backoff, verdict.isPresent() && !isSaid, deadline);
    }
    List<JsonObject> surplus = surplus(spec, tally);
    if (!surplus.isEmpty()) {
      Optional<JobAction> action = Optional.of(new JobAction.Remove(surplus));
      return new JobPlan(snapshot.job(), action, status, backoff, false, deadline);
    }
    Missing missing = missing(snapshot, spec, tally, backoff, now);
    Optional<JobAction> action =
        missing.pods().isEmpty()
            ? Optional.empty()
            : Optional.of(new JobAction.Create(missing.pods()));
    Optional<Instant> next =
        missing.next().filter(at -> deadline.isEmpty() || at.isBefore(deadline.get()));
    return new JobPlan(snapshot.job(), action, status, backoff, false, next.or(() -> deadline));
  }

  private static List<JsonObject> trees(List<JobPod> pods, long most) {
    return pods.stream().limit(most).map(JobPod::tree).toList();
  }

  /** How many are to be active. */
  private static long wanted(JobSpec spec, JobTally tally) {
    if (spec.isSuspended()) {
      return 0;
    }
    if (spec.completions().isEmpty()) {
      return tally.succeeded() > 0 ? tally.active().size() : spec.parallelism();
    }
    long left = spec.completions().getAsLong() - tally.succeeded();
    return Math.max(0, Math.min(spec.parallelism(), left));
  }

  /** Pods without an index of their own, and then those that have come least far. */
  private static List<JsonObject> surplus(JobSpec spec, JobTally tally) {
    List<JobPod> active = new ArrayList<>(tally.active());
    active.sort(LEAST_FIRST);
    List<JobPod> left = active;
    List<JobPod> surplus = new ArrayList<>();
    if (spec.isIndexed()) {
      left = new ArrayList<>();
      Set<Long> taken = new HashSet<>();
      for (JobPod pod : active.reversed()) {
        boolean stays = spec.isValid(pod.index()) && taken.add(pod.index());
        (stays ? left : surplus).add(pod);
      }
      left = left.reversed();
    }
    long more = tally.active().size() - wanted(spec, tally) - surplus.size();
    for (int i = 0; i < left.size() && i < more; i++) {
      surplus.add(left.get(i));
    }
    return trees(surplus, BURST);
  }

  /** Not tracked, not assigned to a node, pending, not ready, and the youngest first. */
  private static final Comparator<JobPod> LEAST_FIRST =
      Comparator.comparing(JobPod::isTracked)
          .thenComparing((JobPod pod) -> pod.pod().isBound())
          .thenComparing((JobPod pod) -> pod.phase() == PodPhase.RUNNING)
          .thenComparing(JobPod::isReady)
          .thenComparing(
              (JobPod pod) -> pod.pod().metadata().creationTimestamp().orElse(Instant.EPOCH),
              Comparator.reverseOrder())
          .thenComparing(JobPod::uid);

  /** Pods to make now, and when there will be further ones. */
  private record Missing(List<NewPod> pods, Optional<Instant> next) {}

  private static Missing missing(
      JobSnapshot snapshot, JobSpec spec, JobTally tally, FailureBackoff backoff, Instant now) {
    long going = spec.replacesOnlyFailed() ? tally.terminating() : 0;
    long count = wanted(spec, tally) - tally.active().size() - going;
    if (count <= 0) {
      return new Missing(List.of(), Optional.empty());
    }
    if (spec.perIndex().isEmpty() && backoff.until().isAfter(now)) {
      return new Missing(List.of(), Optional.of(backoff.until()));
    }
    long burst = Math.min(count, BURST);
    if (!spec.isIndexed()) {
      List<NewPod> pods = new ArrayList<>();
      for (long i = 0; i < burst; i++) {
        pods.add(NewPod.WITHOUT_INDEX);
      }
      return new Missing(pods, Optional.empty());
    }
    Set<Long> taken = new HashSet<>();
    tally.active().forEach(pod -> taken.add(pod.index()));
    if (spec.replacesOnlyFailed()) {
      snapshot.pods().stream().filter(JobPod::isTerminating).forEach(pod -> taken.add(pod.index()));
    }
    Optional<Instant> next = Optional.empty();
    for (JobPod held : tally.held().values()) {
      Instant until = FailureBackoff.until(held);
      if (until.isAfter(now)) {
        taken.add(held.index());
        next = next.filter(until::isAfter).or(() -> Optional.of(until));
      }
    }
    taken.remove(JobPod.NO_INDEX);
    Indexes busy =
        tally
            .succeededIndexes()
            .and(Indexes.of(taken))
            .and(tally.failedIndexes().orElse(Indexes.NONE));
    List<NewPod> pods =
        busy.missing(spec.completions().orElse(0), burst).stream()
            .map(index -> inPlaceOf(index, spec, tally.held().get(index)))
            .toList();
    return new Missing(pods, next);
  }

  private static NewPod inPlaceOf(long index, JobSpec spec, @Nullable JobPod held) {
    if (held == null) {
      return new NewPod(index, 0, 0);
    }
    boolean counts = FailurePolicy.counts(spec.failureRules(), held);
    return new NewPod(
        index, held.failures() + (counts ? 1 : 0), held.ignoredFailures() + (counts ? 0 : 1));
  }
}
