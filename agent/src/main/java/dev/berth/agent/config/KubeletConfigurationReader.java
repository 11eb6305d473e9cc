package dev.berth.agent.config;

import dev.berth.agent.config.AgentSettings.SystemLogs;
import dev.berth.agent.runtime.remote.RuntimeEndpoint;
import dev.berth.model.config.ConfigException;
import dev.berth.model.config.ConfigFields;
import dev.berth.model.core.ResourceList;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.quantity.GoDuration;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.resource.FieldError;
import dev.berth.policy.image.ImageGarbage;
import dev.berth.policy.pressure.Thresholds;
import dev.berth.policy.shutdown.ShutdownPeriods;
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
  private static final Duration LEAST_PERIOD = Duration.ofMillis(1);
  private static final Duration MOST_PERIOD = Duration.ofSeconds(1);

  private static final Duration LEAST_RESTART_PERIOD = Duration.ofSeconds(1);
  private static final Duration MOST_RESTART_PERIOD = Duration.ofSeconds(300);

  private final ConfigFields fields;
  private final KubeletGates gates;

  KubeletConfigurationReader(ConfigFields fields, KubeletGates gates) {
    this.fields = fields;
    this.gates = gates;
  }

  AgentSettings apply(AgentSettings before) {
    AgentSettings.Pods pods = pods(before.pods());
    return before
        .with(node(before.node()))
        .with(heartbeats(before.heartbeats()))
        .with(
            ManagerFields.reserving(
                new AgentSettings.Reservations(
                    reserved("systemReserved"), reserved("kubeReserved")),
                pods.managers().reservedCpus()))
        .with(eviction(before.eviction()))
        .with(pods)
        .with(dns(before.dns()))
        .with(staticPods(before.staticPods()))
        .with(logs(before.logs()))
        .with(port(before.port()))
        .with(runtime(before.runtime()))
        .with(certificates(before.certificates()));
  }

  private AgentSettings.Certificates certificates(AgentSettings.Certificates before) {
    boolean serving = fields.flag("serverTLSBootstrap", before.serving());
    needs(
        KubeletGates.SERVING_CERTIFICATES,
        "serverTLSBootstrap",
        serving && fields.has("serverTLSBootstrap"));
    return new AgentSettings.Certificates(
        fields.flag("rotateCertificates", before.rotates()), serving);
  }

  /** Refuses a field that is used while the feature gate is off that guards it. */
  private void needs(String gate, String name, boolean isUsed) {
    if (isUsed && !gates.isOn(gate)) {
      fields.error(FieldError.forbidden(fields.path(name), "requires feature gate " + gate));
    }
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
    needs(
        KubeletGates.RESTART_PERIOD, "crashLoopBackOff", restarts.has("maxContainerRestartPeriod"));
    Duration cpuPeriod = duration("cpuCFSQuotaPeriod", before.cpuPeriod());
    needs(KubeletGates.QUOTA_PERIOD, "cpuCFSQuotaPeriod", !cpuPeriod.equals(before.cpuPeriod()));
    if (cpuPeriod.compareTo(LEAST_PERIOD) < 0 || cpuPeriod.compareTo(MOST_PERIOD) > 0) {
      fields.invalid(
          "cpuCFSQuotaPeriod",
          fields.text("cpuCFSQuotaPeriod", ""),
          "must be between 1ms and 1sec, inclusive");
    }
    ConfigFields swap = fields.object("memorySwap");
    swap.onlyHas(Set.of("swapBehavior"));
    String behavior = swap.text("swapBehavior", "");
    if (!Set.of("", "NoSwap", "LimitedSwap", "UnlimitedSwap").contains(behavior)) {
      swap.invalid(
          "swapBehavior",
          behavior,
          "must be one of: \"\", \"NoSwap\", \"LimitedSwap\" or \"UnlimitedSwap\"");
    }
    return new AgentSettings.Pods(
        (int) fields.inRange("maxPods", before.most(), 0, Integer.MAX_VALUE),
        (int) fields.inRange("podsPerCore", before.perCore(), 0, Integer.MAX_VALUE),
        pids < 0 ? OptionalLong.empty() : OptionalLong.of(pids),
        duration("syncFrequency", before.syncFrequency()),
        fields.flag("cpuCFSQuota", before.enforcesCpuLimits()),
        cpuPeriod,
        restartPeriod(restarts, before.longestRestartDelay()),
        fields.has("allowedUnsafeSysctls")
            ? fields.texts("allowedUnsafeSysctls")
            : before.allowedUnsafeSysctls(),
        fields.flag("seccompDefault", before.seccompByDefault()),
        behavior.isEmpty() ? before.swap() : behavior,
        fields.text("podCIDR", before.cidr()),
        shutdown(before.shutdown()),
        fields.flag("failSwapOn", before.failsWithSwap()),
        fields.has("singleProcessOOMKill")
            ? Optional.of(fields.flag("singleProcessOOMKill", false))
            : before.killsSingly(),
        new ManagerFields(fields, gates).read(before.managers()));
  }

  private static Duration restartPeriod(ConfigFields restarts, Duration otherwise) {
    String name = "maxContainerRestartPeriod";
    Duration period = duration(restarts, name, otherwise);
    if (period.compareTo(LEAST_RESTART_PERIOD) < 0 || period.compareTo(MOST_RESTART_PERIOD) > 0) {
      restarts.invalid(name, restarts.text(name, ""), "must be between 1s and 300s, inclusive");
    }
    return period;
  }

  private ShutdownPeriods shutdown(ShutdownPeriods before) {
    Duration total = duration("shutdownGracePeriod", Duration.ZERO);
    Duration critical = duration("shutdownGracePeriodCriticalPods", Duration.ZERO);
    if (critical.compareTo(total) > 0) {
      fields.invalid(
          "shutdownGracePeriodCriticalPods",
          fields.text("shutdownGracePeriodCriticalPods", ""),
          "must be <= shutdownGracePeriod " + fields.text("shutdownGracePeriod", "0s"));
    }
    needs(
        KubeletGates.SHUTDOWN, "shutdownGracePeriod", total.isPositive() || critical.isPositive());
    aSecondOrMore("shutdownGracePeriod", total);
    aSecondOrMore("shutdownGracePeriodCriticalPods", critical);
    List<ShutdownPeriods.Period> periods = new ArrayList<>();
    for (ConfigFields each : fields.objects("shutdownGracePeriodByPodPriority")) {
      each.onlyHas(Set.of("priority", "shutdownGracePeriodSeconds"));
      periods.add(
          new ShutdownPeriods.Period(
              (int) each.inRange("priority", 0, Integer.MIN_VALUE, Integer.MAX_VALUE),
              Duration.ofSeconds(
                  each.inRange("shutdownGracePeriodSeconds", 0, 0, Integer.MAX_VALUE))));
    }
    needs(
        KubeletGates.SHUTDOWN_BY_PRIORITY, "shutdownGracePeriodByPodPriority", !periods.isEmpty());
    if (!periods.isEmpty() && !(total.isZero() && critical.isZero())) {
      fields.error(
          FieldError.forbidden(
              fields.path("shutdownGracePeriodByPodPriority"),
              "Cannot specify both shutdownGracePeriodByPodPriority and shutdownGracePeriod at the"
                  + " same time"));
    }
    boolean isSaid = !(periods.isEmpty() && total.isZero() && critical.isZero());
    if (!isSaid) {
      return before;
    }
    return periods.isEmpty() ? ShutdownPeriods.of(total, critical) : new ShutdownPeriods(periods);
  }

  private void aSecondOrMore(String name, Duration duration) {
    if (duration.isPositive() && duration.compareTo(Duration.ofSeconds(1)) < 0) {
      fields.invalid(name, fields.text(name, ""), "must be either zero or otherwise >= 1 sec");
    }
  }

  private AgentSettings.Dns dns(AgentSettings.Dns before) {
    return new AgentSettings.Dns(
        fields.has("clusterDNS") ? fields.texts("clusterDNS") : before.servers(),
        fields.text("clusterDomain", before.domain()),
        fields.text("resolvConf", before.resolvConf()),
        before.own());
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

  private AgentSettings.RuntimeSettings runtime(AgentSettings.RuntimeSettings before) {
    int high = percent("imageGCHighThresholdPercent", before.images().highPercent());
    int low = percent("imageGCLowThresholdPercent", before.images().lowPercent());
    if (low >= high) {
      fields.invalid(
          "imageGCLowThresholdPercent",
          (long) low,
          "must be less than imageGCHighThresholdPercent");
    }
    Duration youngest = duration("imageMinimumGCAge", before.images().minimumAge());
    Duration oldest = duration("imageMaximumGCAge", before.images().maximumAge());
    if (!oldest.isZero() && oldest.compareTo(youngest) <= 0) {
      fields.invalid(
          "imageMaximumGCAge", GoDuration.text(oldest), "must be greater than imageMinimumGCAge");
    }
    boolean inTurn = fields.flag("serializeImagePulls", before.parallelPulls() == 1);
    int most = inTurn ? 1 : Integer.MAX_VALUE;
    int pulls = (int) fields.inRange("maxParallelImagePulls", most, 1, Integer.MAX_VALUE);
    if (inTurn && pulls > 1) {
      fields.invalid(
          "maxParallelImagePulls",
          (long) pulls,
          "cannot be larger than 1 unless serializeImagePulls is false");
    }
    return new AgentSettings.RuntimeSettings(
        endpoint("containerRuntimeEndpoint", before.endpoint()),
        endpoint("imageServiceEndpoint", before.imageEndpoint()),
        duration("runtimeRequestTimeout", before.timeout()),
        pulls,
        new ImageGarbage.Settings(high, low, youngest, oldest),
        new VerificationFields(fields, gates).read(before.verification()));
  }

  private int percent(String name, int otherwise) {
    return (int) fields.inRange(name, otherwise, 0, 100);
  }

  private String endpoint(String name, String otherwise) {
    String endpoint = fields.text(name, otherwise);
    if (!endpoint.isEmpty()) {
      try {
        RuntimeEndpoint.socket(endpoint);
      } catch (ConfigException e) {
        fields.invalid(name, endpoint, String.valueOf(e.getMessage()));
      }
    }
    return endpoint;
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
        systemLogs(before.systemLogs()));
  }

  private SystemLogs systemLogs(SystemLogs before) {
    boolean isServed = fields.flag("enableSystemLogHandler", before != SystemLogs.NONE);
    boolean isQueried =
        fields.flag("enableSystemLogQuery", before == SystemLogs.FILES_AND_QUERIES && isServed);
    if (isQueried && !isServed) {
      fields.invalid("enableSystemLogQuery", true, "needs enableSystemLogHandler: true");
    }
    if (!isServed) {
      return SystemLogs.NONE;
    }
    return isQueried ? SystemLogs.FILES_AND_QUERIES : SystemLogs.FILES;
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
