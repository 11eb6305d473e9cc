package dev.berth.scheduler.cluster.node;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which nodes have which container images, as the nodes report it. */
public final class NodeImages {
  private final Map<String, Image> images = new HashMap<>();
  private long version;

  /** Changes whenever an image came to a node or left one. */
  public long version() {
    return version;
  }

  /** An image by its name with the tag; null if no node has it. */
  public @Nullable Image get(String name) {
    return images.get(name);
  }

  public void put(int node, JsonArray before, JsonArray now) {
    if (before.equals(now)) {
      return;
    }
    remove(node, before);
    for (JsonObject report : now.objects()) {
      long size = report.integer("sizeBytes").orElse(0);
      for (String name : report.array("names").texts()) {
        images.computeIfAbsent(name, _ -> new Image(size)).nodes.set(node);
      }
    }
    version++;
  }

  public void remove(int node, JsonArray before) {
    if (before.isEmpty()) {
      return;
    }
    for (JsonObject report : before.objects()) {
      for (String name : report.array("names").texts()) {
        Image image = images.get(name);
        if (image != null) {
          image.nodes.clear(node);
          if (image.nodes.isEmpty()) {
            images.remove(name);
          }
        }
      }
    }
    version++;
  }

  /** A node came or went, which changes every image's share of the nodes. */
  public void nodesChanged() {
    if (!images.isEmpty()) {
      version++;
    }
  }

  /** An image and the nodes that have it. */
  public static final class Image {
    private final long size;
    private final BitSet nodes = new BitSet();

    private Image(long size) {
      this.size = size;
    }

    /** Its size in bytes, as the first node said that had it. */
    public long size() {
      return size;
    }

    public boolean isOn(int node) {
      return nodes.get(node);
    }

    /** How many nodes have it. */
    public int nodes() {
      return nodes.cardinality();
    }
  }
}
