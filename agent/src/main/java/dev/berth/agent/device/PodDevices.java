package dev.berth.agent.device;

import dev.berth.agent.runtime.Placement;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.device.DeviceGrant;
import dev.berth.policy.podrun.AdmissionRejection;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The devices, processors and memory of a node as its pods know them. For any thread; nothing
 * blocks; answers come by another one.
 */
public interface PodDevices {

  /** Whether a pod asks for something that is given while it is let in. */
  boolean wants(JsonObject pod);

  /**
   * Gives a pod the devices that it asks for, and processors and memory of its own. What it is
   * given is on disk when the answer comes.
   *
   * @param then told why it does not get them; nothing if it does
   */
  void allocate(JsonObject pod, Consumer<Optional<AdmissionRejection>> then);

  /** Makes the devices of a container ready for its start. */
  void prepare(JsonObject pod, String container, Consumer<Answer<DeviceGrant>> then);

  /** A pod needs its devices no more. */
  void release(String podUid);

  /** These are all pods that may have devices: what others have is free. */
  void retain(Collection<String> podUids);

  /**
   * A node as a pod that has devices sees it: with no less of them than pods have, whatever its
   * status says since their plugin went.
   */
  JsonObject withAssigned(JsonObject node, String podUid);

  /** Which processors and memory the containers of a pod may use now. */
  default Placement.OfPod placement(String podUid) {
    return Placement.OfPod.ANYWHERE;
  }

  /**
   * Why a pod cannot be given other amounts of a resource while it runs, for no node of this kind
   * could; empty if it can.
   */
  default Optional<String> fixed(JsonObject pod, String resource) {
    return Optional.empty();
  }

  /** What {@code allocatedResourcesStatus} says of a container. */
  JsonArray health(String podUid, String container);

  /** No devices at all. */
  PodDevices NONE =
      new PodDevices() {
        @Override
        public boolean wants(JsonObject pod) {
          return false;
        }

        @Override
        public void allocate(JsonObject pod, Consumer<Optional<AdmissionRejection>> then) {
          then.accept(Optional.empty());
        }

        @Override
        public void prepare(JsonObject pod, String container, Consumer<Answer<DeviceGrant>> then) {
          then.accept(new Answer.Value<>(DeviceGrant.NOTHING));
        }

        @Override
        public void release(String podUid) {}

        @Override
        public void retain(Collection<String> podUids) {}

        @Override
        public JsonObject withAssigned(JsonObject node, String podUid) {
          return node;
        }

        @Override
        public JsonArray health(String podUid, String container) {
          return JsonArray.EMPTY;
        }
      };
}
