package dev.berth.agent.join;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Connection.Identity;
import dev.berth.client.kubeconfig.Connection.Trust;
import dev.berth.model.bootstrap.ClusterInfoTree;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.yaml.YamlException;
import dev.berth.model.yaml.YamlReader;
import dev.berth.pki.CertificateHash;
import dev.berth.pki.Certificates;
import dev.berth.pki.DetachedSignature;
import dev.berth.pki.PkiException;
import dev.berth.time.Time;
import java.net.URI;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out whom to trust, with nothing but the address of a cluster, a bootstrap token, and
 * perhaps the hash of the cluster's authority.
 *
 * <ol>
 *   <li>It reads {@code cluster-info}, which everybody may, from a server that it does not trust
 *       yet.
 *   <li>The token's signature proves that whoever wrote it knows the token.
 *   <li>The hash proves that the authority in it is the one that is meant, even to somebody who
 *       thinks that others know the token.
 *   <li>It reads it again from a server that this authority vouches for.
 * </ol>
 */
public final class ClusterDiscovery {
  /** The ConfigMap that says where a cluster is and whom to trust. */
  public static final ObjectName INFO =
      new ObjectName(ClusterInfoTree.NAMESPACE, ClusterInfoTree.NAME);

  private ClusterDiscovery() {}

  /**
   * A cluster that can be trusted.
   *
   * @param server where it wants to be reached
   */
  public record Cluster(URI server, List<X509Certificate> authorities) {
    public Cluster {
      authorities = List.copyOf(authorities);
    }

    public Trust trust() {
      return new Trust.Authorities(authorities, Optional.empty());
    }
  }

  /**
   * Finds a cluster. Blocks.
   *
   * @param addresses of its servers, at least one
   * @param hashes of which the authority must have one; none if the token is proof enough
   * @throws JoinException if there is none there that can be trusted
   */
  public static Cluster discover(
      List<URI> addresses, JoinToken token, Set<String> hashes, Time time) {
    URI address = addresses.getFirst();
    Cluster claimed = verify(read(addresses, new Trust.Anything(), time), token, hashes, address);
    Cluster proved = verify(read(addresses, claimed.trust(), time), token, hashes, address);
    return new Cluster(address, proved.authorities());
  }

  /**
   * Finds a cluster by what its authority is known by alone. Blocks. What it shows of itself is not
   * signed, so that of the authorities in it only those that were named are trusted.
   *
   * @param addresses of its servers, at least one
   * @param hashes of its authorities, at least one
   * @throws JoinException if there is none there that can be trusted
   */
  public static Cluster pinned(List<URI> addresses, Set<String> hashes, Time time) {
    URI address = addresses.getFirst();
    JsonObject claimed = read(addresses, new Trust.Anything(), time);
    Cluster found = parse(kubeconfig(new ClusterInfoTree(claimed), address), address);
    return pinned(new Cluster(address, found.authorities()), hashes);
  }

  static Cluster pinned(Cluster claimed, Set<String> hashes) {
    List<X509Certificate> named =
        claimed.authorities().stream().filter(each -> isNamed(each, hashes)).toList();
    if (named.isEmpty()) {
      throw other(claimed);
    }
    return new Cluster(claimed.server(), named);
  }

  /** Where the cluster's own {@code cluster-info} says that it is; empty if it does not say. */
  public static Optional<URI> address(JsonObject info) {
    try {
      return new ClusterInfoTree(info)
          .kubeconfig()
          .map(kubeconfig -> parse(kubeconfig, URI.create("")).server())
          .filter(server -> server.getHost() != null);
    } catch (JoinException e) {
      return Optional.empty();
    }
  }

  private static JsonObject read(List<URI> addresses, Trust trust, Time time) {
    Connection anonymous =
        new Connection(addresses, trust, new Identity.Anonymous(), ClusterInfoTree.NAMESPACE);
    try (HttpApi api = new HttpApi(anonymous, time, "node")) {
      return switch (api.get(Resources.CONFIG_MAPS, INFO)) {
        case ApiResult.Done(JsonObject info) -> info;
        case ApiResult.Refused refused ->
            throw new JoinException(
                "The cluster at %s does not show its cluster-info: %s"
                    .formatted(addresses.getFirst(), refused.message()));
        case ApiResult.Unreachable unreachable -> throw new JoinException(unreachable.message());
      };
    }
  }

  /** What a ConfigMap says, if it can be trusted. */
  static Cluster verify(JsonObject info, JoinToken token, Set<String> hashes, URI address) {
    ClusterInfoTree tree = new ClusterInfoTree(info);
    String kubeconfig = kubeconfig(tree, address);
    String signature = tree.signatures().get(token.id());
    if (signature == null) {
      throw new JoinException(
          "The cluster at %s knows no bootstrap token with the id %s, or it has expired: make one with"
                  .formatted(address, token.id())
              + " \"berth token create\" there.");
    }
    String expected = DetachedSignature.of(kubeconfig, token.id(), token.secret());
    if (!MessageDigest.isEqual(signature.getBytes(UTF_8), expected.getBytes(UTF_8))) {
      throw new JoinException(
          "The token with the id %s has another secret than the cluster at %s has for it: the token is"
                  .formatted(token.id(), address)
              + " wrong, or that is not the cluster that is meant.");
    }
    Cluster cluster = parse(kubeconfig, address);
    if (!hashes.isEmpty()
        && cluster.authorities().stream().noneMatch(each -> isNamed(each, hashes))) {
      throw other(new Cluster(address, cluster.authorities()));
    }
    return cluster;
  }

  private static String kubeconfig(ClusterInfoTree info, URI address) {
    return info.kubeconfig()
        .orElseThrow(
            () -> new JoinException("The cluster-info at " + address + " has no kubeconfig."));
  }

  private static boolean isNamed(X509Certificate authority, Set<String> hashes) {
    String own = CertificateHash.of(authority);
    return hashes.stream().anyMatch(each -> each.toLowerCase(Locale.ROOT).equals(own));
  }

  private static JoinException other(Cluster found) {
    return new JoinException(
        "The cluster at %s has an authority with the hash %s, not the one of --ca-hash: that is not"
                .formatted(found.server(), CertificateHash.of(found.authorities().getFirst()))
            + " the cluster that is meant.");
  }

  private static Cluster parse(String kubeconfig, URI address) {
    try {
      if (YamlReader.value(kubeconfig.getBytes(UTF_8), JsonLimits.REQUEST, _ -> {})
          instanceof JsonObject config) {
        JsonObject cluster = config.array("clusters").objects().getFirst().object("cluster");
        String pem =
            new String(
                Base64.getMimeDecoder().decode(cluster.text("certificate-authority-data", "")),
                UTF_8);
        return new Cluster(URI.create(cluster.text("server", "")), Certificates.parse(pem));
      }
    } catch (YamlException
        | JsonException
        | PkiException
        | IllegalArgumentException
        | NoSuchElementException e) {
      throw new JoinException(
          "The cluster-info at %s cannot be used: %s.".formatted(address, e.getMessage()), e);
    }
    throw new JoinException("The cluster-info at %s is no kubeconfig.".formatted(address));
  }
}
