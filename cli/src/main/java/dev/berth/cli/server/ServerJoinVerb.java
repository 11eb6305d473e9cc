package dev.berth.cli.server;

import dev.berth.agent.join.ClusterDiscovery;
import dev.berth.agent.join.JoinException;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.running.ServerFile;
import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Connection.Identity;
import dev.berth.client.kubeconfig.TokenSource;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Time;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code berth server join}: puts the cluster's keys into this machine's data directory. */
record ServerJoinVerb(Path data, Time time, Console console) {
  private static final int UNAUTHORIZED = 401;

  void run(List<URI> addresses, ServerToken token, Set<String> hashes) {
    if (Files.exists(data.resolve("berth.db"))) {
      throw new UsageException(
          "%s holds the objects of another cluster: name an empty directory with %s."
              .formatted(data, DataOption.OPTION.name()));
    }
    ClusterDiscovery.Cluster cluster = ClusterDiscovery.pinned(addresses, hashes, time);
    Identity identity = new Identity.Token(TokenSource.fixed(token.token().text()));
    JoinPackage given;
    try (HttpApi api =
        new HttpApi(
            new Connection(addresses, cluster.trust(), identity, "kube-system"),
            time,
            "server-join")) {
      given = JoinPackage.decrypt(read(api, token, addresses.getFirst()), token);
    }
    Path pki = data.resolve("pki");
    given.keys().install(pki);
    console.out().printf("%s has the keys of the cluster at %s.", pki, addresses.getFirst());
    if (ServerFile.read(data).isPresent()) {
      console.out().printf(" The server that runs there uses them within 10 seconds.%n");
      return;
    }
    console.out().printf(" Next:%n%s%n", line(given.options()));
    if (given.options().values().stream().anyMatch(value -> value.startsWith("/"))) {
      console.out().println("The files that it names must be on this machine, too.");
    }
    console.out().flush();
  }

  private String line(Map<String, String> options) {
    return "berth up --data "
        + data
        + options.entrySet().stream()
            .map(each ->
                " " + each.getKey() + (each.getValue().isEmpty() ? "" : "=" + each.getValue()))
            .collect(Collectors.joining());
  }

  private static byte[] read(HttpApi api, ServerToken token, URI address) {
    String again =
        " Make another one with \"berth server token\" on a machine where a server runs.";
    switch (api.get(Resources.SECRETS, ServerTokenVerb.keysOf(token))) {
      case ApiResult.Done(JsonObject secret) -> {
        String keys = secret.object("data").text(ServerTokenVerb.KEYS, "");
        return Base64.getDecoder().decode(keys);
      }
      case ApiResult.Refused(ApiError error) when error.code() == UNAUTHORIZED ->
          throw new JoinException(
              "The cluster at %s does not know this token, or it has expired.".formatted(address)
                  + again);
      case ApiResult.Refused refused ->
          throw new JoinException(
              "The cluster at %s does not give its keys for this token (%s).%s"
                  .formatted(address, refused.message(), again));
      case ApiResult.Unreachable unreachable -> throw new JoinException(unreachable.message());
    }
  }
}
