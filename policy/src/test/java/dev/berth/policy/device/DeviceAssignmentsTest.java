package dev.berth.policy.device;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.PodSpecView;
import dev.berth.policy.device.DeviceAssignments.Assignment;
import dev.berth.policy.device.DeviceAssignments.Holder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class DeviceAssignmentsTest {
  private static final String THING = "example.com/thing";

  private static Assignment devices(DeviceGrant grant, String... ids) {
    SortedMap<String, PluginDevice> devices = new TreeMap<>();
    for (String id : ids) {
      devices.put(id, new PluginDevice(id, true, List.of()));
    }
    return new Assignment(devices, grant);
  }

  private static DeviceAssignments given(DeviceAssignments before, String holder, String... ids) {
    List<String> words = List.of(holder.split("/", 2));
    return before.with(
        new Holder(words.getFirst(), words.getLast(), THING), devices(DeviceGrant.NOTHING, ids));
  }

  @Test
  void whatAPodHasIsFreeWhenItIsGone() {
    DeviceAssignments all = given(DeviceAssignments.NONE, "p1/c", "a", "b");
    all = given(all, "p2/c", "c");
    assertThat(all.inUse().get(THING)).containsExactly("a", "b", "c");
    assertThat(all.without("p1").inUse().get(THING)).containsExactly("c");
    assertThat(all.without("p3")).isSameAs(all);
    assertThat(all.of(Set.of("p2")).inUse().get(THING)).containsExactly("c");
    assertThat(all.hasPod("p1")).isTrue();
    assertThat(all.without("p1").hasPod("p1")).isFalse();
    assertThat(all.pods(THING, Set.of("b", "c"))).containsExactly("p1", "p2");
    assertThat(all.pods("example.com/other", Set.of("b"))).isEmpty();
  }

  @Test
  void aContainerSeesTheFirstOfTwoForOnePlace() {
    DeviceGrant first =
        new DeviceGrant(
            new TreeMap<>(Map.of("X", "1")),
            List.of(new DeviceGrant.Mount("/m", "/one", true)),
            List.of(new DeviceGrant.Node("/dev/x", "/dev/one", "rw")),
            new TreeMap<>(Map.of("k", "1")),
            List.of("v.com/c=1"));
    DeviceGrant second =
        new DeviceGrant(
            new TreeMap<>(Map.of("X", "2", "Y", "2")),
            List.of(new DeviceGrant.Mount("/m", "/two", true)),
            List.of(new DeviceGrant.Node("/dev/y", "/dev/two", "r")),
            new TreeMap<>(),
            List.of("v.com/c=1", "v.com/c=2"));
    DeviceAssignments all =
        DeviceAssignments.NONE
            .with(new Holder("p", "c", "a.com/x"), devices(first, "1"))
            .with(new Holder("p", "c", "b.com/y"), devices(second, "1"));

    DeviceGrant grant = all.grant("p", "c");
    assertThat(grant.environment()).isEqualTo(Map.of("X", "1", "Y", "2"));
    assertThat(grant.mounts()).containsExactly(new DeviceGrant.Mount("/m", "/one", true));
    assertThat(grant.nodes()).hasSize(2);
    assertThat(grant.annotations()).isEqualTo(Map.of("k", "1"));
    assertThat(grant.cdiDevices()).containsExactly("v.com/c=1", "v.com/c=2");
    assertThat(all.grant("p", "other")).isEqualTo(DeviceGrant.NOTHING);
  }

  @Test
  void theHealthOfAContainersDevicesIsThePluginsWord() {
    DeviceAssignments all = given(DeviceAssignments.NONE, "p/c", "a", "b", "gone");
    DeviceResource listed =
        DeviceResource.registered()
            .list(
                List.of(
                    new PluginDevice("a", true, List.of()),
                    new PluginDevice("b", false, List.of())));
    assertThat(all.health("p", "c", Map.of(THING, listed)))
        .isEqualTo(Map.of(THING, Map.of("a", true, "b", false, "gone", true)));
    assertThat(all.health("p", "c", Map.of()))
        .isEqualTo(Map.of(THING, Map.of("a", true, "b", true, "gone", true)));
  }

  @Test
  void whatNoContainerCanHaveIsRefused() {
    assertThat(DeviceGrant.NOTHING.problem()).isEmpty();
    assertThat(with("A", "1", "/a", "/b").problem()).isEmpty();
    assertThat(with("A=", "1", "/a", "/b").problem())
        .contains("invalid environment variable name or value: \"A=\"");
    assertThat(with("A", "1\0", "/a", "/b").problem())
        .contains("invalid environment variable name or value: \"A\"");
    assertThat(with("A", "1", "../a", "/b").problem())
        .contains("invalid path, must be an absolute path: \"../a\"");
    assertThat(with("A", "1", "/a", "").problem())
        .contains("invalid path, must be an absolute path: \"\"");
    assertThat(with("A", "1", "/a", "/b\0").problem()).isPresent();
  }

  private static DeviceGrant with(
      String name, String value, String containerPath, String hostPath) {
    return new DeviceGrant(
        new TreeMap<>(Map.of(name, value)),
        List.of(new DeviceGrant.Mount(containerPath, hostPath, true)),
        List.of(new DeviceGrant.Node(containerPath, hostPath, "r")),
        new TreeMap<>(),
        List.of());
  }

  private static final PodSpecView POD =
      PodSpecView.read(
          tree(
              "{'initContainers':["
                  + "{'name':'init','resources':{'limits':{'example.com/thing':'2','cpu':'1'}}},"
                  + "{'name':'sidecar','restartPolicy':'Always','resources':{'limits':{'example.com/thing':'1'}}}],"
                  + "'containers':[{'name':'c','resources':{'limits':{'example.com/thing':'1','example.com/file':'1'}}}]}"));

  @Test
  void limitsOfPluginsResourcesAreNeedsInitContainersFirst() {
    assertThat(DeviceNeed.of(POD, THING::equals))
        .containsExactly(
            new DeviceNeed("init", THING, 2, true),
            new DeviceNeed("sidecar", THING, 1, false),
            new DeviceNeed("c", THING, 1, false));
  }

  @Test
  void initContainersPassTheirDevicesOnAndSidecarsKeepThem() {
    List<DeviceNeed> needs = DeviceNeed.of(POD, THING::equals);
    DeviceAssignments all = given(DeviceAssignments.NONE, "p/init", "a", "b");
    assertThat(DeviceNeed.reusable("p", needs.subList(0, 1), THING, all)).containsExactly("a", "b");
    all = given(all, "p/sidecar", "a");
    assertThat(DeviceNeed.reusable("p", needs.subList(0, 2), THING, all)).containsExactly("b");
    all = given(all, "p/c", "b");
    assertThat(DeviceNeed.reusable("p", needs, THING, all)).isEmpty();
  }
}
