package dev.berth.sim.scenario;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads an entry of a scenario's timeline: when, and what happens then. */
final class ActionReader {
  private static final Set<String> WHEN = Set.of("at", "every", "until", "chance");
  private static final List<String> VERBS =
      List.of(
          "silence",
          "kill",
          "restore",
          "flap",
          "pressure",
          "taint",
          "untaint",
          "cordon",
          "uncordon",
          "drain",
          "apply",
          "scale",
          "restart",
          "partition",
          "heal");
  private static final Set<String> CHOICE =
      Set.of(
          "node", "nodes", "zone", "zones", "group", "groups", "labels", "count", "percent", "all");
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final int MANY = 1_000_000;

  private final ConfigFields entry;
  private final Path directory;

  ActionReader(ConfigFields entry, Path directory) {
    this.entry = entry;
    this.directory = directory;
  }

  Optional<TimelineEntry> read() {
    Set<String> known = new LinkedHashSet<>(VERBS);
    known.addAll(WHEN);
    entry.onlyHas(known);
    List<String> verbs = VERBS.stream().filter(entry.tree()::has).toList();
    if (verbs.size() != 1) {
      entry.required(
          verbs.isEmpty() ? "silence" : verbs.get(1),
          "an entry says one thing that happens: " + String.join(", ", VERBS));
      return Optional.empty();
    }
    Optional<Duration> every = Values.duration(entry, "every");
    Optional<Duration> at = Values.duration(entry, "at").or(() -> every);
    if (at.isEmpty()) {
      entry.required("at", "an entry says when it happens: at, every or both");
    }
    if (every.filter(span -> span.compareTo(SHORTEST) < 0).isPresent()) {
      entry.invalid("every", Spans.text(every.get()), "must be at least 1s");
      return Optional.empty();
    }
    double chance = Values.number(entry, "chance", 1, 0, 1);
    Duration first = at.orElse(Duration.ZERO);
    Optional<Duration> until = until(first, every.isPresent());
    return action(verbs.getFirst())
        .map(action -> new TimelineEntry(first, every, until, chance, action));
  }

  private Optional<Duration> until(Duration first, boolean isRepeated) {
    Optional<Duration> until = Values.duration(entry, "until");
    if (until.isPresent() && !isRepeated) {
      entry.required("every", "what happens once has no until");
    } else if (until.filter(end -> end.compareTo(first) < 0).isPresent()) {
      entry.invalid(
          "until",
          Spans.text(until.get()),
          "must not be before it happens first, at " + Spans.text(first));
    }
    return until;
  }

  private Optional<ScenarioAction> action(String verb) {
    return switch (verb) {
      case "silence" -> {
        ConfigFields on = about(verb, Set.of("for"));
        yield Optional.of(new ScenarioAction.Silence(nodes(on), Values.duration(on, "for")));
      }
      case "kill" -> {
        ConfigFields on = about(verb, Set.of("for"));
        yield Optional.of(new ScenarioAction.Kill(nodes(on), Values.duration(on, "for")));
      }
      case "restore" -> Optional.of(new ScenarioAction.Restore(nodes(about(verb, Set.of()))));
      case "flap" -> Optional.of(flap());
      case "pressure" -> Optional.of(pressure());
      case "taint", "untaint" -> taint(verb);
      case "cordon", "uncordon" ->
          Optional.of(
              new ScenarioAction.Cordon(nodes(about(verb, Set.of())), verb.equals("cordon")));
      case "drain" -> Optional.of(drain());
      case "apply" -> Optional.of(apply());
      case "scale" -> Optional.of(scale());
      case "restart" -> Optional.of(new ScenarioAction.Restart(components(entry, verb)));
      case "partition" -> Optional.of(partition());
      default -> Optional.of(heal());
    };
  }

  /** What a verb is about: an object, or in short the name of a node, or {@code all}. */
  private ConfigFields about(String verb, Set<String> further) {
    Optional<String> name = Values.scalar(entry.tree().get(verb));
    if (name.isPresent()) {
      JsonObject whole =
          name.get().equals("all") ? JsonObject.of("all", true) : JsonObject.of("node", name.get());
      return entry.inside(verb, whole);
    }
    ConfigFields fields = entry.object(verb);
    Set<String> known = new LinkedHashSet<>(CHOICE);
    known.addAll(further);
    fields.onlyHas(known);
    return fields;
  }

  private static NodeChoice nodes(ConfigFields fields) {
    Set<String> names = both(fields, "node", "nodes");
    Set<String> zones = both(fields, "zone", "zones");
    Set<String> groups = both(fields, "group", "groups");
    boolean some = fields.has("count") || fields.has("percent");
    if (names.isEmpty()
        && zones.isEmpty()
        && groups.isEmpty()
        && !fields.has("labels")
        && !some
        && !fields.flag("all", false)) {
      fields.required(
          "zone", "say which nodes: node, zone, group, labels, count, percent or all: true");
    }
    return new NodeChoice(
        names,
        zones,
        groups,
        labels(fields),
        fields.has("count")
            ? OptionalInt.of((int) fields.inRange("count", 1, 1, MANY))
            : OptionalInt.empty(),
        fields.has("percent") ? OptionalDouble.of(percent(fields)) : OptionalDouble.empty());
  }

  private static double percent(ConfigFields fields) {
    double percent = Values.number(fields, "percent", 1, 0, 100);
    if (percent == 0) {
      fields.invalid("percent", "0", "must be more than 0");
    }
    return percent;
  }

  private static Set<String> both(ConfigFields fields, String one, String several) {
    Set<String> all = Values.words(fields, one);
    all.addAll(Values.words(fields, several));
    return all;
  }

  /** A selector as text, or labels with their values. */
  private static Optional<LabelSelector> labels(ConfigFields fields) {
    if (!fields.has("labels")) {
      return Optional.empty();
    }
    if (fields.tree().get("labels") instanceof JsonObject) {
      return Optional.of(LabelSelector.ofLabels(Values.texts(fields.object("labels"))));
    }
    try {
      return Optional.of(LabelSelector.parse(fields.text("labels", "")));
    } catch (SelectorException e) {
      fields.invalid("labels", fields.text("labels", ""), String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private ScenarioAction flap() {
    ConfigFields on = about("flap", Set.of("down", "up", "times"));
    return new ScenarioAction.Flap(
        nodes(on), spell(on, "down"), spell(on, "up"), (int) on.inRange("times", 3, 1, MANY));
  }

  private static Duration spell(ConfigFields on, String name) {
    Duration span = Values.duration(on, name).orElse(Duration.ofMinutes(1));
    if (span.compareTo(SHORTEST) < 0) {
      on.invalid(name, Spans.text(span), "must be at least 1s");
    }
    return span;
  }

  private ScenarioAction pressure() {
    ConfigFields on = about("pressure", Set.of("type", "missing", "for"));
    List<String> conditions = new ArrayList<>();
    for (String type : on.has("type") ? Values.words(on, "type") : Set.of("memory")) {
      switch (type) {
        case "memory" -> conditions.add("MemoryPressure");
        case "disk" -> conditions.add("DiskPressure");
        case "pid" -> conditions.add("PIDPressure");
        case "network" -> conditions.add("NetworkUnavailable");
        default -> on.invalid("type", type, "must be memory, disk, pid or network");
      }
    }
    Optional<String> missing = Values.amount(on, "missing");
    if (missing.isPresent() && !conditions.contains("MemoryPressure")) {
      on.invalid("missing", missing.get(), "is about memory; say type: memory");
    }
    return new ScenarioAction.Pressure(nodes(on), conditions, missing, Values.duration(on, "for"));
  }

  private Optional<ScenarioAction> taint(String verb) {
    boolean adds = verb.equals("taint");
    ConfigFields on = about(verb, Set.of("taint"));
    if (on.text("taint", "").isEmpty()) {
      on.required("taint", "such as dedicated=gpu:NoExecute");
      return Optional.empty();
    }
    NodeChoice nodes = nodes(on);
    return Values.taint(on, "taint", on.text("taint", ""), adds)
        .map(taint ->
            adds
                ? new ScenarioAction.AddTaint(nodes, taint)
                : new ScenarioAction.RemoveTaint(nodes, taint));
  }

  private ScenarioAction drain() {
    ConfigFields on = about("drain", Set.of("parallel", "maintenance", "timeout"));
    return new ScenarioAction.Drain(
        nodes(on),
        (int) on.inRange("parallel", 1, 1, MANY),
        Values.duration(on, "maintenance"),
        Values.duration(on, "timeout"));
  }

  /** A file or a directory, or an object itself. */
  private ScenarioAction apply() {
    if (entry.tree().get("apply") instanceof JsonObject object) {
      return new ScenarioAction.Apply(whole(List.of(object)));
    }
    List<JsonObject> objects = new ArrayList<>();
    for (String file : Values.words(entry, "apply")) {
      objects.addAll(Manifests.read(directory.resolve(file)));
    }
    return new ScenarioAction.Apply(whole(objects));
  }

  private List<JsonObject> whole(List<JsonObject> objects) {
    for (JsonObject object : objects) {
      boolean isWhole =
          isText(object.get("apiVersion"))
              && isText(object.get("kind"))
              && object.get("metadata") instanceof JsonObject metadata
              && isText(metadata.get("name"));
      if (!isWhole) {
        entry.required("apply", "an object says its apiVersion, kind and metadata.name");
      }
    }
    return objects;
  }

  private static boolean isText(@Nullable Object value) {
    return value instanceof String text && !text.isEmpty();
  }

  private ScenarioAction scale() {
    ConfigFields on = entry.object("scale");
    on.onlyHas(Set.of("workload", "kind", "replicas"));
    if (on.text("workload", "").isEmpty()) {
      on.required("workload", "the name of a workload, or namespace/name");
    }
    if (!on.has("replicas")) {
      on.required("replicas", "how many pods it is to have");
    }
    return new ScenarioAction.Scale(
        on.text("kind", ""),
        workload(on.text("workload", "")),
        (int) on.inRange("replicas", 0, 0, MANY));
  }

  /** A name, or a namespace and a name. */
  static ObjectName workload(String text) {
    return text.indexOf('/') < 0 ? new ObjectName("", text) : ObjectName.parse(text);
  }

  private ScenarioAction partition() {
    if (entry.tree().get("partition") instanceof JsonObject) {
      ConfigFields on = entry.object("partition");
      on.onlyHas(Set.of("components", "for"));
      return new ScenarioAction.Partition(components(on, "components"), Values.duration(on, "for"));
    }
    return new ScenarioAction.Partition(components(entry, "partition"), Optional.empty());
  }

  /** Those that are named, or all: {@code heal: all}. */
  private ScenarioAction heal() {
    if (entry.tree().get("heal") instanceof JsonObject) {
      ConfigFields on = entry.object("heal");
      on.onlyHas(Set.of("components"));
      return new ScenarioAction.Heal(components(on, "components"));
    }
    Set<String> words = Values.words(entry, "heal");
    boolean isAll = words.isEmpty() || words.equals(Set.of("all")) || words.equals(Set.of("true"));
    return new ScenarioAction.Heal(
        isAll ? List.of(SimulatedComponent.values()) : components(entry, "heal"));
  }

  private static List<SimulatedComponent> components(ConfigFields fields, String name) {
    List<SimulatedComponent> components = new ArrayList<>();
    for (String word : Values.words(fields, name)) {
      switch (word) {
        case "controllers" -> components.add(SimulatedComponent.CONTROLLERS);
        case "scheduler" -> components.add(SimulatedComponent.SCHEDULER);
        default -> fields.invalid(name, word, "must be controllers, scheduler or a list of them");
      }
    }
    if (components.isEmpty()) {
      fields.required(name, "controllers, scheduler or a list of them");
    }
    return components;
  }
}
