package dev.berth.http.outgoing;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXReason;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * Why there is no TLS connection to a server. The words are those of Go's programs, which operators
 * know; Java's name its own classes.
 */
public final class TlsFailure {
  private static final String STRANGER = "certificate signed by unknown authority";

  private TlsFailure() {}

  /**
   * Why a handshake failed.
   *
   * @param name of the server, for which its certificate has to be
   */
  public static String of(SSLException failure, String name) {
    return Stream.iterate((Throwable) failure, Throwable::getCause)
        .takeWhile(each -> each != null)
        .flatMap(each -> refusal(each, name).stream())
        .findFirst()
        .map(why -> "tls: failed to verify certificate: x509: " + why)
        .orElseGet(() -> other(String.valueOf(failure.getMessage())));
  }

  private static Optional<String> refusal(Throwable cause, String name) {
    return switch (cause) {
      case CertificateExpiredException e -> Optional.of(outOfDate(e));
      case CertificateNotYetValidException e -> Optional.of(outOfDate(e));
      case CertPathBuilderException _ -> Optional.of(STRANGER);
      case CertPathValidatorException e
          when e.getReason() == PKIXReason.NO_TRUST_ANCHOR
              || e.getReason() == BasicReason.INVALID_SIGNATURE ->
          Optional.of(STRANGER);
      case CertificateException e
          when String.valueOf(e.getMessage()).startsWith("No subject alternative")
              || String.valueOf(e.getMessage()).startsWith("No name matching") ->
          Optional.of("certificate is not valid for " + name);
      default -> Optional.empty();
    };
  }

  private static String outOfDate(CertificateException e) {
    return "certificate has expired or is not yet valid: " + e.getMessage();
  }

  private static String other(String message) {
    return message.startsWith("Unsupported or unrecognized SSL message")
        ? "tls: first record does not look like a TLS handshake"
        : "tls: " + message;
  }
}
