package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Ports of the host, each of which a pod can have once; on the host's network all ports are. */
final class HostPorts {
  private HostPorts() {}

  static void validate(JsonObject spec, FieldPath path, FieldErrorList problems) {
    boolean hostNetwork = spec.flag("hostNetwork", false);
    Set<String> taken = new HashSet<>();
    List<JsonObject> containers = spec.array("containers").objects();
    for (int c = 0; c < containers.size(); c++) {
      List<JsonObject> ports = containers.get(c).array("ports").objects();
      for (int p = 0; p < ports.size(); p++) {
        JsonObject port = ports.get(p);
        FieldPath at = path.field("containers").index(c).field("ports").index(p);
        long host = port.integer("hostPort").orElse(0);
        long own = port.integer("containerPort").orElse(0);
        if (hostNetwork && host != own) {
          problems.invalid(
              at.field("containerPort"), own, "must match `hostPort` when `hostNetwork` is true");
        }
        String key = "%s/%s/%d".formatted(port.text("protocol", ""), port.text("hostIP", ""), host);
        if (host != 0 && !taken.add(key)) {
          problems.duplicate(at.field("hostPort"), key);
        }
      }
    }
  }
}
