package dev.berth.cli.running;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerFileTest {
  @TempDir Path folder;

  @Test
  void theKubeconfigOfARunningServerIsWhereItWasToldToWriteIt() {
    assertThat(ServerFile.kubeconfigIn(folder)).isEqualTo(folder.resolve("admin.kubeconfig"));

    Path elsewhere = folder.resolve("k.yaml");
    var file =
        new ServerFile(
            ProcessIdentity.current(),
            false,
            true,
            elsewhere,
            Map.of("--etcd-servers", "http://a:2379,http://b:2379", "--no-cluster-dns", ""));
    file.write(folder);
    assertThat(ServerFile.kubeconfigIn(folder)).isEqualTo(elsewhere);
    assertThat(ServerFile.read(folder)).contains(file);
  }
}
