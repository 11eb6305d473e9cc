package dev.berth.pki;

import static java.util.stream.Collectors.joining;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;

/**
 * A kubeconfig with everything in it: one cluster, one user, one context.
 *
 * @param server where clients reach the API
 * @param authorities whom they trust
 * @param user who they are
 */
public record KubeconfigFile(URI server, List<X509Certificate> authorities, Credential user) {

  /** Writes it for its owner's eyes only, whatever the permissions of a file in its place were. */
  public void write(Path file) {
    PrivateFiles.write(file, text());
  }

  String text() {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: berth
      cluster:
        server: %s
        certificate-authority-data: %s
    users:
    - name: admin
      user:
        client-certificate-data: %s
        client-key-data: %s
    contexts:
    - name: berth
      context:
        cluster: berth
        user: admin
    current-context: berth
    """
        .formatted(
            server,
            base64(Pem.encode(authorities)),
            base64(Pem.encode(user.certificate())),
            base64(ClientKey.pem(user)));
  }

  /**
   * One without a user, for whoever is about to find out where the cluster is: {@code
   * cluster-info}.
   */
  public static String withoutUser(URI server, List<X509Certificate> authorities) {
    return """
    apiVersion: v1
    clusters:
    - cluster:
        certificate-authority-data: %s
        server: %s
      name: ""
    contexts: null
    current-context: ""
    kind: Config
    preferences: {}
    users: null
    """
        .formatted(base64(Pem.encode(authorities)), server);
  }

  /** Writes one for a machine that has a bootstrap token and asks for a certificate with it. */
  public static void writeWithToken(
      Path file, List<URI> servers, List<X509Certificate> authorities, String token) {
    writeForNode(file, servers, authorities, "    token: " + token);
  }

  /**
   * Writes one for a node whose certificate and key are in a file that is replaced by newer ones.
   *
   * @param servers any of which the node may ask
   */
  public static void writeForNode(
      Path file, List<URI> servers, List<X509Certificate> authorities, Path credential) {
    writeForNode(
        file,
        servers,
        authorities,
        "    client-certificate: %s\n    client-key: %s".formatted(credential, credential));
  }

  private static void writeForNode(
      Path file, List<URI> servers, List<X509Certificate> authorities, String user) {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      PrivateFiles.directory(directory);
    }
    PrivateFiles.write(
        file,
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: default-cluster
          cluster:
            server: %s
            certificate-authority-data: %s%s
        users:
        - name: default-auth
          user:
        %s
        contexts:
        - name: default-context
          context:
            cluster: default-cluster
            user: default-auth
        current-context: default-context
        """
            .formatted(
                servers.getFirst(),
                base64(Pem.encode(authorities)),
                others(servers.subList(1, servers.size())),
                user));
  }

  /** The extension by which Berth's components find other servers. */
  private static String others(List<URI> servers) {
    if (servers.isEmpty()) {
      return "";
    }
    String list = servers.stream().map(server -> "\"" + server + "\"").collect(joining(", "));
    return """

    extensions:
    - name: berth.dev/servers
      extension:
        servers: [%s]\
    """
        .formatted(list);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}
