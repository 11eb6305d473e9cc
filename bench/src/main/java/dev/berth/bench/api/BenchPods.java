package dev.berth.bench.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Pods;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;

/** The pods that measurements of the API server create. */
public final class BenchPods {
  private BenchPods() {}

  /** A pod as its creator sends it: no status, no name of its own. */
  public static String created() {
    JsonObject pod = JsonReader.object(Pods.json(0), JsonLimits.REQUEST);
    JsonObject metadata = pod.object("metadata");
    JsonObject fresh =
        new JsonObject.Builder()
            .put("generateName", "web-")
            .put("labels", metadata.object("labels"))
            .put("annotations", metadata.object("annotations"))
            .build();
    // Of the account that every namespace has.
    JsonObject spec = pod.object("spec").without("serviceAccountName").without("serviceAccount");
    JsonObject created = pod.with("metadata", fresh).with("spec", spec).without("status");
    return new String(JsonWriter.toBytes(created), UTF_8);
  }
}
