package dev.berth.cli.server;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.options.HeapDumpOption;
import dev.berth.cli.options.LogOptions;
import dev.berth.cli.running.ProcessLog;
import dev.berth.cli.running.Running;
import dev.berth.cli.running.ServerFile;
import dev.berth.cli.support.ServerFigures;
import dev.berth.cli.support.SupportPages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts Berth and runs until it is told to stop. */
public final class UpCommand implements Command {

  @Override
  public String name() {
    return "up";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Starts Berth: an API server, a scheduler and controllers in one process.",
        "It runs until it is interrupted (Ctrl-C) or terminated, or in the background with"
            + " %s until \"berth down\" stops it.".formatted(Background.WAIT.name()),
        "A cluster for a CI job: berth up --ephemeral --port 0 --wait --kubeconfig-out k.yaml");
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(List.of(ServerPlace.EPHEMERAL, Background.WAIT));
    options.addAll(ServerOptions.options());
    return Running.with(options);
  }

  @Override
  public int run(Arguments arguments, Console console) throws InterruptedException {
    ServerSettings settings = ServerOptions.read(arguments, console.err());
    if (arguments.has(Background.WAIT.name())) {
      return inBackground(arguments, settings, console);
    }
    boolean isTemporary =
        arguments.has(ServerPlace.EPHEMERAL.name()) && !arguments.has(DataOption.OPTION.name());
    ServerPlace place = isTemporary ? ServerPlace.temporary() : ServerPlace.find(arguments);
    place.check();
    HeapDumpOption.apply(arguments);
    try (ProcessLog log = ProcessLog.start(arguments, console)) {
      return run(arguments, settings, place, isTemporary, log, console);
    }
  }

  private static RunningServer start(
      ServerSettings settings, ServerPlace place, boolean isTemporary) {
    try {
      return RunningServer.start(settings, place);
    } catch (RuntimeException e) {
      if (isTemporary) {
        place.clean();
      }
      throw e;
    }
  }

  private static int inBackground(Arguments arguments, ServerSettings settings, Console console)
      throws InterruptedException {
    if (settings.auditLog().filter("-"::equals).isPresent()) {
      throw new UsageException(
          "%s has no standard output to write to in the background: name a file."
              .formatted(ServerOptions.AUDIT_LOG.name()));
    }
    // Checked here too, where whoever made a mistake sees it.
    var _ = LogOptions.levels(arguments);
    var _ = LogOptions.format(arguments);
    ServerPlace place = ServerPlace.find(arguments);
    place.check();
    return Background.start(arguments, place, console);
  }

  private static int run(
      Arguments arguments,
      ServerSettings settings,
      ServerPlace place,
      boolean isTemporary,
      ProcessLog log,
      Console console)
      throws InterruptedException {
    Optional<ServerFile> other = ServerFile.read(place.directory());
    if (place.isEphemeral() && other.isPresent()) {
      console.err().println("berth: " + AlreadyRunning.message(place.directory(), other.get()));
      return ExitCode.FAILED;
    }
    if (place.isEphemeral()) {
      place.create();
    }
    RunningServer server = start(settings, place, isTemporary);
    server
        .api()
        .serve(
            new SupportPages(
                log::recent,
                new ServerFigures(arguments.words(), place.directory(), server.store())));
    Running.atTheEnd(
        "apiserver",
        log,
        console.out(),
        () -> {
          String farewell = server.stop();
          if (isTemporary) {
            place.clean();
          }
          return farewell;
        });
    console
        .out()
        .printf(
            "Berth serves the Kubernetes API on port %d. Next: kubectl --kubeconfig %s get nodes%n",
            server.api().port(), server.kubeconfig());
    server.startNode();
    return Running.untilStopped(console.out());
  }
}
