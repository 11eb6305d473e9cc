package dev.berth.agent.pod;

import dev.berth.agent.device.PodDevices;
import dev.berth.agent.image.ImagePuller;
import dev.berth.agent.node.NodeState;
import dev.berth.agent.objects.RuntimeClasses;
import dev.berth.agent.probe.Hooks;
import dev.berth.agent.probe.Probes;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.volume.PodVolumes;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;

/**
 * What the pods of a node share.
 *
 * @param starts for what starts sandboxes and containers, so that not too many do at once
 */
record PodContext(
    Loop loop,
    Time time,
    ContainerRuntime runtime,
    PodVolumes volumes,
    PodDevices devices,
    NodeState node,
    StartCall startCall,
    Probes probes,
    Hooks hooks,
    PodEvents events,
    KubeletMetrics metrics,
    BoundedCalls starts,
    ImagePuller images,
    RuntimeClasses runtimeClasses,
    PodSettings settings) {

  /** What stands before containers' ids in a status, such as {@code process://}. */
  String idPrefix() {
    return runtime.idPrefix();
  }

  /** The node as the server shows it; empty if it is not known. */
  JsonObject nodeTree() {
    return node.node().orElse(JsonObject.EMPTY);
  }
}
