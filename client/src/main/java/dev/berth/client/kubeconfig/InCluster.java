package dev.berth.client.kubeconfig;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Optional;

/**
 * The connection of a pod: the address is in its environment, and the rest in the files of its
 * service account.
 */
public final class InCluster {
  private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  private InCluster() {}

  /** Whether this process runs in a pod that may speak to its cluster. */
  public static boolean is(Map<String, String> environment) {
    return environment.containsKey("KUBERNETES_SERVICE_HOST")
        && environment.containsKey("KUBERNETES_SERVICE_PORT");
  }

  /**
   * The connection of this pod.
   *
   * @throws ConnectionException if this is no pod, or has no service account
   */
  public static Connection connection(Map<String, String> environment) {
    return connection(environment, ACCOUNT);
  }

  static Connection connection(Map<String, String> environment, Path account) {
    String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "");
    if (host.isEmpty() || port.isEmpty()) {
      throw new ConnectionException(
          "This is no pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set. Name a"
              + " kubeconfig instead.");
    }
    Path authority = account.resolve("ca.crt");
    try {
      Connection.Trust trust =
          new Connection.Trust.Authorities(
              PemText.certificates(Files.readString(authority)), Optional.empty());
      String address = host.contains(":") ? "[" + host + "]" : host;
      Path namespace = account.resolve("namespace");
      return new Connection(
          URI.create("https://" + address + ":" + port),
          trust,
          new Connection.Identity.Token(TokenSource.file(account.resolve("token"))),
          Files.exists(namespace) ? Files.readString(namespace).strip() : "default");
    } catch (IOException | GeneralSecurityException e) {
      throw new ConnectionException(
          "The service account in %s cannot be used: %s (%s)."
              .formatted(account, authority.getFileName(), e.getMessage()),
          e);
    }
  }
}
