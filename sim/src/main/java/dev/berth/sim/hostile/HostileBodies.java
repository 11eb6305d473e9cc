package dev.berth.sim.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.model.yaml.YamlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/**
 * Bodies that somebody sends who may send requests and wants the server to choke on them: objects,
 * patches and documents with too much of something, in all formats. What is drawn depends on the
 * seed alone.
 */
public final class HostileBodies {
  private final RandomGenerator random;
  private final HostileTrees trees;
  private final Function<JsonObject, byte[]> protobuf;
  private final List<Kind> kinds = new ArrayList<>();

  /**
   * One way to do harm.
   *
   * @param ofSize a request of about so many bytes
   */
  public record Kind(String name, IntFunction<HostileRequest> ofSize) {
    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * @param protobuf an object in protobuf, with its envelope
   */
  public HostileBodies(RandomGenerator random, Function<JsonObject, byte[]> protobuf) {
    this.random = random;
    this.protobuf = protobuf;
    this.trees = new HostileTrees(random);
    for (BodyFormat format : BodyFormat.values()) {
      for (HostileObject object : HostileObject.values()) {
        add(object + " " + format, bytes -> request(object, format, bytes));
      }
    }
    for (HostilePatch patch : HostilePatch.values()) {
      add(patch.name(), bytes -> patch.request(bytes, trees));
    }
    for (HostileText text : HostileText.values()) {
      add(text.name(), bytes -> text.request(bytes, trees));
    }
  }

  private void add(String name, IntFunction<HostileRequest> ofSize) {
    kinds.add(new Kind(name, ofSize));
  }

  private HostileRequest request(HostileObject object, BodyFormat format, int bytes) {
    JsonObject tree = object.tree(bytes, trees);
    return new HostileRequest(
        object + " " + format,
        "POST",
        object.path(),
        format.mediaType(),
        switch (format) {
          case JSON -> JsonWriter.toBytes(tree);
          case YAML -> object.isDeep() ? flow(tree) : YamlWriter.toBytes(tree);
          case PROTOBUF -> protobuf.apply(tree);
        });
  }

  /** YAML in braces: indented, what is deep would be all spaces. The comment says it is no JSON. */
  private static byte[] flow(JsonObject tree) {
    return ("#\n" + tree).getBytes(UTF_8);
  }

  /** All that there are. */
  public List<Kind> kinds() {
    return List.copyOf(kinds);
  }

  /** What must be created before the first body is sent: the patches are for it. */
  public List<HostileRequest> targets() {
    return HostilePatch.targets(trees);
  }

  /** Any of them. */
  public HostileRequest next(int bytes) {
    return kinds.get(random.nextInt(kinds.size())).ofSize().apply(bytes);
  }
}
