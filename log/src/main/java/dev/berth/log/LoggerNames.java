package dev.berth.log;

import java.util.List;
import java.util.Map;

/**
 * Which component a logger belongs to. Berth's own loggers are named after their component. Those
 * of libraries are named after classes, and count as the component that uses the library.
 */
final class LoggerNames {
  /** Whatever no component uses in particular. */
  static final String REST = "java";

  private static final List<Map.Entry<String, String>> LIBRARIES =
      List.of(
          Map.entry("org.eclipse.jetty.", "http"),
          Map.entry("com.sun.net.httpserver", "http"),
          Map.entry("org.sqlite.", "store"),
          Map.entry("jdk.httpclient", "client"),
          Map.entry("jdk.internal.httpclient", "client"));

  private LoggerNames() {}

  static String component(String logger) {
    if (!isLibrary(logger)) {
      return logger;
    }
    return LIBRARIES.stream()
        .filter(library -> logger.startsWith(library.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(REST);
  }

  /** Components have names without dots; classes do not. */
  static boolean isLibrary(String logger) {
    return logger.indexOf('.') >= 0;
  }
}
