package dev.berth.policy.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.config.ConfigFile;
import dev.berth.model.core.NodeAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Machines that somebody wrote down. */
class MachineListTest {
  @TempDir Path folder;

  private MachineList read(String machines) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("machines.yaml"),
            "apiVersion: cloud.berth.dev/v1\nkind: MachineList\n" + machines);
    return ConfigFile.read(file, MachineList.API_VERSION, MachineList.KIND, MachineList::read);
  }

  @Test
  void aMachineIsFoundByItsProviderIdOrElseByItsName() throws IOException {
    MachineList list =
        read(
            """
            machines:
            - name: n1
              providerID: rack://7
              instanceType: large
              zone: a
              region: north
              state: Stopped
              addresses: [{type: InternalIP, address: 192.0.2.1}, {type: InternalDNS, address: n1.example}]
              labels: {example.com/rack: r7}
            - name: n2
            """);
    CloudAnswer first =
        new CloudAnswer.Found(
            new Machine(
                "rack://7",
                "large",
                "a",
                "north",
                List.of(
                    new NodeAddress("InternalIP", "192.0.2.1"),
                    new NodeAddress("InternalDNS", "n1.example")),
                Map.of("example.com/rack", "r7"),
                true));
    assertThat(list.find("n1", "")).isEqualTo(first);
    assertThat(list.find("renamed", "rack://7")).isEqualTo(first);
    assertThat(list.find("n1", "rack://8")).isEqualTo(new CloudAnswer.NotFound());
    assertThat(list.find("n3", "")).isEqualTo(new CloudAnswer.NotFound());
    assertThat(list.find("n2", "file://n2"))
        .isEqualTo(
            new CloudAnswer.Found(
                new Machine("file://n2", "", "", "", List.of(), Map.of(), false)));
  }

  @Test
  void anEmptyListSaysThatThereAreNoMachinesAndAMissingOneDoesNot() throws IOException {
    assertThat(read("machines: []\n").size()).isZero();
    assertThatThrownBy(() -> read(""))
        .hasMessageContaining("machines: Required value: a list, which may be empty");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{zone: a}|machines[0].name: Required value: the name of the machine's node",
        "{name: N_1}|machines[0].name: Invalid value: \"N_1\"",
        "{name: w, zone: a b}|machines[0].zone: Invalid value: \"a b\"",
        "{name: w, state: Asleep}|machines[0].state: Unsupported value: \"Asleep\"",
        "{name: w, providerID: ''}|machines[0].providerID: Required value: leave it out for file://w",
        "{name: w, stat: x}|machines[0].stat: Forbidden: unknown field",
        "{name: w, addresses: [{type: IP, address: 1.2.3.4}]}|machines[0].addresses[0].type: Unsupported value: \"IP\"",
        "{name: w, addresses: [{type: InternalIP, address: here}]}|machines[0].addresses[0].address: Invalid value: \"here\": must be a valid IP address",
        "{name: w, addresses: [{type: Hostname, address: 'a b'}]}|machines[0].addresses[0].address: Invalid value: \"a b\"",
        "{name: w, addresses: [{type: Hostname}]}|machines[0].addresses[0].address: Required value",
        "{name: w, labels: {kubernetes.io/x: y}}|labels of kubernetes.io and k8s.io are not for clouds to give",
        "{name: w, labels: {x: 1}}|machines[0].labels.x: Invalid value: 1: must be a string",
      })
  void whatIsWrongIsSaidWithItsPlace(String machine, String said) {
    assertThatThrownBy(() -> read("machines: [" + machine + "]\n")).hasMessageContaining(said);
  }

  @Test
  void noTwoMachinesHaveTheSameNameOrId() {
    assertThatThrownBy(() -> read("machines: [{name: w}, {name: w, providerID: x}]\n"))
        .hasMessageContaining("machines[1].name: Duplicate value: \"w\"");
    assertThatThrownBy(() -> read("machines: [{name: w}, {name: m, providerID: file://w}]\n"))
        .hasMessageContaining("machines[1].providerID: Duplicate value: \"file://w\"");
  }
}
