package dev.berth.model.network;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A ServiceCIDR: ranges that services get their cluster IPs from.
 *
 * @param cidrs one range, or one of each family
 * @param deletionTimestamp when its deletion was asked for, if it was
 * @param ready the status of its condition Ready; empty if it has none
 */
public record ServiceCidrView(
    String name, List<String> cidrs, Optional<Instant> deletionTimestamp, Optional<String> ready) {
  public static final String READY = "Ready";

  /** The one that a server makes of its own ranges. */
  public static final String DEFAULT_NAME = "kubernetes";

  public static ServiceCidrView read(JsonObject tree) {
    Metadata metadata = Metadata.of(tree);
    return new ServiceCidrView(
        metadata.name(),
        List.copyOf(tree.object("spec").array("cidrs").texts()),
        metadata.deletionTimestamp(),
        Conditions.find(tree.object("status").array("conditions"), READY)
            .map(condition -> condition.text("status", Conditions.UNKNOWN)));
  }

  /** Whether new services get addresses of it; one without a condition counts as ready. */
  public boolean isUsable() {
    return deletionTimestamp.isEmpty() && ready.orElse(Conditions.TRUE).equals(Conditions.TRUE);
  }

  /** A ServiceCIDR with its condition Ready. */
  public static JsonObject withReady(
      JsonObject tree, String status, String reason, String message, Instant now) {
    return tree.update(
        "status",
        old ->
            old.with(
                "conditions",
                Conditions.set(
                    old.array("conditions"),
                    Conditions.condition(READY, status, reason, message),
                    now)));
  }
}
