package dev.berth.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cel.schema.FieldNames;
import dev.berth.cel.schema.SchemaType;
import dev.berth.cel.schema.SchemaTypes;
import dev.berth.cel.value.CelType;
import dev.berth.model.tree.JsonObject;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What does not compile, and how that is said. */
class CelCompilationTest {
  private static final JsonObject SCHEMA =
      (JsonObject)
          Expressions.tree(
              """
              {"type": "object", "properties": {
                "replicas": {"type": "integer"},
                "port": {"x-kubernetes-int-or-string": true},
                "since": {"type": "string", "format": "date-time"},
                "a-b": {"type": "string"},
                "namespace": {"type": "string"},
                "day": {"type": "string", "format": "date"},
                "waits": {"type": "array", "items": {"type": "string", "format": "duration"}},
                "gone": {"type": "string", "nullable": true},
                "none": {"type": "array", "items": {"type": "string", "format": "duration"}},
                "tags": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
                "any": {"x-kubernetes-preserve-unknown-fields": true}
              }}
              """);

  private static final CelEnvironment ENVIRONMENT = environment();

  private static CelEnvironment environment() {
    SchemaType type = Objects.requireNonNull(SchemaTypes.declare(SCHEMA, "selfType1", true));
    return CelEnvironment.builder()
        .variable("self", type.type())
        .variable("d", CelType.DYN)
        .build();
  }

  private static final String PROBLEMS =
      """
      nope => 1:1: undeclared reference to 'nope' (in container '')
      foo(1) => 1:4: undeclared reference to 'foo' (in container '')
      self.nope == 1 => 1:5: undefined field 'nope'
      self.replicas.x => 1:14: type 'int' does not support field selection
      self.replicas + 'a' => 1:15: found no matching overload for '_+_' applied to '(int, string)'
      self.replicas.startsWith('a') => 1:25: found no matching overload for 'startsWith' applied to 'int.(string)'
      self.any => 1:5: undefined field 'any'
      1 + => 1:4: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}
      1 2 => 1:3: Syntax error: extraneous input '2' expecting <EOF>
      (1 => 1:3: Syntax error: missing ')' at '<EOF>'
      'a => 1:1: Syntax error: token recognition error at: ''a'
      a $ b => 1:3: Syntax error: token recognition error at: '$'
      for => 1:1: reserved identifier: for
      [1, 2, => 1:7: Syntax error: missing ']' at '<EOF>'
      d.true => 1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER
      timestamp(-62135596801) => 1:11: invalid timestamp argument
      has(d) => 1:5: invalid argument to has() macro
      [1].all(1, true) => 1:9: argument must be a simple name
      [1, 'a'] => 1:5: expected type 'int' but found 'string'
      self.replicas && true => 1:5: expected type 'bool' but found 'int'
      duration('x') => 1:10: invalid duration argument
      d.matches('(') => 1:11: invalid matches argument
      'a'.all(x, true) => 1:1: expression of type 'string' cannot be range of a comprehension (must be list, map, or dynamic)
      99999999999999999999 => 1:1: invalid int literal
      """;

  static Stream<String> problems() {
    return PROBLEMS.lines();
  }

  @ParameterizedTest
  @MethodSource("problems")
  void namesTheFirstProblemAndItsPlace(String row) {
    String[] parts = row.split(" => ", -1);
    assertThat(Expressions.evaluate(ENVIRONMENT, parts[0]).lines().findFirst().orElse(""))
        .isEqualTo("compilation failed: ERROR: <input>:" + parts[1]);
  }

  @Test
  void showsTheLineOfAProblem() {
    assertThat(ENVIRONMENT.compile("self.replicas >\n  nope"))
        .isEqualTo(
            new CelCompilation.Failed(
                """
                compilation failed: ERROR: <input>:2:3: undeclared reference to 'nope' (in container '')
                 |   nope
                 | ..^\
                """));
  }

  @Test
  void checksTheTypeOfTheResult() {
    assertThat(ENVIRONMENT.compile("self.replicas", CelType.BOOL))
        .isEqualTo(new CelCompilation.Failed("must evaluate to bool but got int"));
    assertThat(ENVIRONMENT.compile("d.x", CelType.STRING, CelType.NULL))
        .isEqualTo(
            new CelCompilation.Failed("must evaluate to one of [string null_type] but got dyn"));
  }

  @Test
  void readsTreesAsTheirSchemaSays() {
    JsonObject self =
        (JsonObject)
            Expressions.tree(
                """
                {"replicas": 3, "port": "http", "since": "2024-01-02T03:04:05Z", "a-b": "x",
                 "namespace": "n", "tags": ["a", "b"], "metadata": {"name": "n1"},
                 "day": "2024-01-02", "waits": ["1m", "1s"], "gone": null, "none": []}
                """);
    assertThat(
            Expressions.compile(
                    ENVIRONMENT,
                    """
                    self.replicas == 3 && self.port == 'http' && self.since.getFullYear() == 2024
                    && self.a__dash__b == 'x' && self.__namespace__ == 'n'
                    && self.tags == ['b', 'a'] && self.metadata.name == 'n1'
                    && self.namespace == 'n' && self.day.getDate() == 2
                    && self.waits.sum() == duration('61s') && !has(self.gone)
                    && self.none.sum() == duration('0s')
                    """)
                .evaluate(_ -> self, 1_000))
        .hasFieldOrPropertyWithValue("value", true);
  }

  @Test
  void namesAreEscapedAndBack() {
    assertThat(FieldNames.escape("a-b.c/d__e"))
        .contains("a__dash__b__dot__c__slash__d__underscores__e");
    assertThat(FieldNames.escape("namespace")).contains("__namespace__");
    assertThat(FieldNames.escape("1a")).isEmpty();
    assertThat(FieldNames.escape("a b")).isEmpty();
    assertThat(FieldNames.unescape("a__dash__b__dot__c__slash__d__underscores__e"))
        .contains("a-b.c/d__e");
    assertThat(FieldNames.unescape("__nope__")).isEmpty();
  }
}
