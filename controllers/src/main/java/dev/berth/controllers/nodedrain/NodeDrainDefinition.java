package dev.berth.controllers.nodedrain;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The custom resource that drains are asked for by, and the role of who carries them out. */
public final class NodeDrainDefinition {
  public static final GroupVersionResource NODE_DRAINS =
      new GroupVersionResource("berth.dev", "v1alpha1", "nodedrains");

  public static final String KIND = "NodeDrain";

  public static final GroupVersionResource DEFINITIONS =
      new GroupVersionResource("apiextensions.k8s.io", "v1", "customresourcedefinitions");

  /** The name of its definition. */
  public static final ObjectName NAME = ObjectName.of("nodedrains.berth.dev");

  private NodeDrainDefinition() {}

  /** The definition, as YAML. */
  public static String definition() {
    return text("nodedrain-crd.yaml");
  }

  /** The role that the controller needs in a cluster that is not Berth's, as YAML. */
  public static String role() {
    return text("nodedrain-role.yaml");
  }

  private static String text(String file) {
    try (InputStream in = NodeDrainDefinition.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is missing");
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
