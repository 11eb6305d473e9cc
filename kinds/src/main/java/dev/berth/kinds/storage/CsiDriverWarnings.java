package dev.berth.kinds.storage;

import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What whoever lets a driver have tokens is told: how it should get them. */
final class CsiDriverWarnings implements ObjectWarnings {

  @Override
  public List<String> onCreate(JsonObject driver) {
    JsonObject spec = driver.object("spec");
    return spec.array("tokenRequests").isEmpty() || spec.has("serviceAccountTokenInSecrets")
        ? List.of()
        : List.of(
            "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to"
                + " true to prevent possible logging of tokens in volume attributes");
  }

  @Override
  public List<String> onUpdate(JsonObject driver, JsonObject old) {
    boolean same =
        driver
            .object("spec")
            .array("tokenRequests")
            .equals(old.object("spec").array("tokenRequests"));
    return same ? List.of() : onCreate(driver);
  }
}
