package dev.berth.model.core;

import dev.berth.model.tree.JsonObject;

/**
 * A DaemonSet as its controller sees it.
 *
 * @param template the pod template's tree, from which pods are made
 * @param spec the template's specification
 */
public record DaemonSetView(
    String namespace, String name, String uid, JsonObject template, PodSpecView spec) {

  public static DaemonSetView read(JsonObject daemonSet) {
    JsonObject metadata = daemonSet.object("metadata");
    JsonObject template = daemonSet.object("spec").object("template");
    return new DaemonSetView(
        metadata.text("namespace", ""),
        metadata.text("name", ""),
        metadata.text("uid", ""),
        template,
        PodSpecView.read(template.object("spec")));
  }
}
