package dev.berth.agent.nativecalls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignalsTest {
  @ParameterizedTest
  @CsvSource({
    "SIGTERM, 15",
    "term, 15",
    "9, 9",
    "SIGRTMIN+3, 37",
    "RTMAX-1, 63",
    "SIGNOPE, 0",
    "99, 0",
    "SIGRTMIN+99, 0",
  })
  void signalsHaveNamesAndNumbers(String name, int number) {
    assertThat(Signals.number(name).orElse(0)).isEqualTo(number);
  }
}
