package dev.berth.policy.autoscale;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.autoscaling.AutoscalerView;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TolerancesTest {
  @ParameterizedTest(name = "behavior {0}: down {1}, up {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                                | 0.1  | 0.1",
        "{'behavior':{}}                                   | 0.1  | 0.1",
        "{'behavior':{'scaleUp':{'tolerance':'0'}}}        | 0.1  | 0",
        "{'behavior':{'scaleUp':{'tolerance':'50m'}}}      | 0.1  | 0.05",
        "{'behavior':{'scaleDown':{'tolerance':'0.3'}}}    | 0.3  | 0.1",
      })
  void anAutoscalersOwnReplaceTheStandard(String spec, double down, double up) {
    AutoscalerView view = AutoscalerView.read(tree("{'spec':" + spec + "}"));
    assertThat(Tolerances.of(view.behavior(), 0.1)).isEqualTo(new Tolerances(down, up));
  }

  @ParameterizedTest(name = "{0} is ignored: {1}")
  @CsvSource({"0.79,false", "0.8,true", "1,true", "1.1,true", "1.11,false"})
  void bothBoundsBelongToWhatIsIgnored(double ratio, boolean isWithin) {
    assertThat(new Tolerances(0.2, 0.1).isWithin(ratio)).isEqualTo(isWithin);
  }
}
