package dev.berth.serving.usage;

import dev.berth.model.tree.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a node said about itself and its pods.
 *
 * @param at when it was measured
 */
public record NodeFigures(Instant at, Usage node, List<OfPod> pods) {

  /** Billionths of a processor, and the bytes that evictions go by. */
  public record Usage(long nanoCores, long workingSetBytes) {}

  /** A pod by its name. */
  public record OfPod(String namespace, String name, List<OfContainer> containers) {}

  public record OfContainer(String name, Usage usage) {}

  /** Reads {@code /stats/summary}; empty if it has no figures yet. */
  static Optional<NodeFigures> read(JsonObject summary) {
    JsonObject node = summary.object("node");
    Optional<Usage> ofNode = usage(node);
    if (ofNode.isEmpty()) {
      return Optional.empty();
    }
    List<OfPod> pods = new ArrayList<>();
    for (JsonObject pod : summary.array("pods").objects()) {
      List<OfContainer> containers = new ArrayList<>();
      for (JsonObject container : pod.array("containers").objects()) {
        usage(container)
            .ifPresent(used -> containers.add(new OfContainer(container.text("name", ""), used)));
      }
      JsonObject reference = pod.object("podRef");
      pods.add(new OfPod(reference.text("namespace", ""), reference.text("name", ""), containers));
    }
    try {
      Instant at = Instant.parse(node.object("cpu").text("time", ""));
      return Optional.of(new NodeFigures(at, ofNode.get(), pods));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  private static Optional<Usage> usage(JsonObject tree) {
    var cores = tree.object("cpu").integer("usageNanoCores");
    var bytes = tree.object("memory").integer("workingSetBytes");
    return cores.isEmpty() || bytes.isEmpty()
        ? Optional.empty()
        : Optional.of(new Usage(cores.getAsLong(), bytes.getAsLong()));
  }
}
