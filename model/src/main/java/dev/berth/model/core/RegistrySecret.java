package dev.berth.model.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A secret with logins of registries: {@code kubernetes.io/dockerconfigjson}, or the older {@code
 * kubernetes.io/dockercfg}. Secrets of other types have none.
 */
public record RegistrySecret(ObjectName name, String uid, List<Login> logins) {
  public RegistrySecret {
    logins = List.copyOf(logins);
  }

  /**
   * A login.
   *
   * @param place a registry, or a path in one, as it was written
   */
  public record Login(String place, String username, String password) {

    /** Says nothing of the password, which must not get into a log. */
    @Override
    public String toString() {
      return username + ":***@" + place;
    }
  }

  /**
   * Reads one.
   *
   * @throws JsonException if its content is no JSON
   */
  public static RegistrySecret read(JsonObject secret) {
    JsonObject data = secret.object("data");
    JsonObject entries =
        switch (secret.text("type", "")) {
          case "kubernetes.io/dockerconfigjson" ->
              content(data, ".dockerconfigjson").object("auths");
          case "kubernetes.io/dockercfg" -> content(data, ".dockercfg");
          default -> JsonObject.EMPTY;
        };
    Metadata metadata = Metadata.of(secret);
    return new RegistrySecret(
        new ObjectName(metadata.namespace(), metadata.name()), metadata.uid(), logins(entries));
  }

  /** The logins of {@code auths}, or of a whole {@code .dockercfg}: by what they are for. */
  public static List<Login> logins(JsonObject entries) {
    List<Login> logins = new ArrayList<>();
    for (String place : entries.names()) {
      login(place, entries.object(place)).ifPresent(logins::add);
    }
    return logins;
  }

  private static JsonObject content(JsonObject data, String key) {
    try {
      return JsonReader.object(Base64.getDecoder().decode(data.text(key, "")), JsonLimits.TRUSTED);
    } catch (IllegalArgumentException e) {
      throw new JsonException("error occurred while trying to unmarshal json");
    }
  }

  /** {@code auth} has name and password in one, and counts more. */
  private static Optional<Login> login(String place, JsonObject entry) {
    String both = entry.text("auth", "").strip();
    if (both.isEmpty()) {
      return Optional.of(new Login(place, entry.text("username", ""), entry.text("password", "")));
    }
    String text;
    try {
      text = new String(Base64.getDecoder().decode(both), UTF_8);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    int colon = text.indexOf(':');
    return colon < 0
        ? Optional.empty()
        : Optional.of(new Login(place, text.substring(0, colon), text.substring(colon + 1)));
  }
}
