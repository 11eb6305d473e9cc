package dev.berth.sim.snapshot;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * What an anonymised snapshot may say as it was: words of Kubernetes itself, and what says nothing.
 * Everything that is not listed is replaced, so that a field nobody thought of cannot tell
 * anything.
 */
final class PublicWords {
  /** Fields whose texts are chosen from a few, or follow a syntax that names nothing. */
  static final Set<String> PLAIN_FIELDS =
      Set.of(
          "uid",
          "phase",
          "effect",
          "operator",
          "restartPolicy",
          "dnsPolicy",
          "imagePullPolicy",
          "terminationMessagePath",
          "terminationMessagePolicy",
          "protocol",
          "qosClass",
          "concurrencyPolicy",
          "podManagementPolicy",
          "podReplacementPolicy",
          "completionMode",
          "completedIndexes",
          "failedIndexes",
          "action",
          "whenUnsatisfiable",
          "nodeAffinityPolicy",
          "nodeTaintsPolicy",
          "preemptionPolicy",
          "reclaimPolicy",
          "persistentVolumeReclaimPolicy",
          "volumeBindingMode",
          "volumeMode",
          "accessModes",
          "whenDeleted",
          "whenScaled",
          "schedule",
          "timeZone",
          "unhealthyPodEvictionPolicy",
          "internalTrafficPolicy",
          "externalTrafficPolicy",
          "sessionAffinity",
          "ipFamilies",
          "ipFamilyPolicy",
          "fsGroupPolicy",
          "fsType",
          "volumeLifecycleModes",
          "allocationMode",
          "scopes",
          "scopeName",
          "selectPolicy",
          "metricType",
          "operatingSystem",
          "architecture",
          "kubeletVersion",
          "declaredFeatures");

  /** Fields that are left out: what runs in pods, where it is reached, and what people wrote. */
  static final Set<String> LEFT_OUT =
      Set.of(
          "env",
          "envFrom",
          "command",
          "args",
          "workingDir",
          "lifecycle",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "hostAliases",
          "dnsConfig",
          "imagePullSecrets",
          "imageID",
          "containerID",
          "message",
          "description",
          "managedFields",
          "selfLink",
          "volumeAttributes",
          "attributes",
          "parameters",
          "mountOptions",
          "attachmentMetadata",
          "nodePublishSecretRef",
          "nodeStageSecretRef",
          "controllerPublishSecretRef",
          "controllerExpandSecretRef",
          "nodeExpandSecretRef",
          "addresses",
          "podIP",
          "podIPs",
          "hostIP",
          "hostIPs",
          "podCIDR",
          "podCIDRs",
          "externalIPs",
          "externalName",
          "loadBalancer",
          "loadBalancerIP",
          "loadBalancerSourceRanges",
          "providerID",
          "machineID",
          "systemUUID",
          "bootID",
          "kernelVersion",
          "osImage",
          "containerRuntimeVersion",
          "kubeProxyVersion",
          "daemonEndpoints",
          "config",
          "cel",
          "devicePath");

  /** The kinds of a snapshot, and the types of conditions and the like. */
  private static final Set<String> KINDS_AND_TYPES =
      Set.of(
          ("Namespace PriorityClass RuntimeClass StorageClass DeviceClass CSIDriver Node CSINode"
                  + " CSIStorageCapacity ResourceSlice ResourceQuota LimitRange PersistentVolume"
                  + " PersistentVolumeClaim VolumeAttachment ResourceClaimTemplate ResourceClaim"
                  + " Service PodDisruptionBudget CronJob Job Deployment ReplicaSet"
                  + " ReplicationController ControllerRevision StatefulSet DaemonSet Pod"
                  + " HorizontalPodAutoscaler Lease ServiceAccount"
                  + " True False Unknown"
                  + " Ready MemoryPressure DiskPressure PIDPressure NetworkUnavailable Initialized"
                  + " ContainersReady PodScheduled PodReadyToStartContainers DisruptionTarget"
                  + " Available Progressing ReplicaFailure Complete Failed SuccessCriteriaMet"
                  + " FailureTarget Suspended DisruptionAllowed AbleToScale ScalingActive"
                  + " ScalingLimited"
                  + " RollingUpdate OnDelete Recreate ClusterIP NodePort LoadBalancer ExternalName"
                  + " Resource ContainerResource Pods Object External Utilization AverageValue"
                  + " Value Percent Container")
              .split(" "));

  /** Names that mean something to Kubernetes. */
  static final Set<String> NAMES =
      Set.of(
          "",
          "default",
          "kubernetes",
          "kube-system",
          "kube-public",
          "kube-node-lease",
          "kube-root-ca.crt",
          "kube-api-access",
          "default-scheduler",
          "system-cluster-critical",
          "system-node-critical",
          "foregroundDeletion",
          "orphan",
          "linux",
          "windows",
          "amd64",
          "arm64",
          "None",
          "Directory",
          "DirectoryOrCreate",
          "File",
          "Memory");

  /** Keys of labels and resources without a domain, and reasons, that everybody uses. */
  static final Set<String> KEYS =
      Set.of(
          "app",
          "k8s-app",
          "component",
          "tier",
          "name",
          "pod-template-hash",
          "pod-template-generation",
          "controller-revision-hash",
          "controller-uid",
          "job-name",
          "cpu",
          "memory",
          "storage",
          "ephemeral-storage",
          "pods",
          "requests.cpu",
          "requests.memory",
          "requests.storage",
          "limits.cpu",
          "limits.memory",
          "KubeletReady",
          "KubeletNotReady",
          "NodeStatusUnknown",
          "NodeStatusNeverUpdated",
          "Evicted",
          "NodeLost",
          "Completed",
          "Error",
          "ContainerCreating",
          "PodInitializing",
          "CrashLoopBackOff",
          "DeletionByTaintManager",
          "EvictionByEvictionAPI",
          "PreemptionByScheduler",
          "TerminationByKubelet",
          "Unschedulable");

  private static final Pattern OF_KUBERNETES =
      Pattern.compile(
          "(?:[a-z0-9.-]+\\.)?(?:kubernetes\\.io|k8s\\.io|berth\\.dev)/[A-Za-z0-9._/-]+");

  private static final Pattern VERSION =
      Pattern.compile("(?:(?:apps|batch|policy|autoscaling)/)?v[0-9]+(?:(?:alpha|beta)[0-9]+)?");

  private static final Set<String> GROUPS = Set.of("apps", "batch", "policy", "autoscaling");

  private static final Pattern SAYS_NOTHING =
      Pattern.compile(
          "[+-]?[0-9.]+(?:[eE][0-9]+|[numkMGTPE]i?)?"
              + "|[0-9]+%"
              + "|true|false"
              + "|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z"
              + "|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
              + "|hugepages-[0-9]+[KMG]i");

  private static final Pattern ADDRESS = Pattern.compile("[0-9]+(?:\\.[0-9]+){3}(?:/[0-9]+)?");

  private PublicWords() {}

  /** A key of a label, a taint or a finalizer, or a resource, that is no secret. */
  static boolean isPublicKey(String text) {
    return KEYS.contains(text) || OF_KUBERNETES.matcher(text).matches();
  }

  static boolean isPublic(String text) {
    return NAMES.contains(text)
        || KINDS_AND_TYPES.contains(text)
        || isPublicKey(text)
        || saysNothing(text);
  }

  /** A version of an API of Kubernetes, or its group. */
  static boolean isPublicVersion(String text) {
    return VERSION.matcher(text).matches()
        || GROUPS.contains(text)
        || text.endsWith(".k8s.io")
        || OF_KUBERNETES.matcher(text).matches();
  }

  static boolean isAddress(String text) {
    return ADDRESS.matcher(text).matches();
  }

  /** Numbers, amounts, times and random ids, but no addresses. */
  static boolean saysNothing(String text) {
    return SAYS_NOTHING.matcher(text).matches() && !isAddress(text);
  }
}
