package dev.berth.kinds.networking;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** Where the requests of an ingress go, by their path. */
final class IngressBackends {
  private static final List<String> PATH_TYPES =
      List.of("Exact", "ImplementationSpecific", "Prefix");
  private static final List<String> NOT_WITHIN = List.of("//", "/./", "/../", "%2f", "%2F");
  private static final List<String> NOT_AT_END = List.of("/..", "/.");

  private IngressBackends() {}

  /** The paths of a rule. */
  static void http(JsonObject rule, FieldPath at, FieldErrorList problems) {
    if (!rule.has("http")) {
      return;
    }
    FieldPath paths = at.field("http").field("paths");
    List<JsonObject> all = rule.object("http").array("paths").objects();
    if (all.isEmpty()) {
      problems.required(paths, "");
    }
    for (int i = 0; i < all.size(); i++) {
      path(all.get(i), paths.index(i), problems);
    }
  }

  private static void path(JsonObject path, FieldPath at, FieldErrorList problems) {
    String type = path.text("pathType");
    if (type == null) {
      problems.required(at.field("pathType"), "pathType must be specified");
      return;
    }
    String text = path.text("path", "");
    switch (type) {
      case "Exact", "Prefix" -> {
        absolute(text, at, problems);
        NOT_WITHIN.stream()
            .filter(text::contains)
            .forEach(part ->
                problems.invalid(at.field("path"), text, "must not contain '%s'".formatted(part)));
        NOT_AT_END.stream()
            .filter(text::endsWith)
            .forEach(end ->
                problems.invalid(at.field("path"), text, "cannot end with '%s'".formatted(end)));
      }
      case "ImplementationSpecific" -> {
        if (!text.isEmpty()) {
          absolute(text, at, problems);
        }
      }
      default -> problems.oneOf(at.field("pathType"), type, PATH_TYPES);
    }
    backend(path.object("backend"), at.field("backend"), problems);
  }

  private static void absolute(String path, FieldPath at, FieldErrorList problems) {
    if (!path.startsWith("/")) {
      problems.invalid(at.field("path"), path, "must be an absolute path");
    }
  }

  static void backend(JsonObject backend, FieldPath at, FieldErrorList problems) {
    boolean resource = backend.has("resource");
    boolean service = backend.has("service");
    if (resource && service) {
      problems.invalid(at, "", "cannot set both resource and service backends");
    } else if (resource) {
      reference(backend.object("resource"), at.field("resource"), problems);
    } else if (service) {
      service(backend.object("service"), at, problems);
    } else {
      problems.invalid(at, "", "resource or service backend is required");
    }
  }

  private static void service(JsonObject service, FieldPath at, FieldErrorList problems) {
    FieldPath place = at.field("service");
    if (problems.present(service, "name", place)) {
      String name = service.text("name", "");
      problems.invalid(place.field("name"), name, NameRules.dns1123Label(name));
    }
    JsonObject port = service.object("port");
    String name = port.text("name", "");
    long number = port.integer("number").orElse(0);
    if (!name.isEmpty() && number != 0) {
      problems.invalid(at, "", "cannot set both port name & port number");
    } else if (!name.isEmpty()) {
      problems.invalid(
          place.field("port").field("name"), name, FieldErrorList.portNameProblems(name));
    } else if (number != 0) {
      problems.portNumber(number, place.field("port").field("number"));
    } else {
      problems.required(at, "port name or number is required");
    }
  }

  /** An object of some kind, named by its group, kind and name. */
  static void reference(JsonObject reference, FieldPath at, FieldErrorList problems) {
    String group = reference.text("apiGroup");
    if (group != null) {
      problems.invalid(at.field("apiGroup"), group, NameRules.dns1123Subdomain(group));
    }
    for (String field : List.of("kind", "name")) {
      if (problems.present(reference, field, at)) {
        String text = reference.text(field, "");
        problems.invalid(at.field(field), text, NameRules.pathSegment(text));
      }
    }
  }
}
