package dev.berth.policy.autoscale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.autoscaling.TargetScale;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import java.util.List;
import org.junit.jupiter.api.Test;

class TargetSelectorTest {
  private static TargetScale scale(String selector) {
    return new TargetScale(1, 1, selector);
  }

  @Test
  void isWhatTheTargetSays() {
    assertThat(TargetSelector.of(scale("app=web")))
        .isEqualTo(new TargetSelector.Valid(LabelSelector.parse("app=web")));
    assertThat(TargetSelector.of(scale("")))
        .isEqualTo(
            new TargetSelector.Invalid(
                "SelectorRequired",
                "selector is required",
                "InvalidSelector",
                "the HPA target's scale is missing a selector"));
    assertThat(TargetSelector.of(scale("app in")))
        .asString()
        .contains("couldn't convert selector into a corresponding internal selector object: ");
  }

  @Test
  void namesAllThatHaveItsPods() {
    assertThat(
            TargetSelector.ambiguous(
                    scale("app=web"),
                    List.of(new ObjectName("default", "b"), new ObjectName("default", "a")))
                .why())
        .isEqualTo(
            "pods by selector app=web are controlled by multiple HPAs: [{a default} {b default}]");
  }
}
