package dev.berth.apiserver;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.bootstrap.ClusterInfoTree;
import dev.berth.model.resource.ObjectName;
import dev.berth.pki.KubeconfigFile;
import dev.berth.registry.Registry;
import dev.berth.registry.Stored;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the cluster is and whom to trust, for machines that are to join, in {@code cluster-info}.
 * Of several servers it names one, and the same for as long as that one lives, whichever was
 * started last.
 */
final class ClusterInfoPublisher {
  private static final Pattern SERVER = Pattern.compile("server: \"?(https://[^\\s\"]+)");

  private final Registry registry;
  private final ServerCertificates certificates;

  ClusterInfoPublisher(Registry registry, ServerCertificates certificates) {
    this.registry = registry;
    this.certificates = certificates;
  }

  /** Names a server. */
  void publish(URI server) {
    new InitialObjects(registry)
        .clusterInfo(KubeconfigFile.withoutUser(server, certificates.trusted()));
  }

  /**
   * Names a server unless one that lives is named.
   *
   * @param living the addresses of those that live
   */
  void publish(URI server, List<String> living) {
    publish(named().filter(other -> living.contains(host(other))).orElse(server));
  }

  private Optional<URI> named() {
    Resource configMaps = registry.catalog().get("", "v1", "configmaps");
    Optional<Stored> found =
        registry.find(configMaps, new ObjectName(ClusterInfoTree.NAMESPACE, ClusterInfoTree.NAME));
    Matcher server =
        SERVER.matcher(
            found
                .map(info -> info.tree().object("data").text(ClusterInfoTree.KUBECONFIG, ""))
                .orElse(""));
    try {
      return server.find() ? Optional.of(URI.create(server.group(1))) : Optional.empty();
    } catch (IllegalArgumentException _) {
      // Somebody else wrote it; it is written anew.
      return Optional.empty();
    }
  }

  private static String host(URI server) {
    return String.valueOf(server.getHost()).replaceAll("[\\[\\]]", "");
  }
}
