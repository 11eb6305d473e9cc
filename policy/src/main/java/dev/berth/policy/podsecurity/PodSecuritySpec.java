package dev.berth.policy.podsecurity;

import dev.berth.model.core.PodReferences;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What the standards look at: a pod, or the template of one. */
public record PodSecuritySpec(JsonObject annotations, JsonObject spec) {

  /** Reads a pod or a template. */
  public static PodSecuritySpec of(JsonObject pod) {
    return new PodSecuritySpec(Metadata.of(pod).annotations(), pod.object("spec"));
  }

  /** All of them: those that come first, then those that stay, then those added later. */
  List<JsonObject> containers() {
    List<JsonObject> all = new ArrayList<>();
    PodReferences.CONTAINER_LISTS.forEach(list -> all.addAll(spec.array(list).objects()));
    return all;
  }

  /** The names of the containers that something is true of. */
  List<String> containersThat(Predicate<JsonObject> holds) {
    return containers().stream().filter(holds).map(c -> c.text("name", "")).toList();
  }

  JsonObject securityContext() {
    return securityContext(spec);
  }

  static JsonObject securityContext(JsonObject ofWhat) {
    return ofWhat.object("securityContext");
  }

  boolean isOfWindows() {
    return spec.object("os").text("name", "").equals("windows");
  }

  boolean hasOwnUsers() {
    return !spec.flag("hostUsers", true);
  }
}
