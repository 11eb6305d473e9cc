package dev.berth.apiserver;

import dev.berth.http.ServerTls;
import dev.berth.pki.CertificateSigner;
import dev.berth.pki.ClientCertificates;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.Credential;
import dev.berth.pki.FileStamps;
import dev.berth.pki.ServerNames;
import dev.berth.pki.ServiceAccountKey;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The keys and certificates that a server works with while it runs: they follow their files, which
 * somebody may replace (see {@link dev.berth.pki.Rotation}), and the server's and the
 * administrator's are issued anew before they end. One thread refreshes; all others see the latest.
 */
final class ServerCertificates {
  private final Optional<Path> directory;
  private final ServerNames names;
  private final ServiceAccountKey serviceAccountKey;
  private final ClientCertificates clients;
  private volatile State state;

  /** Of the files as they were read last, by whoever refreshes. */
  private String lastStamps = "";

  private record State(ClusterCa authority, Credential server, Credential administrator) {
    boolean isDue(Instant now) {
      return isDue(server, now) || isDue(administrator, now);
    }

    boolean isDue(Credential credential, Instant now) {
      return authority.isDue(credential.certificate(), now);
    }

    boolean isSame(State other) {
      return authority.trusted().equals(other.authority.trusted())
          && authority.certificate().equals(other.authority.certificate())
          && server.certificate().equals(other.server.certificate())
          && administrator.certificate().equals(other.administrator.certificate());
    }
  }

  private ServerCertificates(
      Optional<Path> directory,
      ServerNames names,
      ClusterCa authority,
      ServiceAccountKey key,
      Instant now) {
    this.directory = directory;
    this.names = names;
    this.serviceAccountKey = key;
    this.clients = authority.clientCertificates();
    this.state = new State(authority, authority.server(names, now), authority.administrator(now));
  }

  /**
   * Opens those of a directory, or makes some.
   *
   * @param pki null if they are kept in memory only
   * @param addresses where pods find the server, beside the names and addresses of this machine
   */
  static ServerCertificates open(@Nullable Path pki, List<String> addresses, Instant now) {
    List<String> all = new ArrayList<>(ServerNames.ofThisMachine());
    all.addAll(addresses);
    ServerNames names = ServerNames.of(all);
    return pki == null
        ? new ServerCertificates(
            Optional.empty(), names, ClusterCa.inMemory(now), ServiceAccountKey.inMemory(), now)
        : new ServerCertificates(
            Optional.of(pki), names, ClusterCa.open(pki, now), ServiceAccountKey.open(pki), now);
  }

  /**
   * Reads the files again, and issues what is about to end.
   *
   * @return whether there is anything new, but for the key of service accounts, which its users ask
   *     for each time
   * @throws dev.berth.pki.PkiException if the files cannot be used; all stays as it was
   */
  boolean refresh(Instant now) {
    State before = state;
    State next;
    if (directory.isPresent()) {
      String stamps = FileStamps.of(directory.get());
      if (stamps.equals(lastStamps) && !before.isDue(now)) {
        return false;
      }
      ClusterCa authority = ClusterCa.reopen(directory.get(), now);
      next = new State(authority, authority.server(names, now), authority.administrator(now));
      serviceAccountKey.refresh();
      lastStamps = stamps;
    } else {
      ClusterCa authority = before.authority();
      next =
          new State(
              authority,
              before.isDue(before.server(), now) ? authority.server(names, now) : before.server(),
              before.isDue(before.administrator(), now)
                  ? authority.administrator(now)
                  : before.administrator());
    }
    if (next.isSame(before)) {
      return false;
    }
    state = next;
    clients.trust(next.authority().trusted());
    return true;
  }

  /** Who clients are; the same object all the time. */
  ClientCertificates clients() {
    return clients;
  }

  /** The key of service accounts' tokens; the same object all the time. */
  ServiceAccountKey serviceAccountKey() {
    return serviceAccountKey;
  }

  /** The authority of this moment. */
  ClusterCa authority() {
    return state.authority();
  }

  /** Signs with the authority of each moment. */
  CertificateSigner signer() {
    return (request, now) -> state.authority().sign(request, now);
  }

  ServerTls tls() {
    State now = state;
    return new ServerTls(
        now.server().key(), List.of(now.server().certificate()), now.authority().trusted());
  }

  Credential administrator() {
    return state.administrator();
  }

  /** Whom clients are to trust. */
  List<X509Certificate> trusted() {
    return state.authority().trusted();
  }

  /** The same, in PEM. */
  String trustedPem() {
    return state.authority().pem();
  }

  /** When each of them ends. */
  Map<String, Instant> ends() {
    State now = state;
    Map<String, Instant> ends = new LinkedHashMap<>();
    ends.put("ca", end(now.authority().certificate()));
    ends.put("apiserver", end(now.server().certificate()));
    ends.put("admin", end(now.administrator().certificate()));
    return ends;
  }

  private static Instant end(X509Certificate certificate) {
    return certificate.getNotAfter().toInstant();
  }
}
