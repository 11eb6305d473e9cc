package dev.berth.agent.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.objects.FakeServer;
import dev.berth.agent.objects.NodeObjects;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.model.fixture.Fixtures;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimVolumesTest {
  private static final String HERE =
      "{'required':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'kubernetes.io/hostname',"
          + "'operator':'In','values':['n1']}]}]}}";

  @TempDir Path root;

  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
  private final FakeServer server = new FakeServer();
  private final FakeNode node = new FakeNode();
  private Path directory;
  private MountedVolumes volumes;

  @BeforeEach
  void makeVolumes() {
    directory = root.resolve("volumes/ns-data-pvc-1");
    volumes =
        new MountedVolumes(
            root, time, NodeObjects.of(server, time, time.start("objects"), _ -> {}), node);
    server.put(
        Resources.PERSISTENT_VOLUME_CLAIMS,
        Fixtures.tree(
            "{'metadata':{'namespace':'ns','name':'data','uid':'c1'},'spec':{'volumeName':'pvc-1'},"
                + "'status':{'phase':'Bound'}}"));
  }

  private void volume(String provisioner, String spec) {
    server.put(
        Resources.PERSISTENT_VOLUMES,
        Fixtures.tree(
            ("{'metadata':{'name':'pvc-1','annotations':{'pv.kubernetes.io/provisioned-by':'%s',"
                    + "'pv.beta.kubernetes.io/gid':'77'}},"
                    + "'spec':{'claimRef':{'namespace':'ns','name':'data','uid':'c1'},%s}}")
                .formatted(provisioner, spec)));
  }

  private void provisioned() {
    volume(
        "berth.dev/local-directory",
        "'local':{'path':'%s'},'nodeAffinity':%s".formatted(directory, HERE));
  }

  private static JsonObject pod(String uid) {
    return Fixtures.tree(
        ("{'metadata':{'namespace':'ns','name':'web','uid':'%s'},'spec':{"
                + "'securityContext':{'fsGroup':2345},"
                + "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'data'}}],"
                + "'containers':[{'name':'c','volumeMounts':[{'name':'v','mountPath':'/v'}]}]}}")
            .formatted(uid));
  }

  private String path(JsonObject pod) throws VolumeFailure {
    JsonObject container = pod.object("spec").array("containers").objects().getFirst();
    return volumes.mounts(pod, container, Map.of()).getFirst().hostPath();
  }

  private DirectoryCleanup cleanup() {
    server.answer(request -> {
      if (request instanceof ApiRequest.Patch patch) {
        JsonObject annotations =
            ((JsonObject) patch.patch()).object("metadata").object("annotations");
        JsonObject changed = node.tree();
        for (String key : annotations.names()) {
          Object value = annotations.get(key);
          changed =
              changed.update(
                  "metadata",
                  metadata ->
                      metadata.update(
                          "annotations",
                          all ->
                              value instanceof String text
                                  ? all.with(key, text)
                                  : all.without(key)));
        }
        node.set(changed);
        return new ApiResult.Done(changed);
      }
      throw new AssertionError(request);
    });
    DirectoryCleanup cleanup = new DirectoryCleanup(server, time.start("cleanup"), node, root);
    cleanup.start();
    time.settle();
    return cleanup;
  }

  private void tellDeleted(String volume) {
    node.set(
        node.tree()
            .update(
                "metadata",
                metadata ->
                    metadata.update(
                        "annotations",
                        all -> all.with("deleted-volume.berth.dev/" + volume, "true"))));
  }

  private JsonObject annotations() {
    return node.tree().object("metadata").object("annotations");
  }

  @Test
  void aDirectoryIsMadeWhenAPodNeedsIt() throws Exception {
    provisioned();
    volumes.prepare(pod("u1"));
    assertThat(path(pod("u1"))).isEqualTo(directory.toString());
    assertThat((int) Files.getAttribute(directory, "unix:mode") & 07777).isEqualTo(02777);
    assertThat(Files.getAttribute(directory, "unix:gid")).isEqualTo(2345);
    assertThat(volumes.groups(pod("u1"))).containsExactly(2345L, 77L);
    assertThat(volumes.leftovers()).containsExactly("u1");
    assertThat(volumes.stats(pod("u1")).getFirst().claim()).hasToString("Optional[ns/data]");
  }

  @Test
  void theContentStaysWhenThePodGoes() throws Exception {
    provisioned();
    volumes.prepare(pod("u1"));
    Files.writeString(directory.resolve("file"), "x");
    volumes.release("u1");
    assertThat(directory.resolve("file")).hasContent("x");
    assertThat(volumes.leftovers()).isEmpty();
  }

  @Test
  void theGroupIsNotChangedUnderAnotherPod() throws Exception {
    provisioned();
    volumes.prepare(pod("u1"));
    Files.setAttribute(directory, "unix:gid", 5);
    volumes.prepare(pod("u2"));
    assertThat(Files.getAttribute(directory, "unix:gid")).isEqualTo(5);
    volumes.release("u1");
    volumes.release("u2");
    volumes.prepare(pod("u3"));
    assertThat(Files.getAttribute(directory, "unix:gid")).isEqualTo(2345);
  }

  @Test
  void theDirectoryOfADeletedVolumeIsRemovedOnceNoPodHasIt() throws Exception {
    cleanup();
    assertThat(annotations().text("local-directory.berth.dev/agent")).isEqualTo("true");
    provisioned();
    volumes.prepare(pod("u1"));
    Files.writeString(directory.resolve("file"), "x");

    tellDeleted("pvc-1");
    time.advance(Duration.ofSeconds(5));
    assertThat(directory.resolve("file")).hasContent("x");

    volumes.release("u1");
    time.advance(Duration.ofSeconds(5));
    assertThat(directory).doesNotExist();
    assertThat(annotations().names()).containsExactly("local-directory.berth.dev/agent");
    assertThat(root.resolve("local-directories")).isEmptyDirectory();
  }

  @Test
  void aDirectoryThatThisNodeDidNotMakeIsNeverRemoved() throws Exception {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("file"), "x");
    provisioned();
    volumes.prepare(pod("u1"));
    volumes.release("u1");
    cleanup();
    tellDeleted("pvc-1");
    tellDeleted("..");
    time.advance(Duration.ofSeconds(5));
    assertThat(directory.resolve("file")).hasContent("x");
    assertThat(annotations().names())
        .containsExactlyInAnyOrder(
            "local-directory.berth.dev/agent", "deleted-volume.berth.dev/..");
  }

  @Test
  void whatWasNotReportedIsReportedLater() throws Exception {
    cleanup();
    provisioned();
    volumes.prepare(pod("u1"));
    volumes.release("u1");
    tellDeleted("pvc-1");
    server.setReachable(false);
    time.advance(Duration.ofSeconds(5));
    assertThat(directory).doesNotExist();
    assertThat(annotations().names()).hasSize(2);
    server.setReachable(true);
    time.advance(Duration.ofSeconds(5));
    assertThat(annotations().names()).hasSize(1);
  }

  @Test
  void aDirectoryOfSomebodyElseIsNotMade() {
    volume("", "'local':{'path':'%s'}".formatted(directory));
    assertThatThrownBy(() -> volumes.prepare(pod("u1")))
        .hasMessage(
            "MountVolume.NewMounter initialization failed for volume \"pvc-1\" : path \"%s\" does not exist"
                .formatted(directory));
    assertThat(directory).doesNotExist();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'nfs':{'path':'/'}|MountVolume.FindPluginBySpec failed for volume \"pvc-1\" : this node mounts persistent volumes of kind local and hostPath only",
        "'hostPath':{'path':'/none','type':'File'}|MountVolume.SetUp failed for volume \"v\" : hostPath type check failed: /none is not a file",
        "'local':{'path':'/dev/null'}|MountVolume.NewMounter initialization failed for volume \"pvc-1\" : only directories are supported",
        "'local':{'path':'/a/../b'}|MountVolume.SetUp failed for volume \"pvc-1\" : invalid path: /a/../b must be absolute and not contain '..'",
        "'local':{'path':'/tmp'},'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'x','operator':'Exists'}]}]}}|MountVolume.NodeAffinity check failed for volume \"pvc-1\" : no matching NodeSelectorTerms",
      })
  void saysWhyAVolumeCannotBeMounted(String spec, String why) {
    volume("", spec);
    assertThatThrownBy(() -> volumes.prepare(pod("u1")))
        .isInstanceOf(VolumeFailure.class)
        .hasMessage(why);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'metadata':{'uid':'c1'},'spec':{'volumeName':'pvc-1'},'status':{'phase':'Pending'}}|PVC is not bound",
        "{'metadata':{'uid':'c1'},'spec':{},'status':{'phase':'Bound'}}|PVC has empty pvc.Spec.VolumeName",
        "{'metadata':{'uid':'c1','deletionTimestamp':'2030-01-01T00:00:00Z'},'spec':{'volumeName':'pvc-1'},'status':{'phase':'Bound'}}|PVC is being deleted",
        "{'metadata':{'uid':'c2'},'spec':{'volumeName':'pvc-1'},'status':{'phase':'Bound'}}|found PV object pvc-1 but its pv.Spec.ClaimRef.UID c1 does not point to claim.UID c2",
        "{'metadata':{'uid':'c1'},'spec':{'volumeName':'pvc-2'},'status':{'phase':'Bound'}}|failed to fetch PV pvc-2 from API server: persistentvolumes \"pvc-2\" not found",
      })
  void saysWhyAClaimCannotBeUsed(String claim, String why) {
    provisioned();
    server.put(
        Resources.PERSISTENT_VOLUME_CLAIMS,
        Fixtures.tree(claim)
            .update("metadata", metadata -> metadata.with("namespace", "ns").with("name", "data")));
    assertThatThrownBy(() -> volumes.prepare(pod("u1")))
        .hasMessage(
            "Unable to attach or mount volumes: unmounted volumes=[v], unattached volumes=[], failed"
                + " to process volumes=[v]: error processing PVC ns/data: "
                + why);
  }

  @Test
  void anEphemeralVolumeIsAClaimOfThePodsOwn() throws Exception {
    JsonObject pod =
        Fixtures.tree(
            "{'metadata':{'namespace':'ns','name':'da','uid':'u1'},'spec':{"
                + "'volumes':[{'name':'ta','ephemeral':{}},{'name':'other','emptyDir':{}}],"
                + "'containers':[{'name':'c','volumeMounts':[{'name':'ta','mountPath':'/v'}]}]}}");
    assertThatThrownBy(() -> volumes.prepare(pod))
        .hasMessageContaining("persistentvolumeclaims \"da-ta\" not found");
    server.put(
        Resources.PERSISTENT_VOLUME_CLAIMS,
        Fixtures.tree(
            "{'metadata':{'namespace':'ns','name':'da-ta','uid':'c1'},'spec':{'volumeName':'pvc-1'},"
                + "'status':{'phase':'Bound'}}"));
    provisioned();
    assertThatThrownBy(() -> volumes.prepare(pod))
        .hasMessageEndingWith("PVC ns/da-ta was not created for pod ns/da (pod is not owner)");
    server.put(
        Resources.PERSISTENT_VOLUME_CLAIMS,
        Fixtures.tree(
            "{'metadata':{'namespace':'ns','name':'da-ta','uid':'c1','ownerReferences':[{'uid':'u1',"
                + "'controller':true,'apiVersion':'v1','kind':'Pod','name':'da'}]},"
                + "'spec':{'volumeName':'pvc-1'},'status':{'phase':'Bound'}}"));
    volumes.prepare(pod);
    assertThat(directory).isDirectory();
  }

  @Test
  void aVolumeOfADriverIsReportedAndWaitedForAndThenRefused() throws Exception {
    volume("", "'csi':{'driver':'d.example.com','volumeHandle':'h'}");
    assertThatThrownBy(() -> volumes.prepare(pod("u1")))
        .hasMessage("Volume not attached according to node status for volume \"pvc-1\" ");
    String name = "kubernetes.io/csi/d.example.com^h";
    assertThat(volumes.volumesInUse()).containsExactly(name);
    node.set(
        node.tree()
            .update(
                "status",
                status ->
                    status.withMissing(
                        Fixtures.tree("{'volumesAttached':[{'name':'" + name + "'}]}"))));
    assertThatThrownBy(() -> volumes.prepare(pod("u1")))
        .hasMessage(
            "MountVolume.MountDevice failed for volume \"pvc-1\" : driver name d.example.com not"
                + " found in the list of registered CSI drivers");
    volumes.release("u1");
    assertThat(volumes.volumesInUse()).isEmpty();
  }

  @Test
  void aVolumeOfADriverThatDoesNotAttachIsNotInUse() throws IOException {
    server.put(
        Resources.CSI_DRIVERS,
        Fixtures.tree("{'metadata':{'name':'d.example.com'},'spec':{'attachRequired':false}}"));
    volume("", "'csi':{'driver':'d.example.com','volumeHandle':'h'}");
    assertThatThrownBy(() -> volumes.prepare(pod("u1"))).hasMessageContaining("MountDevice failed");
    assertThat(volumes.volumesInUse()).isEmpty();
  }
}
