package dev.berth.controllers.garbagecollector;

import dev.berth.client.Discovery.Served;
import dev.berth.controllers.garbagecollector.Node.Identity;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.garbage.Garbage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who owns whom, by UID, as far as was heard.
 *
 * <p>Only objects that own or are owned are in it; all others cost nothing here. What becomes an
 * owner later is found among what was heard ({@link Known}). A change that concerns neither owners,
 * nor finalizers, nor deletion is nothing but three comparisons, since Leases change thousands of
 * times a second.
 *
 * <p>The graph says what to reconcile ({@link Listener}) and decides nothing.
 */
final class Graph {
  private final Map<String, Node> nodes = new HashMap<>();
  private final Known known;
  private final Listener listener;

  /** What was heard of all objects. */
  interface Known {
    /** The object that a reference means, made by one in that namespace; whatever its UID is. */
    Optional<Heard> find(OwnerReference reference, String namespace);
  }

  /** An object and what it is. */
  record Heard(Served served, JsonObject object) {}

  /** Learns what follows from changes. */
  interface Listener {
    /** Something may have to be done about an object, or about what it owns. */
    void reconcile(Node node);

    /** An object refers to an owner in another namespace, which counts for nothing. */
    void misplaced(Identity dependent, String uid, OwnerReference reference);

    /** An owner is gone that others refer to. */
    void gone(Identity identity, String uid);
  }

  Graph(Known known, Listener listener) {
    this.known = known;
    this.listener = listener;
  }

  @Nullable Node get(String uid) {
    return nodes.get(uid);
  }

  int size() {
    return nodes.size();
  }

  /** Takes note of what was heard; null if the object was not or is no more. */
  void changed(Served served, @Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      if (before == null || !isAlike(before.object("metadata"), after.object("metadata"))) {
        heard(served, after);
      }
    } else if (before != null) {
      removed(Metadata.of(before).uid());
    }
  }

  private static boolean isAlike(JsonObject before, JsonObject after) {
    return Objects.equals(before.get("ownerReferences"), after.get("ownerReferences"))
        && Objects.equals(before.get("deletionTimestamp"), after.get("deletionTimestamp"))
        && Objects.equals(before.get("finalizers"), after.get("finalizers"));
  }

  private void heard(Served served, JsonObject object) {
    Metadata metadata = Metadata.of(object);
    Node node = nodes.get(metadata.uid());
    if (node == null) {
      boolean matters = metadata.tree().has("ownerReferences") || metadata.isBeingDeleted();
      if (!matters) {
        return;
      }
      node = new Node(metadata.uid());
      nodes.put(node.uid, node);
    }
    observe(node, served, object);
    forgetIfIdle(node);
  }

  private void observe(Node node, Served served, JsonObject object) {
    Metadata metadata = Metadata.of(object);
    boolean isNew = node.identity == null;
    if (isNew) {
      node.identity = new Identity(served, ObjectName.of(object));
    }
    node.isBeingDeleted = metadata.isBeingDeleted();
    boolean awaits = Garbage.awaitsDependents(metadata);
    boolean begins = awaits && !node.awaitsDependents;
    node.awaitsDependents = awaits;
    boolean orphans = Garbage.orphansDependents(metadata);
    if (orphans && !node.orphansDependents) {
      listener.reconcile(node);
    }
    node.orphansDependents = orphans;
    relink(node, metadata.ownerReferences());
    if (isNew || begins) {
      node.dependents().forEach(this::reconcileIfUnsettled);
    }
    if (begins) {
      listener.reconcile(node);
    }
    reconcileIfUnsettled(node);
  }

  /** Makes an object a dependent of its owners, and of nobody else. */
  private void relink(Node node, List<OwnerReference> owners) {
    List<OwnerReference> before = node.owners;
    if (before.equals(owners)) {
      return;
    }
    node.owners = owners;
    Set<String> uids = uids(owners);
    for (String uid : uids) {
      Node owner = owner(node, uid);
      owner.addDependent(node);
      owner.blocking += blocks(owners, uid) ? 1 : 0;
      if (owner.awaitsDependents && node.awaitsDependents) {
        listener.reconcile(owner);
      }
    }
    for (String uid : uids(before)) {
      Node owner = nodes.get(uid);
      if (owner == null) {
        continue;
      }
      owner.blocking -= blocks(before, uid) ? 1 : 0;
      if (!uids.contains(uid)) {
        owner.removeDependent(node);
      }
      if (owner.awaitsDependents && owner.blocking == 0) {
        listener.reconcile(owner);
      }
      forgetIfIdle(owner);
    }
  }

  private static Set<String> uids(List<OwnerReference> references) {
    Set<String> uids = LinkedHashSet.newLinkedHashSet(references.size());
    references.forEach(reference -> uids.add(reference.uid()));
    return uids;
  }

  private static boolean blocks(List<OwnerReference> references, String uid) {
    return references.stream()
        .anyMatch(reference -> reference.uid().equals(uid) && reference.blocksOwnerDeletion());
  }

  /**
   * Those that an object waits for, while they wait, themselves or through others, for it: none of
   * them would ever go.
   */
  List<Node> inCirclesWith(Node node) {
    List<Node> found = new ArrayList<>();
    for (Node dependent : node.dependents()) {
      if (awaits(node, dependent) && reaches(dependent, node)) {
        found.add(dependent);
      }
    }
    return found;
  }

  /** Whether an object waits for another, which waits for others in turn. */
  private static boolean awaits(Node node, Node dependent) {
    return node.awaitsDependents
        && dependent.awaitsDependents
        && blocks(dependent.owners, node.uid);
  }

  private static boolean reaches(Node from, Node to) {
    Set<Node> seen = new HashSet<>();
    Deque<Node> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      Node node = open.remove();
      if (node == to) {
        return true;
      }
      for (Node dependent : node.dependents()) {
        if (awaits(node, dependent) && seen.add(dependent)) {
          open.add(dependent);
        }
      }
    }
    return false;
  }

  /** An owner, which may not have been in the graph, or may not have been heard of at all. */
  private Node owner(Node node, String uid) {
    Node owner = nodes.get(uid);
    if (owner == null) {
      owner = new Node(uid);
      nodes.put(uid, owner);
    }
    findIfUnheard(owner, node);
    return owner;
  }

  private void findIfUnheard(Node owner, Node dependent) {
    Identity identity = dependent.identity;
    if (owner.identity != null || identity == null) {
      return;
    }
    for (OwnerReference reference : dependent.owners) {
      if (reference.uid().equals(owner.uid)) {
        known
            .find(reference, identity.name().namespace())
            .filter(heard -> Metadata.of(heard.object()).uid().equals(owner.uid))
            .ifPresent(heard -> observe(owner, heard.served(), heard.object()));
      }
    }
  }

  private void reconcileIfUnsettled(Node node) {
    Identity identity = node.identity;
    if (identity == null || isSettled(node)) {
      return;
    }
    listener.reconcile(node);
    for (OwnerReference reference : node.owners) {
      Node owner = nodes.get(reference.uid());
      if (owner != null && owner.identity != null && isElsewhere(owner.identity, identity)) {
        listener.misplaced(identity, node.uid, reference);
      }
    }
  }

  /**
   * Whether an object may stay, as far as was heard: it has no owners, or all of them are there and
   * none waits for it to go; or it is on its way already.
   */
  boolean isSettled(Node node) {
    Identity identity = node.identity;
    if (identity == null || node.isBeingDeleted) {
      return true;
    }
    for (OwnerReference reference : node.owners) {
      Node owner = owner(node, reference.uid());
      boolean solid =
          owner.identity != null
              && !owner.awaitsDependents
              && isMeant(reference, owner.identity)
              && !isElsewhere(owner.identity, identity);
      if (!solid) {
        return false;
      }
    }
    return true;
  }

  private static boolean isElsewhere(Identity owner, Identity dependent) {
    return owner.served().namespaced()
        && !owner.name().namespace().equals(dependent.name().namespace());
  }

  private static boolean isMeant(OwnerReference reference, Identity owner) {
    return reference.name().equals(owner.name().name())
        && Kinds.kind(reference).equals(owner.served().groupKind());
  }

  private void removed(String uid) {
    Node node = nodes.get(uid);
    if (node == null) {
      return;
    }
    Identity identity = node.identity;
    node.identity = null;
    node.awaitsDependents = false;
    node.orphansDependents = false;
    relink(node, List.of());
    if (identity != null && !node.dependents().isEmpty()) {
      listener.gone(identity, uid);
      node.dependents().forEach(this::reconcileIfUnsettled);
    }
    forgetIfIdle(node);
  }

  private void forgetIfIdle(Node node) {
    if (node.isIdle()) {
      nodes.remove(node.uid, node);
    }
  }
}
