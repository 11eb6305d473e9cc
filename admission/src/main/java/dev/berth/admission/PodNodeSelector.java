package dev.berth.admission;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.Failures;
import java.util.Optional;

/**
 * A namespace says, in an annotation such as {@code env=prod,disk=ssd}, which nodes its pods are
 * for; if it does not, a file says it for all. A pod's own node selector may say more, but not
 * otherwise, and no more than the file allows in its namespace.
 */
public final class PodNodeSelector implements AdmissionPlugin {
  private final ClusterReader cluster;
  private final PodNodeSelectorSettings settings;

  PodNodeSelector(Registry registry, PodNodeSelectorSettings settings) {
    this.cluster = new ClusterReader(registry);
    this.settings = settings;
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (!isAbout(request)) {
      return request.object();
    }
    JsonObject merged = merged(request);
    JsonObject spec = request.object().object("spec");
    return merged.equals(spec.object("nodeSelector"))
        ? request.object()
        : request.object().with("spec", spec.with("nodeSelector", merged));
  }

  @Override
  public void validate(AdmissionRequest request) {
    if (isAbout(request)) {
      merged(request);
    }
  }

  private static boolean isAbout(AdmissionRequest request) {
    return request.creates() && request.writesCore("pods");
  }

  /** The pod's selector with what its namespace adds, if both allow it. */
  private JsonObject merged(AdmissionRequest request) {
    String namespace = request.name().namespace();
    JsonObject wanted = selector(namespace);
    JsonObject merged = request.object().object("spec").object("nodeSelector");
    for (String key : wanted.names()) {
      String value = wanted.text(key, "");
      if (merged.has(key) && !merged.text(key, "").equals(value)) {
        throw ClusterReader.forbidden(
            request, "pod node label selector conflicts with its namespace node label selector");
      }
      merged = merged.with(key, value);
    }
    if (!settings.allows(namespace, merged)) {
      throw ClusterReader.forbidden(
          request, "pod node label selector labels conflict with its namespace whitelist");
    }
    return merged;
  }

  private JsonObject selector(String namespace) {
    Optional<String> text =
        cluster
            .namespace(namespace)
            .flatMap(n -> Metadata.of(n).annotation(WellKnownAnnotations.NAMESPACE_NODE_SELECTOR));
    return text.isEmpty()
        ? settings.usual()
        : PodNodeSelectorSettings.labels(text.get())
            .orElseThrow(() ->
                Failures.internal(
                    "the annotation %s of namespace %s is no list of key=value: %s"
                        .formatted(
                            WellKnownAnnotations.NAMESPACE_NODE_SELECTOR, namespace, text.get())));
  }
}
