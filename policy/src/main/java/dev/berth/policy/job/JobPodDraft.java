package dev.berth.policy.job;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.owner.FromTemplate;
import java.util.ArrayList;
import java.util.List;

/**
 * Pods of a job, as they are to be made: kept by a finalizer until they are counted. A pod with an
 * index says which in a label, in an annotation, in the environment of its containers, in its host
 * name and in its own name.
 */
public final class JobPodDraft {
  private static final String VARIABLE = "JOB_COMPLETION_INDEX";

  /** The server adds five characters to a generated name, of 63 that it may have. */
  private static final int LONGEST_GENERATED = 58;

  private static final JsonObject FROM_LABEL =
      JsonObject.of(
          "fieldRef",
          JsonObject.of(
              "fieldPath", "metadata.labels['" + WellKnownLabels.JOB_COMPLETION_INDEX + "']"));

  private final JsonObject job;
  private final JsonObject pod;
  private final boolean countsFailures;

  public JobPodDraft(JsonObject job) {
    this.job = job;
    JobSpec spec = JobSpec.read(job);
    this.countsFailures = spec.perIndex().isPresent();
    JsonObject made = FromTemplate.pod(job, job.object("spec").object("template"));
    made =
        Metadata.update(
            made,
            metadata -> {
              JsonArray finalizers = metadata.array("finalizers");
              return finalizers.values().contains(JobPod.FINALIZER)
                  ? metadata
                  : metadata.with("finalizers", finalizers.append(JobPod.FINALIZER));
            });
    this.pod = spec.isIndexed() ? made.with("spec", withIndex(made.object("spec"))) : made;
  }

  private static JsonObject withIndex(JsonObject spec) {
    JsonObject told = spec;
    for (String list : List.of("initContainers", "containers")) {
      if (spec.has(list)) {
        List<JsonObject> containers = new ArrayList<>();
        spec.array(list).objects().forEach(container -> containers.add(told(container)));
        told = told.with(list, JsonArray.copyOf(containers));
      }
    }
    return told;
  }

  private static JsonObject told(JsonObject container) {
    JsonArray variables = container.array("env");
    boolean isTold =
        variables.objects().stream().anyMatch(v -> v.text("name", "").equals(VARIABLE));
    JsonObject variable =
        new JsonObject.Builder().put("name", VARIABLE).put("valueFrom", FROM_LABEL).build();
    return isTold ? container : container.with("env", variables.append(variable));
  }

  public JsonObject make(NewPod of) {
    if (of.index() == JobPod.NO_INDEX) {
      return pod;
    }
    String index = Long.toString(of.index());
    String name = Metadata.of(job).name();
    String suffix = "-" + index + "-";
    String prefix = name.substring(0, Math.min(name.length(), LONGEST_GENERATED - suffix.length()));
    JsonObject annotations =
        Metadata.of(pod).annotations().with(WellKnownAnnotations.JOB_COMPLETION_INDEX, index);
    if (countsFailures) {
      annotations = annotations.with(JobPod.FAILURES, Long.toString(of.failures()));
      if (of.ignoredFailures() > 0) {
        annotations =
            annotations.with(JobPod.IGNORED_FAILURES, Long.toString(of.ignoredFailures()));
      }
    }
    JsonObject labels = Metadata.of(pod).labels().with(WellKnownLabels.JOB_COMPLETION_INDEX, index);
    JsonObject metadata =
        pod.object("metadata")
            .with("generateName", prefix + suffix)
            .with("labels", labels)
            .with("annotations", annotations);
    return pod.with("metadata", metadata)
        .with("spec", pod.object("spec").with("hostname", name + "-" + index));
  }
}
