package dev.berth.serving.rest;

import dev.berth.http.Headers;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a client is told beside its answer, in header fields, of which there is no room for many. As
 * in Kubernetes, nothing is said twice; and where all of it has more than {@value #MOST_CHARACTERS}
 * characters, each is cut to {@value #LONGEST_WHEN_CUT}, and those after them are left out.
 */
final class Warnings {
  private static final int MOST_CHARACTERS = 4 * 1024;
  private static final int LONGEST_WHEN_CUT = 256;

  /** More than fit, so that the rest need not be kept. */
  private static final int MOST = MOST_CHARACTERS;

  private final Set<String> texts = new LinkedHashSet<>();

  void add(String text) {
    if (!text.isEmpty() && texts.size() < MOST) {
      texts.add(text);
    }
  }

  Headers addTo(Headers headers) {
    return texts.isEmpty() ? headers : headers.with("Warning", values());
  }

  private List<String> values() {
    boolean cut = texts.stream().mapToLong(Warnings::characters).sum() > MOST_CHARACTERS;
    List<String> values = new ArrayList<>();
    int written = 0;
    for (String text : texts) {
      if (cut && written >= MOST_CHARACTERS) {
        break;
      }
      String shown = cut ? cut(text) : text;
      written += characters(shown);
      String quoted = shown.replace("\\", "\\\\").replace("\"", "\\\"");
      values.add("299 - \"" + quoted.replaceAll("\\p{Cntrl}", " ") + "\"");
    }
    return values;
  }

  private static int characters(String text) {
    return text.codePointCount(0, text.length());
  }

  private static String cut(String text) {
    return characters(text) <= LONGEST_WHEN_CUT
        ? text
        : text.substring(0, text.offsetByCodePoints(0, LONGEST_WHEN_CUT));
  }
}
