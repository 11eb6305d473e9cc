package dev.berth.policy.node;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodTree;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which features a node must declare for what a pod wants of it. */
class DeclaredFeaturesTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                                                                            | ``
          {'containers':[{'restartPolicyRules':[{'action':'Restart'}]}]}                                | ``
          {'containers':[{},{'restartPolicyRules':[{'action':'Restart'},{'action':'RestartAllContainers'}]}]} | RestartAllContainersOnContainerExits
          {'initContainers':[{'restartPolicyRules':[{'action':'RestartAllContainers'}]}]}               | RestartAllContainersOnContainerExits
          {'ephemeralContainers':[{'restartPolicyRules':[{'action':'RestartAllContainers'}]}]}          | ``
          {'hostNetwork':true}                                                                          | ``
          {'hostNetwork':true,'hostUsers':true}                                                         | ``
          {'hostUsers':false}                                                                           | ``
          {'hostNetwork':true,'hostUsers':false}                                                        | UserNamespacesHostNetworkSupport
          {'hostNetwork':true,'hostUsers':false,'containers':[{'restartPolicyRules':[{'action':'RestartAllContainers'}]}]} | RestartAllContainersOnContainerExits,UserNamespacesHostNetworkSupport
          """)
  void toBePutOnANode(String spec, String features) {
    assertThat(String.join(",", DeclaredFeatures.toSchedule(pod(spec)))).isEqualTo(features);
  }

  @ParameterizedTest(name = "{0} to {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'resources':{'limits':{'cpu':'1'}}}                              | {'resources':{'limits':{'cpu':'1'}}}                              | ``
          {'resources':{'limits':{'cpu':'1'}}}                              | {'resources':{'limits':{'cpu':'2'}}}                              | InPlacePodLevelResourcesVerticalScaling
          {}                                                                | {'resources':{'limits':{'cpu':'2'}}}                              | InPlacePodLevelResourcesVerticalScaling
          {'containers':[{'resources':{'limits':{'cpu':'1'}}}]}             | {'containers':[{'resources':{'limits':{'cpu':'2'}}}]}             | ``
          {'initContainers':[{'resources':{'limits':{'cpu':'1'}}}]}         | {'initContainers':[{'resources':{'limits':{'cpu':'2'}}}]}         | InPlacePodVerticalScalingInitContainers
          {'initContainers':[{'image':'a'}]}                                | {'initContainers':[{'image':'b'}]}                                | ``
          {'initContainers':[{'restartPolicy':'Always','resources':{'limits':{'cpu':'1'}}}]} | {'initContainers':[{'restartPolicy':'Always','resources':{'limits':{'cpu':'2'}}}]} | ``
          {'initContainers':[{'restartPolicy':'Always'},{}]}                | {'initContainers':[{'restartPolicy':'Always'},{'resources':{'limits':{'cpu':'2'}}}],'resources':{'limits':{'cpu':'2'}}} | InPlacePodLevelResourcesVerticalScaling,InPlacePodVerticalScalingInitContainers
          """)
  void toBeChangedOnANode(String before, String after, String features) {
    assertThat(String.join(",", DeclaredFeatures.toUpdate(pod(before), pod(after))))
        .isEqualTo(features);
  }

  private static PodTree pod(String spec) {
    return new PodTree(JsonObject.of("spec", tree(spec)));
  }

  @Test
  void thoseThatANodeDoesNotDeclareAreMissing() {
    JsonObject node = tree("{'status':{'declaredFeatures':['A','C','Other']}}");
    assertThat(
            DeclaredFeatures.missing(List.of("A", "B", "C", "D"), NodeView.declaredFeatures(node)))
        .containsExactly("B", "D");
    assertThat(DeclaredFeatures.missing(List.of("A"), NodeView.declaredFeatures(JsonObject.EMPTY)))
        .containsExactly("A");
  }
}
