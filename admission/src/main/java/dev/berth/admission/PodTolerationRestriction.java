package dev.berth.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.core.Toleration;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.taint.TolerationMerge;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.Failures;
import java.util.List;
import java.util.Optional;

/**
 * A namespace says, in its annotations, which tolerations its pods get and which they may have at
 * most; where it has no such annotation, a file says it for all. What is given is merged with what
 * the pod has; all of that must be within the whitelist.
 *
 * <p>Upstream answers 500 to a pod outside the whitelist, as if it were the server's fault; Berth
 * answers 403, in upstream's words.
 */
public final class PodTolerationRestriction implements AdmissionPlugin {
  private final ClusterReader cluster;
  private final PodTolerationSettings settings;

  PodTolerationRestriction(Registry registry, PodTolerationSettings settings) {
    this.cluster = new ClusterReader(registry);
    this.settings = settings;
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (!request.creates() || !request.writesCore("pods")) {
      return request.object();
    }
    List<Toleration> given =
        annotated(request, WellKnownAnnotations.DEFAULT_TOLERATIONS).orElse(settings.usual());
    if (given.isEmpty()) {
      return request.object();
    }
    JsonObject spec = request.object().object("spec");
    List<Toleration> own = read(spec.array("tolerations"));
    List<JsonObject> merged =
        TolerationMerge.merge(given, own).stream().map(Toleration::toTree).toList();
    return request.object().with("spec", spec.with("tolerations", JsonArray.copyOf(merged)));
  }

  @Override
  public void validate(AdmissionRequest request) {
    if (request.deletes() || !request.writesCore("pods")) {
      return;
    }
    List<Toleration> own = read(request.object().object("spec").array("tolerations"));
    Optional<List<Toleration>> ofNamespace =
        annotated(request, WellKnownAnnotations.TOLERATIONS_WHITELIST);
    List<Toleration> whitelist = ofNamespace.orElse(settings.whitelist());
    if (!whitelist.isEmpty() && !TolerationMerge.allWithin(own, whitelist)) {
      throw ClusterReader.forbidden(
          request,
          "pod tolerations (possibly merged with namespace default tolerations) conflict with its"
              + " %s whitelist".formatted(ofNamespace.isPresent() ? "namespace" : "cluster"));
    }
  }

  private Optional<List<Toleration>> annotated(AdmissionRequest request, String key) {
    String namespace = request.name().namespace();
    Optional<String> text =
        cluster.namespace(namespace).flatMap(n -> Metadata.of(n).annotation(key));
    if (text.isEmpty() || text.get().isEmpty()) {
      return text.map(_ -> List.of());
    }
    try {
      if (JsonReader.value(text.get().getBytes(UTF_8), JsonLimits.REQUEST)
          instanceof JsonArray tolerations) {
        return Optional.of(read(tolerations));
      }
    } catch (JsonException | ClassCastException _) {
      // Said below, as for every other text that is no list of tolerations.
    }
    throw Failures.internal(
        "the annotation %s of namespace %s is no JSON list of tolerations"
            .formatted(key, namespace));
  }

  private static List<Toleration> read(JsonArray tolerations) {
    return tolerations.objects().stream().map(Toleration::read).toList();
  }
}
