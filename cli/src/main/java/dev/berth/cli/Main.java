package dev.berth.cli;

import dev.berth.apiserver.auth.token.TokenFileException;
import dev.berth.apiserver.pki.PkiException;
import dev.berth.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/** Where the program starts: finds the command that was asked for and reports how it ended. */
@Command(
    name = "berth",
    description = "A Kubernetes-compatible control plane and node agent.",
    subcommands = {
      UpCommand.class,
      BackupCommand.class,
      RestoreCommand.class,
      VersionCommand.class,
      HelpCommand.class
    },
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "berth help COMMAND says more about a command."})
public final class Main {
  /** The command did what it was asked to. */
  static final int OK = 0;

  /** The command failed for a reason that its message tells. */
  static final int FAILED = 1;

  /** The command line could not be understood. */
  static final int USAGE = 2;

  /** The command failed because of a bug in Berth. */
  static final int BUG = 70;

  private Main() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command line with all its commands, writing to standard output and standard error. */
  static CommandLine commandLine() {
    return new CommandLine(new Main()).setExecutionExceptionHandler(Main::report);
  }

  private static int report(Exception failure, CommandLine commandLine, ParseResult parsed) {
    PrintWriter err = commandLine.getErr();
    if (failure instanceof StoreException
        || failure instanceof PkiException
        || failure instanceof TokenFileException
        || failure instanceof UncheckedIOException) {
      err.println("berth: " + failure.getMessage());
      return FAILED;
    }
    err.println("berth: This is a bug in Berth: " + failure);
    err.println("Please report it together with " + writeTrace(failure));
    return BUG;
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
