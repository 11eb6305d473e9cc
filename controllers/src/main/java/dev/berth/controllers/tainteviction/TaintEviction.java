package dev.berth.controllers.tainteviction;

import dev.berth.controllers.Controller;
import dev.berth.controllers.ControllerParts;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.time.Loop;

/** Evicts pods because of NoExecute taints. */
public final class TaintEviction implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "node-controller";

  private final Loop loop;

  private TaintEviction(ControllerParts parts) {
    loop = parts.time().start("taint-eviction");
  }

  public static TaintEviction start(ControllerParts parts, TolerationRules rules) {
    return new TaintEviction(parts);
  }

  @Override
  public void close() {
    loop.close();
  }
}
