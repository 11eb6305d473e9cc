package dev.berth.controllers.cloud;

import dev.berth.controllers.reconcile.Memories;
import dev.berth.controllers.reconcile.Reconciliation;
import dev.berth.model.core.CloudNodeView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cloud.CloudAnswer;
import dev.berth.policy.cloud.CloudNode;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a cloud is asked about each node, and what it said then: as seldom as a period says, however
 * often the node changes. Lives on its controller's loop.
 */
public final class AskedCloud {
  private final CloudProvider provider;
  private final Duration period;
  private final Time time;
  private final Memories<Memory> memories;

  /** Of one node. */
  public static final class Memory {
    /** On the monotonic clock; empty for at once. */
    private Optional<Instant> due = Optional.empty();

    private Optional<CloudAnswer> answer = Optional.empty();
  }

  public AskedCloud(CloudProvider provider, Duration period, Time time, Memories<Memory> memories) {
    this.provider = provider;
    this.period = period;
    this.time = time;
    this.memories = memories;
  }

  /** Asks if that is due, or needed at once; what follows waits for the answer. */
  public void ask(Reconciliation run, boolean isNeeded) {
    JsonObject node = run.object();
    Memory memory = memories.of(node);
    memory.answer = Optional.empty();
    Instant now = time.monotonicNow();
    if (!isNeeded && memory.due.filter(now::isBefore).isPresent()) {
      return;
    }
    memory.due = Optional.of(now.plus(period));
    CloudNodeView view = CloudNodeView.read(node);
    run.request(
        () -> provider.find(view.name(), view.providerId()),
        answer -> memory.answer = Optional.of(answer));
  }

  /** A node, and what its cloud said if it was asked just now. */
  public CloudNode state(JsonObject node) {
    Memory memory = memories.of(node);
    Instant now = time.monotonicNow();
    Duration left = Duration.between(now, memory.due.orElse(now));
    return new CloudNode(node, memory.answer, time.now().plus(left));
  }

  /** The cloud is asked again as soon as the node is reconciled. */
  public void askSoon(JsonObject node) {
    memories.of(node).due = Optional.empty();
  }
}
