package dev.berth.serving.flowcontrol;

import dev.berth.kinds.flowcontrol.BootstrapFlowControl;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.flowcontrol.Queuing;
import dev.berth.policy.flowcontrol.SeatLimits;
import dev.berth.policy.flowcontrol.ShuffleSharding;
import java.util.Optional;

/** What a PriorityLevelConfiguration says. */
record PriorityLevelSpec(String name, String uid, SeatLimits.Shares shares, Queuing queuing) {
  private static final double MOST_OF_NOMINAL = 0.15;

  /** Empty if the object contradicts itself: then it is as if it were not there. */
  static Optional<PriorityLevelSpec> read(JsonObject object) {
    Metadata metadata = Metadata.of(object);
    JsonObject spec = object.object("spec");
    boolean exempt = spec.text("type", "").equals("Exempt");
    String union = exempt ? "exempt" : "limited";
    if (!spec.has(union) || exempt != metadata.name().equals(BootstrapFlowControl.EXEMPT)) {
      return Optional.empty();
    }
    JsonObject level = spec.object(union);
    SeatLimits.Shares shares =
        new SeatLimits.Shares(
            level.integer("nominalConcurrencyShares").orElse(0),
            level.integer("lendablePercent").orElse(0),
            level.integer("borrowingLimitPercent").orElse(SeatLimits.Shares.UNLIMITED));
    Optional<Queuing> queuing =
        exempt ? Optional.of(new Queuing.Exempt()) : queuing(level.object("limitResponse"));
    return queuing.map(how -> new PriorityLevelSpec(metadata.name(), metadata.uid(), shares, how));
  }

  private static Optional<Queuing> queuing(JsonObject response) {
    boolean queues = response.text("type", "").equals("Queue");
    if (queues != response.has("queuing")) {
      return Optional.empty();
    }
    if (!queues) {
      return Optional.of(new Queuing.Reject());
    }
    JsonObject queuing = response.object("queuing");
    int count = (int) queuing.integer("queues").orElse(0);
    int hand = (int) queuing.integer("handSize").orElse(0);
    int length = (int) queuing.integer("queueLengthLimit").orElse(0);
    try {
      return Optional.of(new Queuing.Queues(new ShuffleSharding(count, hand), length));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  boolean isExempt() {
    return queuing instanceof Queuing.Exempt;
  }

  /**
   * How many seats one request may take: a small part of the level's, and so few that one flow
   * cannot have them all. Unlimited where requests do not wait.
   */
  int maxSeats(int nominal) {
    if (!(queuing instanceof Queuing.Queues queues)) {
      return Integer.MAX_VALUE;
    }
    int part = (int) Math.ceil(nominal * MOST_OF_NOMINAL);
    return Math.max(1, Math.min(part, nominal / queues.hands().handSize()));
  }
}
