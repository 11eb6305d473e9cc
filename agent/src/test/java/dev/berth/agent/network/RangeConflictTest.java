package dev.berth.agent.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.agent.network.RangeConflict.Used;
import dev.berth.policy.cidr.Cidr;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who else on a machine may have the addresses of a node's pods, and who may not. */
class RangeConflictTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "the same range on another bridge, 10.244.0.0/24, berth-other, 10.244.0.0/24, true",
    "the same range on the node's own bridge, 10.244.0.0/24, berth-own, 10.244.0.0/24, false",
    "a part of the range, 10.244.0.0/24, eth0, 10.244.0.128/25, true",
    "the machine's wider network, 10.244.0.0/24, eth0, 10.0.0.0/8, false",
    "the default route, 10.244.0.0/24, eth0, 0.0.0.0/0, false",
    "a range beside it, 10.244.0.0/24, berth-other, 10.244.1.0/24, false",
    "another family, fd00:10:244::/64, berth-other, 10.244.0.0/24, false",
    "the same range of IPv6, fd00:10:244::/64, berth-other, fd00:10:244::/64, true",
  })
  void isAConflict(String name, String wanted, String device, String used, boolean isOne) {
    assertThat(
            RangeConflict.decide(
                    List.of(wanted),
                    "berth-own",
                    List.of(new Used(device, Cidr.parse(used).orElseThrow())))
                .isPresent())
        .isEqualTo(isOne);
  }

  @Test
  void readsTheKernelsRoutes() {
    assertThat(
            RangeConflict.routes(
                List.of(
                    "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT",
                    "eth0\t00000000\t0100000A\t0003\t0\t0\t0\t00000000\t0\t0\t0",
                    "br0\t0001F40A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0")))
        .extracting(Used::device, used -> used.range().toString())
        .containsExactly(tuple("eth0", "0.0.0.0/0"), tuple("br0", "10.244.1.0/24"));
  }
}
