package dev.berth.bench.cost;

import java.util.List;
import java.util.Optional;

/**
 * What a server is doing, by the code that it is in. A sample of a stack counts for the innermost
 * frame that belongs to a stage; what everybody uses (trees, collections, the JDK) belongs to its
 * caller's.
 */
final class Stage {
  static final String THREADS = "threads: waking, switching, timers";

  private record Rule(String prefix, String stage) {}

  /** The first that fits counts. */
  private static final List<Rule> RULES =
      List.of(
          new Rule("org.eclipse.jetty.io.ssl.", "TLS"),
          new Rule("sun.security.ssl.", "TLS"),
          new Rule("org.eclipse.jetty.", "HTTP"),
          new Rule("dev.berth.http.", "HTTP"),
          new Rule("dev.berth.model.tree.JsonReader", "JSON, read"),
          new Rule("dev.berth.model.tree.JsonWriter", "JSON, written"),
          new Rule("dev.berth.wire.", "protobuf"),
          new Rule("dev.berth.access.token.", "authentication"),
          new Rule("dev.berth.access.", "authorization"),
          new Rule("dev.berth.serving.flowcontrol.", "flow control"),
          new Rule("dev.berth.serving.", "serving: paths, options, watches, metrics"),
          new Rule("dev.berth.cel.", "admission: expressions"),
          new Rule("dev.berth.admission.", "admission: plugins"),
          new Rule("dev.berth.kinds.resource.Conforming", "shape: schema of the kind"),
          new Rule("dev.berth.customresources.schema.ValueValidator", "defaults and validation"),
          new Rule("dev.berth.customresources.schema.", "shape: schema of the kind"),
          new Rule("dev.berth.customresources.", "defaults and validation"),
          new Rule("dev.berth.kinds.", "defaults and validation"),
          new Rule("dev.berth.registry.apply.", "field ownership"),
          new Rule("dev.berth.registry.", "registry"),
          new Rule("dev.berth.store.embedded.", "store: SQLite"),
          new Rule("dev.berth.store.", "store: history, waking watches"),
          new Rule("dev.berth.client.informer.", "informers"),
          new Rule("dev.berth.client.", "requests of components"),
          new Rule("dev.berth.scheduler.", "scheduler"),
          new Rule("dev.berth.hollow.", "hollow nodes"),
          new Rule("dev.berth.agent.", "node agent"));

  private static final String CONTROLLERS = "dev.berth.controllers.";

  private Stage() {}

  /** The stage of a frame, by the name of its class. */
  static Optional<String> of(String type) {
    if (type.startsWith(CONTROLLERS)) {
      String rest = type.substring(CONTROLLERS.length());
      int dot = rest.indexOf('.');
      return Optional.of("controllers: " + (dot < 0 ? "shared" : rest.substring(0, dot)));
    }
    return RULES.stream().filter(rule -> type.startsWith(rule.prefix)).findFirst().map(Rule::stage);
  }
}
