package dev.berth.admission;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.Failures;

/**
 * A namespace says, in an annotation such as {@code env=prod,disk=ssd}, which nodes its pods are
 * for. A pod's own node selector may say more, but not otherwise.
 */
public final class PodNodeSelector implements AdmissionPlugin {
  private final ClusterReader cluster;

  public PodNodeSelector(Registry registry) {
    this.cluster = new ClusterReader(registry);
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (!request.creates() || !request.writesCore("pods")) {
      return request.object();
    }
    JsonObject wanted = selector(request.name().namespace());
    JsonObject spec = request.object().object("spec");
    JsonObject own = spec.object("nodeSelector");
    for (String key : wanted.names()) {
      String value = wanted.text(key, "");
      if (own.has(key) && !own.text(key, "").equals(value)) {
        throw ClusterReader.forbidden(
            request, "pod node label selector conflicts with its namespace node label selector");
      }
      own = own.with(key, value);
    }
    return wanted.isEmpty()
        ? request.object()
        : request.object().with("spec", spec.with("nodeSelector", own));
  }

  private JsonObject selector(String namespace) {
    String text =
        cluster
            .namespace(namespace)
            .flatMap(n -> Metadata.of(n).annotation(WellKnownAnnotations.NAMESPACE_NODE_SELECTOR))
            .orElse("");
    JsonObject selector = JsonObject.EMPTY;
    for (String pair : text.isBlank() ? new String[0] : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 1) {
        throw Failures.internal(
            "the annotation %s of namespace %s is no list of key=value: %s"
                .formatted(WellKnownAnnotations.NAMESPACE_NODE_SELECTOR, namespace, text));
      }
      selector =
          selector.with(pair.substring(0, equals).strip(), pair.substring(equals + 1).strip());
    }
    return selector;
  }
}
