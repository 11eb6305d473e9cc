package dev.berth.policy.deployment;

import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_DESIRED_REPLICAS;
import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_MAX_REPLICAS;
import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_REVISION;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** A replica set as its deployment sees it; read from the tree when asked. */
public record SetView(JsonObject tree) {
  static final Comparator<SetView> OLDEST_FIRST =
      Comparator.comparing(SetView::created).thenComparing(SetView::name);

  static final Comparator<SetView> LARGEST_THEN_NEWEST =
      Comparator.comparingLong(SetView::size).reversed().thenComparing(OLDEST_FIRST.reversed());

  static final Comparator<SetView> LARGEST_THEN_OLDEST =
      Comparator.comparingLong(SetView::size).reversed().thenComparing(OLDEST_FIRST);

  static final Comparator<SetView> BY_REVISION =
      Comparator.comparingLong(SetView::revision).thenComparing(OLDEST_FIRST);

  Metadata metadata() {
    return Metadata.of(tree);
  }

  String name() {
    return metadata().name();
  }

  Instant created() {
    return metadata().creationTimestamp().orElse(Instant.MAX);
  }

  /** How many pods it is to have. */
  long size() {
    return tree.object("spec").integer("replicas").orElse(1);
  }

  boolean isActive() {
    return size() > 0;
  }

  JsonObject template() {
    return tree.object("spec").object("template");
  }

  private long count(String field) {
    return tree.object("status").integer(field).orElse(0);
  }

  /** How many pods it has. */
  long replicas() {
    return count("replicas");
  }

  long readyReplicas() {
    return count("readyReplicas");
  }

  long availableReplicas() {
    return count("availableReplicas");
  }

  /** How many pods are on their way out, beside those that it has. */
  long terminatingReplicas() {
    return count("terminatingReplicas");
  }

  /** Why it has not what it is to have, if it has not. */
  Optional<JsonObject> failure() {
    return Conditions.find(
        tree.object("status").array("conditions"), DeploymentConditions.REPLICA_FAILURE);
  }

  long minReadySeconds() {
    return tree.object("spec").integer("minReadySeconds").orElse(0);
  }

  /** The set with other annotations, and another time that its pods must be ready. */
  SetView with(JsonObject annotations, long minReadySeconds) {
    JsonObject changed = tree;
    if (!annotations.equals(metadata().annotations())) {
      changed = Metadata.update(tree, metadata -> metadata.with("annotations", annotations));
    }
    JsonObject spec = tree.object("spec");
    return new SetView(
        minReadySeconds() == minReadySeconds
            ? changed
            : changed.with("spec", spec.with("minReadySeconds", minReadySeconds)));
  }

  /** How many pods it has or is to have, whichever is more: it may not have heard of less yet. */
  long held() {
    return Math.max(size(), replicas());
  }

  /** How many of the pods that it is to have are available. */
  long available() {
    return Math.min(size(), availableReplicas());
  }

  /** Whether its status is about what it is to be now. */
  boolean isObserved() {
    return count("observedGeneration") >= metadata().generation();
  }

  /** Whether pods of it may still run. */
  boolean hasPods() {
    return !isObserved() || replicas() > 0 || terminatingReplicas() > 0;
  }

  long revision() {
    return number(DEPLOYMENT_REVISION).orElse(0L);
  }

  /** How many replicas the deployment was to have when it set this size. */
  Optional<Long> desired() {
    return number(DEPLOYMENT_DESIRED_REPLICAS);
  }

  /** How many pods the deployment could have when it set this size. */
  Optional<Long> most() {
    return number(DEPLOYMENT_MAX_REPLICAS);
  }

  private Optional<Long> number(String annotation) {
    try {
      return metadata().annotation(annotation).map(Long::parseLong);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** The set with another size, and what the deployment was to have then. */
  SetView resized(long size, DeploymentSpec spec) {
    JsonObject annotated =
        Metadata.update(
            tree,
            metadata ->
                metadata.with(
                    "annotations",
                    metadata
                        .object("annotations")
                        .with(DEPLOYMENT_DESIRED_REPLICAS, Long.toString(spec.replicas()))
                        .with(DEPLOYMENT_MAX_REPLICAS, Long.toString(spec.most()))));
    return new SetView(annotated.with("spec", annotated.object("spec").with("replicas", size)));
  }
}
