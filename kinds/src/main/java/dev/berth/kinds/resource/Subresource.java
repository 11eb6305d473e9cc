package dev.berth.kinds.resource;

import dev.berth.model.resource.GroupVersionKind;
import java.util.List;

/** A part of an object, or something to be done with it, with a path of its own. */
public record Subresource(String name, GroupVersionKind kind, List<String> verbs) {
  public static final String STATUS = "status";
  public static final String SCALE = "scale";

  /** The verbs of a proxy, which passes on whatever it is asked. */
  public static String[] proxyVerbs() {
    return new String[] {"create", "delete", "get", "patch", "update"};
  }
}
