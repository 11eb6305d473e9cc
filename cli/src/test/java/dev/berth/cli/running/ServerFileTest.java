package dev.berth.cli.running;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerFileTest {
  @TempDir Path folder;

  @Test
  void theKubeconfigOfARunningServerIsWhereItWasToldToWriteIt() {
    assertThat(ServerFile.kubeconfigIn(folder)).isEqualTo(folder.resolve("admin.kubeconfig"));

    Path elsewhere = folder.resolve("k.yaml");
    new ServerFile(ProcessIdentity.current(), false, elsewhere).write(folder);
    assertThat(ServerFile.kubeconfigIn(folder)).isEqualTo(elsewhere);
  }
}
