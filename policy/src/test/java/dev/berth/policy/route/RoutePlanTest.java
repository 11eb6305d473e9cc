package dev.berth.policy.route;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.route.RoutePlan.Route;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoutePlanTest {
  private static RoutedNode node(String name, List<String> addresses, String... ranges) {
    return new RoutedNode(
        name,
        addresses,
        List.of(ranges).stream().map(each -> Cidr.parse(each).orElseThrow()).toList(),
        true);
  }

  private static Route route(String range, String gateway) {
    return new Route(Cidr.parse(range).orElseThrow(), gateway);
  }

  private static final RoutedNode OWN = node("own", List.of("10.0.0.1"), "10.244.0.0/24");

  @Test
  void eachOtherNodesRangesGoByItsAddressOfTheSameFamily() {
    RoutedNode both =
        node("b", List.of("10.0.0.2", "10.0.0.3", "fd00::2"), "10.244.1.0/24", "fd00:1::/64");
    assertThat(RoutePlan.wanted("own", List.of(OWN, both)))
        .containsExactly(route("10.244.1.0/24", "10.0.0.2"), route("fd00:1::/64", "fd00::2"));
  }

  @Test
  void whatCannotBeReachedHasNoRoute() {
    assertThat(
            RoutePlan.wanted(
                "own",
                List.of(
                    OWN,
                    node("no-address", List.of(), "10.244.2.0/24"),
                    node("other-family", List.of("fd00::3"), "10.244.3.0/24"),
                    node("same-machine", List.of("10.0.0.1"), "10.244.4.0/24"),
                    node("same-range", List.of("10.0.0.5"), "10.244.0.0/24"))))
        .isEmpty();
  }

  @Test
  void whatIsThereAndNotWantedGoes() {
    Route stays = route("10.244.1.0/24", "10.0.0.2");
    Route moved = route("10.244.2.0/24", "10.0.0.3");
    Route gone = route("10.244.2.0/24", "10.0.0.4");
    assertThat(RoutePlan.of(Set.of(stays, moved), List.of(gone, stays)))
        .isEqualTo(new RoutePlan(List.of(gone), List.of(moved)));
  }

  @Test
  void simulatedNodesAreNoneHere() {
    assertThat(
            RoutedNode.read(
                JsonReader.object(
                    "{\"metadata\":{\"name\":\"h\",\"labels\":{\"hollow.berth.dev/managed\":\"true\"}}}"
                        .getBytes(UTF_8),
                    JsonLimits.REQUEST)))
        .isEmpty();
  }
}
