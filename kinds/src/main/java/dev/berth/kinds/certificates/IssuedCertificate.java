package dev.berth.kinds.certificates;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a signer may put into the status of a request: certificates in PEM, and nothing else. */
final class IssuedCertificate {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([^-\n]+)-----\\s*\n([^-]*)-----END \\1-----");

  private IssuedCertificate() {}

  /** What is wrong with it; nothing if it is empty. */
  static Optional<String> problem(String base64) {
    if (base64.isEmpty()) {
      return Optional.empty();
    }
    String pem = new String(Base64.getDecoder().decode(base64), StandardCharsets.ISO_8859_1);
    Matcher blocks = BLOCK.matcher(pem);
    boolean any = false;
    while (blocks.find()) {
      any = true;
      if (!blocks.group(1).equals("CERTIFICATE")) {
        return Optional.of(
            "only CERTIFICATE PEM blocks are allowed, found \"%s\"".formatted(blocks.group(1)));
      }
      if (blocks.group(2).indexOf(':') >= 0) {
        return Optional.of("no PEM block headers are permitted");
      }
      if (!isCertificate(blocks.group(2))) {
        return Optional.of("x509: malformed certificate");
      }
    }
    return any ? Optional.empty() : Optional.of("must contain at least one CERTIFICATE PEM block");
  }

  private static boolean isCertificate(String body) {
    try {
      byte[] encoded = Base64.getMimeDecoder().decode(body);
      return !CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(encoded))
          .isEmpty();
    } catch (CertificateException | IllegalArgumentException _) {
      return false;
    }
  }
}
