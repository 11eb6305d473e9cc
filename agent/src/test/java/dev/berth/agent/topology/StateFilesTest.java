package dev.berth.agent.topology;

import static dev.berth.model.fixture.Fixtures.tree;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cpumanager.CpuAssignments;
import dev.berth.policy.cpumanager.CpuSet;
import dev.berth.policy.memorymanager.MemoryAssignments;
import dev.berth.policy.memorymanager.MemoryBlock;
import dev.berth.policy.memorymanager.NumaMemory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With files and checksums of upstream's tests: a kubelet's files can be used, and the reverse. */
class StateFilesTest {
  private static final String MEMORY =
      "{'policyName':'static','machineState':{'0':{'numberOfAssignments':0,'memoryMap':{'memory':{'total':2048,'systemReserved':512,'allocatable':1536,'reserved':512,'free':1024}},'cells':[]}},'entries':{'pod':{'container1':[{'numaAffinity':[0],'type':'memory','size':512}]}},'checksum':4215593881}";

  @Test
  void processorsOfAKubeletsFile() {
    CpuAssignments read =
        CpuStateFile.read(
            tree(
                "{'policyName':'none','defaultCPUSet':'1-3','entries':{'pod':{'container1':'4-6','container2':'1-3'}},'checksum':3610638499}"),
            "none");
    assertThat(read.shared()).hasToString("1-3");
    assertThat(read.find("pod", "container1")).contains(CpuSet.of(4, 5, 6));
    assertThat(
            CpuStateFile.read(
                tree(
                    "{'policyName':'none','defaultCPUSet':'4-6','entries':{},'checksum':354655845}"),
                "none"))
        .isEqualTo(new CpuAssignments(CpuSet.of(4, 5, 6), new TreeMap<>()));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'policyName':'none','defaultCPUSet':'4-6','entries':{},'checksum':1337} | checkpoint is"
            + " corrupted",
        "{'policyName':'other','defaultCPUSet':'1-3','entries':{},'checksum':1394507217} |"
            + " configured policy \"none\" differs from state checkpoint policy \"other\"",
        "{'policyName':'none','defaultCPUSet':'1.3','entries':{},'checksum':3021697696} | could not"
            + " parse default cpu set \"1.3\": strconv.Atoi: parsing \"1.3\": invalid syntax",
      },
      quoteCharacter = '`')
  void filesThatAreRefused(String file, String message) {
    assertThatThrownBy(() -> CpuStateFile.read(tree(file), "none")).hasMessage(message);
  }

  @Test
  void processorsAreReadAsTheyWereWritten() {
    CpuAssignments assignments =
        new CpuAssignments(
            CpuSet.of(0, 1, 5),
            new TreeMap<>(
                Map.of(
                    "u2", new TreeMap<>(Map.of("b", CpuSet.of(2))),
                    "u1", new TreeMap<>(Map.of("a", CpuSet.of(3, 4), "z", CpuSet.of(6))))));
    JsonObject file = CpuStateFile.write(assignments);
    assertThat(CpuStateFile.read(file, "static")).isEqualTo(assignments);
    assertThatThrownBy(() -> CpuStateFile.read(file.with("defaultCpuSet", "0-1"), "static"))
        .hasMessage("checkpoint is corrupted");
  }

  @Test
  void memoryOfAKubeletsFile() {
    MemoryAssignments read = MemoryStateFile.read(tree(MEMORY), "static");
    assertThat(read.find("pod", "container1"))
        .containsExactly(new MemoryBlock(List.of(0), "memory", 512));
    NumaMemory first = requireNonNull(read.nodes().get(0));
    assertThat(requireNonNull(first.tables().get("memory")).free()).isEqualTo(1024);
    JsonObject damaged = tree(MEMORY.replace("4215593881", "101010"));
    assertThatThrownBy(() -> MemoryStateFile.read(damaged, "static"))
        .hasMessage("checkpoint is corrupted");
    assertThatThrownBy(() -> MemoryStateFile.read(tree(MEMORY), "None"))
        .hasMessage(
            "[memorymanager] configured policy \"None\" differs from state checkpoint policy"
                + " \"static\"");
    JsonObject written = MemoryStateFile.write(read);
    assertThat(MemoryStateFile.read(written, "Static")).isEqualTo(read);
  }
}
