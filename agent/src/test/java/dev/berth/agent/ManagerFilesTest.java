package dev.berth.agent;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What managers gave to whom, from a kubelet's files. */
final class ManagerFilesTest {
  @TempDir private Path root;

  private static final String POD = "{'metadata':{'name':'web','namespace':'default','uid':'u1'}}";

  @Test
  void whatManagersGaveIsReadFromTheirFiles() throws IOException {
    Files.writeString(
        root.resolve("cpu_manager_state"),
        """
        {"policyName":"static","defaultCpuSet":"0-1","entries":{"u1":{"main":"2-3"},"u2":{"x":"4"}},"checksum":1}
        """);
    Files.writeString(
        root.resolve("memory_manager_state"),
        """
        {"policyName":"Static","machineState":{},"entries":{"u1":{"main":[{"numaAffinity":[0],"type":"memory","size":1024}]}},"checksum":1}
        """);
    Files.writeString(
        root.resolve("device-assignments.json"),
        """
        {"registered":["example.com/fpga"],"assignments":[{"podUid":"u1","container":"main",
         "resource":"example.com/fpga","devices":[{"id":"f0","numaNodes":[]}]}]}
        """);
    assertThat(ManagerFiles.read(root, List.of(tree(POD))))
        .isEqualTo(
            tree(
                """
                {'cpu':{'policy':'static','assignments':[
                   {'pod':'default/web','container':'main','given':'2-3'},
                   {'pod':'u2','container':'x','given':'4'}],'sharedCpus':'0-1'},
                 'memory':{'policy':'Static','assignments':[{'pod':'default/web','container':'main',
                   'given':[{'numaAffinity':[0],'type':'memory','size':1024}]}]},
                 'device':{'resources':['example.com/fpga'],'assignments':[
                   {'pod':'default/web','container':'main','resource':'example.com/fpga','given':['f0']}]}}
                """));
  }

  @Test
  void withoutFilesNothingIsGivenAndADamagedOneIsSaid() throws IOException {
    assertThat(ManagerFiles.read(root, List.of()).object("cpu"))
        .isEqualTo(tree("{'policy':'none','assignments':[],'sharedCpus':''}"));
    Files.writeString(root.resolve("cpu_manager_state"), "{");
    assertThat(ManagerFiles.read(root, List.of()).object("cpu").text("problem", ""))
        .startsWith(root.resolve("cpu_manager_state") + " cannot be read: ");
  }
}
