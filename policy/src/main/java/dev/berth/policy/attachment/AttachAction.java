package dev.berth.policy.attachment;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.VolumeAttachmentView;
import java.time.Instant;
import java.util.List;

/** What is to be done about a volume at a node. */
public sealed interface AttachAction {
  String node();

  /** It is to be attached. */
  record Attach(String node) implements AttachAction {}

  /** It is to be detached. */
  record Detach(String node, VolumeAttachmentView attachment, Reason reason)
      implements AttachAction {

    /**
     * Whether it may still be detached, as the node is after it was told that the volume is not
     * attached any more: the node may have begun to use it meanwhile, or be ready again.
     */
    public boolean isAllowedBy(NodeVolumes state) {
      return !state.uses(node, attachment.name()) || (reason.isForced() && !state.ready());
    }
  }

  /**
   * It is not needed, but in use.
   *
   * @param until when it is detached all the same, if the node is no better then; the end of time
   *     if that does not come
   */
  record AwaitUnmount(String node, Instant until) implements AttachAction {}

  /**
   * It cannot be attached, since another node has it.
   *
   * @param users the pods that need it there; none if nobody does any more
   */
  record Refuse(String node, List<ObjectName> users) implements AttachAction {
    public Refuse {
      users = List.copyOf(users);
    }

    /** The message for a pod that waits for it; pods of other namespaces are counted, not named. */
    public String message(String namespace) {
      List<String> near =
          users.stream()
              .filter(u -> u.namespace().equals(namespace))
              .map(ObjectName::name)
              .toList();
      int far = users.size() - near.size();
      if (users.isEmpty()) {
        return "Volume is already exclusively attached to one node and can't be attached to another";
      }
      if (near.isEmpty()) {
        return "Volume is already used by %d pod(s) in different namespaces".formatted(far);
      }
      String names = "Volume is already used by pod(s) " + String.join(", ", near);
      return far == 0 ? names : "%s and %d pod(s) in different namespaces".formatted(names, far);
    }
  }

  /** Why a volume is detached. */
  enum Reason {
    /** Nobody uses it. */
    UNUSED(""),
    /** Its node has been unable for too long to say that it no longer does. */
    TIMEOUT("timeout"),
    /** Its node is out of service, so that nothing there uses anything. */
    OUT_OF_SERVICE("out-of-service");

    private final String word;

    Reason(String word) {
      this.word = word;
    }

    /** The word that upstream's metrics have; empty if nothing is forced. */
    public String word() {
      return word;
    }

    public boolean isForced() {
      return this != UNUSED;
    }
  }
}
