package dev.berth.sim.persistentvolume;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;

/** Volumes, claims, classes and pods of a cluster, said in few words. */
record VolumeFixture(VirtualCluster cluster) {
  static final String DIRECTORIES = "berth.dev/local-directory";

  void storageClass(String name, String provisioner, String mode, String further) {
    cluster.create(
        Resources.STORAGE_CLASSES,
        "{'metadata':{'name':'%s'},'provisioner':'%s','volumeBindingMode':'%s'%s}"
            .formatted(name, provisioner, mode, further));
    cluster.settle();
  }

  void volume(String name, String size, String further) {
    cluster.create(
        Resources.PERSISTENT_VOLUMES,
        ("{'metadata':{'name':'%s'},'spec':{'capacity':{'storage':'%s'},"
                + "'accessModes':['ReadWriteOnce'],'hostPath':{'path':'/x'}%s}}")
            .formatted(name, size, further));
    cluster.settle();
  }

  /** A claim of a class; the empty name is no class at all. */
  void claim(String name, String size, String storageClass, String further) {
    cluster.create(
        Resources.PERSISTENT_VOLUME_CLAIMS,
        ("{'metadata':{'namespace':'default','name':'%s'},'spec':{'storageClassName':'%s',"
                + "'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'%s'}}%s}}")
            .formatted(name, storageClass, size, further));
    cluster.settle();
  }

  void pod(String name, String claim) {
    cluster.pod(
        name,
        "1",
        "{'volumes':[{'name':'data','persistentVolumeClaim':{'claimName':'" + claim + "'}}]}");
    cluster.settle();
  }

  /** Asks for its deletion, with the grace that it asks for. */
  void delete(GroupVersionResource resource, String name) {
    ObjectName object =
        resource.equals(Resources.PERSISTENT_VOLUMES)
            ? ObjectName.of(name)
            : VirtualCluster.podName(name);
    ApiResult result = cluster.admin().delete(resource, object);
    if (result instanceof ApiResult.Failure why) {
      throw new AssertionError(why.message());
    }
    cluster.settle();
  }

  JsonObject getClaim(String name) {
    return get(Resources.PERSISTENT_VOLUME_CLAIMS, VirtualCluster.podName(name));
  }

  JsonObject getVolume(String name) {
    return get(Resources.PERSISTENT_VOLUMES, ObjectName.of(name));
  }

  private JsonObject get(GroupVersionResource resource, ObjectName name) {
    return switch (cluster.admin().get(resource, name)) {
      case ApiResult.Done(JsonObject object) -> object;
      case ApiResult.Failure failure -> JsonObject.EMPTY;
    };
  }

  /** Phase and volume of a claim, and what it shows of the volume; "gone" if it is. */
  String claimState(String name) {
    JsonObject claim = getClaim(name);
    return claim.isEmpty()
        ? "gone"
        : "%s %s"
            .formatted(
                claim.object("status").text("phase", ""),
                claim.object("spec").text("volumeName", ""))
            .strip();
  }

  /** Phase and claim of a volume; "gone" if it is. */
  String volumeState(String name) {
    JsonObject volume = getVolume(name);
    return volume.isEmpty()
        ? "gone"
        : "%s %s"
            .formatted(
                volume.object("status").text("phase", ""),
                volume.object("spec").object("claimRef").text("name", ""))
            .strip();
  }
}
