package dev.berth.policy.taint;

import static dev.berth.model.fixture.Fixtures.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TolerationValidationTest {
  private static final FieldPath PATH = FieldPath.of("spec", "tolerations");

  private static List<String> errors(TolerationRules rules, JsonObject... tolerations) {
    return TolerationValidation.validate(JsonArray.of((Object[]) tolerations), PATH, rules).stream()
        .map(FieldError::toString)
        .toList();
  }

  static Stream<Arguments> rejected() {
    return Stream.of(
        argumentSet(
            "a value with Exists",
            object("key", "a", "operator", "Exists", "value", "b"),
            "spec.tolerations[0].operator: Invalid value: \"b\": value must be empty when"
                + " `operator` is 'Exists'"),
        argumentSet(
            "an empty key with Equal",
            object("operator", "Equal", "value", "b"),
            "spec.tolerations[0].operator: Invalid value: \"Equal\": operator must be Exists when"
                + " `key` is empty, which means \"match all values and all keys\""),
        argumentSet(
            "an empty key with no operator, which means Equal",
            object("value", "b"),
            "spec.tolerations[0].operator: Invalid value: \"\": operator must be Exists when"
                + " `key` is empty, which means \"match all values and all keys\""),
        argumentSet(
            "tolerationSeconds with NoSchedule",
            object("key", "a", "operator", "Exists", "effect", "NoSchedule")
                .with("tolerationSeconds", 20L),
            "spec.tolerations[0].effect: Invalid value: \"NoSchedule\": effect must be 'NoExecute'"
                + " when `tolerationSeconds` is set"),
        argumentSet(
            "tolerationSeconds with every effect",
            object("key", "a", "operator", "Exists").with("tolerationSeconds", 20L),
            "spec.tolerations[0].effect: Invalid value: \"\": effect must be 'NoExecute'"
                + " when `tolerationSeconds` is set"),
        argumentSet(
            "an unknown effect",
            object("key", "a", "operator", "Exists", "effect", "Never"),
            "spec.tolerations[0].effect: Unsupported value: \"Never\": supported values:"
                + " \"NoSchedule\", \"PreferNoSchedule\", \"NoExecute\""),
        argumentSet(
            "an unknown operator",
            object("key", "a", "operator", "In", "value", "b"),
            "spec.tolerations[0].operator: Unsupported value: \"In\": supported values:"
                + " \"Equal\", \"Exists\""),
        argumentSet(
            "Gt while the gate is off",
            object("key", "a", "operator", "Gt", "value", "1"),
            "spec.tolerations[0].operator: Unsupported value: \"Gt\": supported values:"
                + " \"Equal\", \"Exists\", \"Lt\", \"Gt\""),
        argumentSet(
            "a malformed key",
            object("key", "nospecialchars^=@", "operator", "Exists"),
            "spec.tolerations[0].key: Invalid value: \"nospecialchars^=@\": name part must consist"
                + " of alphanumeric characters, '-', '_' or '.', and must start and end with an"
                + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex"
                + " used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"),
        argumentSet(
            "a malformed value",
            object("key", "a", "value", "b c"),
            "spec.tolerations[0].operator: Invalid value: \"b c\": a valid label must be an empty"
                + " string or consist of alphanumeric characters, '-', '_' or '.', and must start"
                + " and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or"
                + " '12345', regex used for validation is"
                + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"));
  }

  @ParameterizedTest
  @MethodSource("rejected")
  void rejects(JsonObject toleration, String message) {
    assertThat(errors(TolerationRules.STANDARD, toleration)).containsExactly(message);
  }

  static Stream<Arguments> accepted() {
    return Stream.of(
        argumentSet("everything", object("operator", "Exists")),
        argumentSet("a key with any value", object("key", "example.com/a", "operator", "Exists")),
        argumentSet(
            "a key with one value", object("key", "a", "value", "b", "effect", "NoExecute")),
        argumentSet(
            "seconds with NoExecute",
            object("key", "a", "operator", "Exists", "effect", "NoExecute")
                .with("tolerationSeconds", 20L)),
        argumentSet(
            "negative seconds, which mean at once",
            object("key", "a", "operator", "Exists", "effect", "NoExecute")
                .with("tolerationSeconds", -1L)));
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void accepts(JsonObject toleration) {
    assertThat(errors(TolerationRules.STANDARD, toleration)).isEmpty();
  }

  @Test
  void acceptsComparisonsOfIntegersWhileTheGateIsOn() {
    assertThat(
            errors(
                TolerationRules.WITH_COMPARISONS,
                object("key", "a", "operator", "Gt", "value", "0"),
                object("key", "a", "operator", "Lt", "value", "-17")))
        .isEmpty();
  }

  @Test
  void rejectsComparisonsOfAnythingElse() {
    for (String value : List.of("", "1.5", "007", "+7", "low", "9223372036854775808")) {
      assertThat(
              errors(
                  TolerationRules.WITH_COMPARISONS,
                  object("key", "a", "operator", "Lt", "value", value)))
          .containsExactly(
              "spec.tolerations[0].value: Invalid value: \"%s\": must be a valid decimal integer in canonical form"
                  .formatted(value));
    }
  }

  @Test
  void namesTheComparisonOperatorsWhileTheGateIsOn() {
    assertThat(errors(TolerationRules.WITH_COMPARISONS, object("key", "a", "operator", "In")))
        .containsExactly(
            "spec.tolerations[0].operator: Unsupported value: \"In\": supported values:"
                + " \"Equal\", \"Exists\", \"Lt\", \"Gt\"");
  }

  @Test
  void reportsEveryErrorAtItsPlace() {
    assertThat(
            TolerationValidation.validate(
                JsonArray.of(
                    object("operator", "Exists"),
                    object("key", "a", "operator", "In", "effect", "Never")),
                PATH,
                TolerationRules.STANDARD))
        .extracting(FieldError::field)
        .containsExactly("spec.tolerations[1].operator", "spec.tolerations[1].effect");
  }
}
