package dev.berth.agent.node;

import dev.berth.agent.machine.MachineInfo;
import dev.berth.agent.runtime.Image;
import dev.berth.model.core.ResourceList;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.device.DeviceCapacity;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is known of the machine and its runtime at one moment.
 *
 * @param addresses by which the node is reached, the preferred family first
 * @param storageBytes of the file system that pods write to; 0 if it is not known
 * @param problems why the node is not ready
 */
public record NodeFacts(
    MachineInfo machine,
    List<String> addresses,
    long storageBytes,
    ResourceList extendedResources,
    DeviceCapacity devices,
    String runtimeVersion,
    List<Image> images,
    Optional<List<String>> volumesInUse,
    JsonArray runtimeHandlers,
    JsonObject features,
    OptionalInt port,
    List<String> problems) {}
