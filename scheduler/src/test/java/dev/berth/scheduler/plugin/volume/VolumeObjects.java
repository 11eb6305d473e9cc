package dev.berth.scheduler.plugin.volume;

import static dev.berth.scheduler.fixture.TopologyFixture.array;
import static dev.berth.scheduler.fixture.TopologyFixture.json;

import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/** Volumes, claims and classes for tests; quotes in JSON are written as {@code '}. */
final class VolumeObjects {
  private VolumeObjects() {}

  /** A pod with a volume for each claim. */
  static PodFixture using(PodFixture pod, String... claims) {
    JsonArray volumes = JsonArray.EMPTY;
    for (String claim : claims) {
      volumes =
          volumes.append(
              json(
                  "{'name': '%s', 'persistentVolumeClaim': {'claimName': '%s'}}"
                      .formatted(claim, claim)));
    }
    return pod.with("spec.volumes", volumes);
  }

  /** A pod with volumes of other kinds. */
  static PodFixture mounting(PodFixture pod, String... volumes) {
    return pod.with("spec.volumes", array(volumes));
  }

  static JsonObject boundClaim(String name, String volume) {
    return claim(
        name,
        "'volumeName': '%s', 'storageClassName': 'slow'".formatted(volume),
        "'annotations': {'pv.kubernetes.io/bind-completed': 'yes'},");
  }

  /** A claim of 5Gi of a class. */
  static JsonObject freeClaim(String name, String storageClass) {
    return claim(
        name,
        "'storageClassName': '%s', 'resources': {'requests': {'storage': '5Gi'}}"
            .formatted(storageClass),
        "");
  }

  static JsonObject claim(String name, String spec, String metadata) {
    return json(
        "{'metadata': {%s 'name': '%s', 'namespace': 'default', 'uid': '%s-uid'}, 'spec': {%s}}"
            .formatted(metadata, name, name, spec));
  }

  /** A volume that is free, of a class. */
  static JsonObject volume(String name, String size, String storageClass, String spec) {
    return json(
        ("{'metadata': {'name': '%s'}, 'status': {'phase': 'Available'}, 'spec': {'capacity':"
                + " {'storage': '%s'}, 'storageClassName': '%s' %s}}")
            .formatted(name, size, storageClass, spec));
  }

  /** That a volume can be used on a node alone. */
  static String onlyOn(String host) {
    return (", 'nodeAffinity': {'required': {'nodeSelectorTerms': [{'matchExpressions': [{'key':"
            + " 'kubernetes.io/hostname', 'operator': 'In', 'values': ['%s']}]}]}}")
        .formatted(host);
  }

  static JsonObject storageClass(String name, String provisioner, String mode, String more) {
    return json(
        "{'metadata': {'name': '%s'}, 'provisioner': '%s', 'volumeBindingMode': '%s' %s}"
            .formatted(name, provisioner, mode, more));
  }
}
