package dev.berth.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.config.ConfigException;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
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
        Optional.of(file), Optional.empty(), AgentSettings.of("n1", folder), warnings::add);
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
            """);
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
        "authentication: {x509: {caFile: a}} | authentication.x509.caFile: Forbidden: unknown field",
        "authentication: {anonymous: {enabled: true}} | authentication.anonymous.enabled: Invalid value: true: must be false: nothing is served to whoever is not authenticated",
        "authorization: {mode: AlwaysAllow} | authorization.mode: Invalid value: \"AlwaysAllow\": must be Webhook: the API server decides",
        "readOnlyPort: 10255 | readOnlyPort: Forbidden: cannot be anything but its default here: nothing is served to whoever is not authenticated",
        "cpuManagerPolicy: static | cpuManagerPolicy: Forbidden: cannot be anything but its default here: containers are not pinned to processors or memory",
        "shutdownGracePeriod: 30s | shutdownGracePeriod: Forbidden: cannot be anything but its default here: the shutdown of the machine is not delayed for pods yet",
        "maxPods: many | maxPods: Invalid value: \"many\": must be an integer",
        "syncFrequency: soon | syncFrequency: Invalid value: \"soon\": must be a duration such as 40s, 1m30s or 500ms",
        "systemReserved: {cpu: -1} | systemReserved.cpu: Invalid value:",
        "systemReserved: {gpu: 1} | systemReserved.gpu: Forbidden: unknown field",
        "evictionSoft: {memory.available: 1Gi} | grace period must be specified for the soft eviction threshold memory.available",
        "evictionHard: {disk.available: 1Gi} | unsupported eviction signal disk.available",
      })
  void whatCannotBeUsedIsRefusedWithItsPath(String line, String message) {
    assertThatThrownBy(() -> read(line + "\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void whatHasNoEffectIsSaid() throws IOException {
    read("imageGCHighThresholdPercent: 90\ncgroupDriver: systemd\n");
    assertThat(warnings)
        .containsExactly(
            "imageGCHighThresholdPercent has no effect: images are imported, not pulled",
            "cgroupDriver has no effect: cgroups of version 1 and 2 are used directly");
  }

  @Test
  void defaultsAreAcceptedOfWhatHasNoOtherValue() throws IOException {
    read(
        """
        cpuManagerPolicy: none
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
    Files.writeString(dropIns.resolve("20-b.conf"), HEADER + "maxPods: 20\n");
    Files.writeString(
        dropIns.resolve("10-a.conf"), HEADER + "maxPods: 10\nsystemReserved: {memory: 1Gi}\n");
    Files.writeString(dropIns.resolve("30-c.yaml"), HEADER + "maxPods: 30\n");
    Path file = folder.resolve("config.yaml");
    Files.writeString(file, HEADER + "maxPods: 1\nsystemReserved: {cpu: '1'}\n");
    AgentSettings settings =
        KubeletConfigurationFile.read(
            Optional.of(file), Optional.of(dropIns), AgentSettings.of("n1", folder), warnings::add);
    assertThat(settings.pods().most()).isEqualTo(20);
    assertThat(settings.reservations().system()).hasToString("{cpu=1, memory=1Gi}");
  }

  @Test
  void anotherKindIsRefused() throws IOException {
    Path file = folder.resolve("config.yaml");
    Files.writeString(file, "apiVersion: v1\nkind: ConfigMap\n");
    assertThatThrownBy(() ->
            KubeletConfigurationFile.read(
                Optional.of(file), Optional.empty(), AgentSettings.of("n1", folder), warnings::add))
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
