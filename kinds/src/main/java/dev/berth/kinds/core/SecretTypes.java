package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.util.Base64;
import java.util.List;

/** What secrets of the types that Kubernetes knows must hold. */
final class SecretTypes {
  private static final FieldPath DATA = FieldPath.of("data");
  private static final String ACCOUNT = "kubernetes.io/service-account.name";

  private SecretTypes() {}

  static List<FieldError> validate(JsonObject secret) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject data = secret.object("data");
    switch (secret.text("type", "")) {
      case "kubernetes.io/service-account-token" -> {
        if (Metadata.of(secret).annotations().text(ACCOUNT, "").isEmpty()) {
          problems.required(FieldPath.of("metadata", "annotations").key(ACCOUNT), "");
        }
      }
      case "kubernetes.io/dockercfg" -> json(data, ".dockercfg", problems);
      case "kubernetes.io/dockerconfigjson" -> json(data, ".dockerconfigjson", problems);
      case "kubernetes.io/basic-auth" -> {
        if (!data.has("username") && !data.has("password")) {
          problems.required(DATA.key("username"), "");
          problems.required(DATA.key("password"), "");
        }
      }
      case "kubernetes.io/ssh-auth" -> {
        if (data.text("ssh-privatekey", "").isEmpty()) {
          problems.required(DATA.key("ssh-privatekey"), "");
        }
      }
      case "kubernetes.io/tls" -> {
        for (String key : List.of("tls.crt", "tls.key")) {
          if (!data.has(key)) {
            problems.required(DATA.key(key), "");
          }
        }
      }
      default -> {}
    }
    return problems.all();
  }

  private static void json(JsonObject data, String key, FieldErrorList problems) {
    String encoded = data.text(key);
    if (encoded == null) {
      problems.required(DATA.key(key), "");
      return;
    }
    try {
      var _ = JsonReader.object(Base64.getDecoder().decode(encoded), JsonLimits.REQUEST);
    } catch (JsonException | IllegalArgumentException e) {
      problems.invalid(DATA.key(key), "<secret contents redacted>", String.valueOf(e.getMessage()));
    }
  }
}
