package dev.berth.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Says which Berth this is, and what it runs on. */
@Command(name = "version", description = "Says which Berth this is, and what it runs on.")
final class VersionCommand implements Callable<Integer>, IVersionProvider {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public String[] getVersion() {
    String version = Main.class.getPackage().getImplementationVersion();
    return new String[] {
      "berth %s (Java %s, %s %s)"
          .formatted(
              version == null ? "from unpacked classes" : version,
              Runtime.version(),
              System.getProperty("os.name"),
              System.getProperty("os.arch"))
    };
  }

  @Override
  public Integer call() {
    spec.commandLine().getOut().println(getVersion()[0]);
    return Main.OK;
  }
}
