package dev.berth.serving.request;

import dev.berth.registry.status.Failures;
import dev.berth.serving.wire.WireFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The representation that a client asks for: plain objects, a table, or only metadata; and in which
 * format.
 *
 * @param as what the client calls a table or metadata; empty for objects as they are
 * @param apiVersion of the table or of the metadata; empty for objects as they are
 */
public record Representation(Form form, String as, String apiVersion, WireFormat format) {
  public enum Form {
    OBJECTS,
    TABLE,
    METADATA
  }

  /**
   * The best of what an Accept header asks for that is served, or an error that says what is.
   *
   * @param protobuf whether the objects that are asked for have a protobuf message
   * @param streams whether what is asked for is also served as a stream
   */
  public static Representation negotiate(
      List<String> accept, BooleanSupplier protobuf, boolean streams) {
    return find(accept, protobuf)
        .orElseThrow(() ->
            takesAny(accept)
                ? Failures.notAcceptable(WireFormat.mediaTypes())
                : Failures.noRepresentation(offered(streams)));
  }

  /** The same of custom resources, which Kubernetes serves by other paths, in other words. */
  public static Representation negotiateCustom(List<String> accept) {
    return find(accept, () -> false)
        .orElseThrow(() -> Failures.notAcceptable(WireFormat.mediaTypes()));
  }

  private static boolean takesAny(List<String> accept) {
    return MediaRange.parse(String.join(",", accept)).stream()
        .anyMatch(range -> WireFormat.mediaTypes().stream().anyMatch(range::takes));
  }

  private static Optional<Representation> find(List<String> accept, BooleanSupplier protobuf) {
    String all = String.join(",", accept);
    if (all.isBlank()) {
      return Optional.of(objects(WireFormat.JSON));
    }
    for (MediaRange range : MediaRange.parse(all)) {
      for (WireFormat format : WireFormat.values()) {
        Representation representation = range.takes(format.mediaType()) ? of(range, format) : null;
        if (representation != null
            && (representation.form == Form.METADATA
                || format != WireFormat.PROTOBUF
                || protobuf.getAsBoolean())) {
          return Optional.of(representation);
        }
      }
    }
    return Optional.empty();
  }

  private static List<String> offered(boolean streams) {
    Stream<String> whole = WireFormat.mediaTypes().stream();
    return streams
        ? Stream.concat(whole, WireFormat.streamTypes().stream()).toList()
        : whole.toList();
  }

  /** Refuses whoever takes only tables or metadata, where neither is served. */
  public static void expectObjects(List<String> accept) {
    String all = String.join(",", accept);
    boolean taken =
        all.isBlank()
            || MediaRange.parse(all).stream()
                .flatMap(range ->
                    Stream.of(WireFormat.values())
                        .filter(format -> range.takes(format.mediaType()))
                        .map(format -> Optional.ofNullable(of(range, format))))
                .flatMap(Optional::stream)
                .anyMatch(found -> found.form == Form.OBJECTS);
    if (!taken) {
      throw Failures.notAcceptable(WireFormat.mediaTypes());
    }
  }

  /** The format of an answer that is no object of a resource; JSON if none fits. */
  public static WireFormat format(List<String> accept) {
    for (MediaRange range : MediaRange.parse(String.join(",", accept))) {
      for (WireFormat format : WireFormat.values()) {
        Representation found = range.takes(format.mediaType()) ? of(range, format) : null;
        if (found != null && found.form == Form.OBJECTS) {
          return format;
        }
      }
    }
    return WireFormat.JSON;
  }

  private static Representation objects(WireFormat format) {
    return new Representation(Form.OBJECTS, "", "", format);
  }

  private static @Nullable Representation of(MediaRange range, WireFormat format) {
    String stream = range.parameter("stream");
    if (!stream.isEmpty() && !(stream.equals("watch") && format.streams())) {
      return null;
    }
    String as = range.parameter("as");
    String version = range.parameter("v");
    String group = range.parameter("g");
    if (as.isEmpty() && version.isEmpty() && group.isEmpty()) {
      return objects(format);
    }
    boolean known =
        group.equals("meta.k8s.io") && (version.equals("v1") || version.equals("v1beta1"));
    if (!known) {
      return null;
    }
    return switch (as) {
      // The cells of a table are of any type, for which protobuf has no place.
      case "Table" ->
          format == WireFormat.PROTOBUF
              ? null
              : new Representation(Form.TABLE, as, "meta.k8s.io/" + version, format);
      case "PartialObjectMetadata", "PartialObjectMetadataList" ->
          new Representation(Form.METADATA, as, "meta.k8s.io/" + version, format);
      default -> null;
    };
  }
}
