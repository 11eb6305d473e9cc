package dev.berth.sim.persistentvolume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.persistentvolume.VolumeBinder;
import dev.berth.controllers.pvcprotection.PvcProtectionController;
import dev.berth.controllers.pvprotection.PvProtectionController;
import dev.berth.sim.WithServedCluster;
import dev.berth.sim.kubelet.TestKubelet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A class, a claim and a pod, made, looked at and deleted with the real {@code kubectl}. */
class KubectlVolumesTest extends WithServedCluster {
  @BeforeEach
  void start() {
    cluster.schedule();
    cluster.run(VolumeBinder.start(cluster.parts()));
    cluster.run(PvcProtectionController.start(cluster.parts()));
    cluster.run(PvProtectionController.start(cluster.parts()));
    cluster.run(TestKubelet.start(cluster.api(), cluster.time()));
  }

  @Test
  void aClaimGetsADirectoryWithItsFirstPodAndGoesAfterItsLast() {
    String manifest =
        kubectl.file(
            "volumes.yaml",
            """
            apiVersion: v1
            kind: Node
            metadata:
              name: n1
              labels: {kubernetes.io/hostname: n1}
            status:
              allocatable: {cpu: "4", memory: 4Gi, pods: "10"}
              conditions: [{type: Ready, status: "True"}]
            ---
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata:
              name: directories
              annotations: {storageclass.kubernetes.io/is-default-class: "true"}
            provisioner: berth.dev/local-directory
            volumeBindingMode: WaitForFirstConsumer
            parameters: {path: /srv/data}
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data}
            spec:
              accessModes: [ReadWriteOnce]
              resources: {requests: {storage: 1Gi}}
            """);
    assertThat(kubectl.run("apply", "-f", manifest)).contains("persistentvolumeclaim/data created");
    kubectl.run("taint", "node", "n1", "node.kubernetes.io/not-ready-");
    assertThat(kubectl.run("get", "pvc", "data")).containsPattern("data +Pending +directories");

    String pod =
        kubectl.file(
            "pod.yaml",
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: db}
            spec:
              containers: [{name: c, image: i, volumeMounts: [{name: data, mountPath: /data}]}]
              volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
            """);
    kubectl.run("apply", "-f", pod);
    kubectl.run("wait", "pod/db", "--for=condition=Ready", "--timeout=3m");
    assertThat(kubectl.run("get", "pvc,pv"))
        .containsPattern("persistentvolumeclaim/data +Bound +pvc-\\S+ +1Gi +RWO +directories")
        .containsPattern(
            "persistentvolume/pvc-\\S+ +1Gi +RWO +Delete +Bound +default/data +directories");
    assertThat(kubectl.run("describe", "pv")).contains("Path:  /srv/data/default-data-pvc-");

    kubectl.run("delete", "pvc", "data", "--wait=false");
    assertThat(kubectl.run("get", "pvc", "data")).containsPattern("data +Terminating");
    kubectl.run("delete", "pod", "db");
    kubectl.run("wait", "pvc/data", "--for=delete", "--timeout=3m");
    kubectl.run("wait", "pv", "--all", "--for=delete", "--timeout=3m");
    assertThat(kubectl.run("get", "pvc,pv")).contains("No resources found");
  }
}
