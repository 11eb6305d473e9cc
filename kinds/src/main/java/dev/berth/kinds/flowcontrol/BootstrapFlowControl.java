package dev.berth.kinds.flowcontrol;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The flow schemas and priority levels that every cluster has, with upstream's numbers. Mandatory
 * ones cannot be changed, since without them there would be requests that belong nowhere; suggested
 * ones are for the operator to change.
 */
public final class BootstrapFlowControl {
  public static final String EXEMPT = "exempt";
  public static final String CATCH_ALL = "catch-all";

  /** Says whether the server keeps an object as it is here. */
  public static final String AUTO_UPDATE = "apf.kubernetes.io/autoupdate-spec";

  private static final String NODES = "system:nodes";
  private static final List<String> ALL = List.of("*");
  private static final JsonObject EVERYTHING = resources(ALL, ALL, ALL, true);
  private static final JsonObject EVERY_PATH = paths(ALL, "*");

  private static final List<JsonObject> MANDATORY_LEVELS =
      List.of(
          object(
              EXEMPT,
              new JsonObject.Builder().put("type", "Exempt").put("exempt", shares(0, 0)).build()),
          limited(CATCH_ALL, shares(5, 0), JsonObject.of("type", "Reject")));

  private static final List<JsonObject> SUGGESTED_LEVELS =
      List.of(
          limited("system", shares(30, 33), queues(64, 6)),
          limited("node-high", shares(40, 25), queues(64, 6)),
          limited("leader-election", shares(10, 0), queues(16, 4)),
          limited("workload-high", shares(40, 50), queues(128, 6)),
          limited("workload-low", shares(100, 90), queues(128, 6)),
          limited("global-default", shares(20, 50), queues(128, 6)));

  private static final List<JsonObject> MANDATORY_SCHEMAS =
      List.of(
          schema(EXEMPT, EXEMPT, 1, null, everything(groups(User.MASTERS))),
          schema(CATCH_ALL, CATCH_ALL, 10_000, "ByUser", everything(everybody())));

  private static final List<JsonObject> SUGGESTED_SCHEMAS =
      List.of(
          schema(
              "probes",
              EXEMPT,
              2,
              null,
              rule(
                  everybody(),
                  List.of(),
                  List.of(paths(List.of("get"), "/healthz", "/readyz", "/livez")))),
          schema(
              "system-leader-election",
              "leader-election",
              100,
              "ByUser",
              rule(
                  List.of(
                      user("system:kube-controller-manager"),
                      user("system:kube-scheduler"),
                      kubeSystemAccounts()),
                  List.of(
                      resources(
                          List.of("get", "create", "update"),
                          List.of("coordination.k8s.io"),
                          List.of("leases"),
                          false)),
                  List.of())),
          schema(
              "system-node-high",
              "node-high",
              400,
              "ByUser",
              rule(
                  groups(NODES),
                  List.of(
                      resources(ALL, List.of(""), List.of("nodes", "nodes/status"), true),
                      resources(ALL, List.of("coordination.k8s.io"), List.of("leases"), false)),
                  List.of())),
          schema("system-nodes", "system", 500, "ByUser", everything(groups(NODES))),
          schema(
              "kube-controller-manager",
              "workload-high",
              800,
              "ByNamespace",
              everything(List.of(user("system:kube-controller-manager")))),
          schema(
              "kube-scheduler",
              "workload-high",
              800,
              "ByNamespace",
              everything(List.of(user("system:kube-scheduler")))),
          schema(
              "kube-system-service-accounts",
              "workload-high",
              900,
              "ByNamespace",
              everything(List.of(kubeSystemAccounts()))),
          schema(
              "service-accounts",
              "workload-low",
              9_000,
              "ByUser",
              everything(groups("system:serviceaccounts"))),
          schema("global-default", "global-default", 9_900, "ByUser", everything(everybody())));

  private BootstrapFlowControl() {}

  public static List<JsonObject> mandatoryLevels() {
    return MANDATORY_LEVELS;
  }

  public static List<JsonObject> suggestedLevels() {
    return SUGGESTED_LEVELS;
  }

  public static List<JsonObject> mandatorySchemas() {
    return MANDATORY_SCHEMAS;
  }

  public static List<JsonObject> suggestedSchemas() {
    return SUGGESTED_SCHEMAS;
  }

  static Optional<JsonObject> mandatoryLevel(String name) {
    return named(MANDATORY_LEVELS, name);
  }

  static Optional<JsonObject> mandatorySchema(String name) {
    return named(MANDATORY_SCHEMAS, name);
  }

  private static Optional<JsonObject> named(List<JsonObject> objects, String name) {
    return objects.stream().filter(object -> Metadata.of(object).name().equals(name)).findFirst();
  }

  private static JsonObject object(String name, JsonObject spec) {
    JsonObject metadata =
        new JsonObject.Builder()
            .put("name", name)
            .put("annotations", JsonObject.of(AUTO_UPDATE, "true"))
            .build();
    return new JsonObject.Builder().put("metadata", metadata).put("spec", spec).build();
  }

  private static JsonObject limited(String name, JsonObject shares, JsonObject response) {
    return object(
        name,
        new JsonObject.Builder()
            .put("type", "Limited")
            .put("limited", shares.with("limitResponse", response))
            .build());
  }

  private static JsonObject shares(long nominal, long lendablePercent) {
    return new JsonObject.Builder()
        .put("nominalConcurrencyShares", nominal)
        .put("lendablePercent", lendablePercent)
        .build();
  }

  private static JsonObject queues(long queues, long handSize) {
    JsonObject queuing =
        new JsonObject.Builder()
            .put("queues", queues)
            .put("handSize", handSize)
            .put("queueLengthLimit", 50L)
            .build();
    return new JsonObject.Builder().put("type", "Queue").put("queuing", queuing).build();
  }

  private static JsonObject schema(
      String name, String level, long precedence, @Nullable String distinguisher, JsonObject rule) {
    JsonObject.Builder spec =
        new JsonObject.Builder()
            .put("priorityLevelConfiguration", JsonObject.of("name", level))
            .put("matchingPrecedence", precedence);
    if (distinguisher != null) {
      spec.put("distinguisherMethod", JsonObject.of("type", distinguisher));
    }
    return object(name, spec.put("rules", JsonArray.of(rule)).build());
  }

  private static JsonObject everything(List<JsonObject> subjects) {
    return rule(subjects, List.of(EVERYTHING), List.of(EVERY_PATH));
  }

  private static JsonObject rule(
      List<JsonObject> subjects, List<JsonObject> resourceRules, List<JsonObject> pathRules) {
    JsonObject.Builder rule = new JsonObject.Builder().put("subjects", JsonArray.copyOf(subjects));
    if (!resourceRules.isEmpty()) {
      rule.put("resourceRules", JsonArray.copyOf(resourceRules));
    }
    if (!pathRules.isEmpty()) {
      rule.put("nonResourceRules", JsonArray.copyOf(pathRules));
    }
    return rule.build();
  }

  private static JsonObject resources(
      List<String> verbs, List<String> groups, List<String> resources, boolean clusterScope) {
    JsonObject.Builder rule =
        new JsonObject.Builder()
            .put("verbs", JsonArray.copyOf(verbs))
            .put("apiGroups", JsonArray.copyOf(groups))
            .put("resources", JsonArray.copyOf(resources));
    if (clusterScope) {
      rule.put("clusterScope", true);
    }
    return rule.put("namespaces", JsonArray.copyOf(ALL)).build();
  }

  private static JsonObject paths(List<String> verbs, String... urls) {
    return new JsonObject.Builder()
        .put("verbs", JsonArray.copyOf(verbs))
        .put("nonResourceURLs", JsonArray.copyOf(List.of(urls)))
        .build();
  }

  private static List<JsonObject> everybody() {
    return groups(User.UNAUTHENTICATED, User.AUTHENTICATED);
  }

  private static List<JsonObject> groups(String... names) {
    return Arrays.stream(names)
        .map(name ->
            new JsonObject.Builder()
                .put("kind", "Group")
                .put("group", JsonObject.of("name", name))
                .build())
        .toList();
  }

  private static JsonObject user(String name) {
    return new JsonObject.Builder()
        .put("kind", "User")
        .put("user", JsonObject.of("name", name))
        .build();
  }

  private static JsonObject kubeSystemAccounts() {
    JsonObject account =
        new JsonObject.Builder().put("namespace", "kube-system").put("name", "*").build();
    return new JsonObject.Builder()
        .put("kind", "ServiceAccount")
        .put("serviceAccount", account)
        .build();
  }
}
