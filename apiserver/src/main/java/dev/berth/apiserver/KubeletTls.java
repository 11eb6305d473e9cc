package dev.berth.apiserver;

import dev.berth.apiserver.ClientIdentity.Issued;
import dev.berth.pki.ClusterCa;
import dev.berth.serving.connect.InsecureTls;
import dev.berth.time.Time;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What the server shows to kubelets, and which of them it trusts: both by the cluster's authority.
 * Thread-safe.
 */
final class KubeletTls {
  private static final String USER = "kube-apiserver-kubelet-client";
  private static final List<String> GROUPS = List.of("system:masters");

  private final ClientIdentity identity;
  private @Nullable Contexts contexts;

  private record Contexts(Issued issued, SSLContext verifying, SSLContext insecure) {}

  KubeletTls(Supplier<ClusterCa> authority, Time time) {
    this.identity = new ClientIdentity(authority, USER, GROUPS, time);
  }

  /** Trusts kubelets with a certificate of the cluster. */
  SSLContext verifying() {
    return current().verifying();
  }

  /** Trusts everybody, for clients that ask for it. */
  SSLContext insecure() {
    return current().insecure();
  }

  private synchronized Contexts current() {
    Issued now = identity.current();
    Contexts made = contexts;
    if (made == null || !made.issued().equals(now)) {
      made =
          new Contexts(
              now,
              ClientIdentity.trusting(now.authority().trusted(), now.keys()),
              InsecureTls.context(now.keys()));
      contexts = made;
    }
    return made;
  }
}
