package dev.berth.kinds.networking;

import dev.berth.kinds.resource.AddressWarnings;
import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What whoever writes an ingress is told about it. */
final class IngressWarnings implements ObjectWarnings {
  private static final String CLASS = "kubernetes.io/ingress.class";

  @Override
  public List<String> onCreate(JsonObject ingress) {
    boolean annotated = Metadata.of(ingress).annotations().has(CLASS);
    return annotated && !ingress.object("spec").has("ingressClassName")
        ? List.of(
            "annotation \"%s\" is deprecated, please use 'spec.ingressClassName' instead"
                .formatted(CLASS))
        : List.of();
  }

  @Override
  public List<String> onSubresource(String subresource, JsonObject ingress, JsonObject old) {
    return AddressWarnings.ofLoadBalancer(ingress);
  }
}
