package dev.berth.model.autoscaling;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SelectorWordsTest {
  @Test
  void areUpstreams() {
    assertThat(SelectorWords.of(null)).isEqualTo("nil");
    assertThat(
            SelectorWords.of(
                tree(
                    "{'matchLabels':{'b':'2','a':'1'},'matchExpressions':[{'key':'c','operator':"
                        + "'In','values':['x','y']}]}")))
        .isEqualTo(
            "&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:"
                + "[]LabelSelectorRequirement{LabelSelectorRequirement{Key:c,Operator:In,Values:"
                + "[x y],},},}");
  }
}
