package dev.berth.admission;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import java.time.Instant;
import java.util.Comparator;

/**
 * New ingresses that do not say which class they want get the default one, if there is one: of
 * several, the newest.
 */
public final class DefaultIngressClass implements AdmissionPlugin {
  private static final String IS_DEFAULT = "ingressclass.kubernetes.io/is-default-class";

  /** By which ingresses said their class before they had a field for it. */
  private static final String CLASS = "kubernetes.io/ingress.class";

  private static final Comparator<Metadata> NEWEST_FIRST =
      Comparator.comparing((Metadata each) -> each.creationTimestamp().orElse(Instant.EPOCH))
          .reversed()
          .thenComparing(Metadata::name);

  private final ClusterReader cluster;
  private final Resource classes;

  public DefaultIngressClass(Registry registry) {
    this.cluster = new ClusterReader(registry);
    this.classes = registry.catalog().get("networking.k8s.io", "v1", "ingressclasses");
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    JsonObject ingress = request.object();
    if (!request.creates()
        || !request.writes("networking.k8s.io", "ingresses")
        || ingress.object("spec").has("ingressClassName")
        || Metadata.of(ingress).annotation(CLASS).isPresent()) {
      return ingress;
    }
    return cluster.list(classes, "").stream()
        .map(Metadata::of)
        .filter(each -> each.annotation(IS_DEFAULT).filter("true"::equals).isPresent())
        .min(NEWEST_FIRST)
        .map(found ->
            ingress.with("spec", ingress.object("spec").with("ingressClassName", found.name())))
        .orElse(ingress);
  }
}
