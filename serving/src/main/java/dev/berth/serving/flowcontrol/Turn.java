package dev.berth.serving.flowcontrol;

import dev.berth.policy.flowcontrol.FairRequest;
import dev.berth.policy.flowcontrol.Work;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;

/** A request that waits for its turn on its own thread. */
final class Turn extends FairRequest {
  final FlowMetrics.OfSchema metrics;

  /** What its thread waits for, if it has to. */
  final CountDownLatch decided = new CountDownLatch(1);

  /** Guarded by the level's lock. */
  boolean runs;

  Turn(Work work, long flowHash, Instant waitsUntil, FlowMetrics.OfSchema metrics) {
    super(work, flowHash, waitsUntil);
    this.metrics = metrics;
  }
}
