package dev.berth.policy.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cidr.Cidr;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceRangeOverlapTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "apart | 10.96.0.0/12 | 192.0.2.1 | 10.244.0.0/24 | ''",
        "the machine | 10.96.0.0/12 | 10.100.1.2 | 10.244.0.0/24 | pods cannot reach the node \"n1\": its address 10.100.1.2 is in the range of services' addresses, 10.96.0.0/12; start the cluster with another --service-cluster-ip-range",
        "its pods | 10.96.0.0/12 | 192.0.2.1 | 10.97.0.0/24 | pods of the node \"n1\" cannot be reached: their addresses, 10.97.0.0/24, are in the range of services' addresses, 10.96.0.0/12; start the cluster with another --cluster-cidr or --service-cluster-ip-range",
        "the other family | fd00:96::/112 | 10.100.1.2 | fd00:244::/64 | ''",
      })
  void overlap(String name, String services, String address, String pods, String expected) {
    RoutedNode node =
        new RoutedNode("n1", List.of(address), List.of(Cidr.parse(pods).orElseThrow()), true);
    assertThat(
            ServiceRangeOverlap.of(List.of(Cidr.parse(services).orElseThrow()), List.of(node))
                .orElse(""))
        .isEqualTo(expected);
  }
}
