package dev.berth.model.user;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.Base64;
import java.util.function.Function;

/**
 * A secret that holds a token of a service account: of the older kind, which is good as long as the
 * secret and the account are there. People make such a secret empty, and it is filled.
 */
public record TokenSecret(JsonObject object) {
  public static final String TYPE = "kubernetes.io/service-account-token";

  /** Who is said to have issued such tokens. */
  public static final String ISSUER = "kubernetes/serviceaccount";

  public static final String TOKEN = "token";
  public static final String LAST_USED = "kubernetes.io/legacy-token-last-used";
  public static final String INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";

  public static final String NAMESPACE_CLAIM = "kubernetes.io/serviceaccount/namespace";
  public static final String SECRET_CLAIM = "kubernetes.io/serviceaccount/secret.name";
  public static final String ACCOUNT_CLAIM = "kubernetes.io/serviceaccount/service-account.name";
  public static final String UID_CLAIM = "kubernetes.io/serviceaccount/service-account.uid";

  private static final String ACCOUNT_NAME = "kubernetes.io/service-account.name";
  private static final String ACCOUNT_UID = "kubernetes.io/service-account.uid";
  private static final String ROOT_CERTIFICATES = "ca.crt";
  private static final String NAMESPACE = "namespace";

  public Metadata metadata() {
    return Metadata.of(object);
  }

  public boolean isOfType() {
    return object.text("type", "").equals(TYPE);
  }

  /** The account whose token it holds, which may not be there. */
  public ObjectName account() {
    return new ObjectName(metadata().namespace(), metadata().annotation(ACCOUNT_NAME).orElse(""));
  }

  /** Whether an account of that name is the one that is meant. */
  public boolean isOf(JsonObject account) {
    String uid = metadata().annotation(ACCOUNT_UID).orElse("");
    return uid.isEmpty() || uid.equals(Metadata.of(account).uid());
  }

  /** Whether an account lists it, as it does those that were made without anybody asking. */
  public boolean isNamedBy(JsonObject account) {
    return account.array("secrets").objects().stream()
        .anyMatch(reference -> reference.text("name", "").equals(metadata().name()));
  }

  /** The token that it holds; empty if it holds none yet. */
  public String token() {
    return new String(Base64.getDecoder().decode(data(TOKEN)), UTF_8);
  }

  private String data(String key) {
    return object.object("data").text(key, "");
  }

  /** Whether nothing is missing. */
  public boolean isFull(String rootCertificates) {
    return !data(TOKEN).isEmpty()
        && !data(NAMESPACE).isEmpty()
        && (rootCertificates.isEmpty() || data(ROOT_CERTIFICATES).equals(base64(rootCertificates)));
  }

  /**
   * The secret with all that it is to hold.
   *
   * @param sign makes a token of its claims
   */
  public JsonObject filled(
      JsonObject account, String rootCertificates, Function<JsonObject, String> sign) {
    JsonObject data = object.object("data");
    if (!rootCertificates.isEmpty()) {
      data = data.with(ROOT_CERTIFICATES, base64(rootCertificates));
    }
    if (data(NAMESPACE).isEmpty()) {
      data = data.with(NAMESPACE, base64(metadata().namespace()));
    }
    if (data(TOKEN).isEmpty()) {
      data = data.with(TOKEN, base64(sign.apply(claims(account))));
    }
    Metadata of = Metadata.of(account);
    return Metadata.annotate(
        Metadata.annotate(object.with("data", data), ACCOUNT_NAME, of.name()),
        ACCOUNT_UID,
        of.uid());
  }

  private JsonObject claims(JsonObject account) {
    return new JsonObject.Builder()
        .put("iss", ISSUER)
        .put(NAMESPACE_CLAIM, metadata().namespace())
        .put(SECRET_CLAIM, metadata().name())
        .put(ACCOUNT_CLAIM, Metadata.of(account).name())
        .put(UID_CLAIM, Metadata.of(account).uid())
        .put("sub", ServiceAccountUsers.userName(ObjectName.of(account)))
        .build();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }
}
