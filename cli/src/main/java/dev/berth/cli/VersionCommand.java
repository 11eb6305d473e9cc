package dev.berth.cli;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import java.util.List;

/** Prints the version of Berth, Java and the system. */
final class VersionCommand implements Command {

  @Override
  public String name() {
    return "version";
  }

  @Override
  public List<String> description() {
    return List.of("Prints the version of Berth, Java and the system.");
  }

  @Override
  public int run(Arguments arguments, Console console) {
    String version = Main.class.getPackage().getImplementationVersion();
    console
        .out()
        .printf(
            "berth %s (Java %s, %s %s)%n",
            version == null ? "from unpacked classes" : version,
            Runtime.version(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"));
    return ExitCode.OK;
  }
}
