package dev.berth.apiserver.resource.builtin;

import dev.berth.apiserver.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Services. One has a cluster address only if it names one itself. */
final class ServiceRules implements ResourceRules {
  private static final List<String> TYPES =
      List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");

  @Override
  public JsonObject defaults(JsonObject service) {
    return Fields.within(
        service,
        "spec",
        spec -> {
          JsonObject filled = Fields.orDefault(spec, "type", "ClusterIP");
          filled = Fields.orDefault(filled, "sessionAffinity", "None");
          JsonArray ports = filled.array("ports");
          for (int i = 0; i < ports.size(); i++) {
            JsonObject port = Fields.orDefault(ports.objects().get(i), "protocol", "TCP");
            Object number = port.get("port");
            ports =
                ports.with(i, number == null ? port : Fields.orDefault(port, "targetPort", number));
          }
          return ports.isEmpty() ? filled : filled.with("ports", ports);
        });
  }

  @Override
  public List<FieldError> validate(JsonObject service) {
    JsonObject spec = service.object("spec");
    FieldPath path = FieldPath.of("spec");
    String type = spec.text("type", "");
    List<FieldError> errors = new ArrayList<>(Fields.oneOf(path.field("type"), type, TYPES));
    JsonArray ports = spec.array("ports");
    boolean headless = spec.text("clusterIP", "").equals("None");
    if (ports.isEmpty() && !headless && !type.equals("ExternalName")) {
      errors.add(FieldError.required("spec.ports", ""));
    }
    for (int i = 0; i < ports.size(); i++) {
      JsonObject port = ports.objects().get(i);
      FieldPath at = path.field("ports").index(i);
      long number = port.integer("port").orElse(0);
      if (number < 1 || number > 65535) {
        errors.add(
            FieldError.invalid(
                at.field("port").toString(), number, "must be between 1 and 65535, inclusive"));
      }
      if (ports.size() > 1 && port.text("name", "").isEmpty()) {
        errors.add(FieldError.required(at.field("name").toString(), ""));
      }
    }
    return errors;
  }
}
