package dev.berth.http.outgoing;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXReason;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said when there is no TLS connection. */
class TlsFailureTest {
  private static final String REFUSED = "tls: failed to verify certificate: x509: ";

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(
            new CertificateException(
                "PKIX path building failed", new CertPathBuilderException("unable to find")),
            REFUSED + "certificate signed by unknown authority"),
        Arguments.of(
            new CertificateException(
                "PKIX path validation failed",
                new CertPathValidatorException(
                    "Path does not chain with any of the trust anchors",
                    null,
                    null,
                    -1,
                    PKIXReason.NO_TRUST_ANCHOR)),
            REFUSED + "certificate signed by unknown authority"),
        Arguments.of(
            new CertificateException(
                "PKIX path validation failed",
                new CertPathValidatorException(
                    "validity check failed",
                    new CertificateExpiredException("NotAfter: Thu Jan 01 2026"))),
            REFUSED + "certificate has expired or is not yet valid: NotAfter: Thu Jan 01 2026"),
        Arguments.of(
            new CertificateNotYetValidException("NotBefore: Fri Jan 01 2027"),
            REFUSED + "certificate has expired or is not yet valid: NotBefore: Fri Jan 01 2027"),
        Arguments.of(
            new CertificateException("No subject alternative names present"),
            REFUSED + "certificate is not valid for n1.example"),
        Arguments.of(
            new CertificateException("No subject alternative DNS name matching n1.example found."),
            REFUSED + "certificate is not valid for n1.example"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("failures")
  void whyACertificateIsNotAccepted(CertificateException cause, String said) {
    assertThat(TlsFailure.of(handshake("(certificate_unknown) of Java's own", cause), "n1.example"))
        .isEqualTo(said);
  }

  static Stream<Arguments> others() {
    return Stream.of(
        Arguments.of(
            new SSLException("Unsupported or unrecognized SSL message"),
            "tls: first record does not look like a TLS handshake"),
        Arguments.of(
            handshake("Remote host terminated the handshake", null),
            "tls: Remote host terminated the handshake"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("others")
  void whatHasNothingToDoWithCertificates(SSLException failure, String said) {
    assertThat(TlsFailure.of(failure, "n1.example")).isEqualTo(said);
  }

  private static SSLException handshake(String message, @Nullable Throwable cause) {
    return new SSLHandshakeException(message, cause);
  }
}
