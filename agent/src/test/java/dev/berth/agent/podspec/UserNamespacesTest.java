package dev.berth.agent.podspec;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.runtime.Placement;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.RuntimeHandler;
import dev.berth.agent.runtime.SandboxSpec;
import dev.berth.model.fixture.Fixtures;
import dev.berth.model.tree.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A pod that asks for users of its own never runs with those of the machine. */
class UserNamespacesTest {
  private static final List<RuntimeHandler> HANDLERS =
      List.of(new RuntimeHandler("", true, true), new RuntimeHandler("old", true, false));

  private static SandboxSpec pod(String spec, String handler) throws SpecFailure {
    SpecSettings settings =
        new SpecSettings(
            Path.of("/nowhere"), "cluster.local", List.of("10.96.0.10"), "", OptionalLong.empty());
    return SandboxSpecs.of(
            new PodId("default", "web", "u1"),
            Fixtures.tree("{'spec':" + spec + "}"),
            JsonObject.EMPTY,
            settings,
            Placement.OfPod.ANYWHERE)
        .spec()
        .withHandler(handler);
  }

  private static void refused(String handler, List<RuntimeHandler> handlers, String why)
      throws SpecFailure {
    SandboxSpec pod = pod("{'hostUsers':false}", handler);
    assertThatThrownBy(() -> UserNamespaces.check(pod, handlers))
        .isInstanceOf(SpecFailure.class)
        .hasMessage(why);
  }

  @Test
  void aHandlerThatCanGiveThemRunsIt() throws Exception {
    SandboxSpec pod = pod("{'hostUsers':false}", "");
    assertThatCode(() -> UserNamespaces.check(pod, HANDLERS)).doesNotThrowAnyException();
  }

  @Test
  void allOthersRefuseIt() throws Exception {
    refused(
        "",
        List.of(),
        "can't set `spec.hostUsers: false`, runtime does not support user namespaces");
    refused(
        "old",
        HANDLERS,
        "can't set `spec.hostUsers: false`, RuntimeClass handler \"old\" does not support user"
            + " namespaces");
    refused(
        "other",
        HANDLERS,
        "can't set `spec.hostUsers: false`, RuntimeClass handler \"other\" does not support user"
            + " namespaces: the handler \"other\" is not known");
  }

  @Test
  void podsThatDoNotAskRunAnywhere() throws Exception {
    for (String spec : List.of("{}", "{'hostUsers':true}")) {
      SandboxSpec pod = pod(spec, "old");
      assertThatCode(() -> UserNamespaces.check(pod, HANDLERS)).doesNotThrowAnyException();
    }
  }
}
