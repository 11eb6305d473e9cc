package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.pod.QosClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What of a pod changes while it runs, each through a path of its own: ephemeral containers, which
 * are added and never go, and the CPU and memory of containers.
 */
final class PodSubresources {
  private static final String EPHEMERAL = "ephemeralContainers";
  private static final List<String> RESIZED = List.of("containers", "initContainers");
  private static final List<String> NOT_FOR_EPHEMERAL =
      List.of(
          "lifecycle",
          "livenessProbe",
          "ports",
          "readinessProbe",
          "resizePolicy",
          "restartPolicy",
          "startupProbe");

  private PodSubresources() {}

  static JsonObject ephemeralContainers(JsonObject pod, JsonObject old) {
    JsonObject spec = FieldRules.keep(EPHEMERAL, old.object("spec"), pod.object("spec"));
    return old.with("spec", PodSpecDefaults.of(spec));
  }

  /** The pod with the amounts that are asked for, container by container; nothing else changes. */
  static JsonObject resized(JsonObject pod, JsonObject old) {
    JsonObject spec = old.object("spec");
    for (String list : RESIZED) {
      JsonArray containers = spec.array(list);
      JsonArray others = pod.object("spec").array(list);
      if (!names(others).equals(names(containers))) {
        // Refused when it is validated.
        return old.with("spec", spec.with(list, others));
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

  /** The containers by their names; of those with one name, the first. */
  private static Map<String, JsonObject> byName(JsonArray containers) {
    Map<String, JsonObject> byName = new HashMap<>();
    containers.objects().forEach(c -> byName.putIfAbsent(c.text("name", ""), c));
    return byName;
  }

  static List<FieldError> validate(JsonObject spec, JsonObject old) {
    List<FieldError> errors = new ArrayList<>();
    if (!spec.array(EPHEMERAL).equals(old.array(EPHEMERAL))) {
      ephemeral(spec, old, errors);
    }
    boolean changed = RESIZED.stream().anyMatch(list -> !spec.array(list).equals(old.array(list)));
    if (changed) {
      resize(spec, old, errors);
    }
    return errors;
  }

  private static void ephemeral(JsonObject spec, JsonObject old, List<FieldError> errors) {
    FieldPath path = PodRules.SPEC.field(EPHEMERAL);
    Map<String, JsonObject> wanted = byName(spec.array(EPHEMERAL));
    for (JsonObject before : old.array(EPHEMERAL).objects()) {
      String name = before.text("name", "");
      JsonObject now = wanted.get(name);
      if (now == null) {
        errors.add(
            FieldError.forbidden(
                path.toString(),
                "existing ephemeral containers \"%s\" may not be removed\n".formatted(name)));
      } else if (!now.equals(before)) {
        errors.add(
            FieldError.forbidden(
                path.toString(),
                "existing ephemeral containers \"%s\" may not be changed\n".formatted(name)));
      }
    }
    Set<String> names = new HashSet<>();
    Stream.of("containers", "initContainers")
        .flatMap(list -> spec.array(list).objects().stream())
        .forEach(container -> names.add(container.text("name", "")));
    Set<String> targets = Set.copyOf(names);
    Set<String> volumes = new HashSet<>();
    spec.array("volumes").objects().forEach(volume -> volumes.add(volume.text("name", "")));
    List<JsonObject> all = spec.array(EPHEMERAL).objects();
    for (int i = 0; i < all.size(); i++) {
      JsonObject container = all.get(i);
      FieldPath at = path.index(i);
      errors.addAll(ContainerValidation.validate(container, volumes, at));
      if (!names.add(container.text("name", ""))) {
        errors.add(FieldError.duplicate(at.field("name").toString(), container.text("name", "")));
      }
      String target = container.text("targetContainerName", "");
      if (!target.isEmpty() && !targets.contains(target)) {
        errors.add(
            new FieldError(
                FieldError.Reason.NOT_FOUND,
                at.field("targetContainerName").toString(),
                target,
                ""));
      }
      for (String field : NOT_FOR_EPHEMERAL) {
        if (container.has(field)) {
          errors.add(
              FieldError.forbidden(
                  at.field(field).toString(), "cannot be set for an Ephemeral Container"));
        }
      }
      if (!container.object("resources").isEmpty()) {
        errors.add(
            FieldError.forbidden(
                at.field("resources").toString(), "cannot be set for an Ephemeral Container"));
      }
    }
  }

  private static void resize(JsonObject spec, JsonObject old, List<FieldError> errors) {
    for (String list : RESIZED) {
      if (!names(spec.array(list)).equals(names(old.array(list)))) {
        errors.add(
            FieldError.forbidden(
                "spec." + list, "containers may not be renamed or reordered on resize"));
        return;
      }
    }
    QosClass before = Qos.of(PodSpecView.read(old));
    QosClass now = Qos.of(PodSpecView.read(spec));
    if (before != now) {
      errors.add(
          FieldError.invalid(
              "spec", now.text(), "Pod QOS Class may not change as a result of resizing"));
    }
    for (String list : RESIZED) {
      List<JsonObject> containers = spec.array(list).objects();
      for (int i = 0; i < containers.size(); i++) {
        FieldPath at = PodRules.SPEC.field(list).index(i);
        JsonObject resources = containers.get(i).object("resources");
        JsonObject had = old.array(list).objects().get(i).object("resources");
        errors.addAll(ResourceValidation.validate(containers.get(i), at));
        for (String kind : List.of("requests", "limits")) {
          onlyCpuAndMemory(resources.object(kind), had.object(kind), at, kind, errors);
        }
        if (!resources.equals(had)
            && list.equals("initContainers")
            && !containers.get(i).text("restartPolicy", "").equals("Always")) {
          errors.add(
              FieldError.forbidden(
                  at.field("resources").toString(),
                  "resources for non-sidecar init containers are immutable"));
        }
      }
    }
  }

  private static void onlyCpuAndMemory(
      JsonObject now, JsonObject had, FieldPath at, String kind, List<FieldError> errors) {
    for (String name : List.of("cpu", "memory")) {
      if (had.has(name) && !now.has(name)) {
        errors.add(
            FieldError.forbidden(
                at.field("resources").field(kind).toString(),
                "resource %s cannot be removed".formatted(kind)));
      }
    }
    if (!now.without("cpu").without("memory").equals(had.without("cpu").without("memory"))) {
      errors.add(FieldError.forbidden("spec", "only cpu and memory resources are mutable"));
    }
  }
}
