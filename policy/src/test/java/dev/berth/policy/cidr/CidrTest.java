package dev.berth.policy.cidr;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {

  static Cidr cidr(String text) {
    return Cidr.parse(text).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.0.0.0/8",
    "10.1.2.3/16, 10.1.0.0/16",
    "255.255.255.255/32, 255.255.255.255/32",
    "1.2.3.4/0, 0.0.0.0/0",
    "fd00:10:244::/56, fd00:10:244::/56",
    "FD00:0010:0244:0:0:0:0:1/128, fd00:10:244::1/128",
    "::/0, ::/0",
    "::1/128, ::1/128",
    "1::/16, 1::/16",
    "2001:db8:0:0:1:0:0:1/128, 2001:db8::1:0:0:1/128",
    "2001:db8:0:1:1:1:1:1/128, 2001:db8:0:1:1:1:1:1/128",
    "fd00::ffff:ffff/60, fd00::/60",
    "64:ff9b::192.0.2.1/128, 64:ff9b::c000:201/128",
    "1:2:3:4:5:6:1.2.3.4/128, 1:2:3:4:5:6:102:304/128",
  })
  void isReadAndWritten(String text, String written) {
    assertThat(cidr(text)).hasToString(written).isEqualTo(cidr(written));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "10.0.0.0",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/+8",
        "10.0.0/8",
        "10.0.0.0.0/8",
        "10.0.0.256/8",
        "10.0.0.x/8",
        "10.0.0.0/8/8",
        " 10.0.0.0/8",
        "1:2:3:4:5:6:7/64",
        "1:2:3:4:5:6:7:8:9/64",
        "1::2::3/64",
        ":::/64",
        ":1::/64",
        "1::2:/64",
        "12345::/64",
        "g::/64",
        "::/129",
        "1.2.3.4::/64",
        "1:2:3:4:5:6:7::8/64",
      })
  void somethingElseIsNone(String text) {
    assertThat(Cidr.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.0.0/16, true",
    "10.255.0.0/16, 10.0.0.0/8, true",
    "10.0.0.0/16, 10.1.0.0/16, false",
    "0.0.0.0/0, 9.9.9.9/32, true",
    "::/0, 9.9.9.9/32, false",
    "fd00::/64, fd00::1:0:0:0/80, true",
    "fd00:0:0:1::/64, fd00:0:0:0:1::/80, false",
    "fd00::/128, fd00::1/128, false",
  })
  void overlapsWhatSharesAnAddress(String one, String other, boolean overlaps) {
    assertThat(cidr(one).overlaps(cidr(other))).isEqualTo(overlaps);
    assertThat(cidr(other).overlaps(cidr(one))).isEqualTo(overlaps);
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 24, 0, 10.0.0.0/24",
    "10.0.0.0/8, 24, 65535, 10.255.255.0/24",
    "10.0.0.0/30, 32, 3, 10.0.0.3/32",
    "fd00::/48, 64, 258, fd00:0:0:102::/64",
    "fd00::/56, 72, 257, fd00:0:0:1:100::/72",
    "fd00::/112, 128, 65535, fd00::ffff/128",
  })
  void itsPartsAreNumbered(String all, int length, int number, String part) {
    assertThat(cidr(all).within(number, length)).hasToString(part);
    assertThat(cidr(part).number(cidr(all).length(), length)).isEqualTo(number);
  }

  @Test
  void aRangeHasRoomForSoManyNodes() {
    assertThat(new NodeRange(cidr("10.0.0.0/8"), 24).size()).isEqualTo(65_536);
    assertThat(NodeRange.longest(cidr("fd00::/48"))).isEqualTo(64);
    assertThat(NodeRange.longest(cidr("10.0.0.0/16"))).isEqualTo(32);
  }
}
