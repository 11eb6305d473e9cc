package dev.berth.agent.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class AddressPoolTest {
  private final AddressPool pool = new AddressPool();

  @Test
  void givesOutAnAddressOfEachRangeAfterTheGateways() throws IOException {
    List<String> cidrs = List.of("10.1.2.0/24", "fd00:10:244:1::/64");
    assertThat(PodRange.parse("10.1.2.0/24").gateway()).isEqualTo("10.1.2.1");
    assertThat(PodRange.parse("fd00:10:244:1::/64").gateway()).isEqualTo("fd00:10:244:1::1");
    assertThat(pool.allocate(cidrs)).containsExactly("10.1.2.2", "fd00:10:244:1::2");
    assertThat(pool.allocate(cidrs)).containsExactly("10.1.2.3", "fd00:10:244:1::3");
  }

  @Test
  void givesAnAddressThatCameBackOutAgainOnlyAfterAllOthers() throws IOException {
    List<String> cidrs = List.of("10.1.2.0/29");
    List<String> first = pool.allocate(cidrs);
    pool.take(List.of("10.1.2.4"));
    pool.release(first);
    assertThat(pool.allocate(cidrs)).containsExactly("10.1.2.3");
    assertThat(pool.allocate(cidrs)).containsExactly("10.1.2.5");
    assertThat(pool.allocate(cidrs)).containsExactly("10.1.2.6");
    assertThat(pool.allocate(cidrs)).isEqualTo(first);
    assertThatThrownBy(() -> pool.allocate(cidrs))
        .hasMessage("no address is free in the node's range 10.1.2.0/29");
  }

  @Test
  void masqueradesWhatLeavesTheBridge() {
    assertThat(Masquerade.rules(List.of("10.1.2.0/24", "fd00::/64"), "berth0"))
        .contains("ip saddr 10.1.2.0/24 ip daddr != @pod-ranges-4 oifname != \"berth0\" masquerade")
        .contains(
            "ip6 saddr fd00::/64 ip6 daddr != @pod-ranges-6 oifname != \"berth0\" masquerade");
  }
}
