package dev.berth.model.quantity;

import static dev.berth.model.quantity.QuantityFormat.BINARY_SI;
import static dev.berth.model.quantity.QuantityFormat.DECIMAL_EXPONENT;
import static dev.berth.model.quantity.QuantityFormat.DECIMAL_SI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNumber;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read as a quantity, and as which: the cases are those of Kubernetes' own tests. */
class QuantityParseTest {

  @ParameterizedTest(name = "{0} is {1}, {2}")
  @CsvSource({
    "0, 0, DECIMAL_SI",
    "00, 0, DECIMAL_SI",
    "0n, 0, DECIMAL_SI",
    "0u, 0, DECIMAL_SI",
    "0m, 0, DECIMAL_SI",
    "0Ki, 0, BINARY_SI",
    "0k, 0, DECIMAL_SI",
    "0Mi, 0, BINARY_SI",
    "0Gi, 0, BINARY_SI",
    "0Ti, 0, BINARY_SI",
    "0E, 0, DECIMAL_SI",
    "1, 1, DECIMAL_SI",
    "1Ki, 1024, BINARY_SI",
    "8Ki, 8192, BINARY_SI",
    "7Mi, 7340032, BINARY_SI",
    "6Gi, 6442450944, BINARY_SI",
    "5Ti, 5497558138880, BINARY_SI",
    "4Pi, 4503599627370496, BINARY_SI",
    "3Ei, 3458764513820540928, BINARY_SI",
    "10Ti, 10995116277760, BINARY_SI",
    "100Ti, 109951162777600, BINARY_SI",
    "5n, 5e-9, DECIMAL_SI",
    "4u, 4e-6, DECIMAL_SI",
    "3m, 3e-3, DECIMAL_SI",
    "9, 9, DECIMAL_SI",
    "8k, 8e3, DECIMAL_SI",
    "50k, 5e4, DECIMAL_SI",
    "7M, 7e6, DECIMAL_SI",
    "6G, 6e9, DECIMAL_SI",
    "5T, 5e12, DECIMAL_SI",
    "40T, 4e13, DECIMAL_SI",
    "300T, 3e14, DECIMAL_SI",
    "2P, 2e15, DECIMAL_SI",
    "1E, 1e18, DECIMAL_SI",
    "12E, 12e18, DECIMAL_SI",
    "1E-3, 1e-3, DECIMAL_EXPONENT",
    "1e3, 1e3, DECIMAL_EXPONENT",
    "1E6, 1e6, DECIMAL_EXPONENT",
    "1e9, 1e9, DECIMAL_EXPONENT",
    "1E12, 1e12, DECIMAL_EXPONENT",
    "1e15, 1e15, DECIMAL_EXPONENT",
    "1E18, 1e18, DECIMAL_EXPONENT",
    "1e14, 1e14, DECIMAL_EXPONENT",
    "1e13, 1e13, DECIMAL_EXPONENT",
    "100.035k, 100035, DECIMAL_SI",
    "0.001, 1e-3, DECIMAL_SI",
    "0.0005k, 5e-1, DECIMAL_SI",
    "0.005, 5e-3, DECIMAL_SI",
    "0.05, 5e-2, DECIMAL_SI",
    "0.5, 5e-1, DECIMAL_SI",
    "0.00050k, 5e-1, DECIMAL_SI",
    "0.00500, 5e-3, DECIMAL_SI",
    "0.05000, 5e-2, DECIMAL_SI",
    "0.50000, 5e-1, DECIMAL_SI",
    "0.5e0, 5e-1, DECIMAL_EXPONENT",
    "0.5e-1, 5e-2, DECIMAL_EXPONENT",
    "0.5e-2, 5e-3, DECIMAL_EXPONENT",
    "10.035M, 10035e3, DECIMAL_SI",
    "1.2e3, 12e2, DECIMAL_EXPONENT",
    "1.3E+6, 13e5, DECIMAL_EXPONENT",
    "1.40e9, 14e8, DECIMAL_EXPONENT",
    "1.53E12, 153e10, DECIMAL_EXPONENT",
    "1.6e15, 16e14, DECIMAL_EXPONENT",
    "1.7E18, 17e17, DECIMAL_EXPONENT",
    "9.01, 9.01, DECIMAL_SI",
    "8.1k, 8100, DECIMAL_SI",
    "7.123456M, 7123456, DECIMAL_SI",
    "6.987654321G, 6987654321, DECIMAL_SI",
    "5.444T, 5444e9, DECIMAL_SI",
    "40.1T, 401e11, DECIMAL_SI",
    "300.2T, 3002e11, DECIMAL_SI",
    "2.5P, 25e14, DECIMAL_SI",
    "1.01E, 101e16, DECIMAL_SI",
    "100.035Ki, 102435.84, BINARY_SI",
    "0.5Mi, 524288, BINARY_SI",
    "0.05Gi, 53687091.2, BINARY_SI",
    "0.025Ti, 27487790694.4, BINARY_SI",
    ".001, 1e-3, DECIMAL_SI",
    ".0001k, 0.1, DECIMAL_SI",
    "1., 1, DECIMAL_SI",
    "1.G, 1e9, DECIMAL_SI",
    "18446744073709551616, 18446744073709551616, DECIMAL_SI",
    "1000000000000000000000000000001, 1000000000000000000000000000001, DECIMAL_SI",
    "000000000000000000000000000000000005, 5, DECIMAL_SI",
    "123456789012345678901234567890e-20, 1234567890.12345678901234567890, DECIMAL_EXPONENT",
  })
  void readsWhatKubernetesReads(String text, BigDecimal amount, QuantityFormat format) {
    // The last row has more than nano precision, and so is rounded up to it.
    BigDecimal expected = amount.setScale(Math.min(9, amount.scale()), RoundingMode.UP);
    for (String sign : new String[] {"", "+", "-"}) {
      Quantity quantity = Quantity.parse(sign + text);
      BigDecimal signed = sign.equals("-") ? expected.negate() : expected;
      assertThat(quantity.amount()).as(sign + text).isEqualByComparingTo(signed);
      assertThat(quantity.format()).as(sign + text).isEqualTo(format);
    }
  }

  @ParameterizedTest(name = "{0} becomes {1}, {2}")
  @CsvSource({
    "3.001n, 4n, DECIMAL_SI",
    "1.1E-9, 2e-9, DECIMAL_EXPONENT",
    "0.0000000001, 1n, DECIMAL_SI",
    "0.0000000005, 1n, DECIMAL_SI",
    "0.00000000050, 1n, DECIMAL_SI",
    "0.5e-9, 1e-9, DECIMAL_EXPONENT",
    "0.9n, 1n, DECIMAL_SI",
    "0.00000012345, 124n, DECIMAL_SI",
    "0.00000012354, 124n, DECIMAL_SI",
    "1e-100, 1e-9, DECIMAL_EXPONENT",
    "8Ei, 9223372036854775807, BINARY_SI",
    "9Ei, 9223372036854775807, BINARY_SI",
    "9223372036854775807Ki, 9223372036854775807, BINARY_SI",
    "99999999999999999999999Ki, 9223372036854775807, BINARY_SI",
    "0.000000000001Ki, 2n, DECIMAL_SI",
    "0.0009765625Ki, 1, BINARY_SI",
    "0.00097656249Ki, 999999990n, DECIMAL_SI",
    "0.000976562499999999999999999Ki, 1, BINARY_SI",
  })
  void roundsAwayFromZeroAndCaps(String text, String canonical, QuantityFormat format) {
    assertThat(Quantity.parse(text)).hasToString(canonical);
    assertThat(Quantity.parse(text).format()).isEqualTo(format);
    assertThat(Quantity.parse("-" + text)).hasToString("-" + canonical);
    assertThat(Quantity.parse("-" + text).format()).isEqualTo(format);
  }

  @ParameterizedTest(name = "\"{0}\" is zero")
  @ValueSource(strings = {".", "-.", "+", "-", "-0", "0.000", "Ki", ".Ei", "m", "e3", "0e-99"})
  void readsANumberWithoutDigitsAsZero(String text) {
    assertThat(Quantity.parse(text)).isEqualTo(Quantity.ZERO).hasToString("0");
  }

  @ParameterizedTest(name = "\"{0}\"")
  @ValueSource(
      strings = {
        "",
        "1.1.M",
        "1+1.0M",
        "0.1am",
        "aoeu",
        " 1",
        "1 ",
        "1e+-3",
        "1_000",
        "0x10",
        "1e3.5",
        "1g",
        "\u0661",
        "1\u0660",
        "\uff11",
        "1\u0000",
        "\ud83d\ude00",
        "NaN",
        "1,5",
        "1Ki ",
      })
  void refusesWhatDoesNotLookLikeAQuantity(String text) {
    assertThatThrownBy(() -> Quantity.parse(text))
        .isInstanceOf(QuantityFormatException.class)
        .hasMessage(
            "quantities must match the regular expression"
                + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  }

  @ParameterizedTest(name = "\"{0}\"")
  @ValueSource(
      strings = {
        "0.1mi", ".5i", "1i", "-3.01i", "-3.01e-", "1e", "1K", "1ki", "1Ki5", "1+1", "1ee3", "1KK",
        "1eK5", "1EiEi", "1MM", "--1",
      })
  void refusesAnUnknownSuffix(String text) {
    assertThatThrownBy(() -> Quantity.parse(text))
        .isInstanceOf(QuantityFormatException.class)
        .hasMessage("unable to parse quantity's suffix");
  }

  @ParameterizedTest(name = "exponent {0}")
  @ValueSource(strings = {"101", "999999999", "-999999999", "99999999999999999999999999"})
  void refusesAnExponentThatWouldTakeForeverToComputeWith(String exponent) {
    assertThatThrownBy(() -> Quantity.parse("1e" + exponent))
        .isInstanceOf(QuantityFormatException.class)
        .hasMessage("a quantity's exponent is between -100 and 100, found e" + exponent);
  }

  @Test
  void refusesAnEndlessText() {
    assertThatThrownBy(() -> Quantity.parse("9".repeat(10_000_000)))
        .isInstanceOf(QuantityFormatException.class)
        .hasMessage("a quantity has at most 100 characters, found 10000000");
    assertThat(Quantity.parse("9".repeat(100)).amount().precision()).isEqualTo(100);
  }

  @Test
  void readsStringsAndBareNumbersOfATree() {
    assertThat(Quantity.fromTree(" 1Gi ")).isEqualTo(Quantity.of(1L << 30)).hasToString("1Gi");
    assertThat(Quantity.fromTree(2L)).hasToString("2");
    assertThat(Quantity.fromTree(new JsonNumber("0.5"))).hasToString("500m");
    assertThatThrownBy(() -> Quantity.fromTree(JsonArray.EMPTY))
        .isInstanceOf(QuantityFormatException.class)
        .hasMessage("a quantity is a string or a number, not an array");
  }

  @Test
  void remembersItsFormat() {
    assertThat(Quantity.of(1024, BINARY_SI)).hasToString("1Ki");
    assertThat(Quantity.of(1000, DECIMAL_SI)).hasToString("1k");
    assertThat(Quantity.of(1000, DECIMAL_EXPONENT)).hasToString("1e3");
  }
}
