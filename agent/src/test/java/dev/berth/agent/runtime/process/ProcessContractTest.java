package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.RuntimeContract;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Containers that are processes keep to the contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProcessContractTest extends RuntimeContract {
  private LiveRuntime live;

  @BeforeAll
  void open() throws IOException {
    live = new LiveRuntime();
  }

  @AfterAll
  void close() throws Exception {
    live.close();
  }

  @Override
  protected ContainerRuntime runtime() {
    return live.runtime();
  }

  @Override
  protected void restart() throws IOException {
    live.restart();
  }

  @Override
  protected String image() {
    return "example";
  }
}
