package dev.berth.kinds.core;

import dev.berth.model.tree.JsonObject;
import dev.berth.pki.CertificateAndKey;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** What whoever writes a secret with a certificate is told: that its key is not the one. */
final class SecretWarnings {
  private SecretWarnings() {}

  static List<String> of(JsonObject secret) {
    if (!secret.text("type", "").equals("kubernetes.io/tls")) {
      return List.of();
    }
    JsonObject data = secret.object("data");
    return CertificateAndKey.problem(decoded(data, "tls.crt"), decoded(data, "tls.key")).stream()
        .toList();
  }

  private static String decoded(JsonObject data, String key) {
    byte[] bytes = Base64.getMimeDecoder().decode(data.text(key, ""));
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
