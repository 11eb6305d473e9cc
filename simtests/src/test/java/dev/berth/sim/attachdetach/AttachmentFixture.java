package dev.berth.sim.attachdetach;

import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.util.List;

/** Volumes of a cluster, and where they are. The test stands in for whoever binds claims. */
record AttachmentFixture(VirtualCluster cluster) {
  /** The driver that hollow nodes attach for. */
  static final String HOLLOW = "hollow.berth.dev";

  /** A volume of a driver, and a claim of the same name that is bound to it. */
  void make(String name, String driver, String mode) {
    bind(name, mode, "'csi':{'driver':'%s','volumeHandle':'%s'}".formatted(driver, name));
  }

  /** A directory of each node, and a claim of the same name that is bound to it. */
  void makeLocal(String name) {
    bind(name, "ReadWriteOnce", "'hostPath':{'path':'/data'}");
  }

  private void bind(String name, String mode, String source) {
    claim(name, mode);
    bindClaim(name, mode, source);
  }

  /** A claim that is not bound. */
  void claim(String name, String mode) {
    cluster.create(
        Resources.PERSISTENT_VOLUME_CLAIMS,
        "{'metadata':{'namespace':'default','name':'%s'},'spec':{'accessModes':['%s'],'storageClassName':'','resources':{'requests':{'storage':'1Gi'}}}}"
            .formatted(name, mode));
  }

  /** Makes a volume for a claim, and binds them. */
  void bindClaim(String name, String mode, String source) {
    ObjectName claim = VirtualCluster.podName(name);
    JsonObject tree =
        cluster.patch(
            Resources.PERSISTENT_VOLUME_CLAIMS,
            claim,
            "{'metadata':{'annotations':{'pv.kubernetes.io/bind-completed':'yes'}},'spec':{'volumeName':'%s'}}"
                .formatted(name));
    cluster.create(
        Resources.PERSISTENT_VOLUMES,
        "{'metadata':{'name':'%s'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['%s'],'persistentVolumeReclaimPolicy':'Retain','claimRef':{'kind':'PersistentVolumeClaim','namespace':'default','name':'%s','uid':'%s'},%s}}"
            .formatted(name, mode, name, Metadata.of(tree).uid(), source));
    cluster.patchStatus(
        Resources.PERSISTENT_VOLUMES, ObjectName.of(name), "{'status':{'phase':'Bound'}}");
    cluster.patchStatus(Resources.PERSISTENT_VOLUME_CLAIMS, claim, "{'status':{'phase':'Bound'}}");
    cluster.settle();
  }

  /** The fields of a pod's specification by which it uses a claim. */
  static String use(String claim) {
    return "'volumes':[{'name':'data','persistentVolumeClaim':{'claimName':'%s'}}]"
        .formatted(claim);
  }

  /** A pod that is bound to a node and uses a claim. */
  void pod(String name, String node, String claim) {
    cluster.pod(
        name,
        "1m",
        "{'nodeName':'%s','terminationGracePeriodSeconds':30,%s}".formatted(node, use(claim)));
    cluster.settle();
  }

  /** Somebody deletes a pod without waiting for its node. */
  void forceDelete(String pod) {
    cluster
        .admin()
        .delete(Resources.PODS, VirtualCluster.podName(pod), DeleteOptions.NONE.grace(0));
    cluster.settle();
  }

  /** The nodes that there are attachments of a volume to, with their state. */
  List<String> attachments(String volume) {
    return cluster.list(Resources.VOLUME_ATTACHMENTS).stream()
        .filter(
            a -> a.object("spec").object("source").text("persistentVolumeName", "").equals(volume))
        .map(a ->
            a.object("spec").text("nodeName", "")
                + (Metadata.of(a).isBeingDeleted()
                    ? " leaving"
                    : a.object("status").flag("attached", false) ? " attached" : " wanted"))
        .toList();
  }

  /** The volumes that a node was told are attached to it. */
  List<String> reportedAttached(String node) {
    return status(node).array("volumesAttached").objects().stream()
        .map(v -> nameOf(v.text("name", "")))
        .toList();
  }

  /** The volumes that a node has said it uses. */
  List<String> inUse(String node) {
    return status(node).array("volumesInUse").texts().stream()
        .map(AttachmentFixture::nameOf)
        .toList();
  }

  private static String nameOf(String uniqueName) {
    return uniqueName.substring(uniqueName.indexOf('^') + 1);
  }

  private JsonObject status(String node) {
    return cluster.list(Resources.NODES).stream()
        .filter(tree -> Metadata.of(tree).name().equals(node))
        .findFirst()
        .orElseThrow()
        .object("status");
  }
}
