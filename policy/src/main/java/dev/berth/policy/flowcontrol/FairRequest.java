package dev.berth.policy.flowcontrol;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A request that waits for seats of a priority level or has them; {@link FairQueues} keeps it. */
public class FairRequest {
  enum State {
    NEW,
    WAITING,
    RUNNING,
    DONE
  }

  final long flowHash;
  final Instant waitsUntil;
  Work work;
  State state = State.NEW;

  /** Tells apart those who wait until the same instant. */
  long order;

  /** The queue that it went through; null if its level has none. */
  FairQueues.@Nullable Queue<?> queue;

  /** How far the level's progress was when the request came. */
  double arrival;

  Instant began = Instant.EPOCH;

  /**
   * @param flowHash the same for all requests of a flow
   * @param waitsUntil when it is refused if it still waits
   */
  public FairRequest(Work work, long flowHash, Instant waitsUntil) {
    this.work = work;
    this.flowHash = flowHash;
    this.waitsUntil = waitsUntil;
  }

  /** How many seats it needs. */
  public final int seats() {
    return work.seats();
  }
}
