package dev.berth.kinds.pod;

import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.policy.taint.TolerationValidation;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the validation of a pod, or of a template's pods, depends on besides the specification: what
 * an older server let in may stay where it is, though nobody may add it.
 *
 * @param isPod whether it is a pod's and not a template's
 * @param tolerations what tolerations may say
 * @param invalidDeletionCost whether the cost of deleting the pod may be no number
 * @param invalidSelectors whether selectors of affinity may have values that no label has
 * @param invalidNodeAffinity whether required node affinity may
 * @param invalidSpreadSelectors whether selectors of spread constraints may be wrong
 * @param olderSpreadKeys whether label keys of spread constraints follow the older rules
 * @param indivisibleHugePages whether amounts of huge pages may be no multiple of the page
 * @param nonLocalTokenPaths whether tokens may be projected out of their volume
 * @param hostSysctls whether sysctls of namespaces that the pod shares with its host may be set
 * @param anySeLinuxChangePolicy whether the policy may be another than Recursive
 * @param initRestartOnResize whether init containers that end may restart to be resized
 * @param devicesWithoutHostUsers whether devices may be used in a user namespace
 */
public record PodValidationOptions(
    boolean isPod,
    TolerationRules tolerations,
    boolean invalidDeletionCost,
    boolean invalidSelectors,
    boolean invalidNodeAffinity,
    boolean invalidSpreadSelectors,
    boolean olderSpreadKeys,
    boolean indivisibleHugePages,
    boolean nonLocalTokenPaths,
    boolean hostSysctls,
    boolean anySeLinuxChangePolicy,
    boolean initRestartOnResize,
    boolean devicesWithoutHostUsers) {

  /** Of what is new. */
  public static PodValidationOptions of(boolean isPod, TolerationRules tolerations) {
    return new PodValidationOptions(
        isPod,
        tolerations,
        false,
        false,
        false,
        false,
        false,
        false,
        false,
        false,
        false,
        false,
        false);
  }

  /** Of what replaces another. */
  PodValidationOptions replacing(JsonObject annotations, JsonObject old) {
    return new PodValidationOptions(
        isPod,
        TolerationValidation.keeping(old.array("tolerations"), tolerations),
        !PodAnnotationsValidation.isDeletionCost(annotations),
        AffinityValidation.podTerms(old)
            .anyMatch(term -> hasBadSelector(term, "labelSelector", "namespaceSelector")),
        AffinityValidation.hasInvalidRequiredValues(old),
        constraints(old).anyMatch(constraint -> hasBadSelector(constraint, "labelSelector")),
        constraints(old).anyMatch(SpreadValidation::violatesLabelKeys),
        ResourceValidation.hasIndivisibleHugePages(old),
        VolumeValidation.hasNonLocalTokenPath(old),
        SecurityValidation.setsHostSysctl(old),
        old.object("securityContext").has("seLinuxChangePolicy"),
        old.array("initContainers").objects().stream()
            .filter(container -> !container.text("restartPolicy", "").equals("Always"))
            .flatMap(container -> container.array("resizePolicy").objects().stream())
            .anyMatch(policy -> policy.text("restartPolicy", "").equals("RestartContainer")),
        !old.flag("hostUsers", true)
            && Stream.of("containers", "initContainers", "ephemeralContainers")
                .flatMap(list -> old.array(list).objects().stream())
                .anyMatch(container -> !container.array("volumeDevices").isEmpty()));
  }

  /** Of a template that replaces another. */
  public PodValidationOptions replacingTemplate(JsonObject old) {
    return replacing(old.object("metadata").object("annotations"), old.object("spec"));
  }

  private static Stream<JsonObject> constraints(JsonObject spec) {
    return spec.array("topologySpreadConstraints").objects().stream();
  }

  private static boolean hasBadSelector(JsonObject holder, String... fields) {
    return List.of(fields).stream()
        .anyMatch(field ->
            !LabelSelectorForm.validate(holder.object(field), FieldPath.of(field).toString())
                .isEmpty());
  }
}
