package dev.berth.kinds.core;

import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What whoever first lets a service account mount its own secrets alone is told. */
final class ServiceAccountWarnings implements ObjectWarnings {
  private static final String ANNOTATION = "kubernetes.io/enforce-mountable-secrets";

  @Override
  public List<String> onCreate(JsonObject account) {
    return onUpdate(account, JsonObject.EMPTY);
  }

  @Override
  public List<String> onUpdate(JsonObject account, JsonObject old) {
    boolean isNew =
        Metadata.of(account).annotations().has(ANNOTATION)
            && !Metadata.of(old).annotations().has(ANNOTATION);
    return isNew
        ? List.of(
            "metadata.annotations[%s]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets"
                .formatted(ANNOTATION))
        : List.of();
  }
}
