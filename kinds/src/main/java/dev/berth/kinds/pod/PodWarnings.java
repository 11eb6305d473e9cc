package dev.berth.kinds.pod;

import dev.berth.kinds.resource.AddressWarnings;
import dev.berth.kinds.resource.NodeLabelWarnings;
import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.TreeMemo;
import java.util.ArrayList;
import java.util.List;

/**
 * What whoever creates a pod is told about it. Nothing is said about changes: people seldom change
 * pods, and components do so all the time.
 */
final class PodWarnings implements ObjectWarnings {

  /** Of pods without annotations, for which they are the same as for all of their template. */
  private static final TreeMemo<List<String>> OF_SPEC = new TreeMemo<>(PodWarnings::ofSpec);

  private static List<String> ofSpec(JsonObject spec) {
    List<String> warnings = new ArrayList<>();
    PodSpecWarnings.add(JsonObject.of("spec", spec), FieldPath.ROOT, warnings);
    return List.copyOf(warnings);
  }

  @Override
  public List<String> beforePreparation(JsonObject pod) {
    JsonObject spec = pod.object("spec");
    JsonObject annotations = Metadata.of(pod).annotations();
    List<String> warnings = new ArrayList<>();
    if (!annotations.isEmpty() && !spec.object("os").text("name", "").equals("windows")) {
      PodContainers.of(spec, FieldPath.ROOT)
          .forEach(placed ->
              AnnotationWarnings.appArmor(
                  placed.container(), spec, annotations, FieldPath.ROOT, warnings));
    }
    return warnings;
  }

  @Override
  public List<String> onCreate(JsonObject pod) {
    List<String> warnings = new ArrayList<>();
    List<String> problems = NameRules.dns1123Label(Metadata.of(pod).name());
    if (!problems.isEmpty()) {
      warnings.add(
          "metadata.name: this is used in the Pod's hostname, which can result in surprising"
              + " behavior; a DNS label is recommended: ["
              + String.join(" ", problems)
              + "]");
    }
    if (Metadata.of(pod).annotations().isEmpty()) {
      warnings.addAll(OF_SPEC.of(pod.object("spec")));
    } else {
      PodSpecWarnings.add(pod, FieldPath.ROOT, warnings);
    }
    return warnings;
  }

  @Override
  public List<String> onSubresource(String subresource, JsonObject pod, JsonObject old) {
    List<String> warnings = new ArrayList<>();
    if (subresource.equals("status")) {
      for (String list : List.of("podIPs", "hostIPs")) {
        List<JsonObject> addresses = pod.object("status").array(list).objects();
        for (int i = 0; i < addresses.size(); i++) {
          FieldPath at = FieldPath.of("status", list).index(i).field("ip");
          AddressWarnings.address(at, addresses.get(i).text("ip", ""), warnings);
        }
      }
    }
    return warnings;
  }

  /** About a node selector of a pod, a field for each label. */
  static void nodeSelector(JsonObject labels, FieldPath at, List<String> warnings) {
    for (String label : labels.names()) {
      NodeLabelWarnings.of(label)
          .ifPresent(why -> warnings.add("%s: %s".formatted(at.key(label), why)));
    }
  }
}
