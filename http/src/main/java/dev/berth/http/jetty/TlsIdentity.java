package dev.berth.http.jetty;

import dev.berth.http.ServerTls;
import org.jspecify.annotations.Nullable;

/**
 * The key and the certificates that a server shows, which may be replaced while it runs. A
 * handshake chooses an alias first and asks for the key and the chain of it afterwards: those that
 * it replaced are kept, so that one that is under way gets what belongs together.
 */
final class TlsIdentity {
  private volatile Generation current;
  private volatile Generation previous;

  private record Generation(int number, ServerTls tls) {
    String alias() {
      return "server-" + number;
    }
  }

  TlsIdentity(ServerTls tls) {
    current = new Generation(0, tls);
    previous = current;
  }

  synchronized void use(ServerTls tls) {
    previous = current;
    current = new Generation(current.number() + 1, tls);
  }

  ServerTls now() {
    return current.tls();
  }

  /** Null if the key is of another type. */
  @Nullable String alias(String keyType) {
    Generation chosen = current;
    return keyType.equals(chosen.tls().key().getAlgorithm()) ? chosen.alias() : null;
  }

  ServerTls of(String alias) {
    Generation before = previous;
    return alias.equals(before.alias()) ? before.tls() : current.tls();
  }
}
