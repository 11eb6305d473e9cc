package dev.berth.agent.device;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import dev.berth.policy.device.DeviceAssignments;
import dev.berth.policy.device.DeviceAssignments.Assignment;
import dev.berth.policy.device.DeviceAssignments.Holder;
import dev.berth.policy.device.DeviceGrant;
import dev.berth.policy.device.PluginDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What an agent has to know of devices after its end, whatever ended it: who has which, and how
 * they are used, so that none is given twice and containers can be started again without asking
 * their plugins. The file is the old or the new one, after a crash of the machine too.
 *
 * @param registered the resources that plugins had registered
 */
record DeviceCheckpoint(SortedSet<String> registered, DeviceAssignments assignments) {
  static final DeviceCheckpoint EMPTY =
      new DeviceCheckpoint(new TreeSet<>(), DeviceAssignments.NONE);

  /**
   * @throws IOException if there is something that cannot be read
   */
  static DeviceCheckpoint read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return EMPTY;
    }
    try {
      return of(JsonReader.object(Files.readAllBytes(file), JsonLimits.TRUSTED));
    } catch (JsonException e) {
      throw new IOException("it is damaged: " + e.getMessage(), e);
    }
  }

  void write(Path file) throws IOException {
    DurableFile.write(file, JsonWriter.toBytes(tree()));
  }

  private static DeviceCheckpoint of(JsonObject tree) {
    SortedMap<Holder, Assignment> all = new TreeMap<>();
    for (JsonObject each : tree.array("assignments").objects()) {
      all.put(
          new Holder(
              each.text("podUid", ""), each.text("container", ""), each.text("resource", "")),
          assignment(each));
    }
    return new DeviceCheckpoint(
        new TreeSet<>(tree.array("registered").texts()), new DeviceAssignments(all));
  }

  private static Assignment assignment(JsonObject tree) {
    SortedMap<String, PluginDevice> devices = new TreeMap<>();
    for (JsonObject device : tree.array("devices").objects()) {
      String id = device.text("id", "");
      List<Long> nodes = device.array("numaNodes").texts().stream().map(Long::valueOf).toList();
      devices.put(id, new PluginDevice(id, true, nodes));
    }
    List<DeviceGrant.Mount> mounts = new ArrayList<>();
    for (JsonObject mount : tree.array("mounts").objects()) {
      mounts.add(
          new DeviceGrant.Mount(
              mount.text("containerPath", ""),
              mount.text("hostPath", ""),
              mount.flag("readOnly", false)));
    }
    List<DeviceGrant.Node> nodes = new ArrayList<>();
    for (JsonObject node : tree.array("nodes").objects()) {
      nodes.add(
          new DeviceGrant.Node(
              node.text("containerPath", ""),
              node.text("hostPath", ""),
              node.text("permissions", "")));
    }
    return new Assignment(
        devices,
        new DeviceGrant(
            tree.object("environment").toStrings(),
            mounts,
            nodes,
            tree.object("annotations").toStrings(),
            tree.array("cdiDevices").texts()));
  }

  private JsonObject tree() {
    List<JsonObject> all = new ArrayList<>();
    assignments.all().forEach((holder, assignment) -> all.add(tree(holder, assignment)));
    return new JsonObject.Builder()
        .put("registered", JsonArray.copyOf(List.copyOf(registered)))
        .put("assignments", JsonArray.copyOf(all))
        .build();
  }

  private static JsonObject tree(Holder holder, Assignment assignment) {
    DeviceGrant grant = assignment.grant();
    return new JsonObject.Builder()
        .put("podUid", holder.podUid())
        .put("container", holder.container())
        .put("resource", holder.resource())
        .put(
            "devices",
            JsonArray.copyOf(
                assignment.devices().values().stream().map(DeviceCheckpoint::tree).toList()))
        .put("environment", JsonObject.ofStrings(grant.environment()))
        .put(
            "mounts",
            JsonArray.copyOf(grant.mounts().stream().map(DeviceCheckpoint::tree).toList()))
        .put("nodes", JsonArray.copyOf(grant.nodes().stream().map(DeviceCheckpoint::tree).toList()))
        .put("annotations", JsonObject.ofStrings(grant.annotations()))
        .put("cdiDevices", JsonArray.copyOf(grant.cdiDevices()))
        .build();
  }

  private static JsonObject tree(PluginDevice device) {
    return new JsonObject.Builder()
        .put("id", device.id())
        .put(
            "numaNodes",
            JsonArray.copyOf(device.numaNodes().stream().map(String::valueOf).toList()))
        .build();
  }

  private static JsonObject tree(DeviceGrant.Mount mount) {
    return new JsonObject.Builder()
        .put("containerPath", mount.containerPath())
        .put("hostPath", mount.hostPath())
        .put("readOnly", mount.isReadOnly())
        .build();
  }

  private static JsonObject tree(DeviceGrant.Node node) {
    return new JsonObject.Builder()
        .put("containerPath", node.containerPath())
        .put("hostPath", node.hostPath())
        .put("permissions", node.permissions())
        .build();
  }
}
