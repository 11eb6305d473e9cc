package dev.berth.client.kubeconfig;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Certificates and keys in their text form. Keys come in three forms: PKCS#8, which Java reads, and
 * the older ones of RSA (PKCS#1) and of elliptic curves (SEC 1), which are put into it here.
 */
final class PemText {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");

  private static final int INTEGER = 0x02;
  private static final int OCTETS = 0x04;
  private static final int SEQUENCE = 0x30;
  private static final int CURVE = 0xa0;
  private static final int LONG_FORM = 0x80;

  private static final byte[] RSA = hex("06092a864886f70d0101010500");
  private static final byte[] ELLIPTIC = hex("06072a8648ce3d0201");
  private static final byte[] VERSION_0 = hex("020100");

  private PemText() {}

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  /** All certificates of a text; fails if there is none. */
  static List<X509Certificate> certificates(String text) throws GeneralSecurityException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> certificates = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      if (block.group(1).equals("CERTIFICATE")) {
        certificates.add(
            (X509Certificate)
                factory.generateCertificate(new ByteArrayInputStream(decoded(block.group(2)))));
      }
    }
    if (certificates.isEmpty()) {
      throw new GeneralSecurityException("it holds no \"BEGIN CERTIFICATE\" block");
    }
    return certificates;
  }

  /** The first private key of a text. */
  static PrivateKey privateKey(String text) throws GeneralSecurityException {
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      byte[] der = decoded(block.group(2));
      switch (block.group(1)) {
        case "PRIVATE KEY" -> {
          return key(der);
        }
        case "RSA PRIVATE KEY" -> {
          return key(sequence(VERSION_0, sequence(RSA), tagged(OCTETS, der)));
        }
        case "EC PRIVATE KEY" -> {
          return key(sequence(VERSION_0, sequence(ELLIPTIC, curve(der)), tagged(OCTETS, der)));
        }
        default -> {}
      }
    }
    throw new GeneralSecurityException("it holds no \"BEGIN PRIVATE KEY\" block");
  }

  private static byte[] decoded(String base64) throws GeneralSecurityException {
    try {
      return Base64.getMimeDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException("its base64 is damaged", e);
    }
  }

  private static PrivateKey key(byte[] pkcs8) throws GeneralSecurityException {
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(pkcs8);
    for (String algorithm : List.of("EC", "RSA")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (GeneralSecurityException _) {
        // Then it is of the next kind.
      }
    }
    return KeyFactory.getInstance("EdDSA").generatePrivate(spec);
  }

  /** The name of the curve in an elliptic key: version, key, and then the curve. */
  private static byte[] curve(byte[] sec1) throws GeneralSecurityException {
    try {
      int at = begin(sec1, 0, SEQUENCE);
      at = end(sec1, at, INTEGER);
      at = end(sec1, at, OCTETS);
      int from = begin(sec1, at, CURVE);
      byte[] curve = new byte[end(sec1, at, CURVE) - from];
      System.arraycopy(sec1, from, curve, 0, curve.length);
      return curve;
    } catch (IndexOutOfBoundsException e) {
      throw new GeneralSecurityException("its elliptic key is cut off", e);
    }
  }

  /** Where the content of the element at a place begins. */
  private static int begin(byte[] der, int at, int tag) throws GeneralSecurityException {
    if ((der[at] & 0xff) != tag) {
      throw new GeneralSecurityException("its elliptic key does not name its curve");
    }
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < LONG_FORM ? 0 : first - LONG_FORM);
  }

  private static int end(byte[] der, int at, int tag) throws GeneralSecurityException {
    int begin = begin(der, at, tag);
    int first = der[at + 1] & 0xff;
    int length = first < LONG_FORM ? first : 0;
    for (int i = at + 2; i < begin; i++) {
      length = (length << 8) | (der[i] & 0xff);
    }
    return begin + length;
  }

  private static byte[] sequence(byte[]... elements) {
    var content = new ByteArrayOutputStream();
    for (byte[] element : elements) {
      content.writeBytes(element);
    }
    return tagged(SEQUENCE, content.toByteArray());
  }

  private static byte[] tagged(int tag, byte[] content) {
    var out = new ByteArrayOutputStream();
    out.write(tag);
    if (content.length < LONG_FORM) {
      out.write(content.length);
    } else {
      out.write(LONG_FORM + 2);
      out.write(content.length >> 8);
      out.write(content.length);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }
}
