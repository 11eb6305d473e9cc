package dev.berth.agent.config;

import dev.berth.model.core.ResourceList;
import dev.berth.model.core.Taint;
import dev.berth.model.quantity.GoDuration;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.memorymanager.ReservedMemory;
import dev.berth.policy.pressure.Thresholds;
import dev.berth.policy.shutdown.ShutdownPeriods;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Settings as a KubeletConfiguration, for whoever asks an agent what it works with. A file of the
 * same content makes the same settings; options of the managers' policies and feature gates are
 * left out.
 */
public final class KubeletConfigurationDocument {
  private KubeletConfigurationDocument() {}

  public static JsonObject of(AgentSettings settings) {
    JsonObject.Builder document =
        new JsonObject.Builder()
            .put("kind", KubeletConfigurationFile.KIND)
            .put("apiVersion", KubeletConfigurationFile.VERSION);
    putNode(document, settings);
    putPort(document, settings.port());
    putEviction(document, settings.eviction());
    putPods(document, settings.pods());
    putManagers(document, settings.pods().managers());
    putRuntime(document, settings.runtime());
    AgentSettings.Dns dns = settings.dns();
    AgentSettings.StaticPods staticPods = settings.staticPods();
    document
        .put("clusterDNS", JsonArray.copyOf(dns.servers()))
        .put("clusterDomain", dns.domain())
        .put("resolvConf", dns.resolvConf())
        .put("staticPodURL", staticPods.url())
        .put("staticPodURLHeader", masked(staticPods.urlHeaders()))
        .put("fileCheckFrequency", GoDuration.text(staticPods.directoryCheck()))
        .put("httpCheckFrequency", GoDuration.text(staticPods.urlCheck()))
        .put("podLogsDir", settings.logs().directory().toString())
        .put("containerLogMaxSize", String.valueOf(settings.logs().fileBytes()))
        .put("containerLogMaxFiles", (long) settings.logs().files());
    putPath(document, "staticPodPath", staticPods.directory());
    return document.build();
  }

  private static void putNode(JsonObject.Builder document, AgentSettings settings) {
    AgentSettings.Node node = settings.node();
    AgentSettings.Heartbeats heartbeats = settings.heartbeats();
    document
        .put("registerNode", node.registers())
        .put(
            "registerWithTaints",
            JsonArray.copyOf(node.taints().stream().map(Taint::toTree).toList()))
        .put("providerID", node.providerId())
        .put("enableControllerAttachDetach", node.controllerAttaches())
        .put("nodeStatusMaxImages", (long) node.mostImages())
        .put("nodeStatusUpdateFrequency", GoDuration.text(heartbeats.statusUpdate()))
        .put("nodeStatusReportFrequency", GoDuration.text(heartbeats.statusReport()))
        .put("nodeLeaseDurationSeconds", heartbeats.leaseDuration().toSeconds())
        .put("systemReserved", amounts(settings.reservations().system()))
        .put("kubeReserved", amounts(settings.reservations().kube()))
        .put("rotateCertificates", settings.certificates().rotates())
        .put("serverTLSBootstrap", settings.certificates().serving());
  }

  /** Who may ask is not a setting: clients with a certificate or a token that the server knows. */
  private static void putPort(JsonObject.Builder document, AgentSettings.Port port) {
    JsonObject x509 =
        port.clientCaFile()
            .map(file -> JsonObject.of("clientCAFile", file.toString()))
            .orElse(JsonObject.EMPTY);
    document
        .put("address", port.address())
        .put("port", (long) port.number())
        .put(
            "authentication",
            JsonObject.of("x509", x509)
                .with(
                    "webhook",
                    JsonObject.of("enabled", true)
                        .with("cacheTTL", GoDuration.text(port.authenticatedTtl())))
                .with("anonymous", JsonObject.of("enabled", false)))
        .put(
            "authorization",
            JsonObject.of("mode", "Webhook")
                .with(
                    "webhook",
                    JsonObject.of("cacheAuthorizedTTL", GoDuration.text(port.authorizedTtl()))
                        .with("cacheUnauthorizedTTL", GoDuration.text(port.unauthorizedTtl()))))
        .put("enableDebuggingHandlers", port.debugging())
        .put("enableSystemLogHandler", port.systemLogs() != AgentSettings.SystemLogs.NONE)
        .put(
            "enableSystemLogQuery",
            port.systemLogs() == AgentSettings.SystemLogs.FILES_AND_QUERIES);
    putPath(document, "tlsCertFile", port.certificateFile());
    putPath(document, "tlsPrivateKeyFile", port.keyFile());
  }

  private static void putEviction(JsonObject.Builder document, AgentSettings.Eviction eviction) {
    Thresholds.Written thresholds = eviction.thresholds();
    document
        .put("evictionHard", texts(thresholds.hard()))
        .put("evictionSoft", texts(thresholds.soft()))
        .put("evictionSoftGracePeriod", texts(thresholds.softGrace()))
        .put("evictionMinimumReclaim", texts(thresholds.minimumReclaim()))
        .put("evictionPressureTransitionPeriod", GoDuration.text(eviction.transitionPeriod()))
        .put("evictionMaxPodGracePeriod", eviction.longestGrace().toSeconds())
        .put("localStorageCapacityIsolation", eviction.enforcesStorageLimits());
  }

  private static void putPods(JsonObject.Builder document, AgentSettings.Pods pods) {
    document
        .put("maxPods", (long) pods.most())
        .put("podsPerCore", (long) pods.perCore())
        .put("podPidsLimit", pods.pidLimit().orElse(-1))
        .put("podCIDR", pods.cidr())
        .put("syncFrequency", GoDuration.text(pods.syncFrequency()))
        .put("cpuCFSQuota", pods.enforcesCpuLimits())
        .put("cpuCFSQuotaPeriod", GoDuration.text(pods.cpuPeriod()))
        .put(
            "crashLoopBackOff",
            JsonObject.of("maxContainerRestartPeriod", GoDuration.text(pods.longestRestartDelay())))
        .put("allowedUnsafeSysctls", JsonArray.copyOf(pods.allowedUnsafeSysctls()))
        .put("seccompDefault", pods.seccompByDefault())
        .put("failSwapOn", pods.failsWithSwap())
        .put("memorySwap", JsonObject.of("swapBehavior", pods.swap()))
        .put("shutdownGracePeriodByPodPriority", periods(pods.shutdown()));
    pods.killsSingly().ifPresent(each -> document.put("singleProcessOOMKill", each));
  }

  /** What pods get when the machine is shut down, as a configuration says it. */
  public static JsonArray periods(ShutdownPeriods periods) {
    return JsonArray.copyOf(
        periods.periods().stream()
            .map(each ->
                JsonObject.of("priority", (long) each.priority())
                    .with("shutdownGracePeriodSeconds", each.grace().toSeconds()))
            .toList());
  }

  private static void putManagers(JsonObject.Builder document, ManagerSettings managers) {
    document
        .put("topologyManagerPolicy", managers.topologyPolicy().text())
        .put("topologyManagerScope", managers.scope().text())
        .put("cpuManagerPolicy", managers.hasStaticCpus() ? "static" : "none")
        .put("reservedSystemCPUs", managers.reservedCpus().toString())
        .put("memoryManagerPolicy", managers.hasStaticMemory() ? "Static" : "None")
        .put(
            "reservedMemory",
            JsonArray.copyOf(
                managers.reservedMemory().stream()
                    .map(KubeletConfigurationDocument::reserved)
                    .toList()));
  }

  private static JsonObject reserved(ReservedMemory memory) {
    return JsonObject.of("numaNode", (long) memory.node()).with("limits", amounts(memory.limits()));
  }

  private static void putRuntime(
      JsonObject.Builder document, AgentSettings.RuntimeSettings runtime) {
    document
        .put("containerRuntimeEndpoint", runtime.endpoint())
        .put("imageServiceEndpoint", runtime.imageEndpoint())
        .put("runtimeRequestTimeout", GoDuration.text(runtime.timeout()))
        .put("serializeImagePulls", runtime.parallelPulls() == 1)
        .put("imageGCHighThresholdPercent", (long) runtime.images().highPercent())
        .put("imageGCLowThresholdPercent", (long) runtime.images().lowPercent())
        .put("imageMinimumGCAge", GoDuration.text(runtime.images().minimumAge()))
        .put("imageMaximumGCAge", GoDuration.text(runtime.images().maximumAge()))
        .put("imagePullCredentialsVerificationPolicy", runtime.verification().policy().text());
    if (!runtime.verification().allowlist().isEmpty()) {
      document.put(
          "preloadedImagesVerificationAllowlist",
          JsonArray.copyOf(runtime.verification().allowlist()));
    }
    if (runtime.parallelPulls() > 1 && runtime.parallelPulls() < Integer.MAX_VALUE) {
      document.put("maxParallelImagePulls", (long) runtime.parallelPulls());
    }
  }

  /** Headers have what others must not know; kubelets show them like this. */
  private static JsonObject masked(Map<String, List<String>> headers) {
    JsonObject.Builder shown = new JsonObject.Builder();
    new TreeMap<>(headers)
        .forEach((name, values) ->
            shown.put(name, JsonArray.copyOf(values.stream().map(_ -> "<masked>").toList())));
    return shown.build();
  }

  private static void putPath(JsonObject.Builder document, String name, Optional<Path> path) {
    path.ifPresent(known -> document.put(name, known.toString()));
  }

  private static JsonObject amounts(ResourceList amounts) {
    JsonObject.Builder shown = new JsonObject.Builder();
    amounts.amounts().forEach((name, amount) -> shown.put(name, amount.toString()));
    return shown.build();
  }

  private static JsonObject texts(Map<String, String> texts) {
    JsonObject.Builder shown = new JsonObject.Builder();
    new TreeMap<>(texts).forEach(shown::put);
    return shown.build();
  }
}
