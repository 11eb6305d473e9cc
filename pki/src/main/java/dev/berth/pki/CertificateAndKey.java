package dev.berth.pki;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether a server could serve with a certificate and a key; what Go says if it could not. */
public final class CertificateAndKey {
  private static final Pattern LABEL = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----");
  private static final String KEY = "PRIVATE KEY";

  private CertificateAndKey() {}

  /** What is wrong with a pair of texts, if anything is. */
  public static Optional<String> problem(String certificates, String key) {
    List<String> found = labels(certificates);
    if (!found.contains(Pem.CERTIFICATE)) {
      return Optional.of("tls: failed to find " + noCertificate(found));
    }
    List<String> foundWithKey = labels(key);
    if (foundWithKey.stream().noneMatch(label -> label.endsWith(KEY))) {
      return Optional.of("tls: " + noKey(foundWithKey));
    }
    X509Certificate certificate;
    try {
      byte[] first = Pem.decode(Pem.CERTIFICATE, certificates).getFirst();
      certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(first));
    } catch (GeneralSecurityException _) {
      return Optional.of("x509: malformed certificate");
    }
    PrivateKey own;
    try {
      own = AnyKey.privateKey(key);
    } catch (GeneralSecurityException _) {
      return Optional.of("tls: failed to parse private key");
    }
    return mismatch(certificate, own);
  }

  private static Optional<String> mismatch(X509Certificate certificate, PrivateKey key) {
    boolean isRsa = key instanceof RSAKey;
    if (isRsa != (certificate.getPublicKey() instanceof RSAKey)) {
      return Optional.of("tls: private key type does not match public key type");
    }
    return KeyPairs.match(key, certificate.getPublicKey())
        ? Optional.empty()
        : Optional.of("tls: private key does not match public key");
  }

  private static String noCertificate(List<String> found) {
    if (found.isEmpty()) {
      return "any PEM data in certificate input";
    }
    return found.size() == 1 && found.getFirst().endsWith(KEY)
        ? "certificate PEM data in certificate input, but did find a private key; PEM inputs may"
            + " have been switched"
        : "\"CERTIFICATE\" PEM block in certificate input after skipping PEM blocks of the following"
            + " types: ["
            + String.join(" ", found)
            + "]";
  }

  private static String noKey(List<String> found) {
    if (found.isEmpty()) {
      return "failed to find any PEM data in key input";
    }
    return found.equals(List.of(Pem.CERTIFICATE))
        ? "found a certificate rather than a key in the PEM for the private key"
        : "failed to find PEM block with type ending in \"PRIVATE KEY\" in key input after skipping"
            + " PEM blocks of the following types: ["
            + String.join(" ", found)
            + "]";
  }

  private static List<String> labels(String text) {
    List<String> labels = new ArrayList<>();
    Matcher label = LABEL.matcher(text);
    while (label.find()) {
      labels.add(label.group(1));
    }
    return labels;
  }
}
