package dev.berth.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.tree.GoJsonSyntax;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.StatusException;
import java.util.Base64;

/**
 * Where a list continues: clients send it back as they got it.
 *
 * @param revision at which the pages before were read, or {@link #INCONSISTENT}
 * @param lastKey the last key that was read, without the prefix that all keys of the list have
 */
record ContinueToken(long revision, String lastKey) {
  /** Continues at the current revision, whatever that is. */
  static final long INCONSISTENT = -1;

  private static final String VERSION = "meta.k8s.io/v1";

  String text() {
    JsonObject tree =
        new JsonObject.Builder()
            .put("v", VERSION)
            .put("rv", revision)
            .put("start", lastKey)
            .build();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(JsonWriter.toBytes(tree));
  }

  static ContinueToken parse(String text) {
    JsonObject tree = tree(decoded(text));
    if (!tree.text("v", "").equals(VERSION)) {
      String version = tree.text("v", "");
      throw invalid(": server does not recognize this encoded version " + version);
    }
    long revision = tree.integer("rv").orElse(0);
    String key = tree.text("start", "");
    if (revision <= 0 && revision != INCONSISTENT) {
      throw invalid(": incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
    }
    if (key.isEmpty()) {
      throw invalid(": encoded start key empty (version meta.k8s.io/v1)");
    }
    return new ContinueToken(revision, key);
  }

  private static byte[] decoded(String text) {
    try {
      return Base64.getUrlDecoder().decode(text.getBytes(UTF_8));
    } catch (IllegalArgumentException _) {
      throw invalid(": illegal base64 data");
    }
  }

  private static JsonObject tree(byte[] json) {
    try {
      return JsonReader.object(json, JsonLimits.REQUEST);
    } catch (JsonException e) {
      String why = GoJsonSyntax.problem(json).orElse(String.valueOf(e.getMessage()));
      throw invalid(": " + why);
    }
  }

  private static StatusException invalid(String why) {
    return Failures.badRequest("invalid continue token: continue key is not valid" + why);
  }
}
