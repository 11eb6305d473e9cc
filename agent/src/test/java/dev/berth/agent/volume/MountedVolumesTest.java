package dev.berth.agent.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.objects.FakeServer;
import dev.berth.agent.objects.NodeObjects;
import dev.berth.agent.runtime.Mount;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.model.fixture.Fixtures;
import dev.berth.model.meta.WireTime;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With real mounts, as root. */
class MountedVolumesTest {
  @TempDir Path root;

  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
  private final FakeServer server = new FakeServer();
  private final FakeNode node = new FakeNode();
  private final NodeObjects objects = NodeObjects.of(server, time, time.start("objects"), _ -> {});

  @AfterEach
  void unmount() throws IOException {
    Mounts.unmountBelow(root);
  }

  private MountedVolumes volumes() {
    return new MountedVolumes(root, time, objects, node);
  }

  /** A pod with one volume, which its container mounts at {@code /v}. */
  private static JsonObject pod(String source) {
    return pod(source, "{}");
  }

  private static JsonObject pod(String source, String podSecurity) {
    return Fixtures.tree(
        ("{'metadata':{'namespace':'ns','name':'web','uid':'u1','labels':{'app':'web'}},"
                + "'spec':{'serviceAccountName':'robot','securityContext':%s,"
                + "'volumes':[{'name':'v',%s}],"
                + "'containers':[{'name':'c','volumeMounts':[{'name':'v','mountPath':'/v'}]}]}}")
            .formatted(podSecurity, source));
  }

  private static JsonObject container(JsonObject pod) {
    return pod.object("spec").array("containers").objects().getFirst();
  }

  private Mount mount(MountedVolumes volumes, JsonObject pod) throws VolumeFailure {
    return volumes.mounts(pod, container(pod), Map.of()).getFirst();
  }

  private static JsonObject withMount(JsonObject pod, String mount) {
    JsonObject container = container(pod).with("volumeMounts", JsonArray.of(Fixtures.tree(mount)));
    return pod.update("spec", spec -> spec.with("containers", JsonArray.of(container)));
  }

  private Path volume(String plugin) {
    return root.resolve("pods/u1/volumes").resolve(plugin).resolve("v");
  }

  private static int mode(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:mode") & 07777;
  }

  private void configMap(String value) {
    server.put(
        Resources.CONFIG_MAPS,
        Fixtures.tree(
            "{'metadata':{'namespace':'ns','name':'m'},'data':{'k':'%s','other':'o'},'binaryData':{'b':'AAE='}}"
                .formatted(value)));
  }

  @Test
  void anEmptyDirIsForEverybodyOfThePodAndGoesWithIt() throws Exception {
    JsonObject pod = pod("'emptyDir':{}");
    MountedVolumes volumes = volumes();
    volumes.prepare(pod);
    Path path = volume("kubernetes.io~empty-dir");
    assertThat(mount(volumes, pod))
        .isEqualTo(new Mount(path.toString(), "/v", false, false, "None"));
    assertThat(mode(path)).isEqualTo(0777);
    Files.writeString(path.resolve("file"), "x");

    MountedVolumes restarted = volumes();
    assertThat(restarted.leftovers()).containsExactly("u1");
    restarted.prepare(pod);
    assertThat(path.resolve("file")).hasContent("x");

    Files.writeString(root.resolve("pods/u1/of-another-part"), "x");
    restarted.release("u1");
    assertThat(root.resolve("pods/u1")).isDirectoryContaining(p -> p.endsWith("of-another-part"));
    assertThat(root.resolve("pods/u1/volumes")).doesNotExist();
    assertThat(restarted.leftovers()).isEmpty();
  }

  @ParameterizedTest(name = "sizeLimit {0}, memory limit {1}: {2} MiB")
  @CsvSource(
      quoteCharacter = '`',
      value = {"``, ``, 64", "8Mi, ``, 8", "128Mi, ``, 64", "``, 16Mi, 16", "8Mi, 4Mi, 4"})
  void anEmptyDirInMemoryHasTheLeastOfAllLimits(String sizeLimit, String memory, long mebibytes)
      throws Exception {
    String limit = sizeLimit.isEmpty() ? "" : ",'sizeLimit':'" + sizeLimit + "'";
    JsonObject pod = pod("'emptyDir':{'medium':'Memory'" + limit + "}");
    if (!memory.isEmpty()) {
      JsonObject limited =
          container(pod)
              .with("resources", JsonObject.of("limits", Fixtures.object("memory", memory)));
      pod = pod.update("spec", spec -> spec.with("containers", JsonArray.of(limited)));
    }
    MountedVolumes volumes = volumes();
    volumes.prepare(pod);
    volumes.prepare(pod);
    assertThat(Mounts.below(root)).containsExactly(volume("kubernetes.io~empty-dir"));
    VolumeStats stats = volumes.stats(pod).getFirst();
    assertThat(stats.space().capacityBytes()).isEqualTo(mebibytes << 20);
    assertThat(stats.isLocalStorage()).isFalse();
    volumes.release("u1");
    assertThat(Mounts.below(root)).isEmpty();
  }

  /** The kernel has pages of a size though none may be reserved. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({"HugePages", "HugePages-2Mi"})
  void anEmptyDirInHugePagesHasThoseOfTheSizeThatThePodAsksFor(String medium) throws Exception {
    JsonObject pod = asking(pod("'emptyDir':{'medium':'" + medium + "'}"), "hugepages-2Mi");
    MountedVolumes volumes = volumes();
    volumes.prepare(pod);
    volumes.prepare(pod);
    assertThat(Mounts.below(root)).containsExactly(volume("kubernetes.io~empty-dir"));
    assertThat(Files.readAllLines(Path.of("/proc/mounts")))
        .anyMatch(line ->
            line.contains(" " + volume("kubernetes.io~empty-dir") + " hugetlbfs ")
                && line.contains("pagesize=2M"));
    assertThat(volumes.stats(pod)).allMatch(each -> !each.isLocalStorage());
    volumes.release("u1");
    assertThat(Mounts.below(root)).isEmpty();
  }

  @Test
  void pagesOfSeveralSizesNeedAMediumThatSaysWhich() {
    JsonObject pod =
        asking(pod("'emptyDir':{'medium':'HugePages'}"), "hugepages-2Mi", "hugepages-1Gi");
    assertThatThrownBy(() -> volumes().prepare(pod))
        .hasMessageEndingWith(
            "medium: HugePages can't be used if container requests multiple huge page sizes");
  }

  @Test
  void pagesThatTheMachineDoesNotHaveAreNamed() {
    JsonObject pod = asking(pod("'emptyDir':{'medium':'HugePages-3Mi'}"), "hugepages-3Mi");
    assertThatThrownBy(() -> volumes().prepare(pod))
        .hasMessageEndingWith("this machine has no huge pages of 3MB");
  }

  private static JsonObject asking(JsonObject pod, String... resources) {
    JsonObject requests = JsonObject.EMPTY;
    for (String each : resources) {
      requests = requests.with(each, "2Gi");
    }
    JsonObject asking =
        container(pod)
            .with("resources", JsonObject.of("requests", requests).with("limits", requests));
    return pod.update("spec", spec -> spec.with("containers", JsonArray.of(asking)));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'emptyDir':{'medium':'HugePages-2Mi'}|medium HugePages-2Mi: hugePages storage requested, but there is no resource request for huge pages",
        "'emptyDir':{'medium':'HugePages'}|medium HugePages: hugePages storage requested, but there is no resource request for huge pages",
        "'emptyDir':{'medium':'HugePages-large'}|unknown storage medium \"HugePages-large\": a size of pages is written like HugePages-2Mi",
        "'emptyDir':{'medium':'Tape'}|unknown storage medium \"Tape\"",
        "'nfs':{'server':'s','path':'/'}|this node cannot mount volumes of kind nfs; it mounts configMap, downwardAPI, emptyDir, ephemeral, hostPath, image, persistentVolumeClaim, projected, secret",
        "'hostPath':{'path':'/none','type':'Directory'}|hostPath type check failed: /none is not a directory",
        "'configMap':{'name':'m'}|configmap \"m\" not found",
        "'secret':{'secretName':'s'}|secret \"s\" not found",
        "'projected':{'sources':[{'configMap':{'name':'m'}},{'secret':{'name':'s'}}]}|[configmap \"m\" not found, secret \"s\" not found]",
        "'projected':{'sources':[{'clusterTrustBundle':{'name':'x','path':'p'}}]}|this node cannot project clusterTrustBundle; it projects secret, configMap, downwardAPI and serviceAccountToken",
        "'downwardAPI':{'items':[{'path':'p','fieldRef':{'fieldPath':'status.phase'}}]}|unsupported fieldPath: status.phase",
      })
  void saysWhyAVolumeCannotBeMade(String source, String why) {
    assertThatThrownBy(() -> volumes().prepare(pod(source)))
        .isInstanceOfSatisfying(
            VolumeFailure.class, failure -> assertThat(failure.volume()).isEqualTo("v"))
        .hasMessage("MountVolume.SetUp failed for volume \"v\" : " + why);
  }

  @Test
  void aConfigMapIsFollowed() throws Exception {
    configMap("1");
    JsonObject pod = pod("'configMap':{'name':'m','defaultMode':256}");
    MountedVolumes volumes = volumes();
    volumes.prepare(pod);
    Mount mount = mount(volumes, pod);
    assertThat(mount.isReadOnly()).isTrue();
    Path path = Path.of(mount.hostPath());
    assertThat(path.resolve("k")).hasContent("1");
    assertThat(path.resolve("b")).hasBinaryContent(new byte[] {0, 1});
    assertThat(mode(path.resolve("k"))).isEqualTo(0400);

    configMap("2");
    time.settle();
    assertThat(path.resolve("k")).hasContent("1");
    volumes.refresh(pod);
    assertThat(path.resolve("k")).hasContent("2");

    server.remove(Resources.CONFIG_MAPS, new ObjectName("ns", "m"));
    time.settle();
    assertThatThrownBy(() -> volumes.refresh(pod))
        .hasMessageEndingWith("configmap \"m\" not found");
    assertThat(path.resolve("k")).hasContent("2");

    volumes.release("u1");
    time.settle();
    assertThat(server.openWatches()).isZero();
  }

  @Test
  void keysAreChosenWithPathsAndModes() throws Exception {
    configMap("1");
    JsonObject pod =
        pod(
            "'configMap':{'name':'m','items':[{'key':'k','path':'a/b','mode':384},{'key':'other','path':'c'}]}");
    MountedVolumes volumes = volumes();
    volumes.prepare(pod);
    Path path = Path.of(mount(volumes, pod).hostPath());
    assertThat(path.resolve("a/b")).hasContent("1");
    assertThat(mode(path.resolve("a/b"))).isEqualTo(0600);
    assertThat(mode(path.resolve("c"))).isEqualTo(0644);
    assertThat(path.resolve("k")).doesNotExist();
    assertThatThrownBy(
            () -> volumes.prepare(pod("'configMap':{'name':'m','items':[{'key':'x','path':'x'}]}")))
        .hasMessageEndingWith(": configmap references non-existent config key: x");
    assertThatThrownBy(() ->
            volumes.prepare(pod("'configMap':{'name':'m','items':[{'key':'k','path':'../x'}]}")))
        .hasMessageEndingWith(": invalid path: must not contain '..': ../x");
  }

  @Test
  void whatIsOptionalMayBeMissing() throws Exception {
    JsonObject pod = pod("'secret':{'secretName':'s','optional':true}");
    MountedVolumes volumes = volumes();
    volumes.prepare(pod);
    Path path = Path.of(mount(volumes, pod).hostPath());
    assertThat(path.resolve("..data")).isEmptyDirectory();
    server.put(
        Resources.SECRETS,
        Fixtures.tree("{'metadata':{'namespace':'ns','name':'s'},'data':{'k':'Z2VoZWlt'}}"));
    time.settle();
    volumes.refresh(pod);
    assertThat(path.resolve("k")).hasContent("geheim");
  }

  @Test
  void secretsAreInMemoryAndForTheGroupOfThePod() throws Exception {
    server.put(
        Resources.SECRETS,
        Fixtures.tree("{'metadata':{'namespace':'ns','name':'s'},'data':{'k':'Z2VoZWlt'}}"));
    JsonObject pod = pod("'secret':{'secretName':'s','defaultMode':256}", "{'fsGroup':2345}");
    MountedVolumes volumes = volumes();
    volumes.prepare(pod);
    Path path = volume("kubernetes.io~secret");
    assertThat(Mounts.below(root)).containsExactly(path);
    assertThat(Files.getFileStore(path).type()).isEqualTo("tmpfs");
    assertThat(mode(path.resolve("k"))).isEqualTo(0440);
    assertThat(Files.getAttribute(path.resolve("k"), "unix:gid")).isEqualTo(2345);
    assertThat(volumes.groups(pod)).containsExactly(2345L);
  }

  @Test
  void aProjectedVolumeHasItAll() throws Exception {
    configMap("1");
    server.answer(request -> {
      JsonObject asked = ((ApiRequest.Create) request).object();
      String expires = String.valueOf(WireTime.text(time.now().plusSeconds(600)));
      return new ApiResult.Done(
          asked.with(
              "status",
              Fixtures.object(
                  "token", "token " + server.sent().size(), "expirationTimestamp", expires)));
    });
    JsonObject pod =
        pod(
            "'projected':{'sources':[{'serviceAccountToken':{'path':'token','expirationSeconds':600}},"
                + "{'configMap':{'name':'m','items':[{'key':'k','path':'ca'}]}},"
                + "{'downwardAPI':{'items':[{'path':'labels','fieldRef':{'fieldPath':'metadata.labels'}},"
                + "{'path':'cpu','resourceFieldRef':{'containerName':'c','resource':'limits.cpu'}}]}}]}",
            "{'runAsUser':1234}");
    MountedVolumes volumes = volumes();
    volumes.prepare(pod);
    Path path = Path.of(mount(volumes, pod).hostPath());
    assertThat(path.resolve("token")).hasContent("token 1");
    assertThat(path.resolve("ca")).hasContent("1");
    assertThat(path.resolve("labels")).hasContent("app=\"web\"");
    assertThat(path.resolve("cpu")).hasContent("2");
    assertThat(mode(path.resolve("token"))).isEqualTo(0600);
    assertThat(Files.getAttribute(path.resolve("token"), "unix:uid")).isEqualTo(1234);

    time.advance(Duration.ofSeconds(481));
    volumes.refresh(pod);
    assertThat(path.resolve("token")).hasContent("token 2");
  }

  @Test
  void partsOfVolumesAreMountedByName() throws Exception {
    JsonObject pod =
        withMount(
            pod("'emptyDir':{}"),
            "{'name':'v','mountPath':'v','subPathExpr':'logs/$(NAME)','readOnly':true}");
    MountedVolumes volumes = volumes();
    volumes.prepare(pod);
    Mount mount = volumes.mounts(pod, container(pod), Map.of("NAME", "web")).getFirst();
    Path at = root.resolve("pods/u1/volume-subpaths/v/c/0");
    assertThat(mount).isEqualTo(new Mount(at.toString(), "/v", true, false, "None"));
    Files.writeString(at.resolve("file"), "x");
    assertThat(volume("kubernetes.io~empty-dir").resolve("logs/web/file")).hasContent("x");
    assertThatThrownBy(() -> volumes.mounts(pod, container(pod), Map.of()))
        .hasMessage("missing value for \"NAME\"");

    volumes.release("u1");
    assertThat(Mounts.below(root)).isEmpty();
    assertThat(volumes.leftovers()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'subPath':'/etc'|error SubPath `/etc` must not be an absolute path",
        "'subPath':'../x'|unable to provision SubPath `../x`: must not contain '..'",
        "'subPath':'link'|failed to prepare subPath for volumeMount \"v\" of container \"c\"",
        "'recursiveReadOnly':'Enabled'|failed to resolve recursive read-only mode: volume \"v\" requested recursive read-only mode, but it is not read-only",
      })
  void saysWhyAContainerCannotMountIt(String wish, String why) throws Exception {
    JsonObject pod = withMount(pod("'emptyDir':{}"), "{'name':'v','mountPath':'/v'," + wish + "}");
    MountedVolumes volumes = volumes();
    volumes.prepare(pod);
    Files.createSymbolicLink(volume("kubernetes.io~empty-dir").resolve("link"), Path.of("/etc"));
    assertThatThrownBy(() -> mount(volumes, pod)).isInstanceOf(VolumeFailure.class).hasMessage(why);
  }

  @Test
  void mountsSayHowTheyAreToBeMade() throws Exception {
    JsonObject pod =
        withMount(
            pod("'hostPath':{'path':'/tmp'}"),
            "{'name':'v','mountPath':'/v','readOnly':true,'recursiveReadOnly':'Enabled'}");
    MountedVolumes volumes = volumes();
    volumes.prepare(pod);
    assertThat(mount(volumes, pod)).isEqualTo(new Mount("/tmp", "/v", true, true, "None"));
    JsonObject both =
        withMount(pod, "{'name':'v','mountPath':'/v','mountPropagation':'Bidirectional'}");
    assertThat(mount(volumes, both))
        .isEqualTo(new Mount("/tmp", "/v", false, false, "Bidirectional"));
    JsonObject unknown = withMount(pod, "{'name':'w','mountPath':'/w'}");
    assertThatThrownBy(() -> mount(volumes, unknown))
        .hasMessage("cannot find volume \"w\" to mount into container \"c\"");
  }

  @Test
  void whatNoContainerMountsIsNotMade() throws Exception {
    JsonObject pod = pod("'nfs':{'server':'s','path':'/'}");
    JsonObject bare = withMount(pod, "{'name':'w','mountPath':'/w'}");
    volumes().prepare(bare);
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void placesForNestedVolumesAreMade() throws Exception {
    configMap("1");
    JsonObject pod = pod("'configMap':{'name':'m'}");
    JsonObject nested =
        container(pod)
            .with(
                "volumeMounts",
                JsonArray.of(
                    Fixtures.tree("{'name':'v','mountPath':'/v'}"),
                    Fixtures.tree("{'name':'x','mountPath':'/v/in/side/'}"),
                    Fixtures.tree("{'name':'y','mountPath':'/v/in/side/deeper'}"),
                    Fixtures.tree("{'name':'z','mountPath':'/vicinity'}")));
    JsonObject with = pod.update("spec", spec -> spec.with("containers", JsonArray.of(nested)));
    volumes().prepare(with);
    Path path = volume("kubernetes.io~configmap");
    assertThat(path.resolve("in/side")).isEmptyDirectory();
  }

  @Test
  void countsWhatAnEmptyDirHolds() throws Exception {
    JsonObject pod = pod("'emptyDir':{'sizeLimit':'1Mi'}");
    MountedVolumes volumes = volumes();
    volumes.prepare(pod);
    Path path = volume("kubernetes.io~empty-dir");
    Files.write(path.resolve("file"), new byte[1 << 20]);
    VolumeStats stats = volumes.stats(pod).getFirst();
    assertThat(stats.name()).isEqualTo("v");
    assertThat(stats.isLocalStorage()).isTrue();
    assertThat(stats.used().bytes()).isGreaterThanOrEqualTo(1 << 20);
    assertThat(stats.used().inodes()).isEqualTo(2);
    assertThat(stats.space().capacityBytes()).isGreaterThan(stats.space().availableBytes());

    Files.write(path.resolve("more"), new byte[1 << 20]);
    assertThat(volumes.stats(pod).getFirst().used()).isEqualTo(stats.used());
    time.advance(Duration.ofSeconds(10));
    assertThat(volumes.stats(pod).getFirst().used().inodes()).isEqualTo(3);
  }

  @Test
  void whatIsNestedTooDeeplyToBeCountedCountsForAll() throws Exception {
    Mounts.tmpfs(root, "");
    JsonObject pod = pod("'emptyDir':{}");
    MountedVolumes volumes = volumes();
    volumes.prepare(pod);
    byte[] name = Handle.bytes("d");
    Handle at = Handle.directory(volume("kubernetes.io~empty-dir"));
    for (int i = 0; i < 1_000; i++) {
      at.makeDirectory(name, 0700);
      Handle next = at.openDirectory(name);
      at.close();
      at = next;
    }
    at.close();
    VolumeStats stats = volumes.stats(pod).getFirst();
    assertThat(stats.used().bytes()).isEqualTo(stats.space().usedBytes());
  }

  @Test
  void hostPathsAreNotCounted() throws Exception {
    JsonObject pod = pod("'hostPath':{'path':'/tmp'}", "{'fsGroup':2345}");
    MountedVolumes volumes = volumes();
    volumes.prepare(pod);
    assertThat(volumes.stats(pod)).isEmpty();
    assertThat(Files.getAttribute(Path.of("/tmp"), "unix:gid")).isEqualTo(0);
  }

  @Test
  void aUidThatIsNoNameIsRefused() {
    JsonObject pod =
        pod("'emptyDir':{}").update("metadata", metadata -> metadata.with("uid", "../../etc"));
    assertThatThrownBy(() -> volumes().prepare(pod)).hasMessageEndingWith("is no name for a file");
    assertThatThrownBy(() -> volumes().release("../../etc"))
        .isInstanceOf(VolumeFailure.class)
        .hasMessageEndingWith("is no name for a file");
  }

  @Test
  void releasingTwiceIsFine() throws Exception {
    MountedVolumes volumes = volumes();
    volumes.prepare(pod("'emptyDir':{'medium':'Memory'}"));
    volumes.release("u1");
    volumes.release("u1");
    volumes.release("never-seen");
    assertThat(volumes.leftovers()).isEqualTo(List.of());
  }

  @Test
  void anImageIsForTheRuntimeToMount() throws Exception {
    JsonObject pod = pod("'image':{'reference':'files:1'}");
    MountedVolumes volumes = volumes();
    volumes.prepare(pod);
    assertThat(mount(volumes, pod))
        .isEqualTo(new Mount("", "/v", true, false, "None", "files:1", ""));
    JsonObject part = withMount(pod, "{'name':'v','mountPath':'/v','subPath':'a/b'}");
    assertThat(mount(volumes, part).imageSubPath()).isEqualTo("a/b");
    assertThat(volumes.stats(pod)).isEmpty();
  }
}
