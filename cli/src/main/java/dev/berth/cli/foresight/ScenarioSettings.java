package dev.berth.cli.foresight;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.ControllerOptions;
import dev.berth.cli.options.GateOption;
import dev.berth.controllers.ControllerSettings;
import dev.berth.model.config.ConfigException;
import dev.berth.sim.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The settings of a scenario's controllers: flags of {@code berth controllers}, without dashes. */
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
          options.add(GateOption.OPTION);
          return options;
        }

        @Override
        public int run(Arguments arguments, Console console) {
          return ExitCode.USAGE;
        }
      };

  private ScenarioSettings() {}

  static ControllerSettings read(Scenario scenario) {
    List<String> words = new ArrayList<>();
    new TreeMap<>(scenario.settings())
        .forEach((name, value) -> words.add("--" + name + "=" + value));
    try {
      Arguments arguments = Arguments.parse(FLAGS, words);
      return ControllerOptions.read(
          arguments, GateOption.read(arguments), List.of(), Optional.empty());
    } catch (UsageException e) {
      throw new ConfigException(
          "The settings of the scenario %s: %s".formatted(scenario.name(), e.getMessage()));
    }
  }
}
