package dev.berth.model.quantity;

import static dev.berth.model.quantity.QuantityFormat.BINARY_SI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.time.fixture.SeededTest;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {

  @ParameterizedTest(name = "{0} is written {1}")
  @CsvSource({
    "1024Mi, 1Gi",
    "307200Ki, 300Mi",
    "6Ki, 6Ki",
    "1025024Mi, 1001Gi",
    "1024Gi, 1Ti",
    "1024Ti, 1Pi",
    "1024Pi, 1Ei",
    "1048576Ki, 1Gi",
    "5000m, 5",
    "0.5, 500m",
    "1000M, 1G",
    "0.001T, 1G",
    "1000u, 1m",
    "80m, 80m",
    "1.08, 1080m",
    "1080000000n, 1080m",
    "300M, 300M",
    "1E, 1E",
    "1000E, 1e21",
    "5000E, 5e21",
    "1000000E, 1e24",
    "1234567M, 1234567M",
    "3000, 3k",
    "1025, 1025",
    "1.0009765625Ki, 1025",
    "1.5Gi, 1536Mi",
    "100.035Ki, 102435840m",
    ".001Ki, 1024m",
    ".000001Ki, 1024u",
    ".000000001Ki, 1024n",
    ".000000000001Ki, 2n",
    "0.999Ki, 1022976m",
    "1.000Ki, 1Ki",
    "0.5Ki, 512",
    "00, 0",
    "0Ki, 0",
    ".001e12, 1e9",
    "0.001e0, 1e-3",
    "1000e-12, 1e-9",
    "80e-3, 80e-3",
    "300e6, 300e6",
    "1.5e0, 1500e-3",
    "108e-8, 1080e-9",
    "1000, 1k",
    "1234000, 1234k",
    "9223372036854775807, 9223372036854775807",
    "9223372036854775808, 9223372036854775808",
    "9223372036854775807.1, 9223372036854775807100m",
    "922337203685477580.7, 922337203685477580700m",
    "+5, 5",
    "1.234, 1234m",
    "1E6, 1e6",
  })
  void writesTheLargestSuffixThatLosesNothing(String text, String canonical) {
    assertThat(Quantity.parse(text)).hasToString(canonical);
    if (!canonical.equals("0") && !text.startsWith("+")) {
      assertThat(Quantity.parse("-" + text)).hasToString("-" + canonical);
    }
  }

  @ParameterizedTest(name = "{0} is {1} whole, {2} thousandths")
  @CsvSource({
    "0, 0, 0",
    "1n, 1, 1",
    "1m, 1, 1",
    "100m, 1, 100",
    "1001u, 1, 2",
    "1500m, 2, 1500",
    "9.01, 10, 9010",
    "-9.01, -10, -9010",
    "-1n, -1, -1",
    "1Ki, 1024, 1024000",
    "2, 2, 2000",
    "3k, 3000, 3000000",
    "8Ei, 9223372036854775807, 9223372036854775807",
    "-8Ei, -9223372036854775807, -9223372036854775808",
    "9223372036854775807, 9223372036854775807, 9223372036854775807",
    "9223372036854775.807, 9223372036854776, 9223372036854775807",
    "1e30, 9223372036854775807, 9223372036854775807",
    "-1e30, -9223372036854775808, -9223372036854775808",
    "123456789012345678901234567890, 9223372036854775807, 9223372036854775807",
    "0.1234567890123456789012345, 1, 124",
  })
  void roundsUpAndSaturates(String text, long whole, long thousandths) {
    assertThat(Quantity.parse(text).value()).isEqualTo(whole);
    assertThat(Quantity.parse(text).milliValue()).isEqualTo(thousandths);
  }

  @ParameterizedTest(name = "{0} + {1} = {2}")
  @CsvSource({
    "10, 1e1, 20",
    "0, 100m, 100m",
    "0, 1Gi, 1Gi",
    "1Gi, 0, 1Gi",
    "100m, 0, 100m",
    "1Gi, 1G, 2073741824",
    "1Gi, 1048576, 1025Mi",
    "1M, 24M, 25M",
    "1, 1n, 1000000001n",
    "8Ei, 1Ki, 9223372036854776831",
    "9223372036854775807, 1, 9223372036854775808",
    "9223372036854775808, -1, 9223372036854775807",
    "-9223372036854775808, -1, -9223372036854775809",
    "1e30, 1n, 1000000000000000000000000000000000000001e-9",
    "1500m, -1500m, 0",
  })
  void addsExactlyAndKeepsTheFormatOfWhatIsNotZero(String a, String b, String sum) {
    assertThat(Quantity.parse(a).plus(Quantity.parse(b))).hasToString(sum);
  }

  @Test
  void subtractsAndNegatesAtTheEdgeOfALong() {
    Quantity lowest = Quantity.of(Long.MIN_VALUE);
    assertThat(lowest.negate()).hasToString("9223372036854775808");
    assertThat(Quantity.ZERO.minus(lowest)).hasToString("9223372036854775808");
    assertThat(Quantity.of(1).minus(lowest)).hasToString("9223372036854775809");
    assertThat(Quantity.of(Long.MIN_VALUE + 1).negate()).isEqualTo(Quantity.of(Long.MAX_VALUE));
    assertThat(Quantity.ofMillis(Long.MIN_VALUE).negate()).hasToString("9223372036854775808m");
    assertThat(Quantity.ZERO.minus(Quantity.of(Long.MIN_VALUE, BINARY_SI))).hasToString("8Ei");
    assertThat(lowest.value()).isEqualTo(Long.MIN_VALUE);
    assertThat(lowest).hasToString("-9223372036854775808");
    assertThat(lowest).isEqualTo(Quantity.parse("-9223372036854775808"));
  }

  @Test
  void writesABinarySumBeyondTheLargestSuffixWithThatSuffix() {
    assertThat(Quantity.parse("4Ei").times(1024)).hasToString("4096Ei");
  }

  @ParameterizedTest(name = "{0} x {1} = {2}")
  @CsvSource({
    "10, 10, 100",
    "50, 0, 0",
    "-50, -50, 2500",
    "9223372036854775807, 10, 92233720368547758070",
    "9223372036854775807, -1, -9223372036854775807",
    "-9223372036854775808, -1, 9223372036854775808",
    "100m, 15, 1500m",
    "1536Mi, 2, 3Gi",
  })
  void multipliesExactly(String quantity, long factor, String product) {
    assertThat(Quantity.parse(quantity).times(factor)).hasToString(product);
  }

  @ParameterizedTest(name = "{0} compared to {1}")
  @CsvSource({
    "0, 0, 0",
    "100m, 50m, 1",
    "50m, 100m, -1",
    "10000T, 100Gi, 1",
    "1Ki, 1024, 0",
    "1Ki, 1.024e3, 0",
    "1e100, 1e-9, 1",
    "-1e100, 1e99, -1",
    "1e30, 1000000000000000000000000000000, 0",
    "9223372036854775807e10, 1e2, 1",
  })
  void comparesAmounts(String a, String b, int expected) {
    Quantity left = Quantity.parse(a);
    Quantity right = Quantity.parse(b);
    assertThat(left.compareTo(right)).isEqualTo(expected);
    assertThat(right.compareTo(left)).isEqualTo(-expected);
    assertThat(left.equals(right)).isEqualTo(expected == 0);
    if (expected == 0) {
      assertThat(left).hasSameHashCodeAs(right);
    }
  }

  @SeededTest(fixed = 3, fresh = 1)
  void calculatesAsBigDecimalDoes(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int i = 0; i < 20_000; i++) {
      Quantity a = Quantity.parse(randomText(random));
      Quantity b = Quantity.parse(randomText(random));
      long factor = random.nextLong() >> random.nextInt(64);
      String row = "seed " + seed + ", round " + i + ": " + a + ", " + b + ", " + factor;

      assertThat(Quantity.parse(a.toString())).as(row).isEqualTo(a);
      assertThat(Quantity.parse(a.toString())).as(row).hasSameHashCodeAs(a);
      // Without a suffix nothing tells that 608000 was 593.75Ki.
      if (a.format() != QuantityFormat.BINARY_SI) {
        assertThat(Quantity.parse(a.toString())).as(row).hasToString(a.toString());
      }
      assertThat(a.plus(b).amount()).as(row).isEqualByComparingTo(a.amount().add(b.amount()));
      assertThat(a.minus(b).amount()).as(row).isEqualByComparingTo(a.amount().subtract(b.amount()));
      assertThat(a.times(factor).amount())
          .as(row)
          .isEqualByComparingTo(a.amount().multiply(BigDecimal.valueOf(factor)));
      assertThat(a.compareTo(b)).as(row).isEqualTo(a.amount().compareTo(b.amount()));
      assertThat(a.signum()).as(row).isEqualTo(a.amount().signum());
      assertThat(a.value()).as(row).isEqualTo(clamped(a.amount()));
      assertThat(a.milliValue()).as(row).isEqualTo(clamped(a.amount().movePointRight(3)));
    }
  }

  private static long clamped(BigDecimal amount) {
    return amount
        .setScale(0, RoundingMode.UP)
        .min(BigDecimal.valueOf(Long.MAX_VALUE))
        .max(BigDecimal.valueOf(Long.MIN_VALUE))
        .longValueExact();
  }

  private static String randomText(RandomGenerator random) {
    String[] suffixes = {
      "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e"
    };
    StringBuilder text = new StringBuilder(random.nextBoolean() ? "-" : "");
    text.append(random.nextLong() >>> random.nextInt(64));
    if (random.nextInt(8) == 0) {
      text.append(random.nextLong() >>> 1);
    }
    if (random.nextInt(3) == 0) {
      text.append('.').append(random.nextLong() >>> 1 >>> random.nextInt(63));
    }
    String suffix = suffixes[random.nextInt(suffixes.length)];
    text.append(suffix);
    if (suffix.equals("e")) {
      text.append(random.nextInt(-30, 30));
    }
    return text.toString().replace("--", "-");
  }

  @SeededTest(fixed = 1, fresh = 1)
  void readsOrRefusesAnyText(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    String alphabet = "0123456789+-..eEinumkKMGTPx \u0661\ud83d";
    int read = 0;
    for (int i = 0; i < 50_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(12); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      try {
        Quantity quantity = Quantity.parse(text.toString());
        assertThat(Quantity.parse(quantity.toString()))
            .as("seed %s: %s", seed, text)
            .isEqualTo(quantity);
        read++;
      } catch (QuantityFormatException expected) {
        assertThat(expected).hasMessageContaining("quantit");
      }
    }
    assertThat(read).isPositive();
  }
}
