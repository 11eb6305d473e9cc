package dev.berth.sim.persistentvolume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.persistentvolume.VolumeBinder;
import dev.berth.controllers.pvcprotection.PvcProtectionController;
import dev.berth.controllers.pvprotection.PvProtectionController;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.history.History;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whatever fails, whoever crashes, and however many binders run: no two claims ever have the same
 * volume, and in the end every claim that can have a volume has one.
 */
class BindingPropertyTest {
  private static final int STEPS = 50;
  private static final String BINDER = "binder";
  private static final List<String> COMPONENTS = List.of(BINDER, "pvc", "pv");

  @SeededTest(fixed = 25, fresh = 15)
  void noTwoClaimsHaveOneVolumeAndAllThatCanBeAreBound(long seed) {
    History.run(() -> new Run(seed));
  }

  private static final class Run extends History {
    private int names;

    Run(long seed) {
      super(seed, STEPS, Duration.ofMinutes(5));
      new VolumeFixture(cluster)
          .storageClass(
              "dir", VolumeFixture.DIRECTORIES, "Immediate", ",'parameters':{'shared':'true'}");
      cluster.run(BINDER, this::binder);
      cluster.run(
          "pvc", () -> PvcProtectionController.start(parts(PvcProtectionController.ACCOUNT)));
      cluster.run("pv", () -> PvProtectionController.start(parts(PvProtectionController.ACCOUNT)));
      step(3, "create a volume", this::volume);
      step(3, "create a claim", () -> claim(random.nextInt(4) == 0 ? "dir" : ""));
      step(2, "delete a claim", () -> delete(Resources.PERSISTENT_VOLUME_CLAIMS));
      step(1, "delete a volume", () -> delete(Resources.PERSISTENT_VOLUMES));
      step(1, "make a volume available", this::makeAvailable);
      step(1, "restart all", () -> COMPONENTS.forEach(cluster::restart));
      step(1, "start a second binder", () -> cluster.run("second binder", this::binder));
    }

    private AutoCloseable binder() {
      return VolumeBinder.start(parts(VolumeBinder.ACCOUNT));
    }

    @Override
    protected Api between(Api server) {
      return new InterceptedApi(server, this::send);
    }

    private ApiResult send(ApiRequest request, Api real) {
      ApiResult result = real.send(request);
      checkInvariant();
      return result;
    }

    @Override
    protected void pause() {
      cluster.advance(upTo(Duration.ofMillis(300)));
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

    @Override
    protected void checkInvariant() {
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

    @Override
    protected void checkEnd() {
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
  }
}
