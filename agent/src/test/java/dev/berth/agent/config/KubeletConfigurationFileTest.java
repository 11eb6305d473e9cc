package dev.berth.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.config.ConfigException;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.policy.cpumanager.CpuOptions;
import dev.berth.policy.image.ImageGarbage;
import dev.berth.policy.image.ImageVerification;
import dev.berth.policy.shutdown.ShutdownPeriods;
import dev.berth.policy.topology.TopologyPolicy;
import dev.berth.policy.topology.TopologyScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeletConfigurationFileTest {
  private static final String HEADER =
      "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";

  @TempDir Path folder;

  private final List<String> warnings = new ArrayList<>();

  private AgentSettings read(String text) throws IOException {
    Path file = folder.resolve("config.yaml");
    Files.writeString(file, HEADER + text);
    return KubeletConfigurationFile.read(
        Optional.of(file),
        Optional.empty(),
        JsonObject.EMPTY,
        AgentSettings.of("n1", folder),
        warnings::add);
  }

  @Test
  void anEmptyFileIsTheDefaults() throws IOException {
    assertThat(read("")).isEqualTo(AgentSettings.of("n1", folder));
    assertThat(warnings).isEmpty();
  }

  @Test
  void fieldsDoWhatTheyDoInAKubelet() throws IOException {
    AgentSettings settings =
        read(
            """
            staticPodPath: /etc/kubernetes/manifests
            port: 10255
            clusterDNS: [10.96.0.10]
            clusterDomain: cluster.local
            maxPods: 42
            podPidsLimit: 1000
            nodeStatusUpdateFrequency: 5s
            nodeLeaseDurationSeconds: 20
            systemReserved: {cpu: 500m, memory: 1Gi}
            evictionHard: {memory.available: 200Mi}
            evictionSoft: {memory.available: 1Gi}
            evictionSoftGracePeriod: {memory.available: 1m30s}
            evictionPressureTransitionPeriod: 1m
            evictionMaxPodGracePeriod: 60
            containerLogMaxSize: 5Mi
            registerWithTaints: [{key: a, value: b, effect: NoSchedule}]
            registerNode: false
            authentication: {x509: {clientCAFile: /ca.crt}, webhook: {cacheTTL: 1m}}
            crashLoopBackOff: {maxContainerRestartPeriod: 1m}
            containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
            runtimeRequestTimeout: 30s
            serializeImagePulls: false
            maxParallelImagePulls: 3
            imageGCHighThresholdPercent: 95
            imageMaximumGCAge: 24h
            imagePullCredentialsVerificationPolicy: NeverVerifyAllowlistedImages
            preloadedImagesVerificationAllowlist: [registry.example/base, registry.example/team/*]
            """);
    assertThat(settings.runtime())
        .isEqualTo(
            new AgentSettings.RuntimeSettings(
                "unix:///run/containerd/containerd.sock",
                "",
                Duration.ofSeconds(30),
                3,
                new ImageGarbage.Settings(95, 80, Duration.ofMinutes(2), Duration.ofHours(24)),
                new ImageVerification(
                    ImageVerification.Policy.NEVER_ALLOWLISTED,
                    List.of("registry.example/base", "registry.example/team/*"))));
    assertThat(settings.staticPods().directory()).contains(Path.of("/etc/kubernetes/manifests"));
    assertThat(settings.port().number()).isEqualTo(10255);
    assertThat(settings.port().clientCaFile()).contains(Path.of("/ca.crt"));
    assertThat(settings.port().authenticatedTtl()).isEqualTo(Duration.ofMinutes(1));
    assertThat(settings.dns().servers()).containsExactly("10.96.0.10");
    assertThat(settings.dns().domain()).isEqualTo("cluster.local");
    assertThat(settings.pods().most()).isEqualTo(42);
    assertThat(settings.pods().pidLimit()).isEqualTo(OptionalLong.of(1000));
    assertThat(settings.pods().longestRestartDelay()).isEqualTo(Duration.ofMinutes(1));
    // As upstream: who says how often the status is computed says how often it is reported, too.
    assertThat(settings.heartbeats())
        .isEqualTo(
            new AgentSettings.Heartbeats(
                Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(20)));
    assertThat(settings.reservations().system()).hasToString("{cpu=500m, memory=1Gi}");
    assertThat(settings.eviction().thresholds().hard())
        .isEqualTo(
            Map.of(
                "memory.available", "200Mi",
                "nodefs.available", "0%",
                "nodefs.inodesFree", "0%",
                "imagefs.available", "0%",
                "imagefs.inodesFree", "0%"));
    assertThat(settings.eviction().transitionPeriod()).isEqualTo(Duration.ofMinutes(1));
    assertThat(settings.eviction().longestGrace()).isEqualTo(Duration.ofMinutes(1));
    assertThat(settings.logs().fileBytes()).isEqualTo(5 << 20);
    assertThat(settings.node().taints())
        .containsExactly(Taint.of("a", "b", TaintEffect.NO_SCHEDULE));
    assertThat(settings.node().registers()).isFalse();
    assertThat(warnings).isEmpty();
  }

  @Test
  void aShutdownIsDelayedByTwoPeriodsOrByPriorityAndBothAreOffByDefault() throws IOException {
    assertThat(read("maxPods: 1\n").pods().shutdown()).isEqualTo(ShutdownPeriods.NONE);
    assertThat(
            read("shutdownGracePeriod: 30s\nshutdownGracePeriodCriticalPods: 10s\n")
                .pods()
                .shutdown())
        .isEqualTo(ShutdownPeriods.of(Duration.ofSeconds(30), Duration.ofSeconds(10)));
    assertThat(
            read("""
            shutdownGracePeriodByPodPriority:
              - {priority: 1000, shutdownGracePeriodSeconds: 120}
              - {priority: 0, shutdownGracePeriodSeconds: 60}
            """)
                .pods()
                .shutdown()
                .periods())
        .containsExactly(
            new ShutdownPeriods.Period(0, Duration.ofMinutes(1)),
            new ShutdownPeriods.Period(1000, Duration.ofMinutes(2)));
  }

  @Test
  void whatAnAgentSaysOfItsSettingsMakesTheSameSettings() throws IOException {
    AgentSettings settings =
        read(
            """
            staticPodPath: /etc/kubernetes/manifests
            maxPods: 42
            podPidsLimit: 1000
            nodeStatusUpdateFrequency: 5s
            systemReserved: {cpu: 500m, memory: 1Gi}
            evictionHard: {memory.available: 200Mi}
            evictionSoft: {memory.available: 1Gi}
            evictionSoftGracePeriod: {memory.available: 1m30s}
            registerWithTaints: [{key: a, value: b, effect: NoSchedule}]
            authentication: {x509: {clientCAFile: /ca.crt}, webhook: {cacheTTL: 1m}}
            crashLoopBackOff: {maxContainerRestartPeriod: 1m}
            memorySwap: {swapBehavior: NoSwap}
            shutdownGracePeriod: 30s
            shutdownGracePeriodCriticalPods: 10s
            topologyManagerPolicy: restricted
            cpuManagerPolicy: static
            reservedSystemCPUs: 0-1
            memoryManagerPolicy: Static
            reservedMemory: [{numaNode: 0, limits: {memory: 1Gi}}]
            serializeImagePulls: false
            imageMaximumGCAge: 24h
            """);
    for (AgentSettings each : List.of(settings, AgentSettings.of("n1", folder))) {
      String said = JsonWriter.toText(KubeletConfigurationDocument.of(each));
      Path file = Files.writeString(folder.resolve("said.json"), said);
      assertThat(
              KubeletConfigurationFile.read(
                  Optional.of(file),
                  Optional.empty(),
                  JsonObject.EMPTY,
                  AgentSettings.of("n1", folder),
                  warnings::add))
          .isEqualTo(each);
    }
  }

  @Test
  void thresholdsAreMergedIfTheFileSaysSo() throws IOException {
    AgentSettings settings =
        read("mergeDefaultEvictionSettings: true\nevictionHard: {memory.available: 200Mi}\n");
    assertThat(settings.eviction().thresholds().hard())
        .containsEntry("memory.available", "200Mi")
        .containsEntry("nodefs.available", "10%");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "maxPod: 3 | maxPod: Forbidden: unknown field",
        "authentication: {x509: {caFile: a}} | authentication.x509.caFile: Forbidden: unknown"
            + " field",
        "authentication: {anonymous: {enabled: true}} | authentication.anonymous.enabled: Invalid"
            + " value: true: must be false: nothing is served to whoever is not authenticated",
        "authorization: {mode: AlwaysAllow} | authorization.mode: Invalid value: \"AlwaysAllow\":"
            + " must be Webhook: the API server decides",
        "readOnlyPort: 10255 | readOnlyPort: Forbidden: cannot be anything but its default here:"
            + " nothing is served to whoever is not authenticated",
        "containerRuntimeEndpoint: containerd | containerRuntimeEndpoint: Invalid value:"
            + " \"containerd\": a container runtime's endpoint must be a socket such as"
            + " unix:///run/containerd/containerd.sock",
        "imageGCHighThresholdPercent: 70 | imageGCLowThresholdPercent: Invalid value: 80: must be"
            + " less than imageGCHighThresholdPercent",
        "imageMaximumGCAge: 1m | imageMaximumGCAge: Invalid value:",
        "imagePullCredentialsVerificationPolicy: Some | imagePullCredentialsVerificationPolicy:"
            + " Invalid value: \"Some\": must be one of: NeverVerify, NeverVerifyPreloadedImages,"
            + " NeverVerifyAllowlistedImages, AlwaysVerify",
        "preloadedImagesVerificationAllowlist: [a.example/b] |"
            + " preloadedImagesVerificationAllowlist: Forbidden: requires"
            + " imagePullCredentialsVerificationPolicy: NeverVerifyAllowlistedImages",
        "imagePullCredentialsVerificationPolicy: NeverVerifyAllowlistedImages;"
            + " preloadedImagesVerificationAllowlist: ['a.example/*/b'] |"
            + " preloadedImagesVerificationAllowlist: Invalid value: \"a.example/*/b\": not a valid"
            + " wildcard pattern, only patterns ending with '/*' are allowed: a.example/*/b",
        "featureGates: {KubeletEnsureSecretPulledImages: false};"
            + " imagePullCredentialsVerificationPolicy: AlwaysVerify |"
            + " imagePullCredentialsVerificationPolicy: Forbidden: requires feature gate"
            + " KubeletEnsureSecretPulledImages",
        "maxParallelImagePulls: 5 | maxParallelImagePulls: Invalid value: 5: cannot be larger than"
            + " 1 unless serializeImagePulls is false",
        "cpuManagerPolicy: dynamic | cpuManagerPolicy: Invalid value: \"dynamic\": unknown policy:"
            + " must be none or static",
        "cpuManagerPolicyOptions: {full-pcpus-only: 'true'} | None policy: received unsupported"
            + " options",
        "topologyManagerPolicy: strict | topologyManagerPolicy: Invalid value: \"strict\": must be"
            + " one of: [\"none\" \"best-effort\" \"restricted\" \"single-numa-node\"]",
        "topologyManagerScope: node | topologyManagerScope: Invalid value: \"node\": must be one"
            + " of: \"container\", or \"pod\"",
        "topologyManagerPolicyOptions: {max-allowable-numa-nodes: '4'} | the minimum value of"
            + " \"max-allowable-numa-nodes\" should not be less than 8",
        "memoryManagerPolicy: static | memoryManagerPolicy: Invalid value: \"static\": unknown"
            + " policy: must be None or Static",
        "reservedSystemCPUs: 0-x | unable to parse reservedSystemCPUs (--reserved-cpus):"
            + " strconv.Atoi: parsing \"x\": invalid syntax: must be a list such as 0-1,8",
        "reservedMemory: [{numaNode: 0, limits: {cpu: 1}}] | the limit type \"cpu\" for NUMA node 0"
            + " is not supported, only [memory hugepages-<HugePageSize>] is accepted",
        "reservedMemory: [{numaNode: 1, limits: {memory: '0'}}] | reserved memory may not be zero"
            + " for NUMA node 1 and resource \"memory\"",
        "reservedMemory: [{numaNode: 1, limits: {memory: 1Gi}}, {numaNode: 1, limits: {memory:"
            + " 1Gi}}] | the reserved memory has a duplicate value for NUMA node 1 and resource"
            + " \"memory\"",
        "memorySwap: {swapBehavior: SomeSwap} | memorySwap.swapBehavior: Invalid value:"
            + " \"SomeSwap\": must be one of",
        "shutdownGracePeriod: 10s; shutdownGracePeriodCriticalPods: 20s |"
            + " shutdownGracePeriodCriticalPods: Invalid value: \"20s\": must be <="
            + " shutdownGracePeriod 10s",
        "shutdownGracePeriodCriticalPods: 1s | shutdownGracePeriodCriticalPods: Invalid value:"
            + " \"1s\": must be <= shutdownGracePeriod 0s",
        "crashLoopBackOff: {maxContainerRestartPeriod: 10m} |"
            + " crashLoopBackOff.maxContainerRestartPeriod: Invalid value: \"10m\": must be between"
            + " 1s and 300s, inclusive",
        "shutdownGracePeriod: 500ms | shutdownGracePeriod: Invalid value: \"500ms\": must be either"
            + " zero or otherwise >= 1 sec",
        "shutdownGracePeriod: 10s; shutdownGracePeriodCriticalPods: 1ms |"
            + " shutdownGracePeriodCriticalPods: Invalid value: \"1ms\": must be either zero or"
            + " otherwise >= 1 sec",
        "shutdownGracePeriod: 10s; shutdownGracePeriodByPodPriority: [{priority: 0,"
            + " shutdownGracePeriodSeconds: 1}] | Cannot specify both"
            + " shutdownGracePeriodByPodPriority and shutdownGracePeriod at the same time",
        "shutdownGracePeriodByPodPriority: [{priority: 0, seconds: 1}] |"
            + " shutdownGracePeriodByPodPriority[0].seconds: Forbidden: unknown field",
        "shutdownGracePeriodByPodPriority: [{shutdownGracePeriodSeconds: -1}] |"
            + " shutdownGracePeriodByPodPriority[0].shutdownGracePeriodSeconds: Invalid value: -1",
        "maxPods: many | maxPods: Invalid value: \"many\": must be an integer",
        "syncFrequency: soon | syncFrequency: Invalid value: \"soon\": must be a duration such as"
            + " 40s, 1m30s or 500ms",
        "systemReserved: {cpu: -1} | systemReserved.cpu: Invalid value:",
        "systemReserved: {gpu: 1} | systemReserved.gpu: Forbidden: unknown field",
        "evictionSoft: {memory.available: 1Gi} | grace period must be specified for the soft"
            + " eviction threshold memory.available",
        "evictionHard: {disk.available: 1Gi} | unsupported eviction signal disk.available",
      })
  void whatCannotBeUsedIsRefusedWithItsPath(String lines, String message) {
    assertThatThrownBy(() -> read(lines.replace("; ", "\n") + "\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void managersAndSwapAreRead() throws IOException {
    AgentSettings settings =
        read(
            """
            cpuManagerPolicy: static
            cpuManagerPolicyOptions: {full-pcpus-only: 'true', align-by-socket: 'true'}
            featureGates: {CPUManagerPolicyAlphaOptions: true}
            systemReserved: {cpu: 300m, memory: 1Gi}
            kubeReserved: {cpu: '1'}
            reservedSystemCPUs: 0-1,4
            memoryManagerPolicy: Static
            reservedMemory: [{numaNode: 0, limits: {memory: 1Gi, hugepages-2Mi: 64Mi}}]
            topologyManagerPolicy: single-numa-node
            topologyManagerScope: pod
            topologyManagerPolicyOptions: {prefer-closest-numa-nodes: 'true'}
            failSwapOn: false
            memorySwap: {swapBehavior: UnlimitedSwap}
            """);
    ManagerSettings managers = settings.pods().managers();
    assertThat(managers.hasStaticCpus()).isTrue();
    assertThat(managers.cpuOptions().on())
        .containsExactlyInAnyOrder(
            CpuOptions.Option.FULL_CORES, CpuOptions.Option.ALIGNS_BY_SOCKET);
    assertThat(managers.reservedCpus()).hasToString("0-1,4");
    assertThat(settings.reservations().system()).hasToString("{cpu=3, memory=1Gi}");
    assertThat(settings.reservations().kube()).hasToString("{}");
    assertThat(managers.hasStaticMemory()).isTrue();
    assertThat(managers.reservedMemory()).hasSize(1);
    assertThat(managers.topologyPolicy()).isEqualTo(TopologyPolicy.SINGLE_NUMA_NODE);
    assertThat(managers.scope()).isEqualTo(TopologyScope.POD);
    assertThat(managers.topologyOptions().prefersClosest()).isTrue();
    assertThat(settings.pods().failsWithSwap()).isFalse();
    assertThat(settings.pods().swap()).isEqualTo("UnlimitedSwap");
    assertThat(warnings).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "featureGates: {Teleport: true} | featureGates.Teleport: Invalid value: true: unrecognized"
            + " feature gate: Teleport",
        "featureGates: {NodeSwap: false} | featureGates.NodeSwap: Invalid value: false: cannot set"
            + " feature gate NodeSwap to false, feature is locked to true",
        "featureGates: {NodeSwap: 'no'} | featureGates.NodeSwap: Invalid value: \"no\": must be"
            + " true or false",
        "featureGates: {GracefulNodeShutdown: false} | GracefulNodeShutdownBasedOnPodPriority is"
            + " enabled, but depends on features that are disabled: [GracefulNodeShutdown]",
        "featureGates: {AllBeta: false}; shutdownGracePeriod: 10s | shutdownGracePeriod: Forbidden:"
            + " requires feature gate GracefulNodeShutdown",
        "featureGates: {GracefulNodeShutdownBasedOnPodPriority: false};"
            + " shutdownGracePeriodByPodPriority: [{priority: 0, shutdownGracePeriodSeconds: 5}] |"
            + " requires feature gate GracefulNodeShutdownBasedOnPodPriority",
        "featureGates: {KubeletCrashLoopBackOffMax: false}; crashLoopBackOff:"
            + " {maxContainerRestartPeriod: 10s} | requires feature gate"
            + " KubeletCrashLoopBackOffMax",
        "featureGates: {CPUManagerPolicyBetaOptions: false}; cpuManagerPolicy: static;"
            + " cpuManagerPolicyOptions: {distribute-cpus-across-numa: 'true'} | CPU Manager Policy"
            + " Beta-level Options not enabled",
      })
  void gatesAreKnownUnlockedAndTakeEffect(String lines, String message) {
    assertThatThrownBy(() -> read(lines.replace("; ", "\n") + "\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void gatesWithoutEffectAreSaidInOneLineUnlessTheyAreAsByDefault() throws IOException {
    AgentSettings settings =
        read(
            """
            featureGates: {AllAlpha: true, NodeSwap: true, MemoryQoS: false, EventedPLEG: true,
              PodLevelResources: false, InPlacePodLevelResourcesVerticalScaling: false,
              PodLevelResourceManagers: false}
            cpuManagerPolicy: static
            cpuManagerPolicyOptions: {align-by-socket: 'true'}
            """);
    assertThat(settings.pods().managers().cpuOptions().names()).containsExactly("align-by-socket");
    assertThat(warnings)
        .containsExactly(
            "these featureGates have no effect, and all that they guard is as by default:"
                + " EventedPLEG, PodLevelResources, InPlacePodLevelResourcesVerticalScaling");
  }

  @Test
  void flagsCountMoreThanFiles() throws IOException {
    Path file = folder.resolve("config.yaml");
    Files.writeString(file, HEADER + "topologyManagerPolicy: restricted\nfailSwapOn: false\n");
    AgentSettings settings =
        KubeletConfigurationFile.read(
            Optional.of(file),
            Optional.empty(),
            JsonObject.of("topologyManagerPolicy", "best-effort"),
            AgentSettings.of("n1", folder),
            warnings::add);
    assertThat(settings.pods().managers().topologyPolicy()).isEqualTo(TopologyPolicy.BEST_EFFORT);
    assertThat(settings.pods().failsWithSwap()).isFalse();
  }

  @Test
  void whatHasNoEffectIsSaid() throws IOException {
    read("registryBurst: 90\ncgroupDriver: systemd\n");
    assertThat(warnings)
        .containsExactly(
            "registryBurst has no effect: pulls are limited by their number",
            "cgroupDriver has no effect: cgroups are made without systemd, and a container runtime"
                + " has to make them in the same way: SystemdCgroup = false (containerd), or"
                + " cgroup_manager = \"cgroupfs\" (CRI-O)");
  }

  @Test
  void defaultsAreAcceptedOfWhatHasNoOtherValue() throws IOException {
    read(
        """
        cpuManagerPolicy: none
        cgroupDriver: cgroupfs
        readOnlyPort: 0
        cgroupsPerQOS: true
        enforceNodeAllocatable: [pods]
        shutdownGracePeriod: 0s
        reservedMemory: []
        topologyManagerPolicyOptions: {}
        """);
    assertThat(warnings).isEmpty();
  }

  @Test
  void dropInsChangeSomeFieldsInTheOrderOfTheirNames() throws IOException {
    Path dropIns = Files.createDirectory(folder.resolve("conf.d"));
    Path below = Files.createDirectory(dropIns.resolve("20-b"));
    Files.writeString(below.resolve("more.conf"), HEADER + "maxPods: 20\n");
    Files.writeString(
        dropIns.resolve("10-a.conf"), HEADER + "maxPods: 10\nsystemReserved: {memory: 1Gi}\n");
    Files.writeString(dropIns.resolve("30-c.yaml"), HEADER + "maxPods: 30\n");
    Path file = folder.resolve("config.yaml");
    Files.writeString(file, HEADER + "maxPods: 1\nsystemReserved: {cpu: '1'}\n");
    AgentSettings settings =
        KubeletConfigurationFile.read(
            Optional.of(file),
            Optional.of(dropIns),
            JsonObject.EMPTY,
            AgentSettings.of("n1", folder),
            warnings::add);
    assertThat(settings.pods().most()).isEqualTo(20);
    assertThat(settings.reservations().system()).hasToString("{cpu=1, memory=1Gi}");
  }

  @Test
  void anotherKindIsRefused() throws IOException {
    Path file = folder.resolve("config.yaml");
    Files.writeString(file, "apiVersion: v1\nkind: ConfigMap\n");
    assertThatThrownBy(() ->
            KubeletConfigurationFile.read(
                Optional.of(file),
                Optional.empty(),
                JsonObject.EMPTY,
                AgentSettings.of("n1", folder),
                warnings::add))
        .hasMessageContaining("KubeletConfiguration");
  }

  /** Those of v1beta1 in Kubernetes 1.36. */
  @Test
  void everyFieldOfUpstreamIsKnownAndNoOther() {
    String upstream =
        """
          address allowedUnsafeSysctls authentication authorization cgroupDriver cgroupRoot
          cgroupsPerQOS clusterDNS clusterDomain configMapAndSecretChangeDetectionStrategy
          containerLogMaxFiles containerLogMaxSize containerLogMaxWorkers
          containerLogMonitorInterval containerRuntimeEndpoint contentType cpuCFSQuota
          cpuCFSQuotaPeriod cpuManagerPolicy cpuManagerPolicyOptions
          cpuManagerReconcilePeriod crashLoopBackOff enableContentionProfiling
          enableControllerAttachDetach enableDebugFlagsHandler enableDebuggingHandlers
          enableProfilingHandler enableServer enableSystemLogHandler enableSystemLogQuery
          enforceNodeAllocatable eventBurst eventRecordQPS evictionHard
          evictionMaxPodGracePeriod evictionMinimumReclaim evictionPressureTransitionPeriod
          evictionSoft evictionSoftGracePeriod failCgroupV1 failSwapOn featureGates
          fileCheckFrequency hairpinMode healthzBindAddress healthzPort httpCheckFrequency
          imageGCHighThresholdPercent imageGCLowThresholdPercent imageMaximumGCAge
          imageMinimumGCAge imagePullCredentialsVerificationPolicy imageServiceEndpoint
          iptablesDropBit iptablesMasqueradeBit kernelMemcgNotification kubeAPIBurst
          kubeAPIQPS kubeReserved kubeReservedCgroup kubeletCgroups
          localStorageCapacityIsolation logging makeIPTablesUtilChains maxOpenFiles
          maxParallelImagePulls maxPods memoryManagerPolicy memoryReservationPolicy
          memorySwap memoryThrottlingFactor mergeDefaultEvictionSettings
          nodeLeaseDurationSeconds nodeStatusMaxImages nodeStatusReportFrequency
          nodeStatusUpdateFrequency oomScoreAdj podCIDR podLogsDir podPidsLimit podsPerCore
          port preloadedImagesVerificationAllowlist protectKernelDefaults providerID
          qosReserved readOnlyPort registerNode registerWithTaints registryBurst
          registryPullQPS reservedMemory reservedSystemCPUs resolvConf rotateCertificates
          runOnce runtimeRequestTimeout seccompDefault serializeImagePulls serverTLSBootstrap
          showHiddenMetricsForVersion shutdownGracePeriod shutdownGracePeriodByPodPriority
          shutdownGracePeriodCriticalPods singleProcessOOMKill staticPodPath staticPodURL
          staticPodURLHeader streamingConnectionIdleTimeout syncFrequency systemCgroups
          systemReserved systemReservedCgroup tlsCertFile tlsCipherSuites tlsCurvePreferences
          tlsMinVersion tlsPrivateKeyFile topologyManagerPolicy topologyManagerPolicyOptions
          topologyManagerScope tracing userNamespaces volumePluginDir volumeStatsAggPeriod
        """;
    assertThat(KubeletField.ALL.keySet()).containsExactlyInAnyOrder(upstream.strip().split("\\s+"));
  }
}
