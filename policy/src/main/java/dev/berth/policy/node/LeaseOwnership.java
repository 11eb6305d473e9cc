package dev.berth.policy.node;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whose a node's lease is, and when it goes. A lease is for the node of its name.
 *
 * <ol>
 *   <li>If there is such a node, it owns the lease. One that was made before its node gets the
 *       reference that it lacks; one whose node was deleted and made again gets the new node's,
 *       since whoever renews it speaks for the new node. (Upstream's collector would delete it, and
 *       the node agent would make another.)
 *   <li>If there is no such node, a lease that a node owned goes.
 *   <li>If there is no such node and never was, the node may be about to register: the lease goes
 *       once nobody has renewed it for a while.
 *   <li>Owners of other kinds stay owners.
 * </ol>
 */
public final class LeaseOwnership {
  private static final String NODE = "Node";

  private LeaseOwnership() {}

  /** What is to be done about a lease. */
  public sealed interface Action {
    /** It is as it should be. */
    record Keep() implements Action {}

    /** Its owners are to be these. */
    record Own(JsonArray ownerReferences) implements Action {}

    /** It is to be deleted, unless its node is there after all. */
    record Remove() implements Action {}

    /** It is to be deleted if nobody has changed it when it is next looked at. */
    record Watch() implements Action {}
  }

  /**
   * Decides about one lease.
   *
   * @param nodeUid of the node that has the lease's name, if there is one
   */
  public static Action decide(JsonObject lease, Optional<String> nodeUid) {
    Metadata metadata = Metadata.of(lease);
    List<JsonObject> owners = new ArrayList<>();
    int nodes = 0;
    boolean isOwned = false;
    for (OwnerReference owner : metadata.ownerReferences()) {
      if (isNode(owner)) {
        nodes++;
        isOwned |= nodeUid.isPresent() && owner.uid().equals(nodeUid.get());
      } else {
        owners.add(owner.toTree());
      }
    }
    if (nodeUid.isEmpty()) {
      return nodes == 0 ? new Action.Watch() : new Action.Remove();
    }
    if (nodes == 1 && isOwned) {
      return new Action.Keep();
    }
    String uid = nodeUid.get();
    owners.add(new OwnerReference("v1", NODE, metadata.name(), uid, false, false).toTree());
    return new Action.Own(JsonArray.copyOf(owners));
  }

  /**
   * Decides about one lease that is seen again and again.
   *
   * @param watched the revision at which it was last {@linkplain Action.Watch watched}, if it was.
   *     A lease that nobody has changed since is not about to get a node.
   */
  public static Action decide(
      JsonObject lease, Optional<String> nodeUid, Optional<String> watched) {
    Action action = decide(lease, nodeUid);
    boolean unchanged = watched.equals(Optional.of(Metadata.of(lease).resourceVersion()));
    return action instanceof Action.Watch && unchanged ? new Action.Remove() : action;
  }

  private static boolean isNode(OwnerReference owner) {
    return owner.kind().equals(NODE) && owner.apiVersion().equals("v1");
  }
}
