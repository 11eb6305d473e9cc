package dev.berth.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Says which Berth this is, and what it runs on. */
@Command(
    name = "version",
    description = "Says which Berth this is, and what it runs on.",
    mixinStandardHelpOptions = true)
final class VersionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    String version = Main.class.getPackage().getImplementationVersion();
    spec.commandLine()
        .getOut()
        .printf(
            "berth %s (Java %s, %s %s)%n",
            version == null ? "from unpacked classes" : version,
            Runtime.version(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"));
    return Main.OK;
  }
}
