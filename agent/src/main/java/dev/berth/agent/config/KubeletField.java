package dev.berth.agent.config;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What becomes of each field of a KubeletConfiguration ({@code kubelet.config.k8s.io/v1beta1} of
 * Kubernetes 1.36).
 *
 * <ul>
 *   <li>{@link Use#HONOURED}: it does what it does in a kubelet.
 *   <li>{@link Use#NO_EFFECT}: it tunes something that works otherwise here; it is accepted with a
 *       warning, so that files that were written for kubelets can be used.
 *   <li>{@link Use#ONLY_DEFAULT}: ignoring it would break a promise to pods or to the operator, so
 *       anything but upstream's default is refused.
 * </ul>
 *
 * @param defaults what is accepted, as text, of a field with only its default; what says how it is
 *     here of one without effect
 * @param why what stands behind that, for the message
 */
record KubeletField(String name, Use use, Set<String> defaults, String why) {

  /** What a field does here. */
  enum Use {
    HONOURED,
    NO_EFFECT,
    ONLY_DEFAULT
  }

  private static final String PULLS = "pulls are limited by their number";
  private static final String GROUPS = "cgroups are laid out as kubepods/<class>/pod<uid>";
  private static final String TABLES = "no iptables rules are made";
  private static final String LIMITS = "requests are limited by the server's priority levels";
  private static final String TLS = "TLS is 1.2 and 1.3 with Java's cipher suites";
  private static final String DEBUG = "Java's own tools are used";

  static final Map<String, KubeletField> ALL =
      table(
          honoured(
              "address",
              "allowedUnsafeSysctls",
              "authentication",
              "authorization",
              "clusterDNS",
              "clusterDomain",
              "containerLogMaxFiles",
              "containerLogMaxSize",
              "containerRuntimeEndpoint",
              "cpuCFSQuota",
              "cpuCFSQuotaPeriod",
              "cpuManagerPolicy",
              "cpuManagerPolicyOptions",
              "crashLoopBackOff",
              "enableControllerAttachDetach",
              "enableDebuggingHandlers",
              "enableSystemLogHandler",
              "enableSystemLogQuery",
              "evictionHard",
              "evictionMaxPodGracePeriod",
              "evictionMinimumReclaim",
              "evictionPressureTransitionPeriod",
              "evictionSoft",
              "evictionSoftGracePeriod",
              "failSwapOn",
              "featureGates",
              "fileCheckFrequency",
              "httpCheckFrequency",
              "imageGCHighThresholdPercent",
              "imageGCLowThresholdPercent",
              "imageMaximumGCAge",
              "imageMinimumGCAge",
              "imagePullCredentialsVerificationPolicy",
              "imageServiceEndpoint",
              "kubeReserved",
              "localStorageCapacityIsolation",
              "maxParallelImagePulls",
              "maxPods",
              "memoryManagerPolicy",
              "memorySwap",
              "mergeDefaultEvictionSettings",
              "nodeLeaseDurationSeconds",
              "nodeStatusMaxImages",
              "nodeStatusReportFrequency",
              "nodeStatusUpdateFrequency",
              "podCIDR",
              "podLogsDir",
              "podPidsLimit",
              "podsPerCore",
              "port",
              "preloadedImagesVerificationAllowlist",
              "providerID",
              "registerNode",
              "registerWithTaints",
              "reservedMemory",
              "reservedSystemCPUs",
              "resolvConf",
              "rotateCertificates",
              "runtimeRequestTimeout",
              "seccompDefault",
              "serializeImagePulls",
              "serverTLSBootstrap",
              "shutdownGracePeriod",
              "shutdownGracePeriodByPodPriority",
              "shutdownGracePeriodCriticalPods",
              "singleProcessOOMKill",
              "staticPodPath",
              "staticPodURL",
              "staticPodURLHeader",
              "syncFrequency",
              "systemReserved",
              "tlsCertFile",
              "tlsPrivateKeyFile",
              "topologyManagerPolicy",
              "topologyManagerPolicyOptions",
              "topologyManagerScope"),
          noEffect(PULLS, "registryBurst", "registryPullQPS"),
          noEffect(LIMITS, "eventBurst", "eventRecordQPS", "kubeAPIBurst", "kubeAPIQPS"),
          noEffect(
              TABLES,
              "hairpinMode",
              "iptablesDropBit",
              "iptablesMasqueradeBit",
              "makeIPTablesUtilChains"),
          noEffect(
              DEBUG,
              "enableContentionProfiling",
              "enableDebugFlagsHandler",
              "enableProfilingHandler",
              "logging",
              "showHiddenMetricsForVersion",
              "tracing"),
          noEffect(
              "cgroups of version 1 and 2 are used directly",
              "failCgroupV1",
              "kubeletCgroups",
              "systemCgroups"),
          new KubeletField[] {
            new KubeletField(
                "cgroupDriver",
                Use.NO_EFFECT,
                Set.of("cgroupfs"),
                "cgroups are made without systemd, and a container runtime has to make them in the"
                    + " same way: SystemdCgroup = false (containerd), or cgroup_manager ="
                    + " \"cgroupfs\" (CRI-O)")
          },
          noEffect(
              "health is served at the port of the agent", "healthzBindAddress", "healthzPort"),
          noEffect(
              "objects are read as JSON, and watched",
              "configMapAndSecretChangeDetectionStrategy",
              "contentType"),
          noEffect(
              "idle sessions are not ended, as kubelets do not end them",
              "streamingConnectionIdleTimeout"),
          noEffect("memory is never throttled before its limit", "memoryThrottlingFactor"),
          noEffect("memory is looked at every ten seconds", "kernelMemcgNotification"),
          noEffect(
              "containers are moved as soon as others come and go", "cpuManagerReconcilePeriod"),
          noEffect(
              "logs are rotated as they are written",
              "containerLogMaxWorkers",
              "containerLogMonitorInterval"),
          noEffect(
              "the agent does not need it",
              "maxOpenFiles",
              "oomScoreAdj",
              "volumePluginDir",
              "volumeStatsAggPeriod"),
          onlyDefault(
              GROUPS,
              Map.of(
                  "cgroupRoot", Set.of("", "/"),
                  "cgroupsPerQOS", Set.of("true"),
                  "enforceNodeAllocatable", Set.of("[\"pods\"]"),
                  "kubeReservedCgroup", Set.of(""),
                  "memoryReservationPolicy", Set.of("None"),
                  "qosReserved", Set.of("{}"),
                  "systemReservedCgroup", Set.of(""))),
          onlyDefault(
              TLS,
              Map.of(
                  "tlsCipherSuites", Set.of("[]"),
                  "tlsCurvePreferences", Set.of("[]"),
                  "tlsMinVersion", Set.of("", "VersionTLS12"))),
          onlyDefault(
              "nothing is served to whoever is not authenticated",
              Map.of("readOnlyPort", Set.of("0"))),
          onlyDefault(
              "kubectl logs and exec need the agent's port",
              Map.of("enableServer", Set.of("true"))),
          onlyDefault("the agent runs until it is stopped", Map.of("runOnce", Set.of("false"))),
          onlyDefault(
              "the kernel's parameters are not looked at",
              Map.of("protectKernelDefaults", Set.of("false"))),
          onlyDefault(
              "pods with users of their own have 65,536", Map.of("userNamespaces", Set.of("{}"))));

  private static KubeletField[] honoured(String... names) {
    return fields(Use.HONOURED, "", names);
  }

  private static KubeletField[] noEffect(String why, String... names) {
    return fields(Use.NO_EFFECT, why, names);
  }

  private static KubeletField[] fields(Use use, String why, String... names) {
    return Arrays.stream(names)
        .map(name -> new KubeletField(name, use, Set.of(), why))
        .toArray(KubeletField[]::new);
  }

  private static KubeletField[] onlyDefault(String why, Map<String, Set<String>> defaults) {
    return defaults.entrySet().stream()
        .map(each -> new KubeletField(each.getKey(), Use.ONLY_DEFAULT, each.getValue(), why))
        .toArray(KubeletField[]::new);
  }

  private static Map<String, KubeletField> table(KubeletField[]... groups) {
    return Arrays.stream(groups)
        .flatMap(Arrays::stream)
        .collect(
            Collectors.toMap(
                KubeletField::name,
                field -> field,
                (one, _) -> {
                  throw new IllegalStateException(one.name() + " is listed twice");
                },
                LinkedHashMap::new));
  }
}
