package dev.berth.model.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.time.fixture.SeededTest;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldSelectorTest {
  private static final Map<String, String> FIELDS =
      Map.of("metadata.name", "foo", "spec.nodeName", "n1", "odd", "a,b=c\\d");

  @ParameterizedTest(name = "[{0}]: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                | true",
        "metadata.name=foo                 | true",
        "metadata.name==foo                | true",
        "metadata.name=bar                 | false",
        "metadata.name!=bar                | true",
        "metadata.name!=foo                | false",
        "spec.nodeName=n1,metadata.name=foo| true",
        "spec.nodeName=n2,metadata.name=foo| false",
        ",metadata.name=foo,               | true",
        "absent=                           | true",
        "absent!=                          | false",
        "absent=x                          | false",
        "odd=a\\,b\\=c\\\\d                | true",
        "odd!=a\\,b\\=c\\\\d               | false",
      })
  void matchesFields(String selector, boolean expected) {
    FieldSelector parsed = FieldSelector.parse(selector);
    assertThat(parsed.matches(path -> FIELDS.getOrDefault(path, ""))).isEqualTo(expected);
  }

  @ParameterizedTest(name = "[{0}] is written [{1}]")
  @CsvSource(
      delimiter = '|',
      value = {
        "''           | ''",
        "b=2,a==1     | a=1,b=2",
        "a!=1         | a!=1",
        "a=\\,\\=\\\\ | a=\\,\\=\\\\",
        "a=           | a=",
        "=a           | =a",
        "a!b=c        | a!b=c",
        "a= b         | a= b",
      })
  void writesTermsInOrder(String selector, String canonical) {
    assertThat(FieldSelector.parse(selector)).hasToString(canonical);
  }

  @ParameterizedTest(name = "[{0}]")
  @CsvSource(
      delimiter = '|',
      value = {
        "a       | invalid selector: 'a'; can't understand 'a'",
        "a=b,c   | invalid selector: 'a=b,c'; can't understand 'c'",
        "a=b=c   | invalid field selector: unescaped character in value: =",
        "a===b   | invalid field selector: unescaped character in value: =",
        "a=\\x   | invalid field selector: invalid escape sequence: \\x",
        "a=b\\   | invalid field selector: invalid escape sequence: \\",
      })
  void refusesWhatItCannotUnderstand(String selector, String message) {
    assertThatThrownBy(() -> FieldSelector.parse(selector))
        .isInstanceOf(SelectorException.class)
        .hasMessage(message);
  }

  @Test
  void showsItsTermsAndTheValueThatAFieldMustHave() {
    FieldSelector selector = FieldSelector.parse("a=1,b!=2");
    assertThat(selector.terms())
        .containsExactly(
            new FieldSelector.Term("a", false, "1"), new FieldSelector.Term("b", true, "2"));
    assertThat(selector.exactValue("a")).contains("1");
    assertThat(selector.exactValue("b")).isEmpty();
    assertThat(FieldSelector.parse(",,").selectsEverything()).isTrue();
  }

  @SeededTest(fixed = 1, fresh = 1)
  void readsWhatItWrites(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    String alphabet = "ab\\,=! \u00e9\ud83d\u0000";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder value = new StringBuilder();
      for (int length = random.nextInt(8); length > 0; length--) {
        value.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      FieldSelector.Term term =
          new FieldSelector.Term("spec.x", random.nextBoolean(), value.toString());
      FieldSelector selector = new FieldSelector(List.of(term));
      assertThat(FieldSelector.parse(selector.toString()))
          .as("seed %s: %s", seed, selector)
          .isEqualTo(selector);
      try {
        assertThat(FieldSelector.parse(value.toString())).isNotNull();
      } catch (SelectorException expected) {
        assertThat(expected).hasMessageStartingWith("invalid ");
      }
    }
  }
}
