package dev.berth.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkAddressesTest {
  @TempDir Path folder;

  @Test
  void bothFamiliesAreThoseOfTheDefaultRoutes() {
    MachineFixture machine = new MachineFixture(folder);
    assertThat(machine.network().reachable()).containsExactly("192.0.2.2", "2001:db8::2");
  }

  @Test
  void theRouteWithTheLeastMetricCounts() {
    MachineFixture machine =
        new MachineFixture(folder)
            .proc(
                "net/route",
                """
                Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT
                wlan0 00000000 010200C0 0003 0 0 600 00000000 0 0 0
                eth0 00000000 010200C0 0003 0 0 100 00000000 0 0 0
                """)
            .proc("net/ipv6_route", "")
            .interfaces(
                Map.of(
                    "wlan0", MachineFixture.addresses("198.51.100.7"),
                    "eth0", MachineFixture.addresses("192.0.2.2")));
    assertThat(machine.network().reachable()).containsExactly("192.0.2.2");
  }

  @Test
  void withoutADefaultRouteAnyAddressIsBetterThanLoopback() {
    MachineFixture machine =
        new MachineFixture(folder).proc("net/route", "").proc("net/ipv6_route", "");
    assertThat(machine.network().reachable()).containsExactly("192.0.2.2", "2001:db8::2");
    machine.interfaces(Map.of("lo", MachineFixture.addresses("127.0.0.1")));
    assertThat(machine.network().reachable()).containsExactly("127.0.0.1");
  }

  @Test
  void addressesAreWrittenInOneWay() {
    assertThat(NetworkAddresses.canonical("2001:DB8:0:0:0:0:0:2")).contains("2001:db8::2");
    assertThat(NetworkAddresses.canonical("::")).contains("::");
    assertThat(NetworkAddresses.canonical("0.0.0.0")).contains("0.0.0.0");
    assertThat(NetworkAddresses.canonical("node.example.com")).isEmpty();
    assertThat(NetworkAddresses.canonical("1.2.3")).isEmpty();
  }
}
