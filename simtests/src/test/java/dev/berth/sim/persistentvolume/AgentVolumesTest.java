package dev.berth.sim.persistentvolume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.node.NodeState;
import dev.berth.agent.objects.NodeObjects;
import dev.berth.agent.objects.ObjectsUnavailable;
import dev.berth.agent.volume.DirectoryCleanup;
import dev.berth.agent.volume.MountedVolumes;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.NodeUsers;
import dev.berth.model.user.User;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.WholeCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The volumes of a node's agent on a whole control plane, with the rights that a node has there.
 */
class AgentVolumesTest {
  private final WholeCluster whole = new WholeCluster(5, HollowSettings.of(1));
  private final VirtualCluster cluster = whole.cluster();
  private final VolumeFixture fixture = new VolumeFixture(cluster);

  @TempDir Path root;
  private Path directories;
  private Api api;
  private NodeObjects objects;
  private MountedVolumes volumes;

  @BeforeEach
  void startAgent() {
    whole.advance(Duration.ofSeconds(30));
    directories = root.resolve("volumes");
    fixture.storageClass(
        "local",
        VolumeFixture.DIRECTORIES,
        "WaitForFirstConsumer",
        ",'parameters':{'path':'" + directories + "'}");
    NodeState node = new OnlyNode();
    User user = User.authenticated(NodeUsers.userName(node.name()), List.of(NodeUsers.GROUP));
    api = cluster.api(user, "agent");
    objects = NodeObjects.of(api, cluster.time(), cluster.time().start("objects"), _ -> {});
    volumes = new MountedVolumes(root, cluster.time(), objects, node);
    new DirectoryCleanup(api, cluster.time().start("cleanup"), node, root).start();
    cluster.settle();
  }

  @AfterEach
  void close() throws Exception {
    for (String uid : volumes.leftovers()) {
      volumes.release(uid);
    }
    objects.close();
    assertThat(cluster.warnings()).isEmpty();
    whole.close();
  }

  /** The one hollow node, for whose pods this test does what an agent does about volumes. */
  private final class OnlyNode implements NodeState {
    @Override
    public String name() {
      return Metadata.of(cluster.list(Resources.NODES).getFirst()).name();
    }

    @Override
    public Optional<JsonObject> node() {
      return cluster.list(Resources.NODES).stream().findFirst();
    }

    @Override
    public List<String> addresses() {
      return List.of();
    }

    @Override
    public Set<String> pressures() {
      return Set.of();
    }
  }

  /** A pod on the node with volumes, each of which its container mounts. */
  private JsonObject pod(Map<String, String> sources) {
    StringBuilder all = new StringBuilder();
    StringBuilder mounts = new StringBuilder();
    sources.forEach((name, source) -> {
      String comma = all.isEmpty() ? "" : ",";
      all.append(comma).append("{'name':'%s',%s}".formatted(name, source));
      mounts.append(comma).append("{'name':'%s','mountPath':'/%s'}".formatted(name, name));
    });
    cluster.create(
        Resources.PODS,
        ("{'metadata':{'namespace':'default','name':'db'},'spec':{'terminationGracePeriodSeconds':1,"
                + "'automountServiceAccountToken':false,"
                + "'volumes':[%s],'containers':[{'name':'c','image':'i','volumeMounts':[%s]}]}}")
            .formatted(all, mounts));
    whole.advance(Duration.ofSeconds(5));
    whole.assertRunning("db");
    return cluster.getPod("db");
  }

  private Path place(JsonObject pod, String volume) throws Exception {
    JsonObject container = pod.object("spec").array("containers").objects().getFirst();
    return volumes.mounts(pod, container, Map.of()).stream()
        .filter(mount -> mount.containerPath().equals("/" + volume))
        .map(mount -> Path.of(mount.hostPath()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aDirectoryIsMadeForAClaimAndRemovedAfterIt() throws Exception {
    fixture.claim("data", "1Gi", "local", "");
    JsonObject pod = pod(Map.of("data", "'persistentVolumeClaim':{'claimName':'data'}"));
    volumes.prepare(pod);
    Path directory = place(pod, "data");
    assertThat(directory).isDirectory().hasParent(directories);
    Files.writeString(directory.resolve("file"), "x");

    fixture.delete(Resources.PODS, "db");
    whole.advance(Duration.ofSeconds(10));
    volumes.release(Metadata.of(pod).uid());
    assertThat(directory.resolve("file")).hasContent("x");

    fixture.delete(Resources.PERSISTENT_VOLUME_CLAIMS, "data");
    whole.advance(Duration.ofSeconds(20));
    assertThat(cluster.list(Resources.PERSISTENT_VOLUMES)).isEmpty();
    assertThat(directory).doesNotExist();
    assertThat(Metadata.of(cluster.list(Resources.NODES).getFirst()).annotations().names())
        .noneMatch(key -> key.startsWith("deleted-volume"));
  }

  @Test
  void configMapsAreReadAndFollowedForAsLongAsThePodIsThere() throws Exception {
    cluster.create(
        Resources.CONFIG_MAPS,
        "{'metadata':{'namespace':'default','name':'settings'},'data':{'k':'1'}}");
    cluster.create(
        Resources.CONFIG_MAPS,
        "{'metadata':{'namespace':'default','name':'foreign'},'data':{'k':'1'}}");
    JsonObject pod = pod(Map.of("settings", "'configMap':{'name':'settings'}"));
    volumes.prepare(pod);
    Path file = place(pod, "settings").resolve("k");
    assertThat(file).hasContent("1");

    cluster.patch(
        Resources.CONFIG_MAPS, new ObjectName("default", "settings"), "{'data':{'k':'2'}}");
    cluster.settle();
    volumes.refresh(pod);
    assertThat(file).hasContent("2");

    assertThatThrownBy(() -> objects.watched().configMap("default", "foreign"))
        .isInstanceOf(ObjectsUnavailable.class)
        .hasMessageContaining("no relationship found between node");
  }

  @Test
  void servicesAreKnown() {
    objects.watched().start();
    cluster.settle();
    assertThat(objects.watched().hasServices()).isTrue();
    assertThat(api.get(Resources.SECRETS, new ObjectName("default", "foreign")))
        .isInstanceOf(ApiResult.Refused.class);
  }
}
