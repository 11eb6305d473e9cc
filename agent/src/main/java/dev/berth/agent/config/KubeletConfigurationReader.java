package dev.berth.agent.config;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.core.ResourceList;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.quantity.GoDuration;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.policy.pressure.Thresholds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes settings of the fields of a KubeletConfiguration that are honoured. */
final class KubeletConfigurationReader {
  private static final int LAST_PORT = 65_535;

  private final ConfigFields fields;

  KubeletConfigurationReader(ConfigFields fields) {
    this.fields = fields;
  }

  AgentSettings apply(AgentSettings before) {
    return before
        .with(node(before.node()))
        .with(heartbeats(before.heartbeats()))
        .with(new AgentSettings.Reservations(reserved("systemReserved"), reserved("kubeReserved")))
        .with(eviction(before.eviction()))
        .with(pods(before.pods()))
        .with(dns(before.dns()))
        .with(staticPods(before.staticPods()))
        .with(logs(before.logs()))
        .with(port(before.port()))
        .with(
            new AgentSettings.Certificates(
                fields.flag("rotateCertificates", before.certificates().rotates()),
                fields.flag("serverTLSBootstrap", before.certificates().serving())));
  }

  private AgentSettings.Node node(AgentSettings.Node before) {
    List<Taint> taints = fields.has("registerWithTaints") ? taints() : before.taints();
    return new AgentSettings.Node(
        before.name(),
        before.hostname(),
        before.labels(),
        taints,
        before.ips(),
        fields.flag("registerNode", before.registers()),
        before.hasCloudProvider(),
        fields.text("providerID", before.providerId()),
        fields.flag("enableControllerAttachDetach", before.controllerAttaches()),
        (int) fields.inRange("nodeStatusMaxImages", before.mostImages(), -1, Integer.MAX_VALUE),
        before.extendedResources());
  }

  private List<Taint> taints() {
    List<Taint> taints = new ArrayList<>();
    for (ConfigFields each : fields.objects("registerWithTaints")) {
      each.onlyHas(Set.of("key", "value", "effect", "timeAdded"));
      TaintEffect effect = TaintEffect.of(each.text("effect", ""));
      if (each.text("key", "").isEmpty()) {
        each.required("key", "");
      }
      if (effect == TaintEffect.UNKNOWN) {
        each.invalid(
            "effect", each.text("effect", ""), "must be NoSchedule, PreferNoSchedule or NoExecute");
      }
      taints.add(Taint.of(each.text("key", ""), each.text("value", ""), effect));
    }
    return taints;
  }

  private AgentSettings.Heartbeats heartbeats(AgentSettings.Heartbeats before) {
    Duration update = duration("nodeStatusUpdateFrequency", before.statusUpdate());
    boolean followsUpdate =
        fields.has("nodeStatusUpdateFrequency") && !fields.has("nodeStatusReportFrequency");
    Duration report =
        duration("nodeStatusReportFrequency", followsUpdate ? update : before.statusReport());
    long lease =
        fields.inRange(
            "nodeLeaseDurationSeconds", before.leaseDuration().toSeconds(), 1, Integer.MAX_VALUE);
    return new AgentSettings.Heartbeats(update, report, Duration.ofSeconds(lease));
  }

  private ResourceList reserved(String name) {
    SortedMap<String, Quantity> amounts = new TreeMap<>();
    ConfigFields reserved = fields.object(name);
    reserved.onlyHas(
        Set.of(ResourceList.CPU, ResourceList.MEMORY, ResourceList.EPHEMERAL_STORAGE, "pid"));
    texts(reserved)
        .forEach((resource, text) -> {
          try {
            Quantity amount = Quantity.parse(text);
            if (amount.signum() >= 0) {
              amounts.put(resource, amount);
              return;
            }
          } catch (QuantityFormatException e) {
            // Said below.
          }
          reserved.invalid(resource, text, "must be a quantity that is not below zero");
        });
    return new ResourceList(amounts);
  }

  private AgentSettings.Eviction eviction(AgentSettings.Eviction before) {
    Map<String, String> hard = new TreeMap<>();
    boolean merges = fields.flag("mergeDefaultEvictionSettings", false);
    if (merges || !fields.has("evictionHard")) {
      hard.putAll(before.thresholds().hard());
    } else {
      // As upstream: what is not written has no threshold, which is as good as 0%.
      before.thresholds().hard().keySet().forEach(signal -> hard.put(signal, "0%"));
    }
    hard.putAll(texts(fields.object("evictionHard")));
    Thresholds.Written written =
        new Thresholds.Written(
            hard,
            texts(fields.object("evictionSoft")),
            texts(fields.object("evictionSoftGracePeriod")),
            texts(fields.object("evictionMinimumReclaim")));
    try {
      Thresholds.parse(written);
    } catch (IllegalArgumentException e) {
      fields.invalid("evictionHard", "", String.valueOf(e.getMessage()));
      return before;
    }
    return new AgentSettings.Eviction(
        written,
        duration("evictionPressureTransitionPeriod", before.transitionPeriod()),
        Duration.ofSeconds(
            fields.inRange(
                "evictionMaxPodGracePeriod",
                before.longestGrace().toSeconds(),
                0,
                Integer.MAX_VALUE)),
        fields.flag("localStorageCapacityIsolation", before.enforcesStorageLimits()));
  }

  private AgentSettings.Pods pods(AgentSettings.Pods before) {
    long pids = fields.integer("podPidsLimit", before.pidLimit().orElse(-1));
    ConfigFields restarts = fields.object("crashLoopBackOff");
    restarts.onlyHas(Set.of("maxContainerRestartPeriod"));
    ConfigFields swap = fields.object("memorySwap");
    swap.onlyHas(Set.of("swapBehavior"));
    String behavior = swap.text("swapBehavior", "");
    if (!Set.of("", "NoSwap", "LimitedSwap").contains(behavior)) {
      swap.invalid("swapBehavior", behavior, "must be NoSwap or LimitedSwap");
    }
    return new AgentSettings.Pods(
        (int) fields.inRange("maxPods", before.most(), 0, Integer.MAX_VALUE),
        (int) fields.inRange("podsPerCore", before.perCore(), 0, Integer.MAX_VALUE),
        pids < 0 ? OptionalLong.empty() : OptionalLong.of(pids),
        duration("syncFrequency", before.syncFrequency()),
        fields.flag("cpuCFSQuota", before.enforcesCpuLimits()),
        duration("cpuCFSQuotaPeriod", before.cpuPeriod()),
        duration(restarts, "maxContainerRestartPeriod", before.longestRestartDelay()),
        fields.has("allowedUnsafeSysctls")
            ? fields.texts("allowedUnsafeSysctls")
            : before.allowedUnsafeSysctls(),
        fields.flag("seccompDefault", before.seccompByDefault()),
        behavior.isEmpty() ? before.swap() : behavior,
        fields.text("podCIDR", before.cidr()));
  }

  private AgentSettings.Dns dns(AgentSettings.Dns before) {
    return new AgentSettings.Dns(
        fields.has("clusterDNS") ? fields.texts("clusterDNS") : before.servers(),
        fields.text("clusterDomain", before.domain()),
        fields.text("resolvConf", before.resolvConf()));
  }

  private AgentSettings.StaticPods staticPods(AgentSettings.StaticPods before) {
    ConfigFields headers = fields.object("staticPodURLHeader");
    Map<String, List<String>> values = new TreeMap<>(before.urlHeaders());
    headers.tree().names().forEach(name -> values.put(name, headers.texts(name)));
    return new AgentSettings.StaticPods(
        path("staticPodPath").or(before::directory),
        duration("fileCheckFrequency", before.directoryCheck()),
        fields.text("staticPodURL", before.url()),
        values,
        duration("httpCheckFrequency", before.urlCheck()));
  }

  private AgentSettings.Logs logs(AgentSettings.Logs before) {
    String size = fields.text("containerLogMaxSize", "");
    long bytes = before.fileBytes();
    if (!size.isEmpty()) {
      try {
        bytes = Quantity.parse(size).value();
      } catch (QuantityFormatException e) {
        fields.invalid("containerLogMaxSize", size, "must be a quantity such as 10Mi");
      }
      if (bytes <= 0) {
        fields.invalid("containerLogMaxSize", size, "must be above zero");
      }
    }
    return new AgentSettings.Logs(
        path("podLogsDir").orElse(before.directory()),
        bytes,
        (int) fields.inRange("containerLogMaxFiles", before.files(), 2, Integer.MAX_VALUE));
  }

  private AgentSettings.Port port(AgentSettings.Port before) {
    ConfigFields authentication = fields.object("authentication");
    authentication.onlyHas(Set.of("x509", "webhook", "anonymous"));
    ConfigFields x509 = authentication.object("x509");
    x509.onlyHas(Set.of("clientCAFile"));
    ConfigFields webhook = authentication.object("webhook");
    webhook.onlyHas(Set.of("enabled", "cacheTTL"));
    only(webhook, "enabled", true, "tokens are checked by the API server");
    ConfigFields anonymous = authentication.object("anonymous");
    anonymous.onlyHas(Set.of("enabled"));
    only(anonymous, "enabled", false, "nothing is served to whoever is not authenticated");
    ConfigFields authorization = fields.object("authorization");
    authorization.onlyHas(Set.of("mode", "webhook"));
    if (!authorization.text("mode", "Webhook").equals("Webhook")) {
      authorization.invalid(
          "mode", authorization.text("mode", ""), "must be Webhook: the API server decides");
    }
    ConfigFields answers = authorization.object("webhook");
    answers.onlyHas(Set.of("cacheAuthorizedTTL", "cacheUnauthorizedTTL"));
    String caFile = x509.text("clientCAFile", "");
    return new AgentSettings.Port(
        fields.text("address", before.address()),
        (int) fields.inRange("port", before.number(), 0, LAST_PORT),
        path("tlsCertFile").or(before::certificateFile),
        path("tlsPrivateKeyFile").or(before::keyFile),
        caFile.isEmpty() ? before.clientCaFile() : Optional.of(Path.of(caFile)),
        duration(webhook, "cacheTTL", before.authenticatedTtl()),
        duration(answers, "cacheAuthorizedTTL", before.authorizedTtl()),
        duration(answers, "cacheUnauthorizedTTL", before.unauthorizedTtl()),
        fields.flag("enableDebuggingHandlers", before.debugging()),
        duration("streamingConnectionIdleTimeout", before.streamIdle()));
  }

  private static void only(ConfigFields object, String name, boolean value, String why) {
    if (object.flag(name, value) != value) {
      object.invalid(name, !value, "must be " + value + ": " + why);
    }
  }

  private Optional<Path> path(String name) {
    String text = fields.text(name, "");
    return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
  }

  private Duration duration(String name, Duration otherwise) {
    return duration(fields, name, otherwise);
  }

  /** Zero is as good as nothing, as upstream has it. */
  private static Duration duration(ConfigFields object, String name, Duration otherwise) {
    String text = object.text(name, "");
    if (text.isEmpty() || text.equals("0")) {
      return otherwise;
    }
    Duration duration = GoDuration.parse(text);
    if (duration == null) {
      object.invalid(name, text, "must be a duration such as 40s, 1m30s or 500ms");
      return otherwise;
    }
    return duration.isZero() ? otherwise : duration;
  }

  private static Map<String, String> texts(ConfigFields object) {
    Map<String, String> texts = new TreeMap<>();
    object.tree().names().forEach(name -> texts.put(name, object.text(name, "")));
    return texts;
  }
}
