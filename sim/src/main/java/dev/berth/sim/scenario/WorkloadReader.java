package dev.berth.sim.scenario;

import dev.berth.hollow.HollowAnnotations;
import dev.berth.model.config.ConfigFields;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.core.TolerationOperator;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes Kubernetes objects of a workload that a scenario describes in a few words. */
final class WorkloadReader {
  private static final Set<String> FIELDS =
      Set.of(
          "name",
          "namespace",
          "kind",
          "replicas",
          "requests",
          "limits",
          "tolerations",
          "nodeSelector",
          "affinity",
          "topologySpreadConstraints",
          "spread",
          "priorityClassName",
          "terminationGracePeriod",
          "runFor",
          "usage",
          "labels",
          "budget",
          "start",
          "stop");
  private static final List<String> KINDS =
      List.of("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job");

  private final ConfigFields fields;

  WorkloadReader(ConfigFields fields) {
    this.fields = fields;
  }

  Workload read() {
    fields.onlyHas(FIELDS);
    String name = fields.text("name", "");
    if (name.isEmpty()) {
      fields.required("name", "a workload needs a name");
    }
    String kind = fields.text("kind", "Deployment");
    if (!KINDS.contains(kind)) {
      fields.invalid("kind", kind, "must be " + String.join(", ", KINDS));
    }
    List<JsonObject> objects = new ArrayList<>();
    objects.add(workload(kind, name));
    if (fields.has("budget")) {
      objects.add(budget(name));
    }
    Duration start = Values.duration(fields, "start").orElse(Duration.ZERO);
    Optional<Duration> stop = Values.duration(fields, "stop");
    if (stop.filter(end -> end.compareTo(start) <= 0).isPresent()) {
      fields.invalid("stop", Spans.text(stop.get()), "must be after the start");
    }
    return new Workload(objects, start, stop);
  }

  private JsonObject metadata(String name) {
    return new JsonObject.Builder()
        .put("name", name)
        .put("namespace", fields.text("namespace", "default"))
        .build();
  }

  private JsonObject workload(String kind, String name) {
    JsonObject.Builder spec = new JsonObject.Builder();
    long replicas = fields.inRange("replicas", 1, 0, 1_000_000);
    boolean isJob = kind.equals("Job");
    if (isJob) {
      spec.put("parallelism", replicas).put("completions", replicas);
    } else {
      spec.put("selector", JsonObject.of("matchLabels", labels(name)));
      if (!kind.equals("DaemonSet")) {
        spec.put("replicas", replicas);
      }
    }
    if (kind.equals("StatefulSet")) {
      spec.put("serviceName", name);
    }
    spec.put("template", template(name, isJob));
    return new JsonObject.Builder()
        .put("apiVersion", isJob ? "batch/v1" : "apps/v1")
        .put("kind", kind)
        .put("metadata", metadata(name))
        .put("spec", spec.build())
        .build();
  }

  private JsonObject labels(String name) {
    return JsonObject.of("app", name);
  }

  private JsonObject template(String name, boolean isJob) {
    JsonObject labels = labels(name).withMissing(Values.labels(fields.object("labels")));
    JsonObject.Builder metadata = new JsonObject.Builder().put("labels", labels);
    JsonObject.Builder annotations = new JsonObject.Builder();
    Values.duration(fields, "runFor")
        .ifPresent(span -> annotations.put(HollowAnnotations.RUN_FOR, Spans.text(span)));
    ConfigFields usage = fields.object("usage");
    usage.onlyHas(Set.of("memory"));
    Values.amount(usage, "memory")
        .ifPresent(memory -> annotations.put(HollowAnnotations.MEMORY_USED, memory));
    JsonObject given = annotations.build();
    if (!given.isEmpty()) {
      metadata.put("annotations", given);
    }
    return new JsonObject.Builder()
        .put("metadata", metadata.build())
        .put("spec", pod(name, isJob))
        .build();
  }

  private JsonObject pod(String name, boolean isJob) {
    JsonObject.Builder pod = new JsonObject.Builder();
    pod.put("containers", JsonArray.of(container()));
    if (isJob) {
      pod.put("restartPolicy", "Never");
    }
    Values.duration(fields, "terminationGracePeriod")
        .ifPresent(span -> pod.put("terminationGracePeriodSeconds", span.toSeconds()));
    copy("nodeSelector", pod);
    copy("affinity", pod);
    copy("priorityClassName", pod);
    JsonArray tolerations = tolerations();
    if (!tolerations.isEmpty()) {
      pod.put("tolerations", tolerations);
    }
    if (fields.has("spread")) {
      pod.put("topologySpreadConstraints", spread(name));
    } else {
      copy("topologySpreadConstraints", pod);
    }
    return pod.build();
  }

  /** What is written as in any pod. */
  private void copy(String name, JsonObject.Builder pod) {
    if (fields.has(name)) {
      pod.putIfPresent(name, fields.tree().get(name));
    }
  }

  private JsonObject container() {
    JsonObject.Builder resources = new JsonObject.Builder();
    JsonObject requests = Values.amounts(fields.object("requests"));
    JsonObject limits = Values.amounts(fields.object("limits"));
    if (!requests.isEmpty()) {
      resources.put("requests", requests);
    }
    if (!limits.isEmpty()) {
      resources.put("limits", limits);
    }
    return new JsonObject.Builder()
        .put("name", "main")
        .put("image", "simulated")
        .put("resources", resources.build())
        .build();
  }

  /** {@code spread: zone} or {@code spread: node}. */
  private JsonArray spread(String name) {
    String over = fields.text("spread", "");
    String key =
        switch (over) {
          case "zone" -> WellKnownLabels.ZONE;
          case "node" -> WellKnownLabels.HOSTNAME;
          default -> {
            fields.invalid("spread", over, "must be zone or node");
            yield "";
          }
        };
    return JsonArray.of(
        new JsonObject.Builder()
            .put("maxSkew", 1L)
            .put("topologyKey", key)
            .put("whenUnsatisfiable", "ScheduleAnyway")
            .put("labelSelector", JsonObject.of("matchLabels", labels(name)))
            .build());
  }

  private JsonArray tolerations() {
    List<Object> all = new ArrayList<>();
    JsonArray list = fields.array("tolerations");
    for (int i = 0; i < list.size(); i++) {
      switch (list.get(i)) {
        case JsonObject tree -> all.add(tree);
        case String text -> toleration(text).ifPresent(each -> all.add(each.toTree()));
        case Object other ->
            fields.invalid(
                "tolerations", other, "must be tolerations or texts such as key:NoExecute");
      }
    }
    return JsonArray.copyOf(all);
  }

  /** {@code key=value:Effect}, {@code key:Effect}, {@code key}; with {@code for 30s} after it. */
  private Optional<Toleration> toleration(String text) {
    int span = text.indexOf(" for ");
    String what = span < 0 ? text : text.substring(0, span);
    Optional<Taint> taint = Values.taint(fields, "tolerations", what.strip(), false);
    if (taint.isEmpty()) {
      return Optional.empty();
    }
    Taint wanted = taint.get();
    Toleration toleration =
        new Toleration(
            wanted.key(),
            wanted.value().isEmpty() ? TolerationOperator.EXISTS : TolerationOperator.EQUAL,
            wanted.value(),
            wanted.effect() == TaintEffect.UNKNOWN ? null : wanted.effect(),
            null);
    if (span < 0) {
      return Optional.of(toleration);
    }
    String seconds = text.substring(span + " for ".length()).strip();
    Optional<Duration> lasts = Values.duration(seconds);
    if (lasts.isEmpty()) {
      fields.invalid("tolerations", text, "\"" + seconds + "\" must be a duration such as 30s");
    }
    return lasts.map(time -> toleration.seconds(time.toSeconds()));
  }

  private JsonObject budget(String name) {
    ConfigFields budget = fields.object("budget");
    budget.onlyHas(Set.of("minAvailable", "maxUnavailable"));
    JsonObject.Builder spec =
        new JsonObject.Builder().put("selector", JsonObject.of("matchLabels", labels(name)));
    if (budget.has("minAvailable") == budget.has("maxUnavailable")) {
      budget.required("minAvailable", "a budget has either minAvailable or maxUnavailable");
    }
    for (String limit : List.of("minAvailable", "maxUnavailable")) {
      spec.putIfPresent(limit, budget.tree().get(limit));
    }
    return new JsonObject.Builder()
        .put("apiVersion", "policy/v1")
        .put("kind", "PodDisruptionBudget")
        .put("metadata", metadata(name))
        .put("spec", spec.build())
        .build();
  }
}
