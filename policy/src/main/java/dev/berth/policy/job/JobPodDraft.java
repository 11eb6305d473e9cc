package dev.berth.policy.job;

import dev.berth.model.batch.JobSpec;
import dev.berth.model.batch.JobView;
import dev.berth.model.core.PodTemplate;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.owner.FromTemplate;

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

  private final String name;
  private final JsonObject pod;
  private final boolean countsFailures;

  public JobPodDraft(JobView job) {
    JobSpec spec = job.readSpec();
    PodTemplate template = new PodTemplate(spec.template());
    PodTemplate told = spec.isIndexed() ? template.withVariable(VARIABLE, FROM_LABEL) : template;
    this.name = job.metadata().name();
    this.countsFailures = spec.perIndex().isPresent();
    this.pod = Metadata.withFinalizer(FromTemplate.pod(job.tree(), told.tree()), JobPod.FINALIZER);
  }

  public JsonObject make(NewPod of) {
    if (of.index() == JobPod.NO_INDEX) {
      return pod;
    }
    String index = Long.toString(of.index());
    String suffix = "-" + index + "-";
    String prefix = name.substring(0, Math.min(name.length(), LONGEST_GENERATED - suffix.length()));
    return Metadata.update(
            pod,
            metadata ->
                metadata
                    .with("generateName", prefix + suffix)
                    .update("labels", l -> l.with(WellKnownLabels.JOB_COMPLETION_INDEX, index))
                    .update("annotations", a -> annotated(a, of)))
        .update("spec", spec -> spec.with("hostname", name + "-" + index));
  }

  private JsonObject annotated(JsonObject others, NewPod of) {
    JsonObject annotations =
        others.with(WellKnownAnnotations.JOB_COMPLETION_INDEX, Long.toString(of.index()));
    if (countsFailures) {
      annotations = annotations.with(JobPod.FAILURES, Long.toString(of.failures()));
      if (of.ignoredFailures() > 0) {
        annotations =
            annotations.with(JobPod.IGNORED_FAILURES, Long.toString(of.ignoredFailures()));
      }
    }
    return annotations;
  }
}
