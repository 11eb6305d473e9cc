package dev.berth.cli.server;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.Suggestion;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.node.JoinOptions;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.running.Running;
import dev.berth.time.WallTime;
import java.util.List;

/** Makes another machine a server of a cluster that keeps its objects in etcd. */
public final class ServerCommand implements Command {
  private static final String TOKEN = "token";
  private static final String JOIN = "join";
  private static final List<String> VERBS = List.of(TOKEN, JOIN);
  private static final Option TOKEN_OPTION =
      new Option("--token", "T", "What \"berth server token\" has printed.");

  @Override
  public String name() {
    return "server";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Gives another machine what it needs to be a server of a cluster on etcd.",
        "berth server token, on a machine where a server runs, prints the line for the other one. It is"
            + " as secret as the cluster's keys, which can be read with it for an hour (--ttl, at most"
            + " 2h); \"berth token delete ID\" ends that earlier, with the six letters that the token"
            + " begins with.",
        "berth server join https://HOST:PORT --token=T --ca-hash=sha256:... puts the cluster's keys"
            + " into --data, and says how to start the server. Again later, it brings them to what"
            + " they have become.");
  }

  @Override
  public List<String> parameters() {
    return List.of("VERB");
  }

  @Override
  public List<String> optionalParameters() {
    return List.of("URL");
  }

  @Override
  public List<Option> options() {
    return List.of(DataOption.OPTION, ServerTokenVerb.TTL, TOKEN_OPTION, JoinOptions.CA_HASH);
  }

  @Override
  public int run(Arguments arguments, Console console) {
    String verb = arguments.parameters().getFirst();
    List<String> rest = arguments.parameters().subList(1, arguments.parameters().size());
    try (WallTime time = Running.time()) {
      switch (verb) {
        case TOKEN -> {
          if (!rest.isEmpty()) {
            throw new UsageException(
                "berth server token does not take the argument \"%s\".".formatted(rest.getFirst()));
          }
          only(arguments, JOIN, TOKEN_OPTION, JoinOptions.CA_HASH);
          new ServerTokenVerb(DataOption.directory(arguments), time, console).run(arguments);
        }
        case JOIN -> {
          only(arguments, TOKEN, ServerTokenVerb.TTL);
          if (rest.isEmpty()) {
            throw new UsageException("berth server join needs URL.");
          }
          String token =
              arguments
                  .text(TOKEN_OPTION.name())
                  .orElseThrow(() ->
                      new UsageException(
                          "berth server join needs --token; \"berth server token\" prints one."));
          new ServerJoinVerb(DataOption.directory(arguments), time, console)
              .run(
                  JoinOptions.addresses(rest.getFirst()),
                  ServerToken.parse(token),
                  JoinOptions.hashes(arguments, "berth server token"));
        }
        default ->
            throw new UsageException(
                "Unknown verb \"%s\".%s Known: %s."
                    .formatted(verb, Suggestion.of(verb, VERBS), String.join(", ", VERBS)));
      }
    }
    return ExitCode.OK;
  }

  private static void only(Arguments arguments, String verb, Option... options) {
    for (Option option : options) {
      if (arguments.has(option.name())) {
        throw new UsageException("%s is for \"berth server %s\".".formatted(option.name(), verb));
      }
    }
  }
}
