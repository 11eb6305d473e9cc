package dev.berth.access.rbac;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The roles and bindings that every cluster has, read from {@code bootstrap-policy.txt}, which
 * begins with a description of its form.
 */
final class BootstrapPolicy {
  private static final List<String> READ = List.of("get", "list", "watch");
  private static final List<String> WRITE =
      List.of("create", "delete", "deletecollection", "patch", "update");
  private static final PolicyRule EVENTS =
      new PolicyRule(
          List.of("create", "patch", "update"),
          List.of("", "events.k8s.io"),
          List.of("events"),
          List.of(),
          List.of());

  private static final String CONTROLLERS = "system:controller:";
  private static final String LABEL_PREFIX = RoleIndex.GROUP + "/";

  private final List<Declared> declared = new ArrayList<>();

  /** An object that there ought to be. */
  record Declared(String plural, ObjectName name, JsonObject object) {}

  private BootstrapPolicy() {}

  /** All objects, with their metadata. Cluster roles that gather have their rules already. */
  static List<Declared> read() {
    try (InputStream in = BootstrapPolicy.class.getResourceAsStream("bootstrap-policy.txt")) {
      if (in == null) {
        throw new IllegalStateException("The bootstrap policy is missing from the program.");
      }
      return parse(new String(in.readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Declared> parse(String text) {
    BootstrapPolicy policy = new BootstrapPolicy();
    List<String> rules = new ArrayList<>();
    List<String> begun = List.of();
    for (String line : text.lines().toList()) {
      if (line.isBlank() || line.strip().startsWith("#")) {
        continue;
      }
      if (line.startsWith(" ")) {
        rules.add(line.strip());
      } else {
        policy.declare(begun, rules);
        rules.clear();
        begun = List.of(line.split(" ", -1));
      }
    }
    policy.declare(begun, rules);
    return policy.gathered();
  }

  private void declare(List<String> words, List<String> rules) {
    if (words.isEmpty()) {
      return;
    }
    String name = words.get(1);
    switch (words.getFirst()) {
      case "role" -> role(name, words.subList(2, words.size()), rules);
      case "controller" -> {
        role(CONTROLLERS + name, List.of(), rules);
        binding(ObjectName.of(CONTROLLERS + name), "", List.of("account:kube-system/" + name));
      }
      case "give" -> {
        boolean renamed = words.get(2).equals("as");
        List<String> subjects = words.subList(words.indexOf("to") + 1, words.size());
        binding(ObjectName.parse(name), renamed ? words.get(3) : "", subjects);
      }
      default -> throw new IllegalArgumentException("Nothing is declared by " + words);
    }
  }

  private void role(String text, List<String> options, List<String> rules) {
    // The name of a cluster role may hold no slash, that of a role says its namespace with one.
    ObjectName name = ObjectName.parse(text);
    JsonObject.Builder labels = new JsonObject.Builder();
    JsonObject.Builder role = new JsonObject.Builder();
    for (int i = 0; i < options.size(); i += 2) {
      JsonObject label = JsonObject.of(LABEL_PREFIX + options.get(i + 1), "true");
      switch (options.get(i)) {
        case "gathers" ->
            role.put(
                "aggregationRule",
                JsonObject.of(
                    "clusterRoleSelectors", JsonArray.of(JsonObject.of("matchLabels", label))));
        case "labelled" -> label.forEach(labels::put);
        default -> throw new IllegalArgumentException("No role has " + options.get(i));
      }
    }
    role.put("rules", JsonArray.copyOf(rules.stream().map(line -> rule(line).toTree()).toList()));
    add(name.namespace().isEmpty() ? "clusterroles" : "roles", name, role.build(), labels.build());
  }

  private static PolicyRule rule(String line) {
    if (line.equals("EVENTS")) {
      return EVENTS;
    }
    List<String> words = List.of(line.split(" ", -1));
    if (words.size() < 3 || words.size() > 4) {
      throw new IllegalArgumentException("No rule is \"" + line + "\".");
    }
    List<String> verbs = new ArrayList<>();
    for (String verb : words.getFirst().split(",", -1)) {
      switch (verb) {
        case "READ" -> verbs.addAll(READ);
        case "WRITE" -> verbs.addAll(WRITE);
        default -> verbs.add(verb);
      }
    }
    if (words.get(1).equals("path")) {
      return PolicyRule.onPaths(sorted(verbs), list(words.get(2)));
    }
    return new PolicyRule(
        sorted(verbs),
        list(words.get(1)).stream().map(group -> group.equals("core") ? "" : group).toList(),
        list(words.get(2)),
        words.size() > 3 ? list(words.get(3)) : List.of(),
        List.of());
  }

  private static List<String> list(String text) {
    return sorted(List.of(text.split(",", -1)));
  }

  private static List<String> sorted(List<String> values) {
    return List.copyOf(new TreeSet<>(values));
  }

  private void binding(ObjectName role, String ownName, List<String> subjects) {
    boolean everywhere = role.namespace().isEmpty();
    JsonObject.Builder binding =
        new JsonObject.Builder()
            .put(
                "roleRef",
                new JsonObject.Builder()
                    .put("apiGroup", RoleIndex.GROUP)
                    .put("kind", everywhere ? "ClusterRole" : "Role")
                    .put("name", role.name())
                    .build());
    List<JsonObject> all =
        subjects.stream()
            .filter(text -> !text.equals("nobody"))
            .map(BootstrapPolicy::subject)
            .toList();
    if (!all.isEmpty()) {
      binding.put("subjects", JsonArray.copyOf(all));
    }
    add(
        everywhere ? "clusterrolebindings" : "rolebindings",
        ownName.isEmpty() ? role : new ObjectName(role.namespace(), ownName),
        binding.build(),
        JsonObject.EMPTY);
  }

  private static JsonObject subject(String text) {
    int colon = text.indexOf(':');
    String name = text.substring(colon + 1);
    if (text.startsWith("account:")) {
      ObjectName account = ObjectName.parse(name);
      return new JsonObject.Builder()
          .put("kind", "ServiceAccount")
          .put("name", account.name())
          .put("namespace", account.namespace())
          .build();
    }
    return new JsonObject.Builder()
        .put("apiGroup", RoleIndex.GROUP)
        .put("kind", text.startsWith("user:") ? "User" : "Group")
        .put("name", name)
        .build();
  }

  private void add(String plural, ObjectName name, JsonObject object, JsonObject labels) {
    JsonObject.Builder metadata = new JsonObject.Builder().put("name", name.name());
    if (!name.namespace().isEmpty()) {
      metadata.put("namespace", name.namespace());
    }
    metadata
        .put("labels", labels.with("kubernetes.io/bootstrapping", "rbac-defaults"))
        .put("annotations", JsonObject.of(PolicyReconciliation.AUTO_UPDATE, "true"));
    declared.add(new Declared(plural, name, object.with("metadata", metadata.build())));
  }

  private List<Declared> gathered() {
    Map<String, JsonObject> roles = new TreeMap<>();
    for (Declared each : declared) {
      if (each.plural().equals("clusterroles")) {
        roles.put(each.name().name(), each.object());
      }
    }
    Map<String, JsonArray> gathered = ClusterRoleAggregation.gathered(roles);
    return declared.stream()
        .map(each ->
            Optional.ofNullable(gathered.get(Metadata.of(each.object()).name()))
                .filter(_ -> each.plural().equals("clusterroles"))
                .map(rules ->
                    new Declared(each.plural(), each.name(), each.object().with("rules", rules)))
                .orElse(each))
        .toList();
  }
}
