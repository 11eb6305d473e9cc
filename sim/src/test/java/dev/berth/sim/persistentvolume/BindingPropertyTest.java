package dev.berth.sim.persistentvolume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.Controller;
import dev.berth.controllers.ControllerParts;
import dev.berth.controllers.persistentvolume.VolumeBinder;
import dev.berth.controllers.pvcprotection.ClaimProtection;
import dev.berth.controllers.pvprotection.VolumeProtection;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.FaultyApi;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Whatever fails, whoever crashes, and however many binders run: no two claims ever have the same
 * volume, and in the end every claim that can have a volume has one.
 */
class BindingPropertyTest {
  private static final int SEEDS = 40;
  private static final int STEPS = 50;
  private static final String BINDER = "binder";
  private static final String SECOND = "second binder";

  @Test
  void noTwoClaimsHaveOneVolumeAndAllThatCanBeAreBound() {
    for (long seed = 0; seed < SEEDS; seed++) {
      try (History history = new History(seed)) {
        history.run();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static final class History implements AutoCloseable {
    private final VirtualCluster cluster;
    private final VolumeScene scene;
    private final RandomGenerator random;
    private final List<FaultyApi> faulty = new ArrayList<>();
    private int names;

    History(long seed) {
      cluster = new VirtualCluster(seed);
      scene = new VolumeScene(cluster);
      random = cluster.time().random("history");
      scene.storageClass(
          "dir", VolumeScene.DIRECTORIES, "Immediate", ",'parameters':{'shared':'true'}");
      cluster.run(BINDER, () -> start(VolumeBinder.ACCOUNT, VolumeBinder::start));
      cluster.run("pvc", () -> start(ClaimProtection.ACCOUNT, ClaimProtection::start));
      cluster.run("pv", () -> start(VolumeProtection.ACCOUNT, VolumeProtection::start));
    }

    private Controller start(String account, Function<ControllerParts, Controller> how) {
      ControllerParts parts = cluster.parts(account);
      FaultyApi api =
          new FaultyApi(
              new InterceptedApi(parts.api(), this::send),
              cluster.time().random("faults " + faulty.size()));
      faulty.add(api);
      return how.apply(new ControllerParts(api, parts.time(), parts.metrics(), "test", _ -> {}));
    }

    private ApiResult send(ApiRequest request, Api real) {
      ApiResult result = real.send(request);
      invariant();
      return result;
    }

    private List<PersistentVolumeClaimView> claims() {
      return cluster.list(Resources.PERSISTENT_VOLUME_CLAIMS).stream()
          .map(PersistentVolumeClaimView::read)
          .toList();
    }

    private List<PersistentVolumeView> volumes() {
      return cluster.list(Resources.PERSISTENT_VOLUMES).stream()
          .map(PersistentVolumeView::read)
          .toList();
    }

    private void invariant() {
      Map<String, PersistentVolumeView> volumes = new HashMap<>();
      volumes().forEach(volume -> volumes.put(volume.name(), volume));
      Map<String, ObjectName> owners = new HashMap<>();
      for (PersistentVolumeClaimView claim : claims()) {
        if (claim.bindCompleted()) {
          ObjectName other = owners.put(claim.volume(), claim.name());
          assertThat(other).as("both it and %s have %s", claim.name(), claim.volume()).isNull();
          PersistentVolumeView volume = volumes.get(claim.volume());
          assertThat(volume).as("the volume of %s", claim.name()).isNotNull();
          assertThat(volume.claimUid()).as("whose %s is", claim.volume()).isEqualTo(claim.uid());
        }
      }
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        step();
        cluster.advance(Duration.ofMillis(random.nextInt(300)));
        invariant();
      }
      faulty.forEach(FaultyApi::heal);
      cluster.advance(Duration.ofMinutes(5));
      invariant();
      check();
    }

    private void step() {
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> volume();
        case 3, 4, 5 -> claim(random.nextInt(4) == 0 ? "dir" : "");
        case 6, 7 -> delete(Resources.PERSISTENT_VOLUME_CLAIMS);
        case 8 -> delete(Resources.PERSISTENT_VOLUMES);
        case 9 -> makeAvailable();
        case 10 -> {
          cluster.restart(BINDER);
          cluster.restart("pvc");
          cluster.restart("pv");
        }
        default -> cluster.run(SECOND, () -> start(VolumeBinder.ACCOUNT, VolumeBinder::start));
      }
    }

    private void volume() {
      String promise =
          random.nextInt(4) == 0
              ? ",'claimRef':{'namespace':'default','name':'c" + (names + 1) + "'}"
              : "";
      create(
          Resources.PERSISTENT_VOLUMES,
          ("{'metadata':{'name':'v%d'},'spec':{'capacity':{'storage':'%dGi'},"
                  + "'accessModes':['ReadWriteOnce'],'hostPath':{'path':'/x'}%s}}")
              .formatted(names++, 1 + random.nextInt(3), promise));
    }

    private void claim(String storageClass) {
      String choice =
          random.nextInt(5) == 0 ? ",'volumeName':'v" + random.nextInt(names + 1) + "'" : "";
      create(
          Resources.PERSISTENT_VOLUME_CLAIMS,
          ("{'metadata':{'namespace':'default','name':'c%d'},'spec':{'storageClassName':'%s',"
                  + "'accessModes':['ReadWriteOnce'],"
                  + "'resources':{'requests':{'storage':'%dGi'}}%s}}")
              .formatted(
                  names++,
                  storageClass,
                  1 + random.nextInt(3),
                  storageClass.isEmpty() ? choice : ""));
    }

    private void create(GroupVersionResource resource, String json) {
      assertThat(cluster.admin().create(resource, VirtualCluster.tree(json)).isDone()).isTrue();
    }

    private void delete(GroupVersionResource resource) {
      List<JsonObject> all = cluster.list(resource);
      if (!all.isEmpty()) {
        ObjectName name = ObjectName.of(all.get(random.nextInt(all.size())));
        assertThat(cluster.admin().delete(resource, name).isDone()).isTrue();
      }
    }

    /** Somebody has looked at what is on a released volume. */
    private void makeAvailable() {
      for (PersistentVolumeView volume : volumes()) {
        if (volume.phase().equals(PersistentVolumeView.RELEASED)) {
          cluster.patch(
              Resources.PERSISTENT_VOLUMES,
              ObjectName.of(volume.name()),
              "{'spec':{'claimRef':null}}");
          return;
        }
      }
    }

    private void check() {
      Map<String, PersistentVolumeClaimView> byUid = new HashMap<>();
      claims().forEach(claim -> byUid.put(claim.uid(), claim));
      List<PersistentVolumeView> volumes = volumes();
      for (PersistentVolumeView volume : volumes) {
        PersistentVolumeClaimView claim = byUid.get(volume.claimUid());
        String expected =
            volume.claimUid().isEmpty()
                ? PersistentVolumeView.AVAILABLE
                : claim == null ? PersistentVolumeView.RELEASED : PersistentVolumeView.BOUND;
        assertThat(volume.phase()).as(volume.name()).isEqualTo(expected);
        assertThat(volume.terminating() && claim == null).as(volume.name() + " stays").isFalse();
        assertThat(volume.provisionedBy().isEmpty() || claim != null)
            .as(volume.name() + " was made for a claim that is gone")
            .isTrue();
      }
      for (PersistentVolumeClaimView claim : byUid.values()) {
        assertThat(claim.terminating()).as(claim.name() + " stays").isFalse();
        assertThat(Metadata.of(claim.tree()).finalizers()).isNotEmpty();
        if (claim.bindCompleted()) {
          assertThat(claim.phase()).as(claim.name().toString()).isEqualTo("Bound");
          assertThat(claim.tree().object("status").object("capacity").isEmpty()).isFalse();
        } else {
          assertThat(claim.phase()).as(claim.name().toString()).isEqualTo("Pending");
          assertThat(claim.storageClass()).as("a directory can be made").isEmpty();
          assertThat(volumes)
              .as("%s could have it", claim.name())
              .noneMatch(volume ->
                  (claim.volume().isEmpty() || claim.volume().equals(volume.name()))
                      && volume.isFree()
                      && volume.capacity().compareTo(claim.request()) >= 0);
        }
      }
    }

    @Override
    public void close() {
      cluster.close();
    }
  }
}
