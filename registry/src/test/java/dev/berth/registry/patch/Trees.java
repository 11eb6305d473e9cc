package dev.berth.registry.patch;

import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.nio.charset.StandardCharsets;

/** Reads trees from JSON with single quotes, which is easier to read among Java. */
public final class Trees {
  private Trees() {}

  public static Object tree(String json) {
    return JsonReader.value(
        json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.TRUSTED);
  }

  public static JsonObject object(String json) {
    return (JsonObject) tree(json);
  }
}
