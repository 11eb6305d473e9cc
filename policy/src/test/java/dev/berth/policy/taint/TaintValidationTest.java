package dev.berth.policy.taint;

import static dev.berth.model.fixture.Fixtures.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TaintValidationTest {

  static Stream<Arguments> rejected() {
    return Stream.of(
        argumentSet(
            "two taints with the same key and effect",
            JsonArray.of(
                object("key", "a", "value", "1", "effect", "NoSchedule"),
                object("key", "a", "value", "2", "effect", "NoSchedule")),
            "spec.taints[1]: Duplicate value: {\"Key\":\"a\",\"Value\":\"2\",\"Effect\":\"NoSchedule\","
                + "\"TimeAdded\":null}: taints must be unique by key and"
                + " effect pair"),
        argumentSet(
            "no effect", JsonArray.of(object("key", "a")), "spec.taints[0].effect: Required value"),
        argumentSet(
            "an unknown effect",
            JsonArray.of(object("key", "a", "effect", "Never")),
            "spec.taints[0].effect: Unsupported value: \"Never\": supported values:"
                + " \"NoSchedule\", \"PreferNoSchedule\", \"NoExecute\""),
        argumentSet(
            "a malformed key",
            JsonArray.of(object("key", "a/b/c", "effect", "NoSchedule")),
            "spec.taints[0].key: Invalid value: \"a/b/c\": a valid label key must consist of"
                + " alphanumeric characters, '-', '_' or '.', and must start and end with an"
                + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex"
                + " used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an"
                + " optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"),
        argumentSet(
            "a malformed value",
            JsonArray.of(object("key", "a", "value", "-", "effect", "NoSchedule")),
            "spec.taints[0].value: Invalid value: \"-\": a valid label must be an empty string or"
                + " consist of alphanumeric characters, '-', '_' or '.', and must start and end"
                + " with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345',"
                + " regex used for validation is"
                + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"));
  }

  @ParameterizedTest
  @MethodSource("rejected")
  void rejects(JsonArray taints, String message) {
    assertThat(TaintValidation.validate(taints, FieldPath.of("spec", "taints")))
        .extracting(FieldError::toString)
        .containsExactly(message);
  }

  static Stream<Arguments> accepted() {
    return Stream.of(
        argumentSet("none", JsonArray.EMPTY),
        argumentSet(
            "the same key with another effect",
            JsonArray.of(
                object("key", "a", "effect", "NoSchedule"),
                object("key", "a", "effect", "NoExecute"))),
        argumentSet(
            "another key with the same effect",
            JsonArray.of(
                object("key", "example.com/a", "value", "1", "effect", "NoSchedule"),
                object("key", "b", "value", "1", "effect", "NoSchedule"))));
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void accepts(JsonArray taints) {
    assertThat(TaintValidation.validate(taints, FieldPath.of("spec", "taints"))).isEmpty();
  }
}
