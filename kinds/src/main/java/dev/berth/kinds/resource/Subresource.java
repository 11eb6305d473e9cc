package dev.berth.kinds.resource;

import dev.berth.model.resource.GroupVersionKind;
import java.util.List;

/** A part of an object, or something to be done with it, with a path of its own. */
public record Subresource(String name, GroupVersionKind kind, List<String> verbs) {
  public static final String STATUS = "status";
  public static final String SCALE = "scale";
  public static final String BINDING = "binding";
  public static final String PROXY = "proxy";

  /** The verbs of a proxy, which passes on whatever it is asked. */
  public static String[] proxyVerbs() {
    return new String[] {"create", "delete", "get", "patch", "update"};
  }

  /** Whether it can be asked to do this. Proxies pass on methods, too, that have no verb here. */
  public boolean allows(String verb) {
    return verbs.contains(verb) || (verb.isEmpty() && name.equals(PROXY));
  }
}
