package dev.berth.sim.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;
import dev.berth.client.kubeconfig.ConnectionException;
import dev.berth.model.config.ConfigException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.model.yaml.YamlReader;
import dev.berth.sim.VirtualCluster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Row X3: what a snapshot holds, what it needs to be read, and what an anonymised one tells. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SnapshotTest {
  private AcmeCluster acme;

  @TempDir private Path folder;

  @BeforeAll
  void run() {
    acme = new AcmeCluster();
  }

  @AfterAll
  void end() {
    acme.close();
  }

  private static byte[] written(ClusterSnapshot snapshot) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SnapshotFile.write(snapshot, out);
    return out.toByteArray();
  }

  private static String text(ClusterSnapshot snapshot) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(written(snapshot)))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  @Test
  void holdsWhatDecidesWherePodsRunAndNoSecrets() throws IOException {
    ClusterSnapshot snapshot = acme.snapshot();
    assertThat(snapshot.list("nodes")).hasSize(9);
    assertThat(snapshot.list("pods")).hasSize(6 + 3 + 9);
    assertThat(snapshot.list("leases.coordination.k8s.io")).hasSize(9);
    assertThat(snapshot.list("poddisruptionbudgets.policy")).hasSize(1);
    assertThat(snapshot.unseen())
        .singleElement()
        .asString()
        .startsWith(
            "settings of the control plane: no pod of kube-apiserver and none of"
                + " kube-controller-manager");
    assertThat(text(snapshot)).doesNotContain("topsecret").doesNotContain("managedFields");
    assertThatThrownBy(() -> snapshot.list("secrets"))
        .hasMessageStartingWith("Snapshots hold no secrets, but namespaces, ");
  }

  @Test
  void isTheSameWhenItIsReadBack() throws IOException {
    ClusterSnapshot snapshot = acme.snapshot();
    byte[] bytes = written(snapshot);
    ClusterSnapshot again = SnapshotFile.read(Files.write(folder.resolve("s.gz"), bytes));
    assertThat(written(again)).isEqualTo(bytes);
    assertThat(again.takenAt()).isEqualTo(snapshot.takenAt());
    assertThat(again.list("pods")).isEqualTo(snapshot.list("pods"));
    assertThat(again.unseen()).isEqualTo(snapshot.unseen());
  }

  @Test
  void aFileThatIsNoneIsSaid() throws IOException {
    Path cut = folder.resolve("cut.gz");
    byte[] bytes = written(acme.snapshot());
    Files.write(cut, Arrays.copyOf(bytes, bytes.length / 2));
    assertThatThrownBy(() -> SnapshotFile.read(cut))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("or not all of it");
    Path other = Files.writeString(folder.resolve("other.yaml"), "kind: Pod\n");
    assertThatThrownBy(() -> SnapshotFile.read(other))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is no snapshot");
    assertThatThrownBy(() -> SnapshotFile.read(folder.resolve("none")))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("There is no snapshot");
  }

  /** Objects are read by other threads than the one that says so. */
  @Test
  void anObjectThatIsNoneIsSaid() throws IOException {
    String pod = "{\"kind\":\"Pod\",";
    String text = text(acme.snapshot());
    assertThat(text).contains(pod);
    String broken = text.replaceFirst(Pattern.quote(pod), "{oops");
    Path file = Files.writeString(folder.resolve("broken.json"), broken);
    assertThatThrownBy(() -> SnapshotFile.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(file + " is no snapshot");
  }

  /** In whatever order lists come. */
  @Test
  void listsThatAreReadAtOnceAreTheSameSnapshot() throws IOException, InterruptedException {
    ClusterSnapshot seen = acme.snapshot();
    Api lists =
        new Lists(request ->
            new ListResult.Page(seen.list(request.resource().groupResource().toString()), "1", ""));
    assertThat(written(SnapshotReader.readAtOnce(lists, seen.takenAt()))).isEqualTo(written(seen));
  }

  @Test
  void aServerThatIsGoneIsNotAskedForEachList() {
    AtomicInteger asked = new AtomicInteger();
    Api nobody =
        new Lists(_ -> {
          asked.incrementAndGet();
          return new ApiResult.Unreachable("nobody answers");
        });
    assertThatThrownBy(() -> SnapshotReader.readAtOnce(nobody, Instant.EPOCH))
        .isInstanceOf(ConnectionException.class)
        .hasMessage("The cluster cannot be read: nobody answers");
    assertThat(asked.get()).isBetween(1, 4);
  }

  /** A server that can be listed, by several threads. */
  private record Lists(Function<ListRequest, ListResult> answer) implements Api {
    @Override
    public ListResult list(ListRequest request) {
      return answer.apply(request);
    }

    @Override
    public ApiResult send(ApiRequest request) {
      throw new UnsupportedOperationException("it can only be listed");
    }

    @Override
    public ApiWatch watch(WatchRequest request, Runnable onReady) {
      throw new UnsupportedOperationException("it can only be listed");
    }
  }

  /** The role that is printed suffices, and without it nothing is seen. */
  @Test
  void thePrintedRoleIsEnough() {
    Api viewer = acme.whole().cluster().api(User.authenticated("viewer", List.of()), "snapshot");
    ClusterSnapshot before = acme.snapshot(viewer);
    assertThat(before.list("pods")).isEmpty();
    assertThat(before.unseen())
        .hasSize(before.resources().size() + 1)
        .anyMatch(line -> line.startsWith("pods: ") && line.contains("\"viewer\" cannot list"));

    JsonObject role =
        (JsonObject)
            YamlReader.value(SnapshotRole.yaml().getBytes(UTF_8), JsonLimits.REQUEST, _ -> {});
    String rbac = "rbac.authorization.k8s.io";
    acme.create(rbac, "v1", "clusterroles", role.toString().replace('"', '\''));
    acme.create(
        rbac,
        "v1",
        "clusterrolebindings",
        "{'metadata':{'name':'viewer'},'roleRef':{'apiGroup':'%s','kind':'ClusterRole','name':'berth-snapshot'},'subjects':[{'kind':'User','apiGroup':'%s','name':'viewer'}]}"
            .formatted(rbac, rbac));
    acme.whole().cluster().settle();

    ClusterSnapshot after = acme.snapshot(viewer);
    assertThat(after.unseen()).hasSize(1);
    assertThat(after.list("pods")).isEqualTo(acme.snapshot().list("pods"));
    assertThat(role.array("rules").objects())
        .allSatisfy(rule -> assertThat(rule.array("verbs").texts()).containsExactly("list"))
        .noneMatch(rule -> rule.array("resources").texts().contains("secrets"));
  }

  @Test
  void theSettingsOfTheControlPlaneAreReadFromItsPods() {
    JsonObject controllers =
        VirtualCluster.tree(
            """
            {'metadata':{'namespace':'kube-system','labels':{'component':'kube-controller-manager'}},
             'spec':{'containers':[{'command':['kube-controller-manager','--node-monitor-grace-period=16s',
              '--kubeconfig=/etc/kubernetes/controller-manager.conf','--node-eviction-rate=0.5']}]}}
            """);
    JsonObject server =
        VirtualCluster.tree(
            """
            {'metadata':{'namespace':'kube-system','labels':{'component':'kube-apiserver'}},
             'spec':{'containers':[{'command':['kube-apiserver'],'args':['--default-unreachable-toleration-seconds=60',
              '--secure-port=6443']}]}}
            """);
    JsonObject stranger = server.update("metadata", m -> m.with("namespace", "default"));
    ControlPlaneFlags both = ControlPlaneFlags.of(List.of(stranger, controllers, server));
    assertThat(both.settings())
        .containsOnly(
            Map.entry("node-monitor-grace-period", "16s"),
            Map.entry("node-eviction-rate", "0.5"),
            Map.entry("default-unreachable-toleration-seconds", "60"));
    assertThat(both.unseen()).isEmpty();
    assertThat(ControlPlaneFlags.of(List.of(stranger, controllers)).unseen())
        .containsExactly("kube-apiserver");
  }

  @Test
  void noWordThatSomebodyChoseRemainsInAnAnonymisedSnapshot() throws IOException {
    String original = text(acme.snapshot());
    assertThat(original).contains("acme-hunter2", "10-99-0-3");
    String anonymous = text(Anonymiser.anonymise(acme.snapshot()));
    var chosen = new TreeSet<String>();
    Pattern.compile("[A-Za-z0-9.-]*(?:acme|10[.-]99)[A-Za-z0-9.-]*", Pattern.CASE_INSENSITIVE)
        .matcher(anonymous)
        .results()
        .forEach(found -> chosen.add(found.group()));
    assertThat(chosen).isEmpty();
  }

  /** Whatever referred to each other by name still does. */
  @Test
  void anAnonymisedSnapshotFitsTogether() {
    ClusterSnapshot seen = acme.snapshot();
    ClusterSnapshot anonymous = Anonymiser.anonymise(seen);
    assertThat(anonymous.list("nodes"))
        .extracting(node -> node.object("metadata").text("name", ""))
        .containsExactlyInAnyOrder(
            "node-0", "node-1", "node-2", "node-3", "node-4", "node-5", "node-6", "node-7",
            "node-8");
    JsonObject set = anonymous.list("statefulsets.apps").getFirst();
    String name = set.object("metadata").text("name", "");
    assertThat(anonymous.list("pods"))
        .extracting(pod -> pod.object("metadata").text("name", ""))
        .contains(name + "-0", name + "-1", name + "-2");
    for (String resource : seen.resources()) {
      assertThat(anonymous.list(resource)).as(resource).hasSameSizeAs(seen.list(resource));
    }
  }
}
