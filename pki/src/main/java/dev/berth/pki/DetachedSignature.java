package dev.berth.pki;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A JSON web signature by HMAC-SHA256 without its content, {@code header..signature}: RFC 7515,
 * appendix F. Whoever has the token makes it again, and trusts the content if it is the same.
 */
public final class DetachedSignature {
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final String ALGORITHM = "HmacSHA256";

  private DetachedSignature() {}

  /**
   * Signs a text.
   *
   * @param tokenId of letters and digits, as the name of its secret is
   */
  public static String of(String content, String tokenId, String tokenSecret) {
    String fields = "{\"alg\":\"HS256\",\"kid\":\"%s\"}".formatted(tokenId);
    String header = ENCODER.encodeToString(fields.getBytes(UTF_8));
    String signed = header + "." + ENCODER.encodeToString(content.getBytes(UTF_8));
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(tokenSecret.getBytes(UTF_8), ALGORITHM));
      return header + ".." + ENCODER.encodeToString(mac.doFinal(signed.getBytes(US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java has no HMAC-SHA256.", e);
    }
  }
}
