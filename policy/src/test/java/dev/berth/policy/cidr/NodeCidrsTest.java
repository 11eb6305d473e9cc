package dev.berth.policy.cidr;

import static dev.berth.policy.cidr.CidrTest.cidr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cidr.NodeCidrs.Offer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeCidrsTest {
  private static final NodeRange FOUR = new NodeRange(cidr("10.0.0.0/22"), 24);
  private static final NodeRange TWO = new NodeRange(cidr("fd00::/63"), 64);

  private static String offered(NodeCidrs cidrs, String node) {
    return switch (cidrs.offer(node)) {
      case Offer.Given(List<Cidr> given) -> given.toString();
      case Offer.Exhausted(NodeRange range) -> "no more of " + range.cluster();
    };
  }

  private static List<String> confirmed(NodeCidrs cidrs, String node, String... has) {
    return cidrs.confirm(node, List.of(has).stream().map(CidrTest::cidr).toList()).stream()
        .map(Object::toString)
        .toList();
  }

  @Test
  void eachNodeIsOfferedTheNextAndTheSameWhenAskedAgain() {
    NodeCidrs cidrs = new NodeCidrs(List.of(FOUR), List.of());
    assertThat(offered(cidrs, "a")).isEqualTo("[10.0.0.0/24]");
    assertThat(offered(cidrs, "b")).isEqualTo("[10.0.1.0/24]");
    assertThat(offered(cidrs, "a")).isEqualTo("[10.0.0.0/24]");
    assertThat(cidrs.isConfirmed("a")).isFalse();
  }

  @Test
  void oneThatWasReleasedIsGivenAgainAfterAllOthers() {
    NodeCidrs cidrs = new NodeCidrs(List.of(FOUR), List.of());
    offered(cidrs, "a");
    assertThat(cidrs.release("a")).containsExactly(cidr("10.0.0.0/24"));
    assertThat(cidrs.release("a")).isEmpty();
    assertThat(offered(cidrs, "b")).isEqualTo("[10.0.1.0/24]");
    assertThat(offered(cidrs, "c")).isEqualTo("[10.0.2.0/24]");
    assertThat(offered(cidrs, "d")).isEqualTo("[10.0.3.0/24]");
    assertThat(offered(cidrs, "e")).isEqualTo("[10.0.0.0/24]");
    assertThat(offered(cidrs, "f")).isEqualTo("no more of 10.0.0.0/22");
  }

  @Test
  void bothFamiliesOrNone() {
    NodeCidrs cidrs = new NodeCidrs(List.of(FOUR, TWO), List.of());
    assertThat(offered(cidrs, "a")).isEqualTo("[10.0.0.0/24, fd00::/64]");
    assertThat(offered(cidrs, "b")).isEqualTo("[10.0.1.0/24, fd00:0:0:1::/64]");
    assertThat(offered(cidrs, "c")).isEqualTo("no more of fd00::/63");
    assertThat(cidrs.sets()).extracting(CidrSet::used).containsExactly(2, 2);
  }

  @Test
  void whatIsReservedIsNotOffered() {
    NodeCidrs cidrs = new NodeCidrs(List.of(FOUR), List.of(cidr("10.0.1.128/26"), cidr("::/0")));
    offered(cidrs, "a");
    assertThat(offered(cidrs, "b")).isEqualTo("[10.0.2.0/24]");
  }

  @Test
  void whatANodeHasCountsAndNotWhatItWasOffered() {
    NodeCidrs cidrs = new NodeCidrs(List.of(FOUR), List.of());
    offered(cidrs, "a");
    assertThat(confirmed(cidrs, "a", "10.0.3.0/24")).isEmpty();
    assertThat(cidrs.isConfirmed("a")).isTrue();
    assertThat(offered(cidrs, "b")).isEqualTo("[10.0.1.0/24]");
    assertThat(offered(cidrs, "c")).isEqualTo("[10.0.2.0/24]");
    assertThat(offered(cidrs, "d")).isEqualTo("[10.0.0.0/24]");
  }

  @Test
  void whatIsWrongWithANodesRangeIsSaid() {
    NodeCidrs cidrs = new NodeCidrs(List.of(FOUR), List.of(cidr("10.0.2.0/24")));
    assertThat(confirmed(cidrs, "a", "10.0.0.0/24")).isEmpty();
    assertThat(confirmed(cidrs, "b", "10.0.0.0/23"))
        .containsExactly("its range 10.0.0.0/23 overlaps that of node a");
    assertThat(confirmed(cidrs, "c", "10.9.0.0/24"))
        .containsExactly(
            "its range 10.9.0.0/24 is not within the cluster's 10.0.0.0/22, so that others may"
                + " have it too");
    assertThat(confirmed(cidrs, "d", "10.0.2.0/24"))
        .containsExactly("its range 10.0.2.0/24 overlaps what is reserved");
  }

  @Test
  void halvesOfARangeDoNotOverlapThoughNeitherCanBeGivenAway() {
    NodeCidrs cidrs = new NodeCidrs(List.of(FOUR), List.of());
    assertThat(confirmed(cidrs, "a", "10.0.0.0/25")).isEmpty();
    assertThat(confirmed(cidrs, "b", "10.0.0.128/25")).isEmpty();
    cidrs.release("a");
    IntStream.range(0, 3).forEach(i -> assertThat(offered(cidrs, "c" + i)).startsWith("[10.0."));
    assertThat(offered(cidrs, "d")).isEqualTo("no more of 10.0.0.0/22");
  }

  @Test
  void whatTwoHaveIsFreeWhenBothAreGone() {
    NodeCidrs cidrs = new NodeCidrs(List.of(new NodeRange(cidr("10.0.0.0/24"), 24)), List.of());
    confirmed(cidrs, "a", "10.0.0.0/24");
    confirmed(cidrs, "b", "10.0.0.0/24");
    cidrs.release("a");
    assertThat(offered(cidrs, "c")).isEqualTo("no more of 10.0.0.0/24");
    cidrs.release("b");
    assertThat(offered(cidrs, "c")).isEqualTo("[10.0.0.0/24]");
  }
}
