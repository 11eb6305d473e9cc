package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.access.token.TokenFileException;
import dev.berth.agent.join.JoinException;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.HelpText;
import dev.berth.cli.arguments.Suggestion;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.certs.CertsCommand;
import dev.berth.cli.data.BackupCommand;
import dev.berth.cli.data.RestoreCommand;
import dev.berth.cli.drain.DrainCommand;
import dev.berth.cli.foresight.ExplainCommand;
import dev.berth.cli.foresight.ForecastCommand;
import dev.berth.cli.foresight.FuzzCommand;
import dev.berth.cli.foresight.RehearseCommand;
import dev.berth.cli.foresight.SimulateCommand;
import dev.berth.cli.foresight.SnapshotCommand;
import dev.berth.cli.hollow.HollowCommand;
import dev.berth.cli.node.ImageCommand;
import dev.berth.cli.node.NodeCommand;
import dev.berth.cli.node.ResetCommand;
import dev.berth.cli.node.TokenCommand;
import dev.berth.cli.proxy.ProxyCommand;
import dev.berth.cli.server.DoctorCommand;
import dev.berth.cli.server.DownCommand;
import dev.berth.cli.server.MigrateCommand;
import dev.berth.cli.server.ServerCommand;
import dev.berth.cli.server.UpCommand;
import dev.berth.cli.standalone.CloudControllersCommand;
import dev.berth.cli.standalone.ControllersCommand;
import dev.berth.cli.standalone.SchedulerCommand;
import dev.berth.cli.support.SupportCommand;
import dev.berth.client.kubeconfig.ConnectionException;
import dev.berth.model.config.ConfigException;
import dev.berth.pki.PkiException;
import dev.berth.registry.status.StatusException;
import dev.berth.store.StoreException;
import dev.berth.time.FatalError;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** Where the program starts: finds the command that was asked for and reports how it ended. */
public final class Main {
  static final List<Command> COMMANDS =
      List.of(
          new UpCommand(),
          new DownCommand(),
          new SchedulerCommand(),
          new ControllersCommand(),
          new CloudControllersCommand(),
          new NodeCommand(),
          new TokenCommand(),
          new ServerCommand(),
          new ImageCommand(),
          new ResetCommand(),
          new ProxyCommand(),
          new HollowCommand(),
          new DrainCommand(),
          new SimulateCommand(),
          new RehearseCommand(),
          new SnapshotCommand(),
          new ExplainCommand(),
          new ForecastCommand(),
          new FuzzCommand(),
          new BackupCommand(),
          new RestoreCommand(),
          new MigrateCommand(),
          new DoctorCommand(),
          new CertsCommand(),
          new SupportCommand(),
          new VersionCommand());

  private Main() {}

  public static void main(String[] args) {
    FileOutputStream log = new FileOutputStream(FileDescriptor.err);
    Console console =
        new Console(
            writer(FileDescriptor.out),
            writer(FileDescriptor.err),
            lines -> log.write(lines.getBytes(UTF_8)),
            new FileOutputStream(FileDescriptor.out));
    // Threads that are neither loops nor requests are few, and none may end unheard.
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
      FatalError.check(thrown);
      LoggerFactory.getLogger("berth")
          .atError()
          .addKeyValue("thread", thread.getName())
          .setCause(thrown)
          .log("a thread ended because of a bug in Berth");
    });
    System.exit(run(List.of(args), console));
  }

  private static PrintWriter writer(FileDescriptor to) {
    return new PrintWriter(new OutputStreamWriter(new FileOutputStream(to), UTF_8), true);
  }

  /** Runs a command line. */
  public static int run(List<String> words, Console console) {
    try {
      return dispatch(words, console);
    } catch (UsageException | ConfigException e) {
      console.err().println("berth: " + e.getMessage());
      return ExitCode.USAGE;
    } catch (StoreException
        | PkiException
        | TokenFileException
        | ConnectionException
        | JoinException
        | StatusException
        | UncheckedIOException e) {
      console.err().println("berth: " + e.getMessage());
      return ExitCode.FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.FAILED;
    } catch (RuntimeException | AssertionError | LinkageError e) {
      console.err().println("berth: This is a bug in Berth: " + e);
      console.err().println("Please report it together with " + writeTrace(e));
      return ExitCode.BUG;
    } finally {
      console.out().flush();
      console.err().flush();
    }
  }

  private static int dispatch(List<String> words, Console console) throws InterruptedException {
    if (words.isEmpty()) {
      console.err().println(HelpText.of(COMMANDS));
      return ExitCode.USAGE;
    }
    List<String> rest = words.subList(1, words.size());
    return switch (words.getFirst()) {
      case "help", "-h", "--help" -> {
        console.out().println(rest.isEmpty() ? HelpText.of(COMMANDS) : help(rest.getFirst()));
        yield ExitCode.OK;
      }
      case "-V", "--version" -> run(new VersionCommand(), rest, console);
      default -> run(command(words.getFirst()), rest, console);
    };
  }

  private static int run(Command command, List<String> words, Console console)
      throws InterruptedException {
    if (words.contains("-h") || words.contains("--help")) {
      console.out().println(HelpText.of(command));
      return ExitCode.OK;
    }
    return command.run(Arguments.parse(command, words), console);
  }

  private static String help(String name) {
    return HelpText.of(command(name));
  }

  private static Command command(String name) {
    Optional<Command> command = COMMANDS.stream().filter(c -> c.name().equals(name)).findFirst();
    List<String> known = COMMANDS.stream().map(Command::name).toList();
    return command.orElseThrow(() ->
        new UsageException(
            "Unknown command \"%s\".%s Run \"berth help\" for a list of commands."
                .formatted(name, Suggestion.of(name, known))));
  }

  /** Puts the stack trace where whoever mends the bug finds it, and says where that is. */
  private static String writeTrace(Throwable failure) {
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    try {
      return Files.writeString(Files.createTempFile("berth-bug-", ".txt"), trace.toString())
          .toString();
    } catch (IOException e) {
      return "this:\n" + trace;
    }
  }
}
