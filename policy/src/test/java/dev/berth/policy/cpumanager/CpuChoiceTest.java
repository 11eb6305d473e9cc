package dev.berth.policy.cpumanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With what upstream's tests expect. */
class CpuChoiceTest {
  private static Optional<CpuSet> expected(String cpus) {
    return switch (cpus) {
      case "refused" -> Optional.empty();
      case "-" -> Optional.of(CpuSet.EMPTY);
      default -> Optional.of(CpuSet.parse(cpus));
    };
  }

  @ParameterizedTest(name = "{3} of {2} on {0} ({1}): {4}")
  @CsvSource(
      delimiter = '|',
      value = {
        "one-socket-smt | - | 0,2,4,6 | 5 | refused",
        "one-socket-smt | - | 0,1,2,3,4,5,6,7 | 0 | -",
        "one-socket-smt | - | 0,1,2,3,4,5,6,7 | 1 | 0",
        "one-socket-smt | - | 1,3,5,6,7 | 1 | 6",
        "one-socket-smt | - | 0,1,2,3,4,5,6,7 | 2 | 0,4",
        "one-socket-smt | - | 0,1,2,3,4,5,6,7 | 8 | 0,1,2,3,4,5,6,7",
        "one-socket-smt | - | 0,1,2,3,6 | 2 | 2,6",
        "two-sockets-smt | - | 0,1,2,3,4,5,6,7,8,9,10,11 | 6 | 0,2,4,6,8,10",
        "four-nodes-smt | - | 0-79 | 40 | 0-19,40-59",
        "four-nodes-smt | - | 0-79 | 20 | 0-9,40-49",
        "four-nodes-smt | - | 10-39,50-79 | 20 | 10-19,50-59",
        "four-nodes-smt | - | 0-79 | 60 | 0-29,40-69",
        "four-nodes-smt | - | 1-39,41-79 | 60 | 10-39,50-79",
        "two-sockets-smt | - | 1,2,3,4,5,7,8,9,10,11 | 1 | 2",
        "two-sockets-smt | - | 0-11 | 8 | 0,6,2,8,4,10,1,7",
        "four-nodes-smt | - | 0-79 | 64 | 0-29,40-69,30,31,70,71",
        "caches | caches | 1-15 | 10 | 1,2,4,5,6,7,8,9,10,11",
        "two-sockets-smt | caches | 1,2,3,4,5,7,8,9,10,11 | 1 | 1",
        "two-sockets-caches | caches | 0-15 | 4 | 0,1,2,3",
        "two-sockets-caches | caches | 2-15 | 6 | 2,3,4,5,6,7",
        "two-sockets-caches | caches | 8-15 | 4 | 8,9,10,11",
        "two-nodes-caches | caches | 3,4-8,12 | 2 | 4,5",
        "caches-smt | caches | 2-3,10-11,4-7,12-15 | 6 | 4,5,6,12,13,14",
        "caches-smt | caches | 1-7,9-15 | 10 | 4-7,12-15,1,9",
        "one-socket-smt | spread | 0,1,2,3,4,5,6,7 | 3 | 0,1,2",
        "two-sockets-smt | spread | 0,1,2,3,4,5,6,7,8,9,10,11 | 2 | 0,2",
        "two-sockets-smt | spread | 0,1,2,3,4,5,6,7,8,9,10,11 | 3 | 0,2,4",
        "two-sockets-smt | spread | 0,1,2,3,4,5,6,7,8,9,10,11 | 6 | 0,2,4,6,8,10",
        "two-sockets-smt | spread | 0,1,2,3,4,5,6,7,8,9,10,11 | 8 | 0,2,4,6,8,10,1,3",
        "two-sockets | spread | 0,1,2,3,4,5,6,7 | 2 | 0,1",
        "four-nodes-smt | spread | 0-79 | 8 | 0-7"
      })
  void packed(String machine, String option, String available, int count, String cpus) {
    assertThat(
            CpuChoice.packed(
                TestMachines.machine(machine),
                CpuSet.parse(available),
                count,
                option.equals("spread"),
                option.equals("caches")))
        .isEqualTo(expected(cpus));
  }

  @ParameterizedTest(name = "{2} of {1} on {0} by {3}: {4}")
  @CsvSource(
      delimiter = '|',
      value = {
        "two-sockets-smt | 0-11 | 8 | 1 | 0,6,2,8,1,7,3,9",
        "four-nodes-smt | 0-79 | 64 | 1 | 0-7,10-17,20-27,30-37,40-47,50-57,60-67,70-77",
        "four-nodes-smt | 0-79 | 48 | 1 | 0-7,10-17,20-27,40-47,50-57,60-67",
        "four-nodes-smt | 1-29,32-39,41-69,72-79 | 48 | 1 | 1-8,10-17,20-27,41-48,50-57,60-67",
        "four-nodes-smt | 2-29,31-39,42-69,71-79 | 48 | 1 | 10-17,20-27,31-38,50-57,60-67,71-78",
        "four-nodes-smt | 0-2,10-12,20-22,30-32,40-41,50-51,60-61,70-71 | 16 | 1 |"
            + " 0-1,10-11,20-21,30-31,40-41,50-51,60-61,70-71",
        "two-sockets-smt | 1,2,3,4,5,7,8,9,10,11 | 1 | 1 | 1",
        "two-sockets-smt | 1,2,3,4,5,7,8,9,10,11 | 1 | 2 | 2",
        "four-nodes-smt | 0-79 | 26 | 1 | 0-6,10-16,40-45,50-55",
        "four-nodes-smt | 0-79 | 26 | 2 | 0-6,10-15,40-46,50-55",
        "four-nodes-smt | 0-79 | 62 | 1 | 0-7,10-17,20-27,30-37,40-47,50-57,60-66,70-76",
        "four-nodes-smt | 0-79 | 62 | 2 | 0-7,10-17,20-27,30-36,40-47,50-57,60-67,70-76",
        "four-nodes-smt | 0-8,10-18,20-39,40-48,50-58,60-79 | 62 | 1 |"
            + " 0-7,10-17,20-27,30-37,40-46,50-56,60-67,70-77",
        "four-nodes-smt | 0-8,10-18,20-39,40-48,50-58,60-79 | 62 | 2 |"
            + " 0-7,10-16,20-27,30-37,40-47,50-56,60-67,70-77",
        "four-nodes-smt | 0-3,10-13,20-23,30-36,40-43,50-53,60-63,70-76 | 34 | 1 |"
            + " 0-3,10-13,20-23,30-34,40-43,50-53,60-63,70-74",
        "eight-nodes-smt |"
            + " 0,128,30,31,158,159,43-47,171-175,62,63,190,191,75-79,203-207,94,96,222,223,101-111,229-239,126,127,254,255"
            + " | 28 | 1 | 43-47,75-79,96,101-105,171-174,203-206,229-232"
      })
  void distributedOverNumaNodes(
      String machine, String available, int count, int group, String cpus) {
    assertThat(
            CpuDistribution.distributed(
                TestMachines.machine(machine), CpuSet.parse(available), count, group, false))
        .isEqualTo(expected(cpus));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"0-3,8 | 5 | 0-3,8", "7 | 1 | 7", "0,1,3 | 3 | 0-1,3", "2-2 | 1 | 2"})
  void listsAreReadAndWritten(String text, int size, String written) {
    assertThat(CpuSet.parse(text).size()).isEqualTo(size);
    assertThat(CpuSet.parse(text)).hasToString(written);
  }
}
