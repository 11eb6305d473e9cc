package dev.berth.admission;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Images are pulled each time, so that nobody uses one that only others may pull. */
public final class AlwaysPullImages implements AdmissionPlugin {
  private static final String ALWAYS = "Always";
  private static final List<String> CONTAINERS =
      List.of("initContainers", "containers", "ephemeralContainers");

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (!concerns(request)) {
      return request.object();
    }
    JsonObject spec = request.object().object("spec");
    for (String list : CONTAINERS) {
      spec = FieldRules.each(spec, list, each -> each.with("imagePullPolicy", ALWAYS));
    }
    spec =
        FieldRules.each(
            spec,
            "volumes",
            volume ->
                FieldRules.present(volume, "image", image -> image.with("pullPolicy", ALWAYS)));
    return request.object().with("spec", spec);
  }

  @Override
  public void validate(AdmissionRequest request) {
    if (!concerns(request)) {
      return;
    }
    JsonObject spec = request.object().object("spec");
    for (String list : CONTAINERS) {
      List<JsonObject> containers = spec.array(list).objects();
      for (int i = 0; i < containers.size(); i++) {
        FieldPath path = FieldPath.of("spec", list).index(i).field("imagePullPolicy");
        check(request, path, containers.get(i).text("imagePullPolicy", ""));
      }
    }
    List<JsonObject> volumes = spec.array("volumes").objects();
    for (int i = 0; i < volumes.size(); i++) {
      if (volumes.get(i).has("image")) {
        FieldPath path =
            FieldPath.of("spec", "volumes").index(i).field("image").field("pullPolicy");
        check(request, path, volumes.get(i).object("image").text("pullPolicy", ""));
      }
    }
  }

  private static void check(AdmissionRequest request, FieldPath path, String policy) {
    if (!policy.equals(ALWAYS)) {
      throw ClusterReader.forbidden(
          request, FieldError.notSupported(path.toString(), policy, List.of(ALWAYS)).toString());
    }
  }

  /** A pod that keeps its images keeps its policies. */
  private static boolean concerns(AdmissionRequest request) {
    if (request.deletes() || !request.writesCore("pods")) {
      return false;
    }
    Set<String> known = images(request.old()).collect(Collectors.toSet());
    return request.creates() || !known.containsAll(images(request.object()).toList());
  }

  private static Stream<String> images(JsonObject pod) {
    return CONTAINERS.stream()
        .flatMap(list -> pod.object("spec").array(list).objects().stream())
        .map(container -> container.text("image", ""));
  }
}
