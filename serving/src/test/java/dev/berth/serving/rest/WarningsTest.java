package dev.berth.serving.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.Headers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** There is room for so many warnings. */
class WarningsTest {
  private final Warnings warnings = new Warnings();

  private List<String> shown() {
    return warnings.addTo(Headers.NONE).fields().stream().map(Headers.Field::value).toList();
  }

  @Test
  void saysEachOnce() {
    warnings.add("a \"quoted\" word");
    warnings.add("another");
    warnings.add("another");
    assertThat(shown()).containsExactly("299 - \"a \\\"quoted\\\" word\"", "299 - \"another\"");
  }

  @Test
  void showsALongOneWhole() {
    warnings.add("a".repeat(4096));
    assertThat(shown()).containsExactly("299 - \"" + "a".repeat(4096) + "\"");
  }

  @Test
  void cutsThemWhenTheyAreTooLongTogether() {
    warnings.add("a".repeat(3000));
    warnings.add("b".repeat(3000));
    for (int i = 0; i < 100_000; i++) {
      warnings.add("unknown field " + i);
    }
    assertThat(shown())
        .startsWith("299 - \"" + "a".repeat(256) + "\"", "299 - \"" + "b".repeat(256) + "\"");
    assertThat(shown().stream().mapToInt(String::length).sum()).isLessThan(6_000);
  }
}
