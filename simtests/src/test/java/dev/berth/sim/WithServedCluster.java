package dev.berth.sim;

import dev.berth.apiserver.fixture.Kubectl;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Gives each test a cluster that is served by HTTPS; nothing may have failed when it ends. */
public abstract class WithServedCluster {
  @TempDir protected Path directory;

  protected ServedCluster cluster;
  protected Kubectl kubectl;

  @BeforeEach
  public final void serve() {
    cluster = new ServedCluster(directory);
    kubectl = cluster.kubectl();
  }

  @AfterEach
  public final void stopServing() throws Exception {
    cluster.stop();
  }
}
