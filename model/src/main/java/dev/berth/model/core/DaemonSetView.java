package dev.berth.model.core;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;

/**
 * A DaemonSet as its controller sees it.
 *
 * @param tree as it was read
 * @param template the pod template's tree, from which pods are made
 * @param spec the template's specification
 * @param isOnDelete whether pods of older templates are only replaced when somebody deletes them
 * @param minReady how long a pod must have been ready to count as available
 */
public record DaemonSetView(
    JsonObject tree,
    Metadata metadata,
    JsonObject template,
    PodSpecView spec,
    boolean isOnDelete,
    IntOrPercent maxUnavailable,
    IntOrPercent maxSurge,
    Duration minReady) {

  public static DaemonSetView read(JsonObject daemonSet) {
    JsonObject spec = daemonSet.object("spec");
    JsonObject template = spec.object("template");
    JsonObject strategy = spec.object("updateStrategy");
    JsonObject rolling = strategy.object("rollingUpdate");
    return new DaemonSetView(
        daemonSet,
        Metadata.of(daemonSet),
        template,
        PodSpecView.read(template.object("spec")),
        strategy.text("type", "RollingUpdate").equals("OnDelete"),
        IntOrPercent.read(rolling, "maxUnavailable").orElse(new IntOrPercent.Count(1)),
        IntOrPercent.read(rolling, "maxSurge").orElse(new IntOrPercent.Count(0)),
        Duration.ofSeconds(spec.integer("minReadySeconds").orElse(0)));
  }
}
