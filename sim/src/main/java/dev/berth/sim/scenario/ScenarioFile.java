package dev.berth.sim.scenario;

import dev.berth.model.config.ConfigException;
import dev.berth.model.config.ConfigFields;
import dev.berth.model.config.ConfigFile;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.snapshot.SnapshotCluster;
import dev.berth.sim.snapshot.SnapshotFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads a scenario file. Whatever is wrong with it is said at once, field by field. */
public final class ScenarioFile {
  private static final Set<String> FIELDS =
      Set.of(
          "name", "description", "duration", "seed", "cluster", "settings", "timeline", "expect");
  private static final Set<String> NODE_FIELDS =
      Set.of(
          "name",
          "count",
          "zones",
          "cpu",
          "memory",
          "ephemeralStorage",
          "pods",
          "resources",
          "labels",
          "taints");
  private static final Duration LONGEST = Duration.ofDays(400);
  private static final int MOST_NODES = 200_000;

  private final Path file;
  private final Path directory;
  private final Optional<SnapshotCluster> given;
  private final List<FieldError> errors = new ArrayList<>();
  private final Set<String> groupNames = new HashSet<>();

  private ScenarioFile(Path file, Optional<SnapshotCluster> given) {
    this.file = file;
    this.given = given;
    Path parent = file.toAbsolutePath().getParent();
    this.directory = parent == null ? Path.of(".") : parent;
  }

  /**
   * Reads a file.
   *
   * @param changes what is different from what the file says, by path, such as {@code
   *     settings.node-eviction-rate} or {@code cluster.workloads.web.replicas}
   * @throws ConfigException if it cannot be used; the message says why
   */
  public static Scenario read(Path file, Map<String, String> changes) {
    return new ScenarioFile(file, Optional.empty()).read(changes);
  }

  /**
   * Reads a file of what happens to a cluster that was seen.
   *
   * @param changes as above
   * @throws ConfigException if it cannot be used, or begins with a snapshot of its own
   */
  public static Scenario read(Path file, Map<String, String> changes, SnapshotCluster snapshot) {
    return new ScenarioFile(file, Optional.of(snapshot)).read(changes);
  }

  private Scenario read(Map<String, String> changes) {
    JsonObject tree =
        ConfigFile.tree(
            file,
            twice -> {
              throw new ConfigException(file + ": " + twice);
            });
    return scenario(ScenarioChanges.apply(tree, changes));
  }

  private Scenario scenario(JsonObject tree) {
    ConfigFields fields = new ConfigFields(tree, FieldPath.ROOT, errors);
    fields.onlyHas(FIELDS);
    Optional<Duration> duration = Values.duration(fields, "duration");
    if (!fields.has("duration")) {
      fields.required("duration", "how long to simulate, such as 40m");
    }
    if (duration.filter(span -> span.isZero() || span.compareTo(LONGEST) > 0).isPresent()) {
      fields.invalid("duration", Spans.text(duration.get()), "must be between 1ms and 400 days");
    }
    ConfigFields cluster = fields.object("cluster");
    cluster.onlyHas(Set.of("snapshot", "nodes", "workloads", "manifests"));
    Optional<SnapshotCluster> snapshot = snapshot(cluster);
    List<NodeGroup> groups = cluster.objects("nodes").stream().map(this::group).toList();
    if (groups.isEmpty() && snapshot.isEmpty()) {
      cluster.required("nodes", "a cluster needs at least one group of nodes, or a snapshot");
    }
    List<Workload> workloads =
        cluster.objects("workloads").stream().map(each -> new WorkloadReader(each).read()).toList();
    List<JsonObject> objects = new ArrayList<>();
    for (String place : Values.words(cluster, "manifests")) {
      objects.addAll(Manifests.read(directory.resolve(place)));
    }
    Map<String, String> settings = new TreeMap<>();
    snapshot.ifPresent(found -> settings.putAll(found.settings()));
    Values.texts(fields.object("settings"))
        .forEach((name, value) -> settings.put(name, String.valueOf(value)));
    List<TimelineEntry> timeline = new ArrayList<>();
    List<ConfigFields> entries = fields.objects("timeline");
    for (ConfigFields entry : entries) {
      new ActionReader(entry, directory).read().ifPresent(timeline::add);
    }
    List<Expectation> expectations = new ArrayList<>();
    List<ConfigFields> expect = fields.objects("expect");
    for (ConfigFields entry : expect) {
      expectations.addAll(new ExpectationReader(entry).read());
    }
    Scenario scenario =
        new Scenario(
            fields.text("name", nameOfFile()),
            fields.text("description", ""),
            duration.orElse(Duration.ZERO),
            fields.integer("seed", 1),
            snapshot,
            groups,
            objects,
            workloads,
            settings,
            timeline,
            expectations);
    if (errors.isEmpty()) {
      ScenarioReferences.check(scenario, entries, expect);
    }
    if (!errors.isEmpty()) {
      throw ConfigFile.invalid(file, "scenario", errors);
    }
    return scenario;
  }

  private String nameOfFile() {
    return String.valueOf(file.getFileName()).replaceFirst("\\.(?:yaml|yml|json)$", "");
  }

  private Optional<SnapshotCluster> snapshot(ConfigFields cluster) {
    String name = cluster.text("snapshot", "");
    if (name.isEmpty()) {
      return given;
    }
    if (given.isPresent()) {
      cluster.invalid("snapshot", name, "must not be there: the cluster to begin with is given");
      return given;
    }
    return Optional.of(SnapshotCluster.of(SnapshotFile.read(directory.resolve(name))));
  }

  private NodeGroup group(ConfigFields fields) {
    fields.onlyHas(NODE_FIELDS);
    String name = fields.text("name", "node");
    NameRules.dns1123Label(name).forEach(problem -> fields.invalid("name", name, problem));
    if (!groupNames.add(name)) {
      fields.invalid("name", name, "must be different from the names of other groups");
    }
    JsonObject amounts =
        new JsonObject.Builder()
            .put("cpu", Values.amount(fields, "cpu").orElse("4"))
            .put("memory", Values.amount(fields, "memory").orElse("16Gi"))
            .put("ephemeral-storage", Values.amount(fields, "ephemeralStorage").orElse("100Gi"))
            .put("pods", Values.amount(fields, "pods").orElse("110"))
            .build();
    JsonObject further = Values.amounts(fields.object("resources"));
    return new NodeGroup(
        name,
        (int) fields.inRange("count", 1, 1, MOST_NODES),
        zones(fields),
        amounts.withMissing(further),
        Values.labels(fields.object("labels")),
        Values.taints(fields, "taints"));
  }

  /** Zones are values of a label. */
  private static List<String> zones(ConfigFields fields) {
    List<String> zones = List.copyOf(Values.words(fields, "zones"));
    for (String zone : zones) {
      NameRules.labelValue(zone).forEach(problem -> fields.invalid("zones", zone, problem));
    }
    return zones;
  }
}
