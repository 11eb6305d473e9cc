package dev.berth.model.apps;

import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_DESIRED_REPLICAS;
import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_MAX_REPLICAS;
import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_REVISION;

import dev.berth.model.core.Condition;
import dev.berth.model.core.PodTemplate;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * A ReplicaSet or a ReplicationController, read where it stands in the tree, each field when it is
 * asked for.
 */
public record ReplicaSetView(JsonObject tree) {
  /** The condition that says why pods could not be created or deleted. */
  public static final String REPLICA_FAILURE = "ReplicaFailure";

  public Metadata metadata() {
    return Metadata.of(tree);
  }

  public String name() {
    return metadata().name();
  }

  /** The older kind, whose status says less. */
  public boolean isReplicationController() {
    return tree.text("kind", "").equals("ReplicationController");
  }

  private JsonObject spec() {
    return tree.object("spec");
  }

  /** How many pods it is to have. */
  public long replicas() {
    return spec().integer("replicas").orElse(1);
  }

  public long minReadySeconds() {
    return spec().integer("minReadySeconds").orElse(0);
  }

  /** How long a pod must be ready to be available. */
  public Duration minReady() {
    return Duration.ofSeconds(minReadySeconds());
  }

  /** What its pods are made from, as the tree has it. */
  public JsonObject template() {
    return spec().object("template");
  }

  /** The labels that its pods are made with. */
  public JsonObject templateLabels() {
    return new PodTemplate(template()).labels();
  }

  private long count(String field) {
    return tree.object("status").integer(field).orElse(0);
  }

  /** How many pods it has, as its status counts them. */
  public long statusReplicas() {
    return count("replicas");
  }

  public long readyReplicas() {
    return count("readyReplicas");
  }

  public long availableReplicas() {
    return count("availableReplicas");
  }

  /** How many pods are on their way out, beside those that it has. */
  public long terminatingReplicas() {
    return count("terminatingReplicas");
  }

  /** Whether its status is about what it is to be now. */
  public boolean isObserved() {
    return count("observedGeneration") >= metadata().generation();
  }

  /** The conditions as the tree has them. */
  public JsonArray conditions() {
    return tree.object("status").array("conditions");
  }

  /** Why it has not what it is to have, if it has not. */
  public Optional<Condition> failure() {
    return Conditions.find(conditions(), REPLICA_FAILURE).map(Condition::read);
  }

  /** Which revision of its deployment's template it has; 0 if it does not say. */
  public long revision() {
    return number(DEPLOYMENT_REVISION).orElse(0L);
  }

  /** How many replicas its deployment was to have when it set this one's. */
  public Optional<Long> deploymentReplicas() {
    return number(DEPLOYMENT_DESIRED_REPLICAS);
  }

  /** How many pods its deployment could have when it set this one's replicas. */
  public Optional<Long> deploymentMaxReplicas() {
    return number(DEPLOYMENT_MAX_REPLICAS);
  }

  private Optional<Long> number(String annotation) {
    try {
      return metadata().annotation(annotation).map(Long::parseLong);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** The set with other annotations; itself if they are the same. */
  public ReplicaSetView withAnnotations(JsonObject annotations) {
    return new ReplicaSetView(
        tree.update("metadata", metadata -> metadata.update("annotations", _ -> annotations)));
  }

  /** The set with another number of pods that it is to have. */
  public ReplicaSetView withReplicas(long replicas) {
    return with("replicas", replicas);
  }

  /** The set with another time that its pods must be ready; itself if it is the same. */
  public ReplicaSetView withMinReadySeconds(long seconds) {
    return seconds == minReadySeconds() ? this : with("minReadySeconds", seconds);
  }

  private ReplicaSetView with(String field, long value) {
    return new ReplicaSetView(tree.with("spec", spec().with(field, value)));
  }
}
