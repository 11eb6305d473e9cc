package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.pod.QosClass;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * What of a pod changes while it runs, each through a path of its own: ephemeral containers, which
 * are added and never go, and the CPU and memory of containers and of the pod as a whole.
 */
final class PodSubresources {
  private static final String EPHEMERAL = "ephemeralContainers";
  private static final List<String> RESIZED = List.of("containers", "initContainers");
  private static final String ONLY = "only cpu and memory resources are mutable";

  private PodSubresources() {}

  static JsonObject ephemeralContainers(JsonObject pod, JsonObject old) {
    JsonObject spec = FieldRules.keep(EPHEMERAL, old.object("spec"), pod.object("spec"));
    return old.with("spec", DisabledFields.drop(PodDefaults.of(spec), old.object("spec")));
  }

  /** The pod with the amounts that are asked for, container by container; nothing else changes. */
  static JsonObject resized(JsonObject pod, JsonObject old) {
    JsonObject spec = FieldRules.keep("resources", old.object("spec"), pod.object("spec"));
    for (String list : RESIZED) {
      JsonArray containers = spec.array(list);
      JsonArray others = pod.object("spec").array(list);
      if (!names(others).equals(names(containers))) {
        // Refused when it is validated.
        spec = spec.with(list, others);
        continue;
      }
      Iterator<JsonObject> wanted = others.objects().iterator();
      containers = containers.mapObjects(container -> resizedContainer(container, wanted.next()));
      spec = containers.isEmpty() ? spec : spec.with(list, containers);
    }
    return old.with("spec", spec);
  }

  private static JsonObject resizedContainer(JsonObject container, JsonObject wanted) {
    JsonObject changed = FieldRules.keep("resources", container, wanted);
    return FieldRules.keep("resizePolicy", changed, wanted);
  }

  private static List<String> names(JsonArray containers) {
    return containers.objects().stream().map(c -> c.text("name", "")).toList();
  }

  static void ephemeral(JsonObject spec, JsonObject old, FieldErrorList problems) {
    FieldPath path = PodRules.SPEC.field(EPHEMERAL);
    Map<String, JsonObject> wanted = new HashMap<>();
    spec.array(EPHEMERAL).objects().forEach(c -> wanted.put(c.text("name", ""), c));
    for (JsonObject container : old.array(EPHEMERAL).objects()) {
      String name = container.text("name", "");
      JsonObject now = wanted.get(name);
      if (now == null) {
        problems.forbidden(
            path, "existing ephemeral containers \"%s\" may not be removed\n".formatted(name));
        continue;
      }
      JsonObject before = InternalForm.of("EphemeralContainer", container);
      JsonObject after = InternalForm.of("EphemeralContainer", now);
      if (!after.equals(before)) {
        problems.forbidden(
            path,
            "existing ephemeral containers \"%s\" may not be changed\n%s"
                .formatted(name, UnifiedDiff.of(before, after)));
      }
    }
  }

  static void resize(JsonObject pod, JsonObject old, FieldErrorList problems) {
    JsonObject spec = pod.object("spec");
    JsonObject before = old.object("spec");
    FieldPath path = PodRules.SPEC;
    if (before.object("os").text("name", "").equals("windows")) {
      problems.forbidden(FieldPath.ROOT, "windows pods cannot be resized");
      return;
    }
    QosClass was = Qos.of(PodSpecView.read(before));
    if (was != Qos.of(PodSpecView.read(spec))) {
      problems.invalid(
          path,
          pod.object("status").text("qosClass", was.text()),
          "Pod QOS Class may not change as a result of resizing");
    }
    boolean unsupported =
        old.object("status").array("containerStatuses").objects().stream()
            .filter(status -> status.object("state").has("running"))
            .findFirst()
            .map(status -> !status.has("resources"))
            .orElse(false);
    if (unsupported) {
      problems.forbidden(path, "Pod running on node without support for resize");
    }
    ofPod(spec, before, problems);
    int orderProblems = problems.size();
    RESIZED.forEach(list -> order(list, spec.array(list), before.array(list), problems));
    if (problems.size() > orderProblems) {
      return;
    }
    for (String list : RESIZED.reversed()) {
      containers(list, spec.array(list).objects(), before.array(list).objects(), problems);
    }
    for (String list : RESIZED) {
      others(list, spec.array(list).objects(), before.array(list).objects(), problems);
    }
  }

  private static void ofPod(JsonObject spec, JsonObject before, FieldErrorList problems) {
    FieldPath at = PodRules.SPEC.field("resources");
    JsonObject now = spec.object("resources");
    JsonObject had = before.object("resources");
    if (before.has("resources") && !spec.has("resources")) {
      problems.forbidden(at, "pod-level resources cannot be removed");
      return;
    }
    for (String kind : List.of("requests", "limits")) {
      if (removes(now.object(kind), had.object(kind))) {
        problems.forbidden(
            at.field(kind), "pod-level resource %s cannot be removed".formatted(kind));
      }
    }
    if (!otherAmounts(now).equals(otherAmounts(had))
        || !now.array("claims").equals(had.array("claims"))) {
      problems.forbidden(PodRules.SPEC, ONLY + " at pod-level");
    }
  }

  /** What is asked for besides CPU and memory. */
  private static JsonObject otherAmounts(JsonObject resources) {
    return new JsonObject.Builder()
        .put("requests", resources.object("requests").without("cpu").without("memory"))
        .put("limits", resources.object("limits").without("cpu").without("memory"))
        .build();
  }

  private static boolean removes(JsonObject now, JsonObject had) {
    return had.names().stream().anyMatch(name -> !now.has(name));
  }

  private static void order(String list, JsonArray now, JsonArray had, FieldErrorList problems) {
    FieldPath at = PodRules.SPEC.field(list);
    if (now.size() != had.size()) {
      problems.forbidden(at, list + " may not be added or removed on resize");
      return;
    }
    List<String> before = names(had);
    List<String> after = names(now);
    for (int i = 0; i < before.size(); i++) {
      if (!before.get(i).equals(after.get(i))) {
        problems.forbidden(
            at.index(i).field("name"), list + " may not be renamed or reordered on resize");
      }
    }
  }

  private static void containers(
      String list, List<JsonObject> now, List<JsonObject> had, FieldErrorList problems) {
    for (int i = 0; i < had.size(); i++) {
      FieldPath at = PodRules.SPEC.field(list).index(i).field("resources");
      for (String kind : List.of("requests", "limits")) {
        if (removes(
            now.get(i).object("resources").object(kind),
            had.get(i).object("resources").object(kind))) {
          problems.forbidden(at.field(kind), "resource %s cannot be removed".formatted(kind));
        }
      }
    }
  }

  private static void others(
      String list, List<JsonObject> now, List<JsonObject> had, FieldErrorList problems) {
    boolean init = list.equals("initContainers");
    for (int i = 0; i < had.size(); i++) {
      FieldPath at = PodRules.SPEC.field(list).index(i);
      JsonObject container = now.get(i);
      boolean same =
          container.without("resources").equals(had.get(i).without("resources"))
              && otherAmounts(container.object("resources"))
                  .equals(otherAmounts(had.get(i).object("resources")));
      // Kubernetes compares without the new claims, so what has claims cannot be resized at all.
      boolean claims = !had.get(i).object("resources").array("claims").isEmpty();
      if (!same || claims) {
        problems.forbidden(
            init ? at : PodRules.SPEC,
            init
                ? "only cpu and memory resources for init or sidecar containers are mutable"
                : ONLY);
      }
      boolean ends = init && !container.text("restartPolicy", "").equals("Always");
      if (ends && !container.equals(had.get(i))) {
        container.array("resizePolicy").objects().stream()
            .filter(policy -> policy.text("restartPolicy", "").equals("RestartContainer"))
            .forEach(_ ->
                problems.forbidden(
                    at,
                    "non-sidecar init containers with a resize policy of RestartContainer cannot be"
                        + " resized"));
      }
    }
  }
}
