package dev.berth.sim;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A pod of one container for tests and simulations, said in few words. */
public final class PodBuilder {
  private final String name;
  private final List<JsonObject> tolerations = new ArrayList<>();
  private JsonObject labels = JsonObject.EMPTY;
  private JsonObject spec = JsonObject.EMPTY;
  private String cpu = "100m";

  private PodBuilder(String name) {
    this.name = name;
  }

  /** A pod of the namespace {@code default} that asks for a tenth of a processor. */
  public static PodBuilder pod(String name) {
    return new PodBuilder(name);
  }

  /** Bound from the beginning, past the scheduler. */
  public PodBuilder on(String node) {
    return with("nodeName", node);
  }

  public PodBuilder cpu(String quantity) {
    cpu = quantity;
    return this;
  }

  public PodBuilder label(String key, String value) {
    labels = labels.with(key, value);
    return this;
  }

  /** How long it may take to stop. */
  public PodBuilder grace(Duration period) {
    return with("terminationGracePeriodSeconds", period.toSeconds());
  }

  /** Tolerates a NoExecute taint, whatever its value, for a time. */
  public PodBuilder tolerating(String key, Duration time) {
    tolerations.add(noExecute(key).with("tolerationSeconds", time.toSeconds()));
    return this;
  }

  /** Tolerates a NoExecute taint, whatever its value, for ever. */
  public PodBuilder tolerating(String key) {
    tolerations.add(noExecute(key));
    return this;
  }

  private static JsonObject noExecute(String key) {
    return new JsonObject.Builder()
        .put("key", key)
        .put("operator", "Exists")
        .put("effect", "NoExecute")
        .build();
  }

  /** With any other field of its specification. */
  public PodBuilder with(String field, Object value) {
    spec = spec.with(field, value);
    return this;
  }

  public JsonObject build() {
    JsonObject container =
        new JsonObject.Builder()
            .put("name", "c")
            .put("image", "i")
            .put("resources", JsonObject.of("requests", JsonObject.of("cpu", cpu)))
            .build();
    JsonObject whole = spec.with("containers", JsonArray.of(container));
    if (!tolerations.isEmpty()) {
      whole = whole.with("tolerations", JsonArray.copyOf(tolerations));
    }
    JsonObject metadata =
        new JsonObject.Builder()
            .put("namespace", "default")
            .put("name", name)
            .put("labels", labels)
            .build();
    return new JsonObject.Builder().put("metadata", metadata).put("spec", whole).build();
  }
}
