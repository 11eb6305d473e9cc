package dev.berth.controllers.cronjob;

import dev.berth.client.InformerSet;
import dev.berth.client.Resources;
import dev.berth.controllers.owned.KnownObjects;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Starts jobs at the times that cron jobs say; {@link dev.berth.policy.cronjob.CronJobDecision}
 * says when and what else. This class hears of cron jobs and jobs, and knows which cron jobs to
 * look at; {@link CronJobLook} looks at one.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable.
 */
public final class CronJobs implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "cronjob-controller";

  private static final String KIND = "CronJob";
  private static final String API_VERSION = "batch/v1";

  private final Loop loop;
  private final InformerSet informers;
  private final KnownObjects cronJobs = new KnownObjects();
  private final OwnedObjects jobs;
  private final CronJobLook looks;

  private CronJobs(ControllerParts parts) {
    Time time = parts.time();
    loop = time.start(ACCOUNT);
    jobs = new OwnedObjects(time);
    looks = new CronJobLook(parts, loop, cronJobs, jobs);
    informers = new InformerSet(parts.informers(), loop, this::synced, parts.warnings());
    informers.on(Resources.CRON_JOBS, this::cronJobChanged).on(Resources.JOBS, this::jobChanged);
  }

  public static CronJobs start(ControllerParts parts) {
    CronJobs controller = new CronJobs(parts);
    controller.informers.start();
    return controller;
  }

  /** An object that says what kind it is, which those in lists of some servers do not. */
  static JsonObject named(JsonObject cronJob) {
    return cronJob.with("kind", KIND).with("apiVersion", API_VERSION);
  }

  private void synced() {
    cronJobs.values().forEach(cronJob -> looks.queue().add(ObjectName.of(cronJob)));
  }

  /** Until everything is heard of, jobs may seem to be missing that are not. */
  private void add(ObjectName name) {
    if (informers.isSynced()) {
      looks.queue().add(name);
    }
  }

  private void cronJobChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    ObjectName name = ObjectName.of(told);
    JsonObject is = after == null ? null : named(after);
    boolean isOwnWrite = is != null && cronJobs.get(name).filter(is::equals).isPresent();
    cronJobs.changed(before, is);
    if (is == null) {
      looks.forget(told);
      return;
    }
    if (before != null && isRescheduled(before, is)) {
      looks.rescheduled(is);
    }
    if (!isOwnWrite) {
      add(name);
    }
  }

  private static boolean isRescheduled(JsonObject before, JsonObject after) {
    JsonObject was = before.object("spec");
    JsonObject is = after.object("spec");
    return !was.text("schedule", "").equals(is.text("schedule", ""))
        || !was.text("timeZone", "").equals(is.text("timeZone", ""));
  }

  private void jobChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    jobs.changed(before, after);
    Optional<ObjectName> was = before == null ? Optional.empty() : cronJobOf(before);
    Optional<ObjectName> is = after == null ? Optional.empty() : cronJobOf(after);
    was.ifPresent(this::add);
    is.ifPresent(this::add);
  }

  private static Optional<ObjectName> cronJobOf(JsonObject job) {
    Metadata metadata = Metadata.of(job);
    return metadata
        .controller()
        .filter(owner -> owner.kind().equals(KIND) && owner.apiVersion().equals(API_VERSION))
        .map(owner -> new ObjectName(metadata.namespace(), owner.name()));
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
