package dev.berth.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.user.User;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In which ways one may act as somebody else. */
class ImpersonationModeTest {
  private static final User AGENT =
      new User("system:serviceaccount:kube-system:agent", List.of())
          .withExtra("authentication.kubernetes.io/node-name", "n1");

  @ParameterizedTest(name = "as {0} in {1}: {2}")
  @CsvSource(
      nullValues = "-",
      value = {
        "system:node:n1, '', ASSOCIATED_NODE ARBITRARY_NODE UNCONSTRAINED",
        "system:node:n2, '', ARBITRARY_NODE UNCONSTRAINED",
        "system:node:n1, staff, UNCONSTRAINED",
        "system:node:No_Node, '', USER_INFO UNCONSTRAINED",
        "system:serviceaccount:a:b, '', SERVICE_ACCOUNT UNCONSTRAINED",
        "system:serviceaccount:a:b, staff, UNCONSTRAINED",
        "ann, '', USER_INFO UNCONSTRAINED",
        "ann, staff, USER_INFO UNCONSTRAINED",
      })
  void eachIsForItsKindOfUser(String name, String group, String modes) {
    WantedUser wanted =
        new WantedUser(name, group.isEmpty() ? List.of() : List.of(group), "", Map.of());
    assertThat(
            Arrays.stream(ImpersonationMode.values())
                .filter(mode -> mode.applies(wanted, AGENT))
                .map(Enum::name))
        .containsExactly(modes.split(" ", -1));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "ASSOCIATED_NODE, impersonate:associated-node, impersonate-on:associated-node:get",
    "ARBITRARY_NODE, impersonate:arbitrary-node, impersonate-on:arbitrary-node:get",
    "SERVICE_ACCOUNT, impersonate:serviceaccount, impersonate-on:serviceaccount:get",
    "USER_INFO, impersonate:user-info, impersonate-on:user-info:get",
  })
  void eachHasItsVerbs(ImpersonationMode mode, String verb, String on) {
    assertThat(mode.verb()).isEqualTo(verb);
    assertThat(mode.on(new Action.OnPath("get", "/metrics")).verb()).isEqualTo(on);
  }
}
