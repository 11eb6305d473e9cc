package dev.berth.agent.image;

import dev.berth.model.meta.Times;
import dev.berth.model.meta.WireTime;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.image.PullSecret;
import dev.berth.policy.image.PulledImage;
import dev.berth.policy.image.PulledImage.Access;
import java.time.Instant;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** {@code ImagePulledRecord} and {@code ImagePullIntent}, as a kubelet writes and reads them. */
final class PulledImageRecord {
  private static final String VERSION = "kubelet.config.k8s.io/v1beta1";

  private PulledImageRecord() {}

  /** That an image is about to be pulled. */
  static JsonObject intent(String image) {
    return JsonObject.of("kind", "ImagePullIntent")
        .with("apiVersion", VERSION)
        .with("image", image);
  }

  static JsonObject write(PulledImage image) {
    JsonObject.Builder names = new JsonObject.Builder();
    image.byName().forEach((name, access) -> names.put(name, tree(access)));
    JsonObject record =
        JsonObject.of("kind", "ImagePulledRecord")
            .with("apiVersion", VERSION)
            .with("lastUpdatedTime", Times.format(image.updated()))
            .with("imageRef", image.id());
    return image.byName().isEmpty() ? record : record.with("credentialMapping", names.build());
  }

  private static JsonObject tree(Access access) {
    return access.isForAll()
        ? JsonObject.of("nodePodsAccessible", true)
        : JsonObject.of(
            "kubernetesSecrets",
            JsonArray.copyOf(
                access.secrets().stream()
                    .map(secret ->
                        JsonObject.of("uid", secret.uid())
                            .with("namespace", secret.namespace())
                            .with("name", secret.name())
                            .with("credentialHash", secret.hash()))
                    .toList()));
  }

  static PulledImage read(JsonObject record) {
    JsonObject names = record.object("credentialMapping");
    SortedMap<String, Access> byName = new TreeMap<>();
    for (String name : names.names()) {
      JsonObject access = names.object(name);
      byName.put(
          name,
          new Access(
              access.flag("nodePodsAccessible", false),
              access.array("kubernetesSecrets").objects().stream()
                  .map(secret ->
                      new PullSecret(
                          secret.text("uid", ""),
                          secret.text("namespace", ""),
                          secret.text("name", ""),
                          secret.text("credentialHash", "")))
                  .toList()));
    }
    Instant updated = WireTime.read(record, "lastUpdatedTime");
    return new PulledImage(
        record.text("imageRef", ""), Objects.requireNonNullElse(updated, Instant.EPOCH), byName);
  }
}
