package dev.berth.model.selector;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.fixture.SeededTest;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectorTest {

  @ParameterizedTest(name = "[{0}] on [{1}]: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "''                        | ''              | true",
        "''                        | a=b             | true",
        "a=b                       | a=b             | true",
        "a==b                      | a=b             | true",
        "a=b                       | a=c             | false",
        "a=b                       | ''              | false",
        "a=                        | a=              | true",
        "a=                        | ''              | false",
        "a!=b                      | a=c             | true",
        "a!=b                      | a=b             | false",
        "a!=b                      | ''              | true",
        "a!=                       | a=              | false",
        "a in (b,c)                | a=c             | true",
        "a in (b,c)                | a=d             | false",
        "a in (b,c)                | ''              | false",
        "a in ()                   | a=              | true",
        "a in (,b)                 | a=              | true",
        "a notin (b,c)             | a=d             | true",
        "a notin (b,c)             | a=b             | false",
        "a notin (b,c)             | ''              | true",
        "a                         | a=              | true",
        "a                         | b=a             | false",
        "!a                        | b=a             | true",
        "!a                        | a=              | false",
        "a>5                       | a=6             | true",
        "a>5                       | a=5             | false",
        "a>5                       | a=x             | false",
        "a>5                       | ''              | false",
        "a<5                       | a=4             | true",
        "a<5                       | a=10            | false",
        "a<5                       | a=x             | false",
        "a=b,c=d                   | a=b;c=d         | true",
        "a=b,c=d                   | a=b;c=e         | false",
        "a=b , !c , d in ( e , f ) | a=b;d=f         | true",
        "in in (in,notin)          | in=notin        | true",
        "notin                     | notin=          | true",
        "example.com/a=b           | example.com/a=b | true",
      })
  void matchesLabelsAsKubernetesDoes(String selector, String labels, boolean expected) {
    Map<String, String> map = new TreeMap<>();
    Arrays.stream(labels.split(";"))
        .filter(label -> !label.isEmpty())
        .map(label -> label.split("=", 2))
        .forEach(pair -> map.put(pair[0], pair[1]));
    LabelSelector parsed = LabelSelector.parse(selector);
    assertThat(parsed.matches(map)).isEqualTo(expected);
    assertThat(parsed.matches(JsonObject.ofStrings(map))).isEqualTo(expected);
  }

  @ParameterizedTest(name = "[{0}] is written [{1}]")
  @CsvSource(
      delimiter = '|',
      value = {
        "''                          | ''",
        "x=a,y=b,z=c                 | x=a,y=b,z=c",
        "z=c,x=a                     | x=a,z=c",
        "x != a                      | x!=a",
        "x == a                      | x==a",
        "x notin ( c , a, b, a )     | x notin (a,b,c)",
        "x in (foo,,baz),y,z notin() | x in (,baz,foo),y,z notin ()",
        "x=,z=                       | x=,z=",
        "! x                         | !x",
        "x>1,z<5                     | x>1,z<5",
        "x\tin(a)                    | x in (a)",
      })
  void writesRequirementsInTheOrderOfTheirKeys(String selector, String canonical) {
    assertThat(LabelSelector.parse(selector)).hasToString(canonical);
    assertThat(LabelSelector.parse(canonical)).isEqualTo(LabelSelector.parse(selector));
  }

  @ParameterizedTest(name = "[{0}]")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "x==a==b    | found '==', expected: ',' or 'end of string'",
        "!x=a       | found '=', expected: ',' or 'end of string'",
        "x=a,       | found '', expected: identifier after ','",
        ",x         | found ',', expected: !, identifier, or 'end of string'",
        "=x         | found '=', expected: !, identifier, or 'end of string'",
        "x y        | unable to parse requirement: found 'y', expected: in, notin, =, ==, !=, gt, lt",
        "x in a     | unable to parse requirement: found 'a' expected: '('",
        "x in (a    | unable to parse requirement: found '', expected: ',' or ')'",
        "x in (a b) | unable to parse requirement: found 'b', expected: ',' or ')'",
        "!          | unable to parse requirement: found '', expected: identifier",
        "!!x        | unable to parse requirement: found '!', expected: identifier",
        "x=(        | unable to parse requirement: found '(', expected: identifier",
        "x>a        | unable to parse requirement: values[0]: Invalid value: \"a\": for 'Gt', 'Lt' operators, the value must be an integer",
      })
  void saysWhereATextStopsBeingASelector(String selector, String message) {
    assertThatThrownBy(() -> LabelSelector.parse(selector))
        .isInstanceOf(SelectorException.class)
        .hasMessage(message);
  }

  @Test
  void namesTheRuleThatAKeyOrAValueBreaks() {
    assertThatThrownBy(() -> LabelSelector.parse("a_=b"))
        .hasMessage(
            "unable to parse requirement: <nil>: Invalid value: \"a_\": name part must consist of"
                + " alphanumeric characters, '-', '_' or '.', and must start and end with an"
                + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used"
                + " for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')");
    assertThatThrownBy(() -> LabelSelector.parse("a in (b," + "c".repeat(64) + ")"))
        .hasMessage(
            "unable to parse requirement: values[1][a]: Invalid value: \""
                + "c".repeat(64)
                + "\": must be no more than 63 bytes");
  }

  @Test
  void readsTheObjectForm() {
    LabelSelector selector =
        LabelSelector.fromTree(
            tree(
                """
                {"matchLabels": {"b": "c", "a": "b"},
                 "matchExpressions": [
                   {"key": "d", "operator": "In", "values": ["f", "e"]},
                   {"key": "g", "operator": "NotIn", "values": ["h"]},
                   {"key": "i", "operator": "Exists"},
                   {"key": "j", "operator": "DoesNotExist", "values": null}]}
                """));
    assertThat(selector).hasToString("a=b,b=c,d in (e,f),g notin (h),i,!j");
    assertThat(selector.matches(Map.of("a", "b", "b", "c", "d", "e", "i", ""))).isTrue();
    assertThat(selector.matches(Map.of("a", "b", "b", "c", "d", "e"))).isFalse();
  }

  @Test
  void tellsNoSelectorFromAnEmptyOne() {
    assertThat(LabelSelector.fromTree(null)).isEqualTo(LabelSelector.NOTHING);
    assertThat(LabelSelector.fromTree(JsonNull.NULL).selectsNothing()).isTrue();
    assertThat(LabelSelector.fromTree(JsonObject.EMPTY)).isEqualTo(LabelSelector.EVERYTHING);
    assertThat(LabelSelector.NOTHING.matches(Map.of())).isFalse();
    assertThat(LabelSelector.NOTHING.selectsEverything()).isFalse();
    assertThat(LabelSelector.EVERYTHING.matches(Map.of("a", "b"))).isTrue();
    assertThat(LabelSelector.EVERYTHING).isNotEqualTo(LabelSelector.NOTHING).hasToString("");
    assertThat(LabelSelector.ofLabels(Map.of())).isEqualTo(LabelSelector.EVERYTHING);
  }

  @Test
  void findsTheValueThatALabelMustHave() {
    LabelSelector selector = LabelSelector.parse("a=b,c in (d),e!=f,g in (h,i)");
    assertThat(selector.exactValue("a")).contains("b");
    assertThat(selector.exactValue("c")).contains("d");
    assertThat(selector.exactValue("e")).isEmpty();
    assertThat(selector.exactValue("g")).isEmpty();
    assertThat(LabelSelector.ofLabels(tree("{\"a\": \"b\"}")).exactValue("a")).contains("b");
  }

  @Test
  void validatesTheObjectForm() {
    JsonObject selector =
        tree(
            """
            {"matchLabels": {"a": "b c"},
             "matchExpressions": [
               {"key": "d", "operator": "In"},
               {"key": "e", "operator": "Exists", "values": ["x"]},
               {"key": "", "operator": "Equals"},
               {"key": "f", "operator": "NotIn", "values": ["-"]}]}
            """);
    assertThat(LabelSelectorForm.validate(selector, "spec.selector"))
        .extracting(FieldError::toString)
        .satisfiesExactly(
            e ->
                assertThat(e)
                    .startsWith("spec.selector.matchLabels: Invalid value: \"b c\": a valid label"),
            e ->
                assertThat(e)
                    .isEqualTo(
                        "spec.selector.matchExpressions[0].values: Required value: must be"
                            + " specified when `operator` is 'In' or 'NotIn'"),
            e ->
                assertThat(e)
                    .isEqualTo(
                        "spec.selector.matchExpressions[1].values: Forbidden: may not be specified"
                            + " when `operator` is 'Exists' or 'DoesNotExist'"),
            e ->
                assertThat(e)
                    .isEqualTo(
                        "spec.selector.matchExpressions[2].operator: Invalid value: \"Equals\": not"
                            + " a valid selector operator"),
            e ->
                assertThat(e)
                    .isEqualTo(
                        "spec.selector.matchExpressions[2].key: Invalid value: \"\": name part must"
                            + " be non-empty"),
            e ->
                assertThat(e)
                    .startsWith(
                        "spec.selector.matchExpressions[2].key: Invalid value: \"\": name part must"
                            + " consist of"),
            e ->
                assertThat(e)
                    .startsWith(
                        "spec.selector.matchExpressions[3].values[0]: Invalid value: \"-\": a valid"
                            + " label"));
    assertThat(LabelSelectorForm.validate(JsonObject.EMPTY, "spec.selector")).isEmpty();
    assertThatThrownBy(() -> LabelSelector.fromTree(selector))
        .isInstanceOf(SelectorException.class);
    assertThatThrownBy(() -> LabelSelector.fromTree("a=b"))
        .isInstanceOf(SelectorException.class)
        .hasMessage("a label selector is an object: a=b");
  }

  @SeededTest(fixed = 2, fresh = 1)
  void readsOrRefusesAnyText(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    String[] pieces = {
      "a",
      "b1",
      "in",
      "notin",
      "=",
      "==",
      "!=",
      "!",
      "(",
      ")",
      ",",
      ",",
      "<",
      ">",
      " ",
      "5",
      "/",
      "\u0000",
      "\ud83d",
      "x y",
      "-",
      "c".repeat(64),
    };
    int read = 0;
    for (int i = 0; i < 50_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(10); length > 0; length--) {
        text.append(pieces[random.nextInt(pieces.length)]);
      }
      try {
        LabelSelector selector = LabelSelector.parse(text.toString());
        assertThat(LabelSelector.parse(selector.toString()))
            .as("seed %s: %s", seed, text)
            .hasToString(selector.toString());
        read++;
      } catch (SelectorException expected) {
        assertThat(expected).hasMessageMatching("(?s)(unable to parse|found ).*");
      }
    }
    assertThat(read).isPositive();
  }
}
