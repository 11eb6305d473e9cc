package dev.berth.agent.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The query parameters of a request to the node's port. */
record NodeQuery(Map<String, List<String>> values) {
  private static final int BAD_REQUEST = 400;

  static NodeQuery of(Optional<String> raw) throws Refusal {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String part : raw.orElse("").split("&", -1)) {
      if (!part.isEmpty()) {
        String[] pair = part.split("=", 2);
        values
            .computeIfAbsent(decoded(pair[0]), _ -> new ArrayList<>())
            .add(pair.length == 1 ? "" : decoded(pair[1]));
      }
    }
    return new NodeQuery(values);
  }

  private static String decoded(String text) throws Refusal {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      throw new Refusal(BAD_REQUEST, "{\"message\": \"Unable to decode query.\"}");
    }
  }

  List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  /** The first value; empty if there is none. */
  String text(String name) {
    return all(name).isEmpty() ? "" : all(name).getFirst();
  }

  boolean flag(String name) {
    return List.of("1", "true", "True", "TRUE", "t", "T").contains(text(name));
  }

  OptionalLong integer(String name) throws Refusal {
    String text = text(name);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw new Refusal(BAD_REQUEST, "{\"message\": \"Unable to decode query.\"}");
    }
  }
}
