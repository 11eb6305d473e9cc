package dev.berth.agent.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** References to variables in texts. */
final class ExpansionTest {
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "plain,            plain",
    "$(A),             one",
    "x$(A)y$(B)z,      xoneytwoz",
    "$(NOPE),          $(NOPE)",
    "$$(A),            $(A)",
    "$$$(A),           $one",
    "$A,               $A",
    "$(A,              $(A",
    "cost: 5$,         cost: 5$",
    "$(),              $()",
  })
  void expansion(String text, String expected) {
    assertThat(Expansion.expand(text, Map.of("A", "one", "B", "two"))).isEqualTo(expected);
  }
}
