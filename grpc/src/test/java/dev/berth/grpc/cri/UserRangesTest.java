package dev.berth.grpc.cri;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtime.Mount;
import dev.berth.agent.runtime.SandboxSpec;
import dev.berth.agent.runtime.process.TestPod;
import dev.berth.grpc.criapi.Cri;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which users of the machine those of a pod are that has its own. */
class UserRangesTest {
  private final UserRanges ranges = new UserRanges();
  private final List<Cri.PodSandbox> sandboxes = new ArrayList<>();

  private static SandboxSpec spec(String name) {
    return TestPod.named(name).sandbox();
  }

  private Cri.IDMapping give(String name) throws Exception {
    return ranges.give(spec(name).pod().uid(), () -> sandboxes);
  }

  /** The runtime has made a sandbox. */
  private void made(String name, Cri.IDMapping range) {
    Cri.PodSandboxConfig config = SandboxConfigs.of(spec(name), 0, range, Path.of("/logs"));
    sandboxes.add(
        Cri.PodSandbox.newBuilder()
            .putAllLabels(config.getLabelsMap())
            .putAllAnnotations(config.getAnnotationsMap())
            .build());
    ranges.settle(spec(name).pod().uid());
  }

  private static Cri.IDMapping from(int first) {
    return Cri.IDMapping.newBuilder().setHostId(first).setLength(65_536).build();
  }

  @Test
  void noTwoPodsHaveTheSameNorThoseOfTheMachine() throws Exception {
    assertThat(give("one")).isEqualTo(from(65_536));
    assertThat(give("two")).isEqualTo(from(2 * 65_536));
    made("one", from(65_536));
    assertThat(give("three")).isEqualTo(from(3 * 65_536));
  }

  @Test
  void aPodKeepsItsOwnAcrossSandboxesAndAgents() throws Exception {
    made("one", from(65_536));
    made("two", from(2 * 65_536));
    assertThat(give("two")).isEqualTo(from(2 * 65_536));
    assertThat(new UserRanges().give(spec("one").pod().uid(), () -> sandboxes))
        .isEqualTo(from(65_536));
  }

  @Test
  void whatIsGivenBackIsFreeAgain() throws Exception {
    made("one", from(65_536));
    made("two", from(2 * 65_536));
    sandboxes.removeFirst();
    assertThat(give("three")).isEqualTo(from(65_536));
    ranges.settle(spec("three").pod().uid());
    assertThat(give("four")).isEqualTo(from(65_536));
  }

  @Test
  void podsWithTheMachinesUsersTakeNone() throws Exception {
    made("one", Cri.IDMapping.getDefaultInstance());
    assertThat(give("two")).isEqualTo(from(65_536));
  }

  private static Cri.PodSandboxConfig pod(Cri.IDMapping range) {
    return SandboxConfigs.of(spec("one"), 0, range, Path.of("/logs"));
  }

  private static Cri.UserNamespace namespace(Cri.PodSandboxConfig pod) {
    return pod.getLinux().getSecurityContext().getNamespaceOptions().getUsernsOptions();
  }

  private static Cri.Mount mounted(Cri.PodSandboxConfig pod) {
    Mount mount = new Mount("/data", "/v", false, false, "None");
    return ContainerConfigs.mount(mount, Map.of(), pod);
  }

  @Test
  void theyAreMappedForThePodAndForWhatIsMounted() {
    Cri.IDMapping range = from(65_536);
    Cri.PodSandboxConfig pod = pod(range);
    assertThat(namespace(pod).getMode()).isEqualTo(Cri.NamespaceMode.POD);
    assertThat(namespace(pod).getUidsList()).containsExactly(range);
    assertThat(namespace(pod).getGidsList()).containsExactly(range);
    assertThat(mounted(pod).getUidMappingsList()).containsExactly(range);
    assertThat(mounted(pod).getGidMappingsList()).containsExactly(range);
  }

  @Test
  void theMachinesUsersAreNotMapped() {
    Cri.PodSandboxConfig pod = pod(Cri.IDMapping.getDefaultInstance());
    assertThat(namespace(pod).getMode()).isEqualTo(Cri.NamespaceMode.NODE);
    assertThat(namespace(pod).getUidsList()).isEmpty();
    assertThat(mounted(pod).getUidMappingsList()).isEmpty();
  }
}
