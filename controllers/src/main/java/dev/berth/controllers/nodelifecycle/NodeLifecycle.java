package dev.berth.controllers.nodelifecycle;

import dev.berth.controllers.Controller;
import dev.berth.controllers.ControllerParts;
import dev.berth.time.Loop;

/** Watches the health of nodes. */
public final class NodeLifecycle implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "node-controller";

  private final Loop loop;

  private NodeLifecycle(ControllerParts parts) {
    loop = parts.time().start("node-lifecycle");
  }

  public static NodeLifecycle start(ControllerParts parts, NodeLifecycleSettings settings) {
    return new NodeLifecycle(parts);
  }

  @Override
  public void close() {
    loop.close();
  }
}
