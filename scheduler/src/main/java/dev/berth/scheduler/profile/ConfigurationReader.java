package dev.berth.scheduler.profile;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.quantity.GoDuration;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;

/**
 * Reads a KubeSchedulerConfiguration of {@code kubescheduler.config.k8s.io/v1}. Everything that is
 * wrong with it is reported at once.
 */
public final class ConfigurationReader {
  static final String API_VERSION = "kubescheduler.config.k8s.io/v1";
  private static final String KIND = "KubeSchedulerConfiguration";
  private static final String DEFAULT_SCHEDULER = "default-scheduler";

  private static final Set<String> FIELDS =
      Set.of(
          "apiVersion",
          "kind",
          "clientConnection",
          "delayCacheUntilActive",
          "enableContentionProfiling",
          "enableProfiling",
          "extenders",
          "leaderElection",
          "parallelism",
          "percentageOfNodesToScore",
          "podInitialBackoffSeconds",
          "podMaxBackoffSeconds",
          "profiles");

  private final List<FieldError> errors = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private ConfigurationReader() {}

  /** What came of reading a configuration. */
  public sealed interface Result {
    record Valid(SchedulerConfiguration configuration) implements Result {}

    /** All that is wrong; never empty. */
    record Invalid(List<FieldError> errors) implements Result {
      public Invalid {
        errors = List.copyOf(errors);
      }
    }
  }

  public static Result read(JsonObject tree) {
    ConfigurationReader reader = new ConfigurationReader();
    SchedulerConfiguration configuration =
        reader.configuration(new ConfigFields(tree, FieldPath.ROOT, reader.errors));
    return reader.errors.isEmpty()
        ? new Result.Valid(configuration)
        : new Result.Invalid(reader.errors);
  }

  /** The configuration of whoever has no file: one profile with all defaults. */
  public static SchedulerConfiguration defaults() {
    return switch (read(JsonObject.of("apiVersion", API_VERSION).with("kind", KIND))) {
      case Result.Valid(SchedulerConfiguration configuration) -> configuration;
      case Result.Invalid(List<FieldError> errors) ->
          throw new IllegalStateException(FieldError.join(errors));
    };
  }

  private SchedulerConfiguration configuration(ConfigFields file) {
    file.expect("apiVersion", List.of(API_VERSION));
    file.expect("kind", List.of(KIND));
    file.onlyHas(FIELDS);
    long parallelism = file.integer("parallelism", 16);
    if (parallelism <= 0) {
      file.invalid("parallelism", parallelism, "should be an integer value greater than zero");
    }
    percentage(file);
    if (!file.array("extenders").isEmpty()) {
      errors.add(FieldError.forbidden("extenders", "extenders are not supported"));
    }
    long initial = file.integer("podInitialBackoffSeconds", 1);
    long max = file.integer("podMaxBackoffSeconds", 10);
    if (initial <= 0) {
      file.invalid("podInitialBackoffSeconds", initial, "must be greater than 0");
    }
    if (max < initial) {
      file.invalid(
          "podMaxBackoffSeconds", max, "must be greater than or equal to PodInitialBackoffSeconds");
    }
    return new SchedulerConfiguration(
        profiles(file),
        Duration.ofSeconds(initial),
        Duration.ofSeconds(max),
        leaderElection(file.object("leaderElection")),
        file.object("clientConnection").text("kubeconfig", ""),
        FeatureGates.DEFAULT,
        notes);
  }

  private void percentage(ConfigFields owner) {
    if (owner.has("percentageOfNodesToScore")) {
      long percentage = owner.integer("percentageOfNodesToScore", 0);
      if (percentage < 0 || percentage > 100) {
        owner.invalid("percentageOfNodesToScore", percentage, "not in valid range [0-100]");
      } else if (percentage != 100) {
        notes.add(owner.path("percentageOfNodesToScore") + " has no effect: all nodes are scored");
      }
    }
  }

  private List<ProfileSettings> profiles(ConfigFields file) {
    List<ConfigFields> given = new ArrayList<>(file.objects("profiles"));
    if (given.isEmpty()) {
      given.add(new ConfigFields(JsonObject.EMPTY, FieldPath.of("profiles").index(0), errors));
    }
    List<ProfileSettings> profiles = new ArrayList<>();
    Map<String, Integer> names = new HashMap<>();
    for (int i = 0; i < given.size(); i++) {
      ConfigFields profile = given.get(i);
      profile.onlyHas(
          Set.of("schedulerName", "plugins", "pluginConfig", "percentageOfNodesToScore"));
      String name = profile.text("schedulerName", given.size() == 1 ? DEFAULT_SCHEDULER : "");
      if (name.isEmpty()) {
        errors.add(
            FieldError.required(
                profile.path("schedulerName"), "each of several profiles has a name"));
      } else if (names.putIfAbsent(name, i) != null) {
        errors.add(FieldError.duplicate(profile.path("schedulerName"), name));
      }
      percentage(profile);
      profiles.add(profile(name, profile));
    }
    return profiles;
  }

  private void noteWhatHasNoEffect(
      ConfigFields profile, Map<ExtensionPoint, SequencedMap<String, Integer>> points) {
    if (!at(points, ExtensionPoint.PRE_ENQUEUE)
        .containsKey(BuiltInPlugins.SCHEDULING_GATES.name())) {
      notes.add(
          profile.path("plugins")
              + ": SchedulingGates stays on, since no server binds a pod that has gates");
    }
    for (JsonObject config : profile.tree().array("pluginConfig").objects()) {
      if (config.text("name", "").equals(BuiltInPlugins.DEFAULT_PREEMPTION.name())) {
        notes.add(
            profile.path("pluginConfig")
                + ": the arguments of DefaultPreemption have no effect, since all nodes are"
                + " considered");
      }
    }
  }

  private ProfileSettings profile(String name, ConfigFields profile) {
    Map<ExtensionPoint, SequencedMap<String, Integer>> points =
        PluginSets.read(profile.object("plugins"));
    needs(profile, points, ExtensionPoint.QUEUE_SORT, BuiltInPlugins.PRIORITY_SORT.name());
    needs(profile, points, ExtensionPoint.BIND, BuiltInPlugins.DEFAULT_BINDER.name());
    SequencedMap<String, Integer> filters = at(points, ExtensionPoint.FILTER);
    for (String plugin : filters.sequencedKeySet()) {
      boolean looksFirst =
          PluginRegistry.find(plugin)
              .filter(known -> known.points().contains(ExtensionPoint.PRE_FILTER))
              .isPresent();
      if (looksFirst && !at(points, ExtensionPoint.PRE_FILTER).containsKey(plugin)) {
        notes.add(
            profile.path("plugins")
                + ".preFilter has no effect on "
                + plugin
                + ", which is still enabled at filter");
      }
    }
    noteWhatHasNoEffect(profile, points);
    return new ProfileSettings(
        name,
        List.copyOf(filters.sequencedKeySet()),
        at(points, ExtensionPoint.SCORE),
        at(points, ExtensionPoint.POST_FILTER)
            .containsKey(BuiltInPlugins.DEFAULT_PREEMPTION.name()),
        PluginConfig.read(profile));
  }

  private static SequencedMap<String, Integer> at(
      Map<ExtensionPoint, SequencedMap<String, Integer>> points, ExtensionPoint point) {
    return Objects.requireNonNull(points.get(point));
  }

  private void needs(
      ConfigFields profile,
      Map<ExtensionPoint, SequencedMap<String, Integer>> points,
      ExtensionPoint point,
      String plugin) {
    if (!at(points, point).containsKey(plugin)) {
      errors.add(
          FieldError.required(
              profile.path("plugins") + "." + point.field(), plugin + " is the only one there is"));
    }
  }

  private LeaderElectionSettings leaderElection(ConfigFields fields) {
    fields.onlyHas(
        Set.of(
            "leaderElect",
            "leaseDuration",
            "renewDeadline",
            "retryPeriod",
            "resourceLock",
            "resourceNamespace",
            "resourceName"));
    LeaderElectionSettings defaults = LeaderElectionSettings.DEFAULT;
    LeaderElectionSettings read =
        new LeaderElectionSettings(
            fields.flag("leaderElect", defaults.leaderElect()),
            duration(fields, "leaseDuration", defaults.leaseDuration()),
            duration(fields, "renewDeadline", defaults.renewDeadline()),
            duration(fields, "retryPeriod", defaults.retryPeriod()),
            fields.text("resourceNamespace", defaults.resourceNamespace()),
            fields.text("resourceName", defaults.resourceName()));
    String lock = fields.text("resourceLock", "leases");
    if (!lock.equals("leases")) {
      fields.invalid("resourceLock", lock, "resourceLock value must be \"leases\"");
    }
    if (read.leaderElect() && read.leaseDuration().compareTo(read.renewDeadline()) <= 0) {
      fields.invalid(
          "leaseDuration",
          fields.text("leaseDuration", read.leaseDuration().toSeconds() + "s"),
          "LeaseDuration must be greater than RenewDeadline");
    }
    if (read.leaderElect() && read.renewDeadline().compareTo(read.retryPeriod()) <= 0) {
      fields.invalid(
          "renewDeadline",
          fields.text("renewDeadline", read.renewDeadline().toSeconds() + "s"),
          "RenewDeadline must be greater than RetryPeriod");
    }
    return read;
  }

  private static Duration duration(ConfigFields fields, String name, Duration whenAbsent) {
    String text = fields.text(name, "");
    if (text.isEmpty()) {
      return whenAbsent;
    }
    Duration read = GoDuration.parse(text);
    if (read == null || read.isNegative() || read.isZero()) {
      fields.invalid(name, text, "must be a duration greater than zero, such as 15s or 1m30s");
      return whenAbsent;
    }
    return read;
  }
}
