package dev.berth.pki;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text form of keys and certificates. */
public final class Pem {
  static final String CERTIFICATE = "CERTIFICATE";
  static final String PRIVATE_KEY = "PRIVATE KEY";
  static final String PUBLIC_KEY = "PUBLIC KEY";
  static final String CERTIFICATE_REQUEST = "CERTIFICATE REQUEST";

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");

  /** A whole block as Go's parsers take it: it may have headers, and begins and ends at a line. */
  private static final Pattern WHOLE_BLOCK =
      Pattern.compile(
          "(?md)^-----BEGIN ([^\n]*?)-----[ \\t\\r]*\n(?:[^-:\n][^:\n]*:[^\n]*\n)*+"
              + "([A-Za-z0-9+/=\\s]*)(?<=\n)-----END \\1-----[ \\t\\r]*$");

  private static final int LINE = 64;

  private Pem() {}

  static String encode(X509Certificate certificate) {
    try {
      return encode(CERTIFICATE, certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalArgumentException("The certificate has no encoding.", e);
    }
  }

  static String encode(List<X509Certificate> certificates) {
    StringBuilder text = new StringBuilder();
    certificates.forEach(certificate -> text.append(encode(certificate)));
    return text.toString();
  }

  static String encode(PrivateKey key) {
    return encode(PRIVATE_KEY, key.getEncoded());
  }

  static String encode(String label, byte[] der) {
    String body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }

  /** The contents of all blocks with a label. */
  static List<byte[]> decode(String label, String text) throws GeneralSecurityException {
    List<byte[]> found = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      if (block.group(1).equals(label)) {
        try {
          found.add(Base64.getMimeDecoder().decode(block.group(2)));
        } catch (IllegalArgumentException e) {
          throw new GeneralSecurityException("its base64 is damaged", e);
        }
      }
    }
    return found;
  }

  /**
   * A block.
   *
   * @param body its base64
   */
  record Block(String label, String body) {
    byte[] content() {
      return Base64.getDecoder().decode(body);
    }
  }

  /** The first block that is whole, whatever stands before and after it. */
  static Optional<Block> first(String text) {
    Matcher block = WHOLE_BLOCK.matcher(text);
    while (block.find()) {
      Block found = new Block(block.group(1), block.group(2).replaceAll("\\s", ""));
      try {
        var _ = found.content();
        return Optional.of(found);
      } catch (IllegalArgumentException _) {
        // What is no base64 is no block; there may be one that follows.
      }
    }
    return Optional.empty();
  }

  /** All certificates of a text; fails if there is none. */
  public static List<X509Certificate> certificates(String text) throws GeneralSecurityException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> certificates = new ArrayList<>();
    for (byte[] der : decode(CERTIFICATE, text)) {
      certificates.add(
          (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der)));
    }
    if (certificates.isEmpty()) {
      throw new GeneralSecurityException("it holds no \"BEGIN CERTIFICATE\" block");
    }
    return certificates;
  }

  /** The one private key of a text, in the PKCS#8 form that {@code openssl pkcs8} writes. */
  static PrivateKey privateKey(String text) throws GeneralSecurityException {
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(one(PRIVATE_KEY, text));
    try {
      return KeyFactory.getInstance("EC").generatePrivate(spec);
    } catch (GeneralSecurityException _) {
      return KeyFactory.getInstance("RSA").generatePrivate(spec);
    }
  }

  static PublicKey publicKey(String text) throws GeneralSecurityException {
    X509EncodedKeySpec spec = new X509EncodedKeySpec(one(PUBLIC_KEY, text));
    try {
      return KeyFactory.getInstance("EC").generatePublic(spec);
    } catch (GeneralSecurityException _) {
      return KeyFactory.getInstance("RSA").generatePublic(spec);
    }
  }

  private static byte[] one(String label, String text) throws GeneralSecurityException {
    List<byte[]> found = decode(label, text);
    if (found.size() != 1) {
      throw new GeneralSecurityException(
          "it holds %d \"BEGIN %s\" blocks instead of one".formatted(found.size(), label));
    }
    return found.getFirst();
  }
}
