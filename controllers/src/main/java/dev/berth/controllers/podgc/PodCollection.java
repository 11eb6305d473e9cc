package dev.berth.controllers.podgc;

import dev.berth.controllers.Controller;
import dev.berth.controllers.ControllerParts;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.time.Loop;

/** Deletes pods that nobody else will. */
public final class PodCollection implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "pod-garbage-collector";

  private final Loop loop;

  private PodCollection(ControllerParts parts) {
    loop = parts.time().start("pod-collection");
  }

  public static PodCollection start(
      ControllerParts parts, PodCollectionSettings settings, TolerationRules rules) {
    return new PodCollection(parts);
  }

  @Override
  public void close() {
    loop.close();
  }
}
