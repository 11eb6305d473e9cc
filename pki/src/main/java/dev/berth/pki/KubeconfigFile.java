package dev.berth.pki;

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

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}
