package dev.berth.controllers.job;

import dev.berth.client.InformerSet;
import dev.berth.client.Resources;
import dev.berth.controllers.Controller;
import dev.berth.controllers.ControllerParts;
import dev.berth.controllers.RetryingRequests;
import dev.berth.controllers.WorkQueue;
import dev.berth.controllers.owned.KnownObjects;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.owned.Selectors;
import dev.berth.model.core.Condition;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.job.JobConditions;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs the pods of jobs to their end; {@link dev.berth.policy.job.JobPlan} says what that takes.
 * This class hears of jobs and pods, and knows which jobs to look at; {@link JobLook} looks at one,
 * and {@link StrayPods} frees pods that no job will count.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable.
 *
 * <ol>
 *   <li>A job that is new or has changed is looked at at once. What happens to its pods waits a
 *       little, so that the status of a job with many pods is not written for each of them.
 *   <li>Jobs are listed before pods: a pod that a job has counted must not seem to be tracked
 *       still.
 *   <li>Pods that nobody controls are compared with the jobs of their namespace when they or their
 *       labels are new, and a job looks for such pods when it is new or has changed.
 * </ol>
 */
public final class Jobs implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "job-controller";

  /** A job with more pods than this waits longer for more to happen. */
  private static final int MANY = 50;

  private static final Duration PACE = Duration.ofMillis(50);
  private static final Duration PACE_OF_MANY = Duration.ofMillis(300);
  private static final int FREED_AT_ONCE = 16;
  private static final String API_VERSION = "batch/v1";
  private static final String KIND = "Job";

  private final Loop loop;
  private final InformerSet jobInformer;
  private final InformerSet podInformer;
  private final KnownObjects jobs = new KnownObjects();
  private final OwnedObjects pods;
  private final WorkQueue queue;
  private final JobLook looks;
  private final StrayPods strays;
  private final Selectors selectors = new Selectors();

  private Jobs(ControllerParts parts) {
    Time time = parts.time();
    this.loop = time.start(ACCOUNT);
    this.pods = new OwnedObjects(time);
    this.looks = new JobLook(parts, loop, new Heard(jobs, pods));
    this.queue = looks.queue();
    this.strays =
        new StrayPods(
            new PodRequests(parts.api()),
            new RetryingRequests(loop, time, FREED_AT_ONCE),
            jobs,
            pods);
    this.podInformer = new InformerSet(parts.informers(), loop, this::synced, parts.warnings());
    this.jobInformer =
        new InformerSet(parts.informers(), loop, podInformer::start, parts.warnings());
    podInformer.on(Resources.PODS, this::podChanged);
    jobInformer.on(Resources.JOBS, this::jobChanged);
  }

  public static Jobs start(ControllerParts parts) {
    Jobs controller = new Jobs(parts);
    controller.jobInformer.start();
    return controller;
  }

  /** A job that says what it is, which those in lists of some servers do not. */
  static JsonObject named(JsonObject job) {
    return job.with("kind", KIND).with("apiVersion", API_VERSION);
  }

  static boolean isJob(OwnerReference owner) {
    return owner.kind().equals(KIND) && owner.apiVersion().equals(API_VERSION);
  }

  /** Which pods a job is about; none if that cannot be told. */
  static LabelSelector selector(JsonObject job) {
    try {
      return LabelSelector.fromTree(job.object("spec").get("selector"));
    } catch (SelectorException _) {
      return LabelSelector.NOTHING;
    }
  }

  private void synced() {
    jobs.values().forEach(job -> queue.add(ObjectName.of(job)));
  }

  /** Until everything is heard of, pods may seem to be missing that are not. */
  private void add(ObjectName name) {
    if (podInformer.isSynced()) {
      queue.add(name);
    }
  }

  private void jobChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject was = before == null ? null : named(before);
    JsonObject is = after == null ? null : named(after);
    if (was != null && (is == null || !uid(was).equals(uid(is)))) {
      gone(was);
      was = null;
    }
    if (is == null) {
      return;
    }
    ObjectName name = ObjectName.of(is);
    boolean isOwnWrite = jobs.get(name).filter(is::equals).isPresent();
    jobs.changed(was, is);
    if (was == null || !was.object("spec").equals(is.object("spec"))) {
      selectors.put(name, selector(is));
      looks.lookForOrphans(uid(is));
    }
    if (JobConditions.isFinished(is)) {
      looks.forget(uid(is));
      strays.left(pods.of(uid(is)));
    } else if (!isOwnWrite) {
      add(name);
    }
  }

  private void gone(JsonObject job) {
    jobs.changed(job, null);
    selectors.remove(ObjectName.of(job));
    looks.forget(uid(job));
    strays.left(pods.of(uid(job)));
  }

  private static String uid(JsonObject object) {
    return Metadata.of(object).uid();
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    pods.changed(before, after);
    Optional<ObjectName> was = before == null ? Optional.empty() : jobOf(before);
    Optional<ObjectName> is = after == null ? Optional.empty() : jobOf(after);
    if (was.isPresent() && !was.equals(is)) {
      later(was.get(), before);
    }
    if (after == null) {
      return;
    }
    strays.look(after);
    if (is.isPresent()) {
      if (before == null || isNews(before, after)) {
        later(is.get(), after);
      }
    } else if (Metadata.of(after).controller().isEmpty()) {
      offer(before, after);
    }
  }

  private static Optional<ObjectName> jobOf(JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    return metadata
        .controller()
        .filter(Jobs::isJob)
        .map(owner -> new ObjectName(metadata.namespace(), owner.name()));
  }

  private static boolean isNews(JsonObject before, JsonObject after) {
    Metadata was = Metadata.of(before);
    Metadata is = Metadata.of(after);
    JsonObject statusBefore = before.object("status");
    JsonObject status = after.object("status");
    return !statusBefore.text("phase", "").equals(status.text("phase", ""))
        || was.isBeingDeleted() != is.isBeingDeleted()
        || !was.labels().equals(is.labels())
        || !was.finalizers().equals(is.finalizers())
        || isReady(statusBefore) != isReady(status)
        || restarts(statusBefore) != restarts(status);
  }

  private static boolean isReady(JsonObject status) {
    return Conditions.isTrue(status.array("conditions"), Condition.READY);
  }

  private static long restarts(JsonObject status) {
    return status.array("containerStatuses").objects().stream()
        .mapToLong(c -> c.integer("restartCount").orElse(0))
        .sum();
  }

  private void later(ObjectName job, @Nullable JsonObject pod) {
    if (podInformer.isSynced() && pod != null) {
      String owner = Metadata.of(pod).controller().map(OwnerReference::uid).orElse("");
      queue.addAfter(job, pods.of(owner).size() > MANY ? PACE_OF_MANY : PACE);
    }
  }

  /** Somebody may want a pod that nobody controls. */
  private void offer(@Nullable JsonObject before, JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    boolean isKnown =
        before != null
            && Metadata.of(before).controller().isEmpty()
            && Metadata.of(before).labels().equals(metadata.labels());
    if (isKnown || metadata.isBeingDeleted()) {
      return;
    }
    for (ObjectName name : selectors.matching(metadata.namespace(), metadata.labels())) {
      jobs.get(name).ifPresent(job -> looks.lookForOrphans(uid(job)));
      add(name);
    }
  }

  @Override
  public void close() {
    jobInformer.close();
    podInformer.close();
    loop.close();
  }
}
