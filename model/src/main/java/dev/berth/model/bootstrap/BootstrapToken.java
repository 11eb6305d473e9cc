package dev.berth.model.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * A bootstrap token, as its secret in {@code kube-system} holds it.
 *
 * @param name of the secret
 * @param usageSigning whether it may sign
 * @param expiration when it ends; what cannot be read as a time has passed
 */
public record BootstrapToken(
    String name, String id, String secret, boolean usageSigning, Optional<Instant> expiration) {
  /** The type of its secret. */
  public static final String TYPE = "bootstrap.kubernetes.io/token";

  private static final String PREFIX = "bootstrap-token-";
  private static final int ID_LENGTH = 6;

  public static BootstrapToken read(JsonObject secret) {
    JsonObject data = secret.object("data");
    return new BootstrapToken(
        Metadata.of(secret).name(),
        text(data, "token-id"),
        text(data, "token-secret"),
        text(data, "usage-bootstrap-signing").equals("true"),
        expiration(text(data, "expiration")));
  }

  private static Optional<Instant> expiration(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(Times.parse(text));
    } catch (IllegalArgumentException _) {
      return Optional.of(Instant.EPOCH);
    }
  }

  private static String text(JsonObject data, String key) {
    try {
      return new String(Base64.getMimeDecoder().decode(data.text(key, "")), UTF_8);
    } catch (IllegalArgumentException _) {
      return "";
    }
  }

  public boolean isExpired(Instant now) {
    return expiration.filter(end -> !now.isBefore(end)).isPresent();
  }

  /** Whether it may sign, and its secret is called as it must be. */
  public boolean signs(Instant now) {
    return usageSigning
        && id.length() == ID_LENGTH
        && name.equals(PREFIX + id)
        && !secret.isEmpty()
        && !isExpired(now);
  }

  @Override
  public String toString() {
    return "BootstrapToken[" + id + "]";
  }
}
