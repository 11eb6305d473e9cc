package dev.berth.controllers.rootcacertpublisher;

import dev.berth.client.Resources;
import dev.berth.controllers.everynamespace.EveryNamespace;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Keeps the ConfigMap {@code kube-root-ca.crt} in every namespace, with the certificates by which
 * pods know the API server. Whoever changes it finds it changed back.
 */
public final class RootCaPublisher {
  /** The service account under which it works. */
  public static final String ACCOUNT = "root-ca-cert-publisher";

  private static final Duration PERIOD = Duration.ofSeconds(10);
  private static final String NAME = "kube-root-ca.crt";
  private static final String DESCRIPTION = "kubernetes.io/description";
  private static final String DESCRIBED =
      "Contains a CA bundle that can be used to verify the kube-apiserver when using internal"
          + " endpoints such as the internal service IP or kubernetes.default.svc. No other usage"
          + " is guaranteed across distributions of Kubernetes clusters.";

  private RootCaPublisher() {}

  /**
   * Begins to publish.
   *
   * @param certificates in PEM; another text some day if the authority is replaced
   */
  public static Controller start(ControllerParts parts, Supplier<String> certificates) {
    return EveryNamespace.start(parts, "root_ca_cert_publisher", new Bundle(certificates));
  }

  private record Bundle(Supplier<String> certificates) implements EveryNamespace.Wanted {
    @Override
    public GroupVersionResource resource() {
      return Resources.CONFIG_MAPS;
    }

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public JsonObject made() {
      return new JsonObject.Builder()
          .put("kind", "ConfigMap")
          .put("apiVersion", "v1")
          .put("metadata", JsonObject.of("annotations", JsonObject.of(DESCRIPTION, DESCRIBED)))
          .put("data", data())
          .build();
    }

    @Override
    public Optional<Duration> checkedEvery() {
      return Optional.of(PERIOD);
    }

    private JsonObject data() {
      return JsonObject.of("ca.crt", certificates.get());
    }

    @Override
    public Optional<JsonObject> mended(JsonObject found) {
      boolean right =
          found.object("data").equals(data())
              && Metadata.of(found).annotation(DESCRIPTION).filter(DESCRIBED::equals).isPresent();
      return right
          ? Optional.empty()
          : Optional.of(
              Metadata.update(
                      found,
                      metadata ->
                          metadata.with(
                              "annotations",
                              metadata.object("annotations").with(DESCRIPTION, DESCRIBED)))
                  .with("data", data()));
    }
  }
}
