package dev.berth.cli.node;

import dev.berth.agent.join.JoinToken;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.Suggestion;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.ClusterOptions;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.running.Running;
import dev.berth.cli.running.ServerFile;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Pages;
import dev.berth.client.Resources;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Connection.Trust;
import dev.berth.client.kubeconfig.ConnectionException;
import dev.berth.model.bootstrap.BootstrapToken;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.CertificateHash;
import dev.berth.pki.TokenText;
import dev.berth.time.WallTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Makes, lists and deletes the tokens that machines join a cluster with. */
public final class TokenCommand implements Command {
  private static final List<String> VERBS = List.of("create", "list", "delete");
  private static final Duration USUAL_VALIDITY = Duration.ofHours(24);

  private static final Option KUBECONFIG =
      new Option(
          ClusterOptions.KUBECONFIG.name(),
          "FILE",
          "The kubeconfig of the API server to work for (default: the one that \"berth up\" has"
              + " written for --data).");
  private static final Option TTL =
      new Option("--ttl", "DURATION", "How long a new token is valid (default: 24h).");

  @Override
  public String name() {
    return "token";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Makes, lists and deletes the tokens that machines join a cluster with.",
        "berth token create makes a token, and prints the line that makes another machine a node.",
        "berth token list shows which there are, and until when; their secrets are not shown.",
        "berth token delete ID deletes one.");
  }

  @Override
  public List<String> parameters() {
    return List.of("VERB");
  }

  @Override
  public List<String> optionalParameters() {
    return List.of("ID");
  }

  @Override
  public List<Option> options() {
    return List.of(KUBECONFIG, ClusterOptions.CONTEXT, DataOption.OPTION, TTL);
  }

  @Override
  public int run(Arguments arguments, Console console) {
    String verb = arguments.parameters().getFirst();
    Optional<String> id = arguments.parameters().stream().skip(1).findFirst();
    if (!VERBS.contains(verb)) {
      throw new UsageException(
          "Unknown verb \"%s\".%s Known: %s."
              .formatted(verb, Suggestion.of(verb, VERBS), String.join(", ", VERBS)));
    }
    if (id.isPresent() != verb.equals("delete")) {
      throw new UsageException(
          id.isPresent()
              ? "berth token %s does not take the argument \"%s\".".formatted(verb, id.get())
              : "berth token delete needs ID.");
    }
    id.ifPresent(TokenCommand::checkId);
    FlagValues.duration(arguments, TTL, USUAL_VALIDITY);
    Connection connection =
        ClusterOptions.connection(
            arguments, Optional.of(ServerFile.kubeconfigIn(DataOption.directory(arguments))));
    try (WallTime time = Running.time();
        HttpApi api = new HttpApi(connection, time, "token")) {
      switch (verb) {
        case "create" -> create(arguments, api, connection, time.now(), console);
        case "list" -> list(api, time.now(), console);
        default -> delete(api, id.orElseThrow(), console);
      }
    }
    return ExitCode.OK;
  }

  private static void checkId(String id) {
    if (!id.matches("[a-z0-9]{6}")) {
      throw new UsageException(
          "\"%s\" is no token's id, which has six letters or digits: \"berth token list\" shows them."
              .formatted(id));
    }
  }

  private static void create(
      Arguments arguments, HttpApi api, Connection connection, Instant now, Console console) {
    Duration ttl = FlagValues.duration(arguments, TTL, USUAL_VALIDITY);
    JoinToken token = JoinToken.parse(TokenText.newBootstrapToken());
    switch (api.create(
        Resources.SECRETS,
        BootstrapSecret.of(token, now.plus(ttl), "made by berth token create"))) {
      case ApiResult.Done _ -> {}
      case ApiResult.Failure failure ->
          throw new ConnectionException("The token was not made: " + failure.message());
    }
    if (!(connection.trust() instanceof Trust.Authorities(var authorities, _))) {
      console.out().println(token.text());
      return;
    }
    console
        .out()
        .printf(
            "berth node join %s --token %s --ca-hash %s%n",
            BootstrapSecret.addressForOthers(api, connection.server()),
            token.text(),
            CertificateHash.of(authorities.getFirst()));
  }

  private static void list(HttpApi api, Instant now, Console console) {
    ListRequest tokens =
        ListRequest.of(Resources.SECRETS)
            .in(BootstrapSecret.NAMESPACE)
            .fields("type=" + BootstrapToken.TYPE);
    List<JsonObject> secrets =
        switch (Pages.all(api, tokens)) {
          case ListResult.Page page -> page.items();
          case ApiResult.Failure failure ->
              throw new ConnectionException("The tokens cannot be listed: " + failure.message());
        };
    String row = "%-8s %-22s %s%n";
    console.out().printf(row, "ID", "EXPIRES", "REMAINING");
    for (JsonObject secret : secrets) {
      BootstrapToken token = BootstrapToken.read(secret);
      Optional<Instant> end = token.expiration();
      console
          .out()
          .printf(
              row,
              token.id(),
              end.map(Times::format).orElse("never"),
              end.map(at -> remaining(now, at)).orElse("-"));
    }
  }

  private static String remaining(Instant now, Instant end) {
    Duration left = Duration.between(now, end);
    if (left.isNegative()) {
      return "expired";
    }
    return left.toHours() > 0 ? left.toHours() + "h" : left.toMinutes() + "m";
  }

  private static void delete(HttpApi api, String id, Console console) {
    switch (api.delete(Resources.SECRETS, BootstrapSecret.name(id))) {
      case ApiResult.Done _ -> console.out().printf("Deleted the token %s.%n", id);
      case ApiResult.Failure failure ->
          throw new ConnectionException(
              failure.isNotFound()
                  ? "There is no token with the id " + id + "."
                  : "The token was not deleted: " + failure.message());
    }
  }
}
