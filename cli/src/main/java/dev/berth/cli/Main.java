package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.access.token.TokenFileException;
import dev.berth.client.kubeconfig.ConnectionException;
import dev.berth.pki.PkiException;
import dev.berth.store.StoreException;
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

/** Where the program starts: finds the command that was asked for and reports how it ended. */
public final class Main {
  /** The command did what it was asked to. */
  static final int OK = 0;

  /** The command failed for a reason that its message tells. */
  static final int FAILED = 1;

  /** The command line could not be understood. */
  static final int USAGE = 2;

  /** The command failed because of a bug in Berth. */
  static final int BUG = 70;

  static final List<Command> COMMANDS =
      List.of(
          new UpCommand(),
          new SchedulerCommand(),
          new ControllersCommand(),
          new HollowCommand(),
          new BackupCommand(),
          new RestoreCommand(),
          new VersionCommand());

  private Main() {}

  public static void main(String[] args) {
    Console console = new Console(writer(FileDescriptor.out), writer(FileDescriptor.err));
    System.exit(run(List.of(args), console));
  }

  private static PrintWriter writer(FileDescriptor to) {
    return new PrintWriter(new OutputStreamWriter(new FileOutputStream(to), UTF_8), true);
  }

  /** Does what the words say. */
  static int run(List<String> words, Console console) {
    try {
      return dispatch(words, console);
    } catch (UsageException e) {
      console.err().println("berth: " + e.getMessage());
      return USAGE;
    } catch (StoreException
        | PkiException
        | TokenFileException
        | ConnectionException
        | UncheckedIOException e) {
      console.err().println("berth: " + e.getMessage());
      return FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FAILED;
    } catch (RuntimeException e) {
      console.err().println("berth: This is a bug in Berth: " + e);
      console.err().println("Please report it together with " + writeTrace(e));
      return BUG;
    } finally {
      console.out().flush();
      console.err().flush();
    }
  }

  private static int dispatch(List<String> words, Console console) throws InterruptedException {
    if (words.isEmpty()) {
      console.err().println(HelpText.of(COMMANDS));
      return USAGE;
    }
    List<String> rest = words.subList(1, words.size());
    return switch (words.getFirst()) {
      case "help", "-h", "--help" -> {
        console.out().println(rest.isEmpty() ? HelpText.of(COMMANDS) : help(rest.getFirst()));
        yield OK;
      }
      case "-V", "--version" -> run(new VersionCommand(), rest, console);
      default -> run(command(words.getFirst()), rest, console);
    };
  }

  private static int run(Command command, List<String> words, Console console)
      throws InterruptedException {
    if (words.contains("-h") || words.contains("--help")) {
      console.out().println(HelpText.of(command));
      return OK;
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
            "There is no command %s.%s \"berth help\" lists the commands."
                .formatted(name, Suggestion.of(name, known))));
  }

  /** Puts the stack trace where whoever mends the bug finds it, and says where that is. */
  private static String writeTrace(Exception failure) {
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
