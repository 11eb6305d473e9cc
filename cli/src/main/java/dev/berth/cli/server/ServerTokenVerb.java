package dev.berth.cli.server;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.node.BootstrapSecret;
import dev.berth.cli.running.ServerFile;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.ConnectionException;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.SharedKeys;
import dev.berth.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

/**
 * {@code berth server token}: keeps the cluster's keys, encrypted, in a secret that a bootstrap
 * token may read, and prints the line with that token.
 *
 * <p>The secret, and the role that lets the token read it, belong to the token's own secret. When
 * that has expired, the token is refused, the controllers delete its secret, and what belongs to it
 * goes, too.
 */
record ServerTokenVerb(Path data, Time time, Console console) {
  static final String KEYS = "keys";

  private static final Duration USUAL_VALIDITY = Duration.ofHours(1);
  private static final Duration LONGEST_VALIDITY = Duration.ofHours(2);
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final GroupVersionResource ROLES = new GroupVersionResource(RBAC, "v1", "roles");
  private static final GroupVersionResource ROLE_BINDINGS =
      new GroupVersionResource(RBAC, "v1", "rolebindings");

  static final Option TTL =
      new Option("--ttl", "DURATION", "How long the token is valid (default: 1h, and 2h at most).");

  /** The secret with what a token is for. */
  static ObjectName keysOf(ServerToken token) {
    return new ObjectName(BootstrapSecret.NAMESPACE, "berth-server-keys-" + token.token().id());
  }

  void run(Arguments arguments) {
    Duration ttl = FlagValues.duration(arguments, TTL, USUAL_VALIDITY);
    if (ttl.isZero() || ttl.isNegative() || ttl.compareTo(LONGEST_VALIDITY) > 0) {
      throw new UsageException(
          "%s must be more than nothing and at most 2h, since the cluster's keys can be read for so long."
              .formatted(TTL.name()));
    }
    ServerFile server =
        ServerFile.read(data)
            .orElseThrow(() ->
                new UsageException(
                    "No server is running in %s: name the directory of one that does, or start it."
                        .formatted(data)));
    if (server.shared().keySet().stream().noneMatch(EtcdServerOptions::namesServers)) {
      throw new UsageException(
          "The server in %s keeps its objects to itself, so there can be no second one: move them to an"
                  .formatted(data)
              + " etcd with \"berth migrate --to-etcd\", and start it with --etcd-servers.");
    }
    SharedKeys keys = SharedKeys.read(data.resolve("pki"));
    ServerToken token = ServerToken.make();
    Connection connection = Kubeconfig.read(server.kubeconfig()).connection();
    try (HttpApi api = new HttpApi(connection, time, "server-token")) {
      publish(api, token, new JoinPackage(keys, server.shared()), ttl);
      console
          .out()
          .printf(
              "berth server join %s --token %s --ca-hash %s --data %s%n",
              BootstrapSecret.addressForOthers(api, connection.server()),
              token.text(),
              String.join(",", keys.authorityHashes()),
              data);
    }
  }

  private void publish(Api api, ServerToken token, JoinPackage content, Duration ttl) {
    JsonObject owner =
        create(
            api,
            Resources.SECRETS,
            BootstrapSecret.of(token.token(), time.now().plus(ttl), "made by berth server token"));
    ObjectName name = keysOf(token);
    String key = Base64.getEncoder().encodeToString(content.encrypt(token));
    create(
        api,
        Resources.SECRETS,
        object("v1", "Secret", name, owner).put("data", JsonObject.of(KEYS, key)).build());
    JsonObject rule =
        new JsonObject.Builder()
            .put("apiGroups", JsonArray.of(""))
            .put("resources", JsonArray.of("secrets"))
            .put("resourceNames", JsonArray.of(name.name()))
            .put("verbs", JsonArray.of("get"))
            .build();
    create(
        api,
        ROLES,
        object(RBAC + "/v1", "Role", name, owner).put("rules", JsonArray.of(rule)).build());
    JsonObject subject = reference("User", "system:bootstrap:" + token.token().id());
    create(
        api,
        ROLE_BINDINGS,
        object(RBAC + "/v1", "RoleBinding", name, owner)
            .put("roleRef", reference("Role", name.name()))
            .put("subjects", JsonArray.of(subject))
            .build());
  }

  private static JsonObject reference(String kind, String name) {
    return new JsonObject.Builder()
        .put("apiGroup", RBAC)
        .put("kind", kind)
        .put("name", name)
        .build();
  }

  private static JsonObject.Builder object(
      String version, String kind, ObjectName name, JsonObject owner) {
    Metadata token = Metadata.of(owner);
    JsonObject reference =
        new JsonObject.Builder()
            .put("apiVersion", "v1")
            .put("kind", "Secret")
            .put("name", token.name())
            .put("uid", token.uid())
            .build();
    return new JsonObject.Builder()
        .put("apiVersion", version)
        .put("kind", kind)
        .put(
            "metadata",
            new JsonObject.Builder()
                .put("name", name.name())
                .put("namespace", name.namespace())
                .put("ownerReferences", JsonArray.copyOf(List.of(reference)))
                .build());
  }

  private static JsonObject create(Api api, GroupVersionResource resource, JsonObject object) {
    return switch (api.create(resource, object)) {
      case ApiResult.Done(JsonObject made) -> made;
      case ApiResult.Failure failure ->
          throw new ConnectionException("The token was not made: " + failure.message());
    };
  }
}
