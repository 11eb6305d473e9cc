package dev.berth.cel.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What selectors of devices can say, and what they are refused for. */
class DeviceExpressionTest {
  private static final String DEVICE =
      """
      {
        "name": "gpu-0",
        "allowMultipleAllocations": true,
        "attributes": {
          "model": {"string": "a100"},
          "slots": {"int": 4},
          "ecc": {"bool": true},
          "firmware": {"version": "1.2.3"},
          "other.example.com/rack": {"string": "r1"}
        },
        "capacity": {"memory": {"value": "40Gi"}}
      }
      """;

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          device.driver == 'gpu.example.com' | true
          device.allowMultipleAllocations | true
          device.attributes['gpu.example.com'].model == 'a100' | true
          device.attributes['gpu.example.com'].slots > 4 | false
          device.attributes['gpu.example.com'].ecc | true
          device.attributes['gpu.example.com'].firmware.isGreaterThan(semver('1.2.0')) | true
          device.attributes['other.example.com'].rack == 'r1' | true
          device.capacity['gpu.example.com'].memory.compareTo(quantity('32Gi')) >= 0 | true
          'model' in device.attributes['gpu.example.com'] | true
          'model' in device.attributes['nobody.example.com'] | false
          has(device.attributes['nobody.example.com'].model) | false
          cel.bind(gpu, device.attributes['gpu.example.com'], gpu.ecc && gpu.slots == 4) | true
          device.attributes['gpu.example.com'].colour == 'red' | no such key: colour
          device.attributes['gpu.example.com'].slots | CEL result of type int could not be converted to bool: type conversion error from 'int' to 'bool'
          """)
  void evaluates(String expression, String expected) {
    assertThat(outcome(expression)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `` | compilation failed: ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting
          device.driver | must evaluate to bool or the unknown type, not string
          device.serial == 1 | compilation failed: ERROR: <input>:1:7: undefined field 'serial'
          noSuchVar | compilation failed: ERROR: <input>:1:1: undeclared reference to 'noSuchVar' (in container '')
          """)
  void refuses(String expression, String message) {
    assertThat(outcome(expression)).startsWith(message);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          device.attributes['gpu.example.com'].model.matches('a.*') | false
          device.attributes.all(d, device.attributes.all(e, device.attributes.all(f, device.attributes.all(g, d == e && f == g)))) | true
          """)
  void estimatesItsCost(String expression, boolean isTooComplex) {
    assertThat(DeviceExpression.compile(expression))
        .isInstanceOfSatisfying(
            DeviceExpression.Compiled.Valid.class,
            valid -> assertThat(valid.expression().isTooComplex()).isEqualTo(isTooComplex));
  }

  private static String outcome(String expression) {
    JsonObject device =
        (JsonObject) JsonReader.value(DEVICE.getBytes(StandardCharsets.UTF_8), JsonLimits.TRUSTED);
    return switch (DeviceExpression.compile(expression)) {
      case DeviceExpression.Compiled.Invalid(String message) -> message;
      case DeviceExpression.Compiled.Valid(DeviceExpression compiled) ->
          switch (compiled.matches(DeviceValues.of("gpu.example.com", device))) {
            case DeviceExpression.Match.Answer(boolean matches) -> Boolean.toString(matches);
            case DeviceExpression.Match.Failed(String message) -> message;
          };
    };
  }
}
