package dev.berth.cli.foresight;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.ControllerOptions;
import dev.berth.cli.options.GateOption;
import dev.berth.cli.options.TolerationOptions;
import dev.berth.model.config.ConfigException;
import dev.berth.sim.ControlPlaneSettings;
import dev.berth.sim.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The settings of a scenario's control plane: flags of {@code berth controllers}, and those of the
 * server for how long pods tolerate lost nodes, without dashes.
 */
final class ScenarioSettings {
  private static final Command FLAGS =
      new Command() {
        @Override
        public String name() {
          return "controllers";
        }

        @Override
        public List<String> description() {
          return List.of();
        }

        @Override
        public List<Option> options() {
          List<Option> options = new ArrayList<>(ControllerOptions.options());
          options.addAll(TolerationOptions.OPTIONS);
          options.add(GateOption.OPTION);
          return options;
        }

        @Override
        public int run(Arguments arguments, Console console) {
          return ExitCode.USAGE;
        }
      };

  private ScenarioSettings() {}

  static ControlPlaneSettings read(Scenario scenario) {
    List<String> words = new ArrayList<>();
    new TreeMap<>(scenario.settings())
        .forEach((name, value) -> words.add("--" + name + "=" + value));
    try {
      Arguments arguments = Arguments.parse(FLAGS, words);
      return new ControlPlaneSettings(
          ControllerOptions.read(
              arguments, GateOption.read(arguments), List.of(), Optional.empty()),
          TolerationOptions.read(arguments));
    } catch (UsageException e) {
      throw new ConfigException(
          "The settings of the scenario %s: %s".formatted(scenario.name(), e.getMessage()));
    }
  }
}
