package dev.berth.policy.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.cidr.Cidr;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which addresses a range has for services, and which of them are given out first. */
class ServiceRangeTest {
  private static ServiceRange range(String text) {
    return ServiceRange.parse(text).orElseThrow();
  }

  @ParameterizedTest(name = "{0}: {1} addresses, {2} of them static")
  @CsvSource({
    "10.0.0.0/32, 0, 0, 10.0.0.1",
    "10.0.0.0/31, 0, 0, 10.0.0.1",
    "10.0.0.0/30, 2, 0, 10.0.0.1",
    "10.0.0.0/28, 14, 0, 10.0.0.1",
    "10.0.0.0/27, 30, 16, 10.0.0.1",
    "10.0.0.0/24, 254, 16, 10.0.0.1",
    "10.0.0.0/23, 510, 32, 10.0.0.1",
    "10.0.0.0/20, 4094, 256, 10.0.0.1",
    "10.96.0.0/12, 1048574, 256, 10.96.0.1",
    "fd00::/124, 15, 0, fd00::1",
    "fd00::/112, 65535, 256, fd00::1",
    "fd00::/64, 18446744073709551615, 256, fd00::1",
  })
  void sizes(String text, String size, int ofThemStatic, String first) {
    ServiceRange range = range(text);
    assertThat(Long.toUnsignedString(range.size())).isEqualTo(size);
    assertThat(range.staticSize()).isEqualTo(ofThemStatic);
    assertThat(range.first()).isEqualTo(first);
  }

  @ParameterizedTest(name = "{1} in {0}: {2}")
  @CsvSource({
    "10.0.0.0/24, 10.0.0.0, false",
    "10.0.0.0/24, 10.0.0.1, true",
    "10.0.0.0/24, 10.0.0.254, true",
    "10.0.0.0/24, 10.0.0.255, false",
    "10.0.0.0/24, 10.0.1.1, false",
    "10.0.0.0/24, fd00::1, false",
    "10.0.0.0/32, 10.0.0.0, false",
    "fd00::/112, fd00::, false",
    "fd00::/112, fd00::1, true",
    "fd00::/112, fd00::ffff, true",
    "fd00::/112, fd00::1:0, false",
    "fd00::/64, fd00::ffff:ffff:ffff:ffff, true",
  })
  void contains(String text, String address, boolean expected) {
    assertThat(range(text).contains(Cidr.parseAddress(address).orElseThrow())).isEqualTo(expected);
  }

  @Test
  void theUpperAddressesAreGivenOutFirstAndEachOnce() {
    ServiceRange range = range("10.0.0.0/27");
    Random random = new Random(7);
    Set<String> taken = new HashSet<>();
    for (int i = 0; i < 30; i++) {
      String chosen =
          range.choose(address -> !taken.contains(address), random::nextLong).orElseThrow();
      assertThat(taken.add(chosen)).isTrue();
      int last = Integer.parseInt(chosen.substring("10.0.0.".length()));
      assertThat(last).isBetween(i < 14 ? 17 : 1, i < 14 ? 30 : 16);
    }
    assertThat(range.choose(address -> !taken.contains(address), random::nextLong))
        .isEqualTo(Optional.empty());
  }

  @Test
  void aVeryLargeRangeIsNotCountedOut() {
    assertThat(range("fd00::/64").choose(_ -> true, new Random(1)::nextLong).orElseThrow())
        .startsWith("fd00::");
    assertThat(ServiceRange.parse("fd00::/63")).isEmpty();
    assertThatThrownBy(() -> new ServiceRange(Cidr.parse("fd00::/56").orElseThrow()))
        .hasMessage("shortest allowed prefix length for service CIDR is 64, got 56");
  }

  @ParameterizedTest(name = "{0} is {1}, {2} of them static")
  @CsvSource({
    "30000-32767, 30000-32767, 86",
    "30000+99, 30000-30099, 16",
    "30000-30015, 30000-30015, 0",
    "30000-40000, 30000-40000, 128",
    "65000+1000, 65000-65535, 16",
  })
  void nodePorts(String text, String expected, int ofThemStatic) {
    NodePortRange range = NodePortRange.parse(text).orElseThrow();
    assertThat(range).hasToString(expected);
    assertThat(range.staticSize()).isEqualTo(ofThemStatic);
    assertThat(range.choose(_ -> true, new Random(3)::nextLong).orElseThrow())
        .isBetween(range.first() + ofThemStatic, range.last());
  }

  @ParameterizedTest
  @CsvSource({"30000", "0-10", "10-9", "1-70000", "a-b", "''"})
  void noNodePorts(String text) {
    assertThat(NodePortRange.parse(text)).isEmpty();
  }
}
