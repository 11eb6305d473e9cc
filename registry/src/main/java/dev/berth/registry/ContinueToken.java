package dev.berth.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import dev.berth.registry.status.Failures;
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
    try {
      JsonObject tree =
          JsonReader.object(
              Base64.getUrlDecoder().decode(text.getBytes(UTF_8)), JsonLimits.REQUEST);
      long revision = tree.integer("rv").orElse(0);
      String key = tree.text("start", "");
      boolean known = tree.text("v", "").equals(VERSION);
      if (known && !key.isEmpty() && (revision > 0 || revision == INCONSISTENT)) {
        return new ContinueToken(revision, key);
      }
    } catch (IllegalArgumentException | JsonException _) {
      // Said below, as for every other token that nobody gave out.
    }
    throw Failures.badRequest("continue key is not valid: it must be given back as it was sent");
  }
}
