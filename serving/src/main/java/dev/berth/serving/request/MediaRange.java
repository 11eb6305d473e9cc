package dev.berth.serving.request;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One of the media ranges in an Accept header.
 *
 * @param parameters all but the quality
 */
record MediaRange(String type, String subtype, double quality, Map<String, String> parameters) {

  /** What is wanted more goes first, then what says more exactly what it wants. */
  private static final Comparator<MediaRange> BY_PREFERENCE =
      Comparator.comparingDouble(MediaRange::quality)
          .reversed()
          .thenComparing(range -> range.type.equals("*"))
          .thenComparing(range -> range.subtype.equals("*"));

  MediaRange {
    parameters = Map.copyOf(parameters);
  }

  /** The ranges of a header, the most wanted first. What is malformed is not wanted. */
  static List<MediaRange> parse(String accept) {
    List<MediaRange> ranges = new ArrayList<>();
    for (String part : accept.split(",", -1)) {
      MediaRange range = one(part);
      if (range != null) {
        ranges.add(range);
      }
    }
    ranges.sort(BY_PREFERENCE);
    return ranges;
  }

  private static @Nullable MediaRange one(String part) {
    String[] pieces = part.split(";", -1);
    String[] type = pieces[0].strip().split("/", -1);
    boolean anything = type.length == 1 && type[0].equals("*");
    if (type.length != 2 && !anything) {
      return null;
    }
    double quality = 1;
    Map<String, String> parameters = new HashMap<>();
    for (int i = 1; i < pieces.length; i++) {
      String[] pair = pieces[i].split("=", -1);
      if (pair.length == 2 && pair[0].strip().equals("q")) {
        quality = parsedQuality(pair[1].strip());
      } else if (pair.length == 2) {
        parameters.put(pair[0].strip(), pair[1].strip());
      }
    }
    return new MediaRange(type[0].strip(), anything ? "*" : type[1].strip(), quality, parameters);
  }

  private static double parsedQuality(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  /** Whether something of a media type is what is asked for. */
  boolean takes(String mediaType) {
    int slash = mediaType.indexOf('/');
    boolean anything = type.equals("*") && subtype.equals("*");
    return anything
        || (type.equals(mediaType.substring(0, slash))
            && (subtype.equals("*") || subtype.equals(mediaType.substring(slash + 1))));
  }

  String parameter(String name) {
    return parameters.getOrDefault(name, "");
  }
}
