package dev.berth.agent.server;

import java.util.ArrayList;
import java.util.List;

/**
 * What a request to the node's port is called when the API server is asked whether it is allowed:
 * one of {@code nodes/…}. Some have a name of their own beside {@code proxy}, which allows
 * everything; either is enough.
 */
final class NodeSubresources {
  private NodeSubresources() {}

  static String verb(String method) {
    return switch (method) {
      case "POST" -> "create";
      case "GET", "HEAD" -> "get";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> "delete";
      default -> "";
    };
  }

  static List<String> of(String path) {
    List<String> names = new ArrayList<>();
    if (isBelow(path, "/pods") || isBelow(path, "/runningpods")) {
      names.add("pods");
    } else if (isBelow(path, "/healthz")) {
      names.add("healthz");
    } else if (isBelow(path, "/configz")) {
      names.add("configz");
    }
    if (isBelow(path, "/stats")) {
      names.add("stats");
    } else if (isBelow(path, "/metrics")) {
      names.add("metrics");
    } else if (isBelow(path, "/logs")) {
      names.add("log");
    } else if (isBelow(path, "/checkpoint")) {
      names.add("checkpoint");
    } else if (path.equals("/statusz")) {
      names.add("statusz");
    } else if (path.equals("/flagz")) {
      names.add("configz");
    } else {
      names.add("proxy");
    }
    return names;
  }

  private static boolean isBelow(String path, String prefix) {
    return path.equals(prefix) || path.startsWith(prefix + "/");
  }
}
