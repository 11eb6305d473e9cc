package dev.berth.serving.wire;

import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.model.yaml.YamlWriter;
import dev.berth.wire.Protobuf;
import java.util.List;
import java.util.stream.Stream;

/** The forms in which objects travel, the preferred one first. */
public enum WireFormat {
  JSON("application/json"),
  YAML("application/yaml"),
  PROTOBUF("application/vnd.kubernetes.protobuf");

  private final String mediaType;

  WireFormat(String mediaType) {
    this.mediaType = mediaType;
  }

  public String mediaType() {
    return mediaType;
  }

  /** Whether events of a watch can follow one another in this form. */
  public boolean streams() {
    return this != YAML;
  }

  /** The type of a stream of events in this form. */
  public String streamType() {
    return this == JSON ? mediaType : mediaType + ";stream=watch";
  }

  /** An object that says its kind and version, as bytes. */
  public byte[] bytes(JsonObject object) {
    return switch (this) {
      case JSON -> JsonWriter.toBytes(object);
      case YAML -> YamlWriter.toBytes(object);
      case PROTOBUF -> Protobuf.encode(object);
    };
  }

  /** All media types, for messages. */
  public static List<String> mediaTypes() {
    return Stream.of(values()).map(WireFormat::mediaType).toList();
  }

  /** The media types of watches. */
  public static List<String> streamTypes() {
    return Stream.of(values())
        .filter(WireFormat::streams)
        .map(format -> format.mediaType() + ";stream=watch")
        .toList();
  }
}
