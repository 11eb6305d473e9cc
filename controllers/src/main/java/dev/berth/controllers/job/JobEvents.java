package dev.berth.controllers.job;

import dev.berth.client.ApiResult;
import dev.berth.client.EventRecorder;
import dev.berth.controllers.ControllerParts;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.job.JobStatus;
import dev.berth.time.Loop;

/**
 * What is told of jobs, with upstream's reasons. A job of few pods at a time has an event for each;
 * one of many has one that counts them.
 */
final class JobEvents {
  private static final int FEW = 20;

  private final EventRecorder events;

  JobEvents(ControllerParts parts, Loop loop) {
    this.events =
        new EventRecorder(parts.api(), loop, parts.time(), Jobs.ACCOUNT, parts.instance());
  }

  void created(JsonObject job, JsonObject pod) {
    tell(job, pod, "SuccessfulCreate", "Create", "Created pod: ");
  }

  void deleted(JsonObject job, JsonObject pod) {
    tell(job, pod, "SuccessfulDelete", "Delete", "Deleted pod: ");
  }

  private void tell(JsonObject job, JsonObject pod, String reason, String action, String note) {
    boolean few = job.object("spec").integer("parallelism").orElse(1) <= FEW;
    events.record(
        new EventRecorder.EventDetails(
            job,
            few ? pod : JsonObject.EMPTY,
            EventRecorder.Type.NORMAL,
            reason,
            action,
            note + Metadata.of(pod).name()));
  }

  void notCreated(JsonObject job, ApiResult.Failure why) {
    String note = "Error creating: " + why.message();
    events.record(job, EventRecorder.Type.WARNING, "FailedCreate", "Create", note);
  }

  void notDeleted(JsonObject job, ApiResult.Failure why) {
    String note = "Error deleting: " + why.message();
    events.record(job, EventRecorder.Type.WARNING, "FailedDelete", "Delete", note);
  }

  void tell(JsonObject job, JobStatus.Event event) {
    events.record(
        job,
        event.isWarning() ? EventRecorder.Type.WARNING : EventRecorder.Type.NORMAL,
        event.reason(),
        "Sync",
        event.message());
  }
}
