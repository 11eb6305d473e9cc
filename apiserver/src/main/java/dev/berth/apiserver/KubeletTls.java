package dev.berth.apiserver;

import dev.berth.pki.ClusterCa;
import dev.berth.pki.Credential;
import dev.berth.serving.connect.InsecureTls;
import dev.berth.time.Time;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * What the server shows to kubelets, and which of them it trusts: both by the cluster's authority.
 * Its client certificate is made when it is first needed and kept in memory only. Thread-safe.
 */
final class KubeletTls {
  private static final String USER = "kube-apiserver-kubelet-client";
  private static final List<String> GROUPS = List.of("system:masters");
  private static final Duration VALIDITY = Duration.ofDays(90);

  private final Supplier<ClusterCa> authority;
  private final Time time;
  private @Nullable Contexts contexts;

  private record Contexts(
      ClusterCa authority, Credential credential, SSLContext verifying, SSLContext insecure) {}

  KubeletTls(Supplier<ClusterCa> authority, Time time) {
    this.authority = authority;
    this.time = time;
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
    ClusterCa now = authority.get();
    Contexts made = contexts;
    if (made == null
        || !made.authority().trusted().equals(now.trusted())
        || now.isDue(made.credential().certificate(), time.now())) {
      made = make(now);
      contexts = made;
    }
    return made;
  }

  private Contexts make(ClusterCa now) {
    Credential credential = now.issueClient(USER, GROUPS, VALIDITY, time.now());
    KeyManager[] keys = {new OneKey(credential)};
    return new Contexts(now, credential, verifying(now, keys), InsecureTls.context(keys));
  }

  private static SSLContext verifying(ClusterCa authority, KeyManager[] keys) {
    try {
      KeyStore known = KeyStore.getInstance("PKCS12");
      known.load(null, null);
      int count = 0;
      for (X509Certificate each : authority.trusted()) {
        known.setCertificateEntry("ca" + count++, each);
      }
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(known);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("This Java has no TLS.", e);
    }
  }

  /** Shows the one certificate that there is. */
  private static final class OneKey extends X509ExtendedKeyManager {
    private static final String ALIAS = "client";

    private final Credential credential;

    OneKey(Credential credential) {
      this.credential = credential;
    }

    @Override
    public String chooseClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
      return ALIAS;
    }

    @Override
    public String chooseEngineClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
      return ALIAS;
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[] {ALIAS};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return new X509Certificate[] {credential.certificate()};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return credential.key();
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, Socket socket) {
      return null;
    }
  }
}
