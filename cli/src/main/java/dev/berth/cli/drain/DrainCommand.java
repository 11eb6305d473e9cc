package dev.berth.cli.drain;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.ClusterOptions;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.running.ChosenCluster;
import dev.berth.cli.running.Running;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.controllers.nodedrain.NodeDrainDefinition;
import dev.berth.model.drain.DrainStatus;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.WallTime;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Has nodes drained by whoever carries out NodeDrains, and follows how far that is. */
public final class DrainCommand implements Command {
  private static final List<String> VERBS = List.of("pause", "resume", "cancel", "list");

  /** How soon somebody must begin to carry a drain out. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Option KUBECONFIG =
      new Option(
          ClusterOptions.KUBECONFIG.name(),
          "FILE",
          "The kubeconfig of the cluster (default: $KUBECONFIG, or else the one that \"berth up\""
              + " has written).");
  private static final Option NO_WAIT =
      Option.flag("--no-wait", "Does not wait until the nodes are drained.");
  private static final Option PRINT_CRD =
      Option.flag("--print-crd", "Prints the definition of NodeDrains, to install by kubectl.");
  private static final Option PRINT_ROLE =
      Option.flag("--print-role", "Prints the role that the controller of NodeDrains needs.");

  @Override
  public String name() {
    return "drain";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Drains nodes on the server, within disruption budgets, and follows the progress.",
        "berth drain NODE... makes a NodeDrain, which berth up carries out, or in any other cluster"
            + " berth controllers --controllers=nodedrain; it goes on when this command is"
            + " interrupted. The resource is defined by the first use. \"kubectl get nodedrains\""
            + " shows drains, too.",
        "berth drain pause NAME stops evicting, berth drain resume NAME goes on;",
        "berth drain cancel NAME ends a drain and uncordons the nodes that it has cordoned, also"
            + " after its end;",
        "berth drain list shows all drains, berth drain list NAME the nodes of one.",
        "The command fails if the drain does, as at --deadline.");
  }

  @Override
  public List<String> optionalParameters() {
    return List.of("NODE...");
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(DrainOptions.options());
    options.addAll(
        List.of(
            NO_WAIT, PRINT_CRD, PRINT_ROLE, KUBECONFIG, ClusterOptions.CONTEXT, DataOption.OPTION));
    return options;
  }

  @Override
  public int run(Arguments arguments, Console console) throws InterruptedException {
    PrintWriter out = console.out();
    if (arguments.has(PRINT_CRD.name()) || arguments.has(PRINT_ROLE.name())) {
      String crd = arguments.has(PRINT_CRD.name()) ? NodeDrainDefinition.definition() : "";
      String role = arguments.has(PRINT_ROLE.name()) ? NodeDrainDefinition.role() : "";
      out.print(crd + (crd.isEmpty() || role.isEmpty() ? "" : "---\n") + role);
      return ExitCode.OK;
    }
    List<String> words = arguments.parameters();
    boolean isVerb = !words.isEmpty() && VERBS.contains(words.getFirst());
    if (isVerb) {
      checkVerb(words);
    }
    Optional<JsonObject> wanted =
        isVerb ? Optional.empty() : Optional.of(DrainOptions.drain(arguments, words));
    Connection connection = ChosenCluster.connection(arguments);
    try (WallTime time = Running.time();
        HttpApi api = new HttpApi(connection, time, name())) {
      DrainRequest request = new DrainRequest(api, time);
      if (wanted.isEmpty()) {
        return verb(words, request, out);
      }
      request.checkNodes(words);
      request.define();
      ObjectName made = ObjectName.of(request.create(wanted.get()));
      out.println("nodedrain.berth.dev/%s created".formatted(made.name()));
      return arguments.has(NO_WAIT.name())
          ? ExitCode.OK
          : follow(new FollowedObject(api, time, NodeDrainDefinition.NODE_DRAINS, made), console);
    }
  }

  private static void checkVerb(List<String> words) {
    String verb = words.getFirst();
    int names = words.size() - 1;
    if (names > 1 || (names == 0 && !verb.equals("list"))) {
      throw new UsageException(
          "Use berth drain %s NAME, with the name of one drain.".formatted(verb));
    }
  }

  private static int verb(List<String> words, DrainRequest request, PrintWriter out) {
    switch (words.getFirst()) {
      case "pause" -> request.pause(words.get(1), true);
      case "resume" -> request.pause(words.get(1), false);
      case "cancel" -> request.change(words.get(1), "cancelled", true);
      default -> {
        list(request.list(), words.size() > 1 ? words.get(1) : "", out);
        return ExitCode.OK;
      }
    }
    out.println("nodedrain.berth.dev/%s %s".formatted(words.get(1), done(words.getFirst())));
    return ExitCode.OK;
  }

  private static String done(String verb) {
    return switch (verb) {
      case "pause" -> "paused";
      case "resume" -> "resumed";
      default -> "cancelled";
    };
  }

  private static void list(List<JsonObject> drains, String only, PrintWriter out) {
    List<JsonObject> shown =
        drains.stream()
            .filter(drain -> only.isEmpty() || Metadata.of(drain).name().equals(only))
            .toList();
    if (shown.isEmpty() && !only.isEmpty()) {
      throw DrainRequest.none(only);
    }
    if (shown.isEmpty()) {
      out.println("There are no drains.");
    }
    for (JsonObject drain : shown) {
      JsonObject status = drain.object("status");
      out.println(
          "%s: %s, %s nodes, %s pods evicted: %s"
              .formatted(
                  Metadata.of(drain).name(),
                  DrainStatus.read(drain).phase().word().toLowerCase(Locale.ROOT),
                  status.text("nodeProgress", "0/0"),
                  status.text("podProgress", "0/0"),
                  status.text("message", "nobody carries it out yet")));
      if (!only.isEmpty()) {
        status.array("nodes").objects().forEach(node -> out.println("  " + DrainLines.line(node)));
      }
    }
  }

  private static int follow(FollowedObject drain, Console console) throws InterruptedException {
    DrainLines lines = DrainLines.on(console);
    FollowedObject.Ended ended =
        drain.await(
            seen -> {
              lines.show(seen);
              return DrainStatus.read(seen).phase().isOver();
            },
            Optional.of(PATIENCE),
            seen -> seen.has("status"));
    String name = drain.name().name();
    switch (ended) {
      case FollowedObject.AsWanted(JsonObject last) -> {
        DrainStatus status = DrainStatus.read(last);
        if (status.phase() == DrainStatus.Phase.SUCCEEDED) {
          console.out().println("nodedrain.berth.dev/%s: drained".formatted(name));
          return ExitCode.OK;
        }
        console
            .err()
            .println(
                "berth: The drain %s %s: %s"
                    .formatted(
                        name,
                        status.phase() == DrainStatus.Phase.FAILED ? "failed" : "was cancelled",
                        status.message()));
      }
      case FollowedObject.Gone _ ->
          console.err().println("berth: The drain %s was deleted.".formatted(name));
      case FollowedObject.TimedOut _ ->
          console
              .err()
              .println(
                  "berth: Nothing carries out NodeDrains here: start \"berth controllers"
                      + " --controllers=nodedrain\". The drain %s waits for it; delete it by"
                          .formatted(name)
                      + " \"kubectl delete nodedrain %s\".".formatted(name));
    }
    return ExitCode.FAILED;
  }
}
