package dev.berth.serving.rest;

import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.serving.request.Query;
import java.util.ArrayList;
import java.util.List;

/** What a client asks of a connection, as Kubernetes' object that those who admit it are shown. */
final class ConnectionOptions {
  private static final List<String> STREAMS = List.of("stdin", "stdout", "stderr", "tty");

  private ConnectionOptions() {}

  /** Such as a PodExecOptions. */
  static JsonObject tree(Call call, String part) {
    Resource resource = call.resource();
    GroupVersionKind kind =
        resource.subresource(part).map(Subresource::kind).orElse(resource.kind());
    JsonObject.Builder tree =
        new JsonObject.Builder().put("kind", kind.kind()).put("apiVersion", kind.apiVersion());
    Query query = call.query();
    switch (part) {
      case "exec", "attach" -> {
        for (String stream : STREAMS) {
          if (query.flag(stream)) {
            tree.put(stream, true);
          }
        }
        putUnlessEmpty(tree, "container", query.text("container"));
        List<String> command = query.allTexts("command");
        if (!command.isEmpty()) {
          tree.put("command", JsonArray.copyOf(command));
        }
      }
      case "portforward" -> {
        JsonArray ports = ports(query);
        if (!ports.isEmpty()) {
          tree.put("ports", ports);
        }
      }
      default -> putUnlessEmpty(tree, "path", call.subresource().substring(part.length()));
    }
    return tree.build();
  }

  /** What is no number is for who makes the connection to complain about. */
  private static JsonArray ports(Query query) {
    List<Long> ports = new ArrayList<>();
    for (String text : query.allTexts("ports")) {
      for (String port : text.split(",", -1)) {
        if (port.matches("\\d{1,5}")) {
          ports.add(Long.parseLong(port));
        }
      }
    }
    return JsonArray.copyOf(ports);
  }

  private static void putUnlessEmpty(JsonObject.Builder tree, String field, String value) {
    if (!value.isEmpty()) {
      tree.put(field, value);
    }
  }
}
