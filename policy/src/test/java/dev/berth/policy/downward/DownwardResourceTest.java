package dev.berth.policy.downward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceFieldSelector;
import dev.berth.model.core.ResourceList;
import dev.berth.model.fixture.Fixtures;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DownwardResourceTest {
  private static final PodSpecView POD =
      spec(
          "{'containers':[{'name':'c','resources':{'limits':{'cpu':'1500m','memory':'64Mi',"
              + "'hugepages-2Mi':'4Mi'},'requests':{'cpu':'250m'}}}],"
              + "'initContainers':[{'name':'i'}]}");
  private static final ResourceList ALLOCATABLE =
      ResourceList.read(
          Fixtures.object(
              "cpu", "4", "memory", "8Gi", "ephemeral-storage", "10Gi", "hugepages-2Mi", "64Mi"));

  private static PodSpecView spec(String json) {
    return PodSpecView.read(Fixtures.tree(json));
  }

  private static ResourceFieldSelector selector(String container, String resource, String divisor) {
    return ResourceFieldSelector.read(
        Fixtures.object("containerName", container, "resource", resource, "divisor", divisor));
  }

  @ParameterizedTest(name = "{1} of {0} by {2} is {3}")
  @CsvSource({
    "c, limits.cpu, 0, 2",
    "c, limits.cpu, 1m, 1500",
    "c, limits.cpu, 1, 2",
    "c, requests.cpu, 1, 1",
    "c, requests.cpu, 100m, 3",
    "c, limits.memory, 1Mi, 64",
    "c, limits.memory, 1Gi, 1",
    "c, limits.memory, 0, 67108864",
    "c, limits.hugepages-2Mi, 1Mi, 4",
    "c, requests.memory, 1, 0",
    "c, limits.ephemeral-storage, 1Gi, 10",
    "i, limits.cpu, 1, 4",
    "i, limits.memory, 1Gi, 8",
    // Huge pages are never the node's.
    "i, limits.hugepages-2Mi, 1, 0",
  })
  void isDividedAndRoundedUp(String container, String resource, String divisor, String value) {
    assertThat(DownwardResource.read(POD, selector(container, resource, divisor), ALLOCATABLE))
        .isEqualTo(new DownwardValue.Text(value));
  }

  @ParameterizedTest(name = "{0} {1} by {2} is {3}")
  @CsvSource({
    "limits.cpu,               1,   2",
    "limits.memory,            1Gi, 8",
    "limits.ephemeral-storage, 1Gi, 10",
    "limits.hugepages-2Mi,     1,   0",
    "requests.cpu,             1m,  0",
  })
  void whatAContainerDoesNotLimitIsLimitedByItsPod(String resource, String divisor, String value) {
    PodSpecView pod =
        spec(
            "{'resources':{'limits':{'cpu':'2','hugepages-2Mi':'4Mi'},'requests':{'cpu':'1'}},'containers':[{'name':'c'}]}");
    assertThat(
            DownwardResource.read(
                pod,
                selector("c", resource, divisor),
                DownwardResource.unlimited(pod, ALLOCATABLE)))
        .isEqualTo(new DownwardValue.Text(value));
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "x, limits.cpu, container x not found",
    "c, limits.pods, unsupported container resource : limits.pods",
    "c, cpu, unsupported container resource : cpu",
  })
  void saysWhatIsWrong(String container, String resource, String message) {
    assertThat(DownwardResource.read(POD, selector(container, resource, "1"), ALLOCATABLE))
        .isEqualTo(new DownwardValue.Problem(message));
  }
}
