package dev.berth.access;

import dev.berth.http.Exchange;
import dev.berth.model.user.User;
import dev.berth.pki.ClientCertificates;
import dev.berth.time.Time;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Knows clients by the certificates that the cluster's authority gave them. A chain that was found
 * valid is remembered, since its signatures do not change; whether it is valid at this instant is
 * checked each time.
 */
public final class CertificateAuthenticator implements Authenticator {
  private static final int REMEMBERED = 10_000;

  private final ClientCertificates certificates;
  private final Time time;
  private final BoundedCache<List<X509Certificate>, Remembered> known =
      new BoundedCache<>(REMEMBERED);

  /**
   * A chain that was found valid.
   *
   * @param trusted the authorities of that time; it counts for no others
   */
  private record Remembered(List<X509Certificate> trusted, Answer.Known answer) {}

  /** Told how long the certificate of each request that was let in by one is still good. */
  private volatile Consumer<Duration> remaining = _ -> {};

  public CertificateAuthenticator(ClientCertificates certificates, Time time) {
    this.certificates = certificates;
    this.time = time;
  }

  /** Tells somebody, from now on, how long the certificate of each request is still good. */
  public void observe(Consumer<Duration> listener) {
    remaining = listener;
  }

  @Override
  public Answer authenticate(Exchange exchange) {
    List<X509Certificate> chain = exchange.peerCertificates();
    Answer answer = identify(chain);
    if (answer instanceof Answer.Known) {
      Instant end = chain.getFirst().getNotAfter().toInstant();
      remaining.accept(Duration.between(time.now(), end));
    }
    return answer;
  }

  Answer identify(List<X509Certificate> chain) {
    if (chain.isEmpty()) {
      return new Answer.NoProof();
    }
    Instant now = time.now();
    List<X509Certificate> trusted = certificates.trusted();
    Optional<Answer.Known> remembered =
        known.get(chain).filter(r -> isSame(r.trusted(), trusted)).map(Remembered::answer);
    if (remembered.isPresent() && chain.stream().allMatch(c -> isGoodAt(c, now))) {
      return remembered.get();
    }
    return switch (certificates.verify(chain, now)) {
      case ClientCertificates.Verdict.Valid valid -> {
        User user =
            User.authenticated(valid.user(), valid.groups())
                .withExtra(User.CREDENTIAL_ID, "X509SHA256=" + fingerprint(chain.getFirst()));
        Answer.Known answer = new Answer.Known(user);
        known.put(List.copyOf(chain), new Remembered(trusted, answer));
        yield answer;
      }
      case ClientCertificates.Verdict.Absent _ -> new Answer.NoProof();
      case ClientCertificates.Verdict.Rejected rejected -> new Answer.Rejected(rejected.reason());
    };
  }

  @SuppressWarnings("ReferenceEquality") // The list is another one whenever it changes.
  private static boolean isSame(List<X509Certificate> one, List<X509Certificate> other) {
    return one == other;
  }

  private static boolean isGoodAt(X509Certificate certificate, Instant now) {
    return !now.isBefore(certificate.getNotBefore().toInstant())
        && !now.isAfter(certificate.getNotAfter().toInstant());
  }

  private static String fingerprint(X509Certificate certificate) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      return HexFormat.of().formatHex(digest);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("A certificate that was verified cannot be encoded.", e);
    }
  }
}
