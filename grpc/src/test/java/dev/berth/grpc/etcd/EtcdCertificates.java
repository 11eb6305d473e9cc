package dev.berth.grpc.etcd;

import dev.berth.pki.ClusterCa;
import dev.berth.pki.Credential;
import dev.berth.pki.ServerNames;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Files for TLS between etcd and its clients, signed by an authority of their own.
 *
 * @param authority who signed both
 * @param certificate what a client shows
 */
public record EtcdCertificates(
    EtcdProcess.Tls members, Path authority, Path certificate, Path key) {

  public static EtcdCertificates write(Path directory) throws IOException {
    Instant now;
    try (WallTime time = EtcdStores.time()) {
      now = time.now();
    }
    ClusterCa ca = ClusterCa.inMemory(now);
    Path authority = Files.writeString(directory.resolve("etcd-ca.crt"), ca.pem());
    Credential server = ca.server(ServerNames.of(List.of("127.0.0.1")), now);
    Credential client = ca.issueClient("berth", List.of(), Duration.ofDays(1), now);
    return new EtcdCertificates(
        new EtcdProcess.Tls(
            Optional.of(authority),
            certificate(directory.resolve("etcd-server.crt"), server),
            key(directory.resolve("etcd-server.key"), server)),
        authority,
        certificate(directory.resolve("etcd-client.crt"), client),
        key(directory.resolve("etcd-client.key"), client));
  }

  /** The options of a server that uses an etcd with these. */
  public List<String> options(EtcdProcess etcd) {
    return List.of(
        "--etcd-servers",
        String.join(",", etcd.endpoints().stream().map(Object::toString).toList()),
        "--etcd-cafile",
        authority.toString(),
        "--etcd-certfile",
        certificate.toString(),
        "--etcd-keyfile",
        key.toString());
  }

  private static Path certificate(Path file, Credential credential) throws IOException {
    try {
      return pem(file, "CERTIFICATE", credential.certificate().getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path key(Path file, Credential credential) throws IOException {
    return pem(file, "PRIVATE KEY", credential.key().getEncoded());
  }

  private static Path pem(Path file, String label, byte[] bytes) throws IOException {
    String body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes);
    return Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, body, label));
  }
}
