package dev.berth.agent.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.FakePlugins.FakePlugin;
import dev.berth.agent.fixture.TestNode;
import dev.berth.agent.runtime.DeviceNode;
import dev.berth.metrics.MetricsText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plugins, their devices and the pods that get them, on virtual time. T7. */
final class PodDevicesTest {
  private static final String THING = "example.com/thing";

  @TempDir private Path root;
  private TestNode node;
  private FakePlugin plugin;

  @BeforeEach
  void begin() {
    node = new TestNode(root).start();
    plugin = node.plugins().of(THING).has("a", "b", "c");
    assertThat(node.register(THING)).isEmpty();
  }

  @AfterEach
  void end() {
    node.close();
  }

  private static String asking(int count) {
    return "{'containers':[%s]}".formatted(container("c", count, ""));
  }

  private static String container(String name, int count, String further) {
    return ("{'name':'%s','image':'i',%s'resources':{'limits':{'example.com/thing':'%d'},"
            + "'requests':{'example.com/thing':'%d'}}}")
        .formatted(name, further, count, count);
  }

  private void isRejected(String pod, String why) {
    String message = "Allocate failed due to %s, which is unexpected".formatted(why);
    assertThat(node.phase(pod)).isEqualTo("Failed");
    assertThat(node.status(pod).text("reason")).isEqualTo("UnexpectedAdmissionError");
    assertThat(node.status(pod).text("message")).isEqualTo("Pod was rejected: " + message);
    assertThat(node.events(pod)).contains("UnexpectedAdmissionError: " + message);
  }

  @Test
  void aPodSeesItsDevices() {
    node.pod("web", asking(2));

    assertThat(node.phase("web")).isEqualTo("Running");
    assertThat(plugin.journal()).containsExactly("Allocate a b");
    var spec = node.runtime().spec("web", "c");
    assertThat(spec.environment()).containsEntry("THINGS", "a,b");
    assertThat(spec.devices())
        .containsExactly(
            new DeviceNode("/dev/a", "/dev/a", "rw"), new DeviceNode("/dev/b", "/dev/b", "rw"));
    assertThat(spec.mounts())
        .anySatisfy(mount -> {
          assertThat(mount.hostPath()).isEqualTo("/opt/things");
          assertThat(mount.isReadOnly()).isTrue();
        });
    assertThat(node.container("web", "c").array("allocatedResourcesStatus").toString())
        .contains("\"name\":\"example.com/thing\"")
        .contains("\"resourceID\":\"a\"")
        .contains("\"health\":\"Healthy\"");
  }

  @Test
  void whatTheSpecificationSaysOfAVariableWins() {
    node.pod(
        "web",
        "{'containers':[%s]}"
            .formatted(container("c", 1, "'env':[{'name':'THINGS','value':'mine'}],")));
    assertThat(node.runtime().spec("web", "c").environment()).containsEntry("THINGS", "mine");
  }

  @Test
  void noDeviceIsGivenTwiceAndEachIsFreeAgainAfterwards() {
    node.pod("one", asking(2));
    node.pod("two", asking(2));
    isRejected(
        "two",
        "requested number of devices unavailable for example.com/thing. Requested: 2, Available:"
            + " 1");

    node.delete("one");
    node.advanceSeconds(60);
    node.pod("three", asking(3));
    assertThat(node.phase("three")).isEqualTo("Running");
  }

  @Test
  void aPodThatHasEndedGivesItsDevicesBack() {
    node.pod("job", "{'restartPolicy':'Never','containers':[%s]}".formatted(container("c", 3, "")));
    node.runtime().exit("job", "c", 0);
    node.settle();
    assertThat(node.phase("job")).isEqualTo("Succeeded");
    node.pod("next", asking(3));
    assertThat(node.phase("next")).isEqualTo("Running");
  }

  @Test
  void unhealthyDevicesAreNotGivenAndTheirPodsSaySo() {
    node.pod("web", asking(1));
    plugin.has("a!", "b", "c");
    node.advanceSeconds(1);

    assertThat(node.container("web", "c").array("allocatedResourcesStatus").toString())
        .contains("\"health\":\"Unhealthy\"");
    assertThat(node.phase("web")).isEqualTo("Running");
    assertThat(node.devices().capacity().allocatable()).containsEntry(THING, 2L);
    assertThat(node.devices().capacity().capacity()).containsEntry(THING, 3L);
    node.pod("two", asking(3));
    isRejected(
        "two",
        "requested number of devices unavailable for example.com/thing. Requested: 3, Available:"
            + " 2");
  }

  @Test
  void initContainersPassTheirDevicesOnAndSidecarsKeepThem() {
    node.pod(
        "web",
        "{'initContainers':[%s,%s],'containers':[%s]}"
            .formatted(
                container("init", 2, ""),
                container("sidecar", 1, "'restartPolicy':'Always',"),
                container("c", 2, "")));
    assertThat(plugin.journal()).containsExactly("Allocate a b", "Allocate a", "Allocate b c");
  }

  @Test
  void aPluginMayPreferDevices() {
    plugin.wantsToBeAsked(false, true).prefers("c", "x");
    assertThat(node.register(THING)).isEmpty();
    node.pod("web", asking(2));
    assertThat(plugin.journal())
        .containsExactly("GetPreferredAllocation 2 of a b c with ", "Allocate a c");
  }

  @Test
  void aPluginThatFailsToAllocateFailsThePodAndKeepsNothing() {
    plugin.fails("rpc error: code = Unknown desc = boom", "");
    node.pod("web", asking(2));
    isRejected("web", "rpc error: code = Unknown desc = boom");

    plugin.fails("", "");
    node.pod("next", asking(3));
    assertThat(node.phase("next")).isEqualTo("Running");
  }

  @Test
  void aPluginThatHangsHoldsUpNobodyElseAndFailsInTheEnd() {
    plugin.hangs(true);
    node.pod("stuck", asking(1));
    node.pod("other");
    assertThat(node.phase("other")).isEqualTo("Running");
    assertThat(node.phase("stuck")).isEqualTo("Pending");

    node.advanceSeconds(119);
    assertThat(node.phase("stuck")).isEqualTo("Pending");
    node.advanceSeconds(1);
    isRejected("stuck", "rpc error: code = DeadlineExceeded desc = context deadline exceeded");
  }

  @Test
  void aPodThatIsDeletedWhileItsPluginHangsGoes() {
    plugin.hangs(true);
    node.pod("stuck", asking(1));
    node.delete("stuck");
    node.advanceSeconds(121);
    assertThat(node.exists("stuck")).isFalse();
  }

  @Test
  void thePluginIsToldBeforeEachStart() {
    plugin.wantsToBeAsked(true, false);
    assertThat(node.register(THING)).isEmpty();
    node.pod("web", asking(1));
    node.runtime().exit("web", "c", 1);
    node.advanceSeconds(20);
    assertThat(plugin.journal())
        .containsExactly("Allocate a", "PreStartContainer a", "PreStartContainer a");
  }

  @Test
  void aContainerWhosePluginRefusesItsStartWaits() {
    plugin.wantsToBeAsked(true, false).fails("", "rpc error: code = Internal desc = dirty");
    assertThat(node.register(THING)).isEmpty();
    node.pod("web", asking(1));
    assertThat(node.state("web", "c")).isEqualTo("CreateContainerConfigError");
    assertThat(node.container("web", "c").object("state").object("waiting").text("message"))
        .isEqualTo(
            "device plugin PreStartContainer rpc failed with err: rpc error: code = Internal desc ="
                + " dirty");

    plugin.fails("", "");
    node.advanceSeconds(20);
    assertThat(node.state("web", "c")).isEqualTo("running");
  }

  @Test
  void podsOutliveTheirPluginAndItsDevicesExpire() {
    node.pod("web", asking(2));
    plugin.dies();
    node.settle();
    assertThat(node.phase("web")).isEqualTo("Running");
    assertThat(node.devices().capacity().capacity()).containsEntry(THING, 3L);
    assertThat(node.devices().capacity().allocatable()).containsEntry(THING, 0L);
    node.pod("two", asking(1));
    isRejected(
        "two", "no healthy devices present; cannot allocate unhealthy devices example.com/thing");

    node.advanceSeconds(302);
    assertThat(node.devices().capacity().capacity()).containsEntry(THING, 0L);
    node.pod("three", asking(1));
    isRejected("three", "cannot allocate unregistered device example.com/thing");

    assertThat(node.register(THING)).isEmpty();
    assertThat(node.devices().capacity().allocatable()).containsEntry(THING, 3L);
    node.pod("four", asking(2));
    isRejected(
        "four",
        "requested number of devices unavailable for example.com/thing. Requested: 2, Available:"
            + " 1");
  }

  @Test
  void aContainerIsStartedAgainWhileItsPluginIsGone() {
    node.pod("web", asking(1));
    plugin.dies();
    node.runtime().exit("web", "c", 1);
    node.advanceSeconds(20);
    assertThat(node.state("web", "c")).isEqualTo("running");
    assertThat(node.runtime().spec("web", "c").devices()).hasSize(1);
  }

  @Test
  void assignmentsOutliveTheAgent() {
    node.pod("web", asking(2));
    node.start();
    assertThat(node.devices().capacity().capacity()).containsEntry(THING, 0L);
    assertThat(node.phase("web")).isEqualTo("Running");
    node.pod("early", asking(1));
    isRejected(
        "early", "no healthy devices present; cannot allocate unhealthy devices example.com/thing");

    assertThat(node.register(THING)).isEmpty();
    node.pod("two", asking(2));
    isRejected(
        "two",
        "requested number of devices unavailable for example.com/thing. Requested: 2, Available:"
            + " 1");
    node.pod("three", asking(1));
    assertThat(node.runtime().spec("three", "c").environment()).containsEntry("THINGS", "c");
    node.runtime().exit("web", "c", 1);
    node.advanceSeconds(20);
    assertThat(node.runtime().spec("web", "c").environment()).containsEntry("THINGS", "a,b");
  }

  @Test
  void whatPodsHadThatWentWithoutTheAgentIsFree() {
    node.pod("web", asking(3));
    node.stop();
    node.runtime().reboot();
    node.delete("web", 0);
    node.start();
    assertThat(node.register(THING)).isEmpty();
    node.pod("next", asking(3));
    assertThat(node.phase("next")).isEqualTo("Running");
  }

  @Test
  void aDamagedCheckpointDoesNotStopTheAgent() throws Exception {
    node.pod("web", asking(1));
    node.stop();
    Files.writeString(root.resolve("device-assignments.json"), "{\"assignments\":[");
    node.start();
    assertThat(node.register(THING)).isEmpty();
    assertThat(node.phase("web")).isEqualTo("Running");
    node.runtime().exit("web", "c", 1);
    node.advanceSeconds(20);
    assertThat(node.runtime().spec("web", "c").devices()).hasSize(1);
  }

  @Test
  void anotherPluginOfTheSameResourceTakesItsPlace() {
    assertThat(node.register(THING)).isEmpty();
    assertThat(node.devices().capacity().allocatable()).containsEntry(THING, 3L);
  }

  @Test
  void aPluginThatDoesNotAnswerIsNotRegistered() {
    node.plugins().of("example.com/deaf").hangs(true);
    assertThat(node.register("example.com/deaf")).contains("no answer");
    node.advanceSeconds(10);
    assertThat(node.devices().capacity().capacity()).doesNotContainKey("example.com/deaf");
  }

  @Test
  void listsAreTakenAtAPace() {
    for (int i = 0; i < 1000; i++) {
      plugin.has("a", "b" + i);
      node.settle();
    }
    node.advanceSeconds(1);
    assertThat(node.devices().capacity().capacity()).containsEntry(THING, 2L);
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "v1alpha1 | a.sock | example.com/x | requested API version \"v1alpha1\" is not supported by"
            + " kubelet. Supported version is [\"v1beta1\"]",
        "v1beta1 | a.sock | cpu | the ResourceName \"cpu\" is invalid",
        "v1beta1 | a.sock | kubernetes.io/x | the ResourceName \"kubernetes.io/x\" is invalid",
        "v1beta1 | a.sock | requests.example.com/x | the ResourceName \"requests.example.com/x\" is"
            + " invalid",
        "v1beta1 | a.sock | example.com/x y | the ResourceName \"example.com/x y\" is invalid",
        "v1beta1 | a.sock | memory | the ResourceName \"memory\" is invalid",
        "v1beta1 | ../a.sock | example.com/x | the Endpoint \"../a.sock\" is invalid: it must be"
            + " the name of the plugin's socket in DIR",
        "v1beta1 | /run/a.sock | example.com/x | the Endpoint \"/run/a.sock\" is invalid: it must"
            + " be the name of the plugin's socket in DIR",
        "v1beta1 | .. | example.com/x | the Endpoint \"..\" is invalid: it must be the name of the"
            + " plugin's socket in DIR",
        "v1beta1 | kubelet.sock | example.com/x | the Endpoint \"kubelet.sock\" is invalid: it must"
            + " be the name of the plugin's socket in DIR",
      })
  void whoCannotRegister(String version, String endpoint, String resource, String why) {
    List<Optional<String>> answers = new ArrayList<>();
    node.devices().register(new Registration(version, endpoint, resource), answers::add);
    node.settle();
    assertThat(answers)
        .containsExactly(
            Optional.of(why.replace("DIR", root.resolve("device-plugins").toString())));
  }

  @Test
  void othersAreToldWhichPodsHaveWhichDevices() {
    plugin.has("a", "b", "c!");
    node.advanceSeconds(1);
    node.pod(
        "web",
        "{'initContainers':[%s,%s],'containers':[%s]}"
            .formatted(
                container("init", 1, ""),
                container("sidecar", 1, "'restartPolicy':'Always',"),
                container("c", 1, "")));
    node.pod("job", "{'restartPolicy':'Never'}");
    node.runtime().exit("job", "c", 0);
    node.settle();

    CountedPodResources resources =
        new CountedPodResources(
            new PodResources(node.agent()::pods, node.devices(), node.resources()), node.metrics());
    assertThat(resources.list())
        .singleElement()
        .satisfies(web -> {
          assertThat(web.pod()).isEqualTo("web");
          assertThat(web.containers().toString())
              .contains("sidecar")
              .contains("resource=example.com/thing, device=PluginDevice[id=a")
              .contains("device=PluginDevice[id=b")
              .doesNotContain("container=init");
        });
    assertThat(resources.get("default", "job")).isPresent();
    assertThat(resources.get("default", "none")).isEmpty();
    assertThat(resources.allocatable().devices())
        .extracting(owned -> owned.device().id())
        .containsExactly("a", "b");
    assertThat(node.metrics().text(MetricsText.Format.PROMETHEUS))
        .contains("kubelet_pod_resources_endpoint_requests_total{server_api_version=\"v1\"} 4")
        .contains("kubelet_pod_resources_endpoint_requests_get{server_api_version=\"v1\"} 2")
        .contains("kubelet_pod_resources_endpoint_errors_get{server_api_version=\"v1\"} 1");
  }

  @Test
  void aNodeHasNoMoreThanSomePlugins() {
    for (int i = 1; i < 256; i++) {
      node.plugins().of("example.com/r" + i).has("a");
      assertThat(node.register("example.com/r" + i)).isEmpty();
    }
    assertThat(node.register("example.com/onemore"))
        .contains("no more than 256 device plugins can register");
    assertThat(node.register("example.com/r7")).isEmpty();
  }
}
