package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.config.KubeletConfigurationFile;
import dev.berth.agent.machine.MachineReader;
import dev.berth.agent.machine.MachineRoots;
import dev.berth.agent.topology.ManagerPlan;
import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartCheckTest {
  @TempDir private Path folder;
  private MachineReader machine;

  @BeforeEach
  void describe() throws IOException {
    Files.createDirectories(folder.resolve("proc"));
    Files.writeString(folder.resolve("proc/meminfo"), "MemTotal: 4194304 kB\n");
    machine =
        new MachineReader(
            new MachineRoots(folder.resolve("proc"), folder.resolve("sys"), folder.resolve("etc")),
            "x86_64");
  }

  private void swaps(String lines) throws IOException {
    Files.writeString(
        folder.resolve("proc/swaps"), "Filename\tType\tSize\tUsed\tPriority\n" + lines);
  }

  private ManagerPlan check(boolean failsWithSwap) throws IOException {
    AgentSettings usual = AgentSettings.of("n1", folder);
    return StartCheck.check(usual.with(usual.pods().withFailingSwap(failsWithSwap)), machine);
  }

  @Test
  void aMachineThatSwapsIsANodeOnlyIfThatIsSaid() throws IOException {
    swaps("");
    assertThat(check(true)).isEqualTo(ManagerPlan.NONE);
    swaps("/swapfile\tfile\t1048572\t0\t-2\n");
    assertThatThrownBy(() -> check(true))
        .hasMessage(
            "running with swap on is not supported, please disable swap or set --fail-swap-on flag"
                + " to false");
    assertThat(check(false)).isEqualTo(ManagerPlan.NONE);
    assertThat(AgentSettings.of("n1", folder).pods().failsWithSwap()).isTrue();
  }

  @Test
  void nobodyReservesMoreThanThereIs() throws IOException {
    Path file = folder.resolve("kubelet.yaml");
    Files.writeString(
        file,
        """
        apiVersion: kubelet.config.k8s.io/v1beta1
        kind: KubeletConfiguration
        systemReserved: {memory: 4Gi}
        """);
    AgentSettings usual = AgentSettings.of("n1", folder);
    AgentSettings settings =
        KubeletConfigurationFile.read(
            Optional.of(file), Optional.empty(), JsonObject.EMPTY, usual, _ -> {});
    assertThatThrownBy(() -> StartCheck.check(settings, machine))
        .hasMessage(
            "invalid Node Allocatable configuration. Resource \"memory\" has a reservation of"
                + " 4196Mi but capacity of 4Gi. Expected capacity >= reservation.");
  }

  @Test
  void containersThatAreKilledAsAWholeNeedCgroupsOfVersion2() throws IOException {
    Path file = folder.resolve("kubelet.yaml");
    Files.writeString(
        file,
        """
        apiVersion: kubelet.config.k8s.io/v1beta1
        kind: KubeletConfiguration
        singleProcessOOMKill: false
        """);
    AgentSettings settings =
        KubeletConfigurationFile.read(
            Optional.of(file),
            Optional.empty(),
            JsonObject.EMPTY,
            AgentSettings.of("n1", folder),
            _ -> {});
    assertThatThrownBy(() -> StartCheck.check(settings, machine))
        .hasMessage(
            "singleProcessOOMKill: false needs cgroups of version 2, and this machine has version"
                + " 1: leave it out, or set it to true");
    Files.createDirectories(folder.resolve("sys/fs/cgroup"));
    Files.createFile(folder.resolve("sys/fs/cgroup/cgroup.controllers"));
    assertThat(StartCheck.check(settings, machine)).isEqualTo(ManagerPlan.NONE);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "6.4.0, true",
    "6.18.5-x, true",
    "7.0, true",
    "6.3.9, false",
    "5.15.0, false",
    "'', false"
  })
  void whichKernelsKeepSecretsOutOfTheSwap(String kernel, boolean keeps) {
    assertThat(StartCheck.keepsSecrets(kernel)).isEqualTo(keeps);
  }
}
