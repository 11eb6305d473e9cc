package dev.berth.admission;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.Stored;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.StatusException;
import dev.berth.store.Store.Entry;
import java.util.List;
import java.util.Optional;

/** What policies look at besides the object that is written. */
record ClusterReader(Registry registry) {

  Resource core(String plural) {
    return registry.catalog().get("", "v1", plural);
  }

  Optional<JsonObject> find(Resource resource, ObjectName name) {
    return registry.find(resource, name).map(Stored::tree);
  }

  Optional<JsonObject> namespace(String name) {
    return find(core("namespaces"), ObjectName.of(name));
  }

  /** All objects of a namespace, or of the cluster if the name is empty, by their names. */
  List<JsonObject> list(Resource resource, String namespace) {
    List<Entry> entries =
        registry.list(resource, ListOptions.of(Selection.in(namespace))).entries();
    return entries.isEmpty() ? List.of() : entries.stream().map(StoredEncoding::tree).toList();
  }

  static StatusException forbidden(AdmissionRequest request, String why) {
    return Failures.forbidden(request.resource().groupResource(), request.name().name(), why);
  }
}
