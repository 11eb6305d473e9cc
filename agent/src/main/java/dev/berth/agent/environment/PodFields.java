package dev.berth.agent.environment;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fields of a pod that its containers may see as variables.
 *
 * @param podAddresses the pod's own, the first one first
 * @param hostAddresses those of its node
 */
record PodFields(JsonObject pod, List<String> podAddresses, List<String> hostAddresses) {
  private static final Pattern ENTRY =
      Pattern.compile("metadata\\.(labels|annotations)\\['([^']*)'\\]");

  String value(String path) throws EnvironmentFailure {
    Metadata metadata = Metadata.of(pod);
    JsonObject spec = pod.object("spec");
    Matcher entry = ENTRY.matcher(path);
    if (entry.matches()) {
      JsonObject entries =
          entry.group(1).equals("labels") ? metadata.labels() : metadata.annotations();
      return entries.text(entry.group(2), "");
    }
    return switch (path) {
      case "metadata.name" -> metadata.name();
      case "metadata.namespace" -> metadata.namespace();
      case "metadata.uid" -> metadata.uid();
      case "spec.nodeName" -> spec.text("nodeName", "");
      case "spec.serviceAccountName" -> spec.text("serviceAccountName", "");
      case "status.hostIP" -> hostAddresses.isEmpty() ? "" : hostAddresses.getFirst();
      case "status.hostIPs" -> String.join(",", hostAddresses);
      case "status.podIP" -> podAddresses.isEmpty() ? "" : podAddresses.getFirst();
      case "status.podIPs" -> String.join(",", podAddresses);
      default -> throw new EnvironmentFailure("unsupported fieldPath: " + path);
    };
  }
}
