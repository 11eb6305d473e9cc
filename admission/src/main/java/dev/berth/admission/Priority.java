package dev.berth.admission;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A pod's priority is that of its class. Who names none has the class that is the default of the
 * cluster, or priority 0 if there is none; nobody sets the number by hand. There is one default at
 * most, and the system's own classes are not deleted.
 */
public final class Priority implements AdmissionPlugin {
  static final Set<String> SYSTEM = Set.of("system-cluster-critical", "system-node-critical");

  private static final String GROUP = "scheduling.k8s.io";
  private static final String PLURAL = "priorityclasses";
  private static final String PREEMPTION = "preemptionPolicy";

  private final ClusterReader cluster;
  private final Resource classes;

  public Priority(Registry registry) {
    this.cluster = new ClusterReader(registry);
    this.classes = registry.catalog().get(GROUP, "v1", PLURAL);
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (request.deletes() || !request.writesCore("pods")) {
      return request.object();
    }
    JsonObject spec = request.object().object("spec");
    spec = request.creates() ? resolved(request, spec) : kept(spec, request.old().object("spec"));
    return request.object().with("spec", spec);
  }

  /** Who replaces a pod by what it once sent does not take its priority away. */
  private static JsonObject kept(JsonObject spec, JsonObject old) {
    JsonObject kept = spec;
    for (String field : List.of("priority", PREEMPTION)) {
      Object before = old.get(field);
      kept = before == null || kept.has(field) ? kept : kept.with(field, before);
    }
    return kept;
  }

  private JsonObject resolved(AdmissionRequest request, JsonObject spec) {
    String name = spec.text("priorityClassName", "");
    Optional<JsonObject> found =
        name.isEmpty() ? globalDefault() : cluster.find(classes, ObjectName.of(name));
    if (found.isEmpty() && !name.isEmpty()) {
      throw ClusterReader.forbidden(request, "no PriorityClass with name " + name + " was found");
    }
    long priority = found.map(c -> c.integer("value").orElse(0)).orElse(0L);
    String preemption =
        found.map(c -> c.text(PREEMPTION, "PreemptLowerPriority")).orElse("PreemptLowerPriority");
    Object ownPriority = spec.get("priority");
    if (ownPriority != null && !Objects.equals(ownPriority, priority)) {
      throw ClusterReader.forbidden(
          request,
          "the integer value of priority (%s) must not be provided in pod spec; priority admission controller computed %d from the given PriorityClass name"
              .formatted(ownPriority, priority));
    }
    String ownPreemption = spec.text(PREEMPTION, "");
    if (!ownPreemption.isEmpty() && !ownPreemption.equals(preemption)) {
      throw ClusterReader.forbidden(
          request,
          "the string value of PreemptionPolicy (%s) must not be provided in pod spec; priority admission controller computed %s from the given PriorityClass name"
              .formatted(ownPreemption, preemption));
    }
    JsonObject named =
        found.isPresent() && name.isEmpty()
            ? spec.with("priorityClassName", Metadata.of(found.get()).name())
            : spec;
    return named.with("priority", priority).with(PREEMPTION, preemption);
  }

  @Override
  public void validate(AdmissionRequest request) {
    if (!request.writes(GROUP, PLURAL)) {
      return;
    }
    if (request.deletes()) {
      if (SYSTEM.contains(request.name().name())) {
        throw ClusterReader.forbidden(
            request, "this is a system priority class and cannot be deleted");
      }
      return;
    }
    Optional<JsonObject> other = globalDefault();
    if (request.object().flag("globalDefault", false) && other.isPresent()) {
      String name = Metadata.of(other.get()).name();
      if (request.creates() || !name.equals(request.name().name())) {
        throw ClusterReader.forbidden(
            request,
            "PriorityClass %s is already marked as default. Only one default can exist"
                .formatted(name));
      }
    }
  }

  /** Two may have been made at the same moment; the lower one counts then. */
  private Optional<JsonObject> globalDefault() {
    return cluster.list(classes, "").stream()
        .filter(c -> c.flag("globalDefault", false))
        .min(Comparator.comparingLong(c -> c.integer("value").orElse(0)));
  }
}
