package dev.berth.kinds.core;

import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;

/** Service accounts: of the secrets that they may use, nothing but the name counts. */
final class ServiceAccountRules implements ResourceRules {
  @Override
  public JsonObject prepareForCreate(JsonObject account, Instant now) {
    return named(account);
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject account, JsonObject old, Instant now) {
    return named(account);
  }

  private static JsonObject named(JsonObject account) {
    JsonArray secrets = account.array("secrets");
    return secrets.isEmpty()
        ? account
        : account.with(
            "secrets",
            secrets.mapObjects(secret -> {
              String name = secret.text("name", "");
              return name.isEmpty() ? JsonObject.EMPTY : JsonObject.of("name", name);
            }));
  }
}
