package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationValidation;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What of a pod's specification may change: images; a deadline, which may be set and brought
 * forward; tolerations, which may be added, and existing ones given other seconds; scheduling
 * gates, which may be removed; a negative grace period, which may become 1; and while there are
 * gates, where the pod may go, which may become narrower.
 */
final class PodUpdateValidation {
  private static final String OTHER_FIELDS =
      "pod updates may not change fields other than `spec.containers[*].image`,"
          + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only"
          + " additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to"
          + " be set to 1 if it was previously negative)\n";
  private static final FieldPath SPEC = PodRules.SPEC;
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

  private final JsonObject spec;
  private final JsonObject old;
  private final PodValidationOptions options;
  private final FieldErrorList problems;

  private PodUpdateValidation(
      JsonObject spec, JsonObject old, PodValidationOptions options, FieldErrorList problems) {
    this.spec = spec;
    this.old = old;
    this.options = options;
    this.problems = problems;
  }

  static void validate(
      JsonObject spec, JsonObject old, PodValidationOptions options, FieldErrorList problems) {
    PodUpdateValidation validation = new PodUpdateValidation(spec, old, options, problems);
    if (!validation.containers("containers")
        || !validation.containers("initContainers")
        || !validation.deadline()) {
      return;
    }
    validation.tolerations();
    validation.gates();
    if (!spec.equals(old)) {
      validation.rest();
    }
  }

  /** Whether there are as many as before, so that the others can be compared. */
  private boolean containers(String list) {
    FieldPath at = SPEC.field(list);
    List<JsonObject> now = spec.array(list).objects();
    if (now.size() != old.array(list).size()) {
      problems.forbidden(at, "pod updates may not add or remove containers");
      return false;
    }
    for (int i = 0; i < now.size(); i++) {
      problems.present(now.get(i), "image", at.index(i));
      ContainerValidation.ofPod(now.get(i), at.index(i), problems);
    }
    return true;
  }

  private boolean deadline() {
    FieldPath at = SPEC.field("activeDeadlineSeconds");
    OptionalLong before = old.integer("activeDeadlineSeconds");
    OptionalLong after = spec.integer("activeDeadlineSeconds");
    if (after.isEmpty()) {
      if (before.isPresent()) {
        problems.invalid(at, JsonNull.NULL, "must not update from a positive integer to nil value");
      }
      return true;
    }
    long seconds = after.getAsLong();
    if (seconds < 0 || seconds > Integer.MAX_VALUE) {
      problems.invalid(at, seconds, "must be between 0 and 2147483647, inclusive");
      return false;
    }
    if (before.isPresent() && before.getAsLong() < seconds) {
      problems.invalid(at, seconds, "must be less than or equal to previous value");
      return false;
    }
    return true;
  }

  private void tolerations() {
    FieldPath at = SPEC.field("tolerations");
    Set<JsonObject> now = new HashSet<>();
    spec.array("tolerations").objects().forEach(tree -> now.add(taintsOf(tree)));
    for (JsonObject tree : old.array("tolerations").objects()) {
      if (!now.contains(taintsOf(tree))) {
        problems.forbidden(
            at, "existing toleration can not be modified except its tolerationSeconds");
        return;
      }
    }
    problems.addAll(
        TolerationValidation.validate(spec.array("tolerations"), at, options.tolerations()));
  }

  /** What a toleration tolerates, not for how long. */
  private static JsonObject taintsOf(JsonObject toleration) {
    return InternalForm.of("Toleration", toleration.without("tolerationSeconds"));
  }

  private void gates() {
    Set<String> before = new HashSet<>();
    old.array("schedulingGates").objects().forEach(gate -> before.add(gate.text("name", "")));
    List<JsonObject> now = spec.array("schedulingGates").objects();
    for (int i = 0; i < now.size(); i++) {
      String name = now.get(i).text("name", "");
      if (!before.contains(name)) {
        problems.forbidden(
            SPEC.field("schedulingGates").index(i).field("name"),
            "only deletion is allowed, but found new scheduling gate '%s'".formatted(name));
      }
    }
  }

  /** Everything else must be as it was. */
  private void rest() {
    JsonObject left = spec;
    for (String field : List.of("activeDeadlineSeconds", "schedulingGates", "tolerations")) {
      left = FieldRules.keep(field, left, old);
    }
    for (String list : List.of("containers", "initContainers")) {
      if (left.has(list)) {
        left = left.with(list, imagesFrom(left.array(list), old.array(list)));
      }
    }
    boolean wasNegative = old.integer("terminationGracePeriodSeconds").orElse(0) < 0;
    if (wasNegative && spec.integer("terminationGracePeriodSeconds").orElse(0) == 1) {
      left = FieldRules.keep("terminationGracePeriodSeconds", left, old);
    }
    if (!old.array("schedulingGates").isEmpty()) {
      left = narrower(left);
    }
    JsonObject before = InternalForm.of("PodSpec", old);
    JsonObject after = InternalForm.of("PodSpec", left);
    if (!before.equals(after)) {
      problems.forbidden(SPEC, OTHER_FIELDS + UnifiedDiff.of(before, after));
    }
  }

  private static JsonArray imagesFrom(JsonArray containers, JsonArray from) {
    Iterator<JsonObject> images = from.objects().iterator();
    return containers.mapObjects(container -> FieldRules.keep("image", container, images.next()));
  }

  /** A pod that is not yet to be scheduled may be given fewer nodes to go to. */
  private JsonObject narrower(JsonObject changed) {
    JsonObject selector = changed.object("nodeSelector");
    JsonObject selectorBefore = old.object("nodeSelector");
    for (String key : selectorBefore.names()) {
      if (!Objects.equals(selectorBefore.get(key), selector.get(key))) {
        problems.invalid(
            SPEC.field("nodeSelector"),
            selector,
            "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
        break;
      }
    }
    JsonObject left = FieldRules.keep("nodeSelector", changed, old);
    JsonObject affinity = changed.object("affinity");
    JsonObject before = old.object("affinity");
    if (Objects.equals(affinity.get("nodeAffinity"), before.get("nodeAffinity"))) {
      return left;
    }
    nodeAffinity(affinity.object("nodeAffinity"), before.object("nodeAffinity"));
    JsonObject same = FieldRules.keep("nodeAffinity", affinity, before);
    return same.isEmpty() && !old.has("affinity")
        ? left.without("affinity")
        : left.with("affinity", same);
  }

  private void nodeAffinity(JsonObject affinity, JsonObject before) {
    FieldPath at =
        SPEC.field("affinity").field("nodeAffinity").field(REQUIRED).field("nodeSelectorTerms");
    JsonArray terms = affinity.object(REQUIRED).array("nodeSelectorTerms");
    JsonArray termsBefore = before.object(REQUIRED).array("nodeSelectorTerms");
    if (!before.has(REQUIRED) || termsBefore.isEmpty()) {
      return;
    }
    if (terms.size() != termsBefore.size()) {
      problems.invalid(
          at,
          InternalForm.listOf("NodeSelectorTerm", terms),
          "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
      return;
    }
    for (int i = 0; i < terms.size(); i++) {
      JsonObject term = terms.objects().get(i);
      if (!onlyAdds(term, termsBefore.objects().get(i))) {
        problems.invalid(
            at.index(i),
            InternalForm.of("NodeSelectorTerm", term),
            "only additions are allowed (no mutations or deletions)");
      }
    }
  }

  private static boolean onlyAdds(JsonObject term, JsonObject before) {
    List<String> lists = List.of("matchExpressions", "matchFields");
    if (lists.stream().allMatch(list -> before.array(list).isEmpty())) {
      return lists.stream().allMatch(list -> term.array(list).isEmpty());
    }
    return lists.stream()
        .allMatch(list -> {
          List<Object> now = term.array(list).values();
          List<Object> had = before.array(list).values();
          return now.size() >= had.size() && now.subList(0, had.size()).equals(had);
        });
  }
}
