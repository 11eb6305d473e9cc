package dev.berth.agent.topology;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A description of a machine says what is wrong with it. */
final class TopologyFileTest {
  @TempDir private Path root;

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "nodes: [] | nodes: Required value: a machine has a node at least",
        "nodes: [{id: 0}, {id: 0}] | nodes[1].id: Invalid value: 0: is the number of another node,"
            + " too",
        "nodes: [{id: 0, cpus: [{id: 3}, {id: 3}]}] | nodes[0].cpus[1].id: Invalid value: 3: is the"
            + " number of another processor, too",
        "nodes: [{id: 0, memory: lots}] | nodes[0].memory: Invalid value: \"lots\": must be a"
            + " quantity such as 16Gi",
        "nodes: [{id: 0, distances: [near]}] | nodes[0].distances: Invalid value: \"near\": must be"
            + " numbers above zero, one for each node",
        "nodes: [{id: 0, cores: 4}] | nodes[0].cores",
        "nodes: [{id: -1}] | nodes[0].id: Invalid value: -1",
      })
  void whatDescribesNoMachine(String nodes, String why) throws IOException {
    Path file = root.resolve("machine.yaml");
    Files.writeString(file, "apiVersion: berth.dev/v1\nkind: MachineTopology\n" + nodes + "\n");
    assertThatThrownBy(() -> TopologyFile.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(why);
  }
}
