package dev.berth.pki;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.KeyPair;
import java.util.Base64;
import java.util.List;

/** Requests for certificates, as the certificates API takes them. */
public final class SigningRequestFixture {
  private SigningRequestFixture() {}

  /** A new key that requests can be made with. */
  public static KeyPair key() {
    return SigningRequestBuilder.newKey();
  }

  /** A request for a user of some groups. */
  public static String base64(String user, String... groups) {
    return base64(key(), names(user, groups));
  }

  /** A user of some groups, without alternative names. */
  public static RequestedNames names(String user, String... groups) {
    return new RequestedNames(user, List.of(groups), List.of(), List.of(), List.of(), List.of());
  }

  /** A request with a key for these names. */
  public static String base64(KeyPair key, RequestedNames wanted) {
    return Base64.getEncoder().encodeToString(pem(key, wanted).getBytes(UTF_8));
  }

  /** The same in PEM. */
  public static String pem(KeyPair key, RequestedNames wanted) {
    return SigningRequestBuilder.pem(key, wanted);
  }
}
