package dev.berth.model.batch;

import dev.berth.model.core.Condition;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WireTime;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A Job, read where it stands in the tree, each field when it is asked for. */
public record JobView(JsonObject tree) {
  /** Who manages a job whose specification names nobody. */
  public static final String CONTROLLER = "kubernetes.io/job-controller";

  public static final String COMPLETE = "Complete";
  public static final String FAILED = "Failed";

  /** It will be complete once its pods are gone. */
  public static final String SUCCESS_CRITERIA_MET = "SuccessCriteriaMet";

  /** It will have failed once its pods are gone. */
  public static final String FAILURE_TARGET = "FailureTarget";

  public static final String SUSPENDED = "Suspended";

  public Metadata metadata() {
    return Metadata.of(tree);
  }

  private JsonObject spec() {
    return tree.object("spec");
  }

  private JsonObject status() {
    return tree.object("status");
  }

  private JsonObject uncounted() {
    return status().object("uncountedTerminatedPods");
  }

  /** The specification, read as a whole. */
  public JobSpec readSpec() {
    return JobSpec.read(spec());
  }

  /** {@code NonIndexed} or {@code Indexed}. */
  public String completionMode() {
    return spec().text("completionMode", "NonIndexed");
  }

  /** Whether somebody else manages it. */
  public boolean isManagedByAnother() {
    return !spec().text("managedBy", CONTROLLER).equals(CONTROLLER);
  }

  /** How long it stays once it has finished; for ever if it does not say. */
  public Optional<Duration> ttlAfterFinished() {
    return JobSpec.seconds(spec(), "ttlSecondsAfterFinished");
  }

  /** The conditions as the tree has them. */
  public JsonArray conditions() {
    return status().array("conditions");
  }

  /** A condition that is true. */
  public Optional<Condition> whenTrue(String type) {
    return isTrue(type)
        ? Conditions.find(conditions(), type).map(Condition::read)
        : Optional.empty();
  }

  private boolean isTrue(String type) {
    return Conditions.isTrue(conditions(), type);
  }

  public boolean isComplete() {
    return isTrue(COMPLETE);
  }

  public boolean isFailed() {
    return isTrue(FAILED);
  }

  /** Whether it is complete or has failed. */
  public boolean isFinished() {
    return isComplete() || isFailed();
  }

  /** Whether it is said how it will end. */
  public boolean isEnding() {
    return isTrue(SUCCESS_CRITERIA_MET) || isTrue(FAILURE_TARGET);
  }

  /** When it has finished; empty if it has not, or does not say. */
  public Optional<Instant> finishedAt() {
    return whenTrue(COMPLETE).or(() -> whenTrue(FAILED)).map(Condition::lastTransitionTime);
  }

  /** Since when it is active; empty if it is not. */
  public Optional<Instant> startTime() {
    return Optional.ofNullable(WireTime.read(status(), "startTime"));
  }

  public Optional<Instant> completionTime() {
    return Optional.ofNullable(WireTime.read(status(), "completionTime"));
  }

  /** How many pods have succeeded and are counted. */
  public long succeeded() {
    return status().integer("succeeded").orElse(0);
  }

  /** How many pods have failed and are counted. */
  public long failed() {
    return status().integer("failed").orElse(0);
  }

  /** UIDs of pods that have succeeded and are yet to be counted. */
  public List<String> uncountedSucceeded() {
    return uncounted().array("succeeded").texts();
  }

  /** UIDs of pods that have failed and are yet to be counted. */
  public List<String> uncountedFailed() {
    return uncounted().array("failed").texts();
  }

  /** The indexes that have succeeded, such as {@code 0,3-5}. */
  public String completedIndexes() {
    return status().text("completedIndexes", "");
  }

  /** The indexes that have failed. */
  public String failedIndexes() {
    return status().text("failedIndexes", "");
  }
}
