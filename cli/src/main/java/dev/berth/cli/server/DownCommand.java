package dev.berth.cli.server;

import dev.berth.agent.Agent;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.running.FoundServer;
import dev.berth.cli.running.Running;
import dev.berth.cli.running.ServerFile;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Stops a running server. */
public final class DownCommand implements Command {
  private static final Duration USUAL_PATIENCE = Duration.ofMinutes(1);
  private static final Duration PATIENCE_WITH_PODS = Duration.ofMinutes(3);

  private static final Option EPHEMERAL =
      Option.flag(
          ServerPlace.EPHEMERAL.name(),
          "Stops the ephemeral server that was started without --data.");
  private static final Option IGNORE =
      Option.flag(
          "--ignore-not-found",
          "Succeeds if no server is running, instead of ending with status %d."
              .formatted(ExitCode.NOT_RUNNING));
  private static final Option STOP_PODS =
      Option.flag(
          "--stop-pods",
          "Ends the pods of this machine, too; else they go on, and the next start finds them"
              + " again.");
  private static final Option TIMEOUT =
      new Option(
          "--timeout",
          "DURATION",
          "How long to wait for the server to stop (default: %s, or %s with %s)."
              .formatted(
                  FlagValues.text(USUAL_PATIENCE),
                  FlagValues.text(PATIENCE_WITH_PODS),
                  STOP_PODS.name()));

  @Override
  public String name() {
    return "down";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Stops the server that \"berth up\" started, and waits until it is gone.",
        "Without --data, it stops the one on the usual data directory or the ephemeral one,"
            + " whichever is running. What an ephemeral server left in its directory is removed.");
  }

  @Override
  public List<Option> options() {
    return List.of(DataOption.OPTION, EPHEMERAL, STOP_PODS, IGNORE, TIMEOUT);
  }

  @Override
  public int run(Arguments arguments, Console console) throws InterruptedException {
    if (arguments.has(EPHEMERAL.name()) && arguments.has(DataOption.OPTION.name())) {
      throw new UsageException(
          "Use either %s or %s, not both.".formatted(DataOption.OPTION.name(), EPHEMERAL.name()));
    }
    boolean stopsPods = arguments.has(STOP_PODS.name());
    Duration patience =
        FlagValues.duration(arguments, TIMEOUT, stopsPods ? PATIENCE_WITH_PODS : USUAL_PATIENCE);
    List<Path> places =
        arguments.has(EPHEMERAL.name())
            ? List.of(DataOption.ephemeral())
            : FoundServer.places(arguments);
    List<FoundServer> found = FoundServer.in(places);
    if (found.size() > 1) {
      throw new UsageException(
          "Two servers are running: name one, by --data=%s or by %s."
              .formatted(found.getFirst().directory(), EPHEMERAL.name()));
    }
    if (found.isEmpty()) {
      String looked = String.join(" or ", places.stream().map(Path::toString).toList());
      console.err().println("berth: No server is running in " + looked + ".");
      return arguments.has(IGNORE.name()) ? ExitCode.OK : ExitCode.NOT_RUNNING;
    }
    if (stopsPods) {
      askToStopPods(found.getFirst());
    }
    return stop(found.getFirst(), patience, console);
  }

  private static void askToStopPods(FoundServer found) {
    Path file = new ServerPlace(found.directory(), found.file().isEphemeral()).stopPods();
    try {
      Files.writeString(file, "");
    } catch (IOException e) {
      throw new UncheckedIOException("%s cannot be written".formatted(file), e);
    }
  }

  private static int stop(FoundServer found, Duration patience, Console console)
      throws InterruptedException {
    Optional<ProcessHandle> process = found.file().process().find();
    if (process.isPresent()) {
      process.get().destroy();
      try {
        process.get().onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        console
            .err()
            .printf(
                "berth: The server has not stopped in %s: wait, or end it with \"kill -9 %d\".%n",
                FlagValues.text(patience), process.get().pid());
        return ExitCode.FAILED;
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
    ServerFile.remove(found.directory());
    ServerPlace place = new ServerPlace(found.directory(), found.file().isEphemeral());
    place.clean();
    console.out().println("Stopped the server in " + found.directory() + "." + podsThatGoOn(place));
    return ExitCode.OK;
  }

  private static String podsThatGoOn(ServerPlace place) {
    try (WallTime time = Running.time()) {
      return place.goingOn(Agent.runningPods(place.node(), time));
    } catch (IOException e) {
      throw new UncheckedIOException("%s cannot be read".formatted(place.node()), e);
    }
  }
}
