package dev.berth.policy.resourceclaim;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.device.DeviceTaint;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When pods leave because of what is wrong with their devices. */
class DeviceEvictionTimeTest {
  private static final Instant ADDED = Instant.parse("2030-01-01T00:00:00Z");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      quoteCharacter = '`',
      textBlock =
          """
          not tolerated       | 'n1' | u1 | 0  | ``
          tolerated for ever  | 'n1' | u1 | -  | {'operator':'Exists','effect':'NoExecute'}
          for a while         | 'n1' | u1 | 30 | {'operator':'Exists','effect':'NoExecute','tolerationSeconds':30}
          the shortest counts | 'n1' | u1 | 10 | {'operator':'Exists','effect':'NoExecute','tolerationSeconds':30},{'key':'bad','operator':'Equal','value':'','effect':'NoExecute','tolerationSeconds':10}
          another key         | 'n1' | u1 | 0  | {'key':'other','operator':'Exists','effect':'NoExecute'}
          without an effect   | 'n1' | u1 | 0  | {'operator':'Exists'}
          has no node         | ''   | u1 | -  | ``
          reserved for others | 'n1' | u2 | -  | ``
          """)
  void leaves(String row, String node, String consumer, Integer after, String tolerations) {
    JsonObject pod =
        tree(
            "{'metadata':{'namespace':'default','name':'p','uid':'u1'},'spec':{'nodeName':%s,'resourceClaims':[{'name':'gpu','resourceClaimName':'c'}]}}"
                .formatted(node));
    ResourceClaimView claim =
        ResourceClaimView.read(
            tree(
                "{'metadata':{'namespace':'default','name':'c'},'status':{'reservedFor':[{'resource':'pods','name':'p','uid':'%s'}],'allocation':{'devices':{'results':[{'driver':'d','pool':'p','device':'x','tolerations':[%s]}]}}}}"
                    .formatted(consumer, tolerations)));
    assertThat(
            DeviceEvictionTime.of(
                pod, _ -> claim, _ -> List.of(new DeviceTaint("bad", "", "NoExecute", ADDED))))
        .isEqualTo(after == null ? Optional.empty() : Optional.of(ADDED.plusSeconds(after)));
  }
}
