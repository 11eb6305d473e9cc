package dev.berth.customresources.instance;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.CustomKind.ScalePaths;
import dev.berth.model.resource.FieldError;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the fields of a scale may hold, and what is on the way to them. */
class ScaleValidationTest {
  private static final ScalePaths PATHS =
      new ScalePaths("spec.size.count", "status.count", "status.selector");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'spec':{'size':{'count':3}}}|~~",
        "{'spec':{'size':null}}|~~",
        "{}|~~",
        "{'spec':{'size':{'count':-1}}}|.spec.size.count: Invalid value: -1: should be a non-negative integer",
        "{'spec':{'size':{'count':'3'}}}|.spec.size.count: Invalid value: 0: .spec.size.count accessor error: 3 is of the type string, expected int64",
        "{'spec':{'size':true}}|.spec.size.count: Invalid value: 0: .spec.size.count accessor error: true is of the type bool, expected map[string]interface{}",
        "{'spec':'big'}|.spec.size.count: Invalid value: 0: .spec.size accessor error: big is of the type string, expected map[string]interface{}",
      })
  void replicas(String object, String problem) {
    assertThat(ScaleValidation.spec(tree(object), Optional.of(PATHS)))
        .map(FieldError::toString)
        .isEqualTo(problem.isEmpty() ? List.of() : List.of(problem));
  }
}
