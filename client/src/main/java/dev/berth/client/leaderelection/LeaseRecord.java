package dev.berth.client.leaderelection;

import dev.berth.model.leader.LeaderTerm;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;

/** What candidates write into their Lease. */
final class LeaseRecord {
  private LeaseRecord() {}

  static String holder(JsonObject lease) {
    return lease.object("spec").text("holderIdentity", "");
  }

  /** Whether nobody wrote the lease between the two. */
  static boolean sameRecord(JsonObject one, JsonObject other) {
    return one.object("spec").equals(other.object("spec"));
  }

  /**
   * A new lease.
   *
   * @param last the one that was deleted, if this candidate knows it: its terms are over
   */
  static JsonObject created(JsonObject last, LeaderElection.Config config, Instant now) {
    long transitions = last.isEmpty() ? 0 : LeaderTerm.of(last).transitions() + 1;
    JsonObject metadata =
        new JsonObject.Builder()
            .put("name", config.lease().name())
            .put("namespace", config.lease().namespace())
            .build();
    return new JsonObject.Builder()
        .put("kind", "Lease")
        .put("apiVersion", "coordination.k8s.io/v1")
        .put("metadata", metadata)
        .put("spec", spec(config, now).put("leaseTransitions", transitions).build())
        .build();
  }

  /** A lease that passes to this candidate. */
  static JsonObject taken(JsonObject lease, LeaderElection.Config config, Instant now) {
    long transitions = LeaderTerm.of(lease).transitions() + 1;
    return lease.with("spec", spec(config, now).put("leaseTransitions", transitions).build());
  }

  static JsonObject renewed(JsonObject lease, LeaderElection.Config config, Instant now) {
    JsonObject spec = lease.object("spec");
    JsonObject.Builder renewed =
        spec(config, now).put("leaseTransitions", spec.integer("leaseTransitions").orElse(0));
    return lease.with("spec", renewed.putIfPresent("acquireTime", spec.get("acquireTime")).build());
  }

  /** A lease that nobody holds any more. */
  static JsonObject released(JsonObject lease, Instant now) {
    JsonObject spec = lease.object("spec");
    return lease.with(
        "spec",
        new JsonObject.Builder()
            .put("holderIdentity", "")
            .put("leaseDurationSeconds", 1L)
            .put("acquireTime", Times.formatMicro(now))
            .put("renewTime", Times.formatMicro(now))
            .put("leaseTransitions", spec.integer("leaseTransitions").orElse(0))
            .build());
  }

  private static JsonObject.Builder spec(LeaderElection.Config config, Instant now) {
    return new JsonObject.Builder()
        .put("holderIdentity", config.identity())
        .put("leaseDurationSeconds", config.leaseDuration().toSeconds())
        .put("acquireTime", Times.formatMicro(now))
        .put("renewTime", Times.formatMicro(now));
  }
}
