package dev.berth.customresources.upkeep;

import static dev.berth.customresources.fixture.Documents.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.customresources.definition.DefinitionView;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameAcceptanceTest {
  private static final String NAMES =
      "{plural: foos, singular: foo, kind: Foo, listKind: FooList, shortNames: [f]}";

  private static DefinitionView asking(String names) {
    return new DefinitionView(object("spec: {names: " + names + "}"));
  }

  private static DefinitionView having(String names) {
    return new DefinitionView(
        object("{spec: {names: %1$s}, status: {acceptedNames: %1$s}}".formatted(names)));
  }

  @Test
  void whoGetsAllNamesIsEstablished() {
    NameAcceptance decided = NameAcceptance.decide(asking(NAMES), List.of());
    assertThat(decided.names()).isEqualTo(object(NAMES));
    assertThat(decided.accepted().reason()).isEqualTo("NoConflicts");
    assertThat(decided.established().status()).isEqualTo("True");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{plural: foos} | PluralConflict | \"foos\" is already in use",
        "{plural: foo} | SingularConflict | \"foo\" is already in use",
        "{shortNames: [f]} | ShortNamesConflict | \"f\" is already in use",
        "{kind: Foo} | KindConflict | \"Foo\" is already in use",
        "{kind: FooList} | ListKindConflict | \"FooList\" is already in use",
      })
  void namesOfOthersAreNotGiven(String others, String reason, String message) {
    NameAcceptance decided = NameAcceptance.decide(asking(NAMES), List.of(having(others)));
    assertThat(decided.accepted().status()).isEqualTo("False");
    assertThat(decided.accepted().reason()).isEqualTo(reason);
    assertThat(decided.accepted().message()).isEqualTo(message);
    assertThat(decided.established().reason()).isEqualTo("NotAccepted");
  }

  @Test
  void ownNamesAreNoConflict() {
    NameAcceptance decided = NameAcceptance.decide(having(NAMES), List.of(having(NAMES)));
    assertThat(decided.accepted().status()).isEqualTo("True");
  }
}
