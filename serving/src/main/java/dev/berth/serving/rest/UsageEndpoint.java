package dev.berth.serving.rest;

import dev.berth.kinds.resource.Catalog;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.FieldSelector;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.Stored;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import dev.berth.serving.connect.NodeConnector;
import dev.berth.serving.usage.NodeFigures;
import dev.berth.serving.usage.NodeUsages;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The group metrics.k8s.io: what nodes and pods use, for {@code kubectl top} and autoscalers. */
final class UsageEndpoint {
  static final String GROUP = "metrics.k8s.io";
  private static final String VERSION = "v1beta1";
  private static final int OK = 200;
  private static final long KIBI = 1024;

  /** What its figures are the average of, as nodes measure it. */
  private static final String WINDOW = "10s";

  private final Registry registry;
  private final NodeUsages usages;
  private final Resource nodes;
  private final Resource pods;

  UsageEndpoint(Registry registry, NodeConnector connector) {
    this.registry = registry;
    this.usages = new NodeUsages(connector, registry.time());
    this.nodes = registry.catalog().get("", "v1", "nodes");
    this.pods = registry.catalog().get("", "v1", "pods");
  }

  /** What is served with it, besides all else. */
  static Catalog with(Catalog catalog) {
    List<Resource> all = new ArrayList<>();
    catalog.versions().forEach(version -> all.addAll(catalog.resources(version)));
    all.add(Resource.clusterWide(GROUP, VERSION, "NodeMetrics").plural("nodes").computed().build());
    all.add(Resource.namespaced(GROUP, VERSION, "PodMetrics").plural("pods").computed().build());
    return new Catalog(all);
  }

  void answer(Call call) {
    boolean ofNodes = !call.resource().isNamespaced();
    if (call.hasName()) {
      JsonObject object = registry.get(ofNodes ? nodes : pods, call.name()).tree();
      refresh(ofNodes ? List.of(object) : nodesOf(List.of(object)));
      Optional<JsonObject> metrics = ofNodes ? ofNode(object) : ofPod(object);
      call.respond(OK, metrics.orElseThrow(() -> noFigures(call)));
    } else {
      List<JsonObject> objects = list(call, ofNodes ? nodes : pods);
      refresh(ofNodes ? objects : nodesOf(objects));
      List<JsonObject> items =
          objects.stream()
              .flatMap(object -> (ofNodes ? ofNode(object) : ofPod(object)).stream())
              .toList();
      call.respond(
          OK,
          JsonObject.of("kind", ofNodes ? "NodeMetricsList" : "PodMetricsList")
              .with("apiVersion", GROUP + "/" + VERSION)
              .with("metadata", JsonObject.EMPTY)
              .with("items", JsonArray.copyOf(items)));
    }
  }

  private List<JsonObject> list(Call call, Resource of) {
    try {
      Selection selection =
          new Selection(
              call.namespace(),
              LabelSelector.parse(call.query().text("labelSelector")),
              FieldSelector.parse(call.query().text("fieldSelector")));
      selection.check(of);
      return registry.list(of, ListOptions.of(selection)).entries().stream()
          .map(StoredEncoding::tree)
          .toList();
    } catch (SelectorException e) {
      throw Failures.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private List<JsonObject> nodesOf(List<JsonObject> asked) {
    Set<String> names = new TreeSet<>();
    asked.forEach(pod -> names.add(pod.object("spec").text("nodeName", "")));
    return names.stream()
        .flatMap(name -> registry.find(nodes, ObjectName.of(name)).stream())
        .map(Stored::tree)
        .toList();
  }

  private void refresh(List<JsonObject> asked) {
    usages.refresh(asked);
  }

  private Optional<JsonObject> ofNode(JsonObject node) {
    JsonObject metadata = node.object("metadata");
    return usages
        .of(metadata.text("name", ""))
        .map(figures ->
            metrics("NodeMetrics", metadata, figures).with("usage", usage(figures.node())));
  }

  private Optional<JsonObject> ofPod(JsonObject pod) {
    JsonObject metadata = pod.object("metadata");
    String namespace = metadata.text("namespace", "");
    String name = metadata.text("name", "");
    return usages
        .of(pod.object("spec").text("nodeName", ""))
        .flatMap(figures ->
            figures.pods().stream()
                .filter(each -> each.namespace().equals(namespace) && each.name().equals(name))
                .findFirst()
                .map(found ->
                    metrics("PodMetrics", metadata, figures).with("containers", of(found))));
  }

  private static JsonArray of(NodeFigures.OfPod pod) {
    return JsonArray.copyOf(
        pod.containers().stream()
            .map(each -> JsonObject.of("name", each.name()).with("usage", usage(each.usage())))
            .toList());
  }

  private JsonObject metrics(String kind, JsonObject metadata, NodeFigures figures) {
    JsonObject.Builder shown = new JsonObject.Builder().put("name", metadata.text("name", ""));
    shown.putIfPresent("namespace", metadata.text("namespace"));
    shown.put("creationTimestamp", registry.now().truncatedTo(ChronoUnit.SECONDS).toString());
    if (!metadata.object("labels").isEmpty()) {
      shown.put("labels", metadata.object("labels"));
    }
    return JsonObject.of("kind", kind)
        .with("apiVersion", GROUP + "/" + VERSION)
        .with("metadata", shown.build())
        .with("timestamp", figures.at().toString())
        .with("window", WINDOW);
  }

  private static JsonObject usage(NodeFigures.Usage usage) {
    return JsonObject.of("cpu", usage.nanoCores() + "n")
        .with("memory", usage.workingSetBytes() / KIBI + "Ki");
  }

  private static StatusException noFigures(Call call) {
    GroupResource resource = call.resource().groupResource();
    String name = call.name().name();
    return new StatusException(
        new Status(
            404,
            "NotFound",
            call.resource().isNamespaced()
                ? "pod metrics for pod \"%s/%s\" is not found".formatted(call.namespace(), name)
                : "node metrics for node \"%s\" is not found".formatted(name),
            Status.Details.of(name, resource.group(), resource.resource())));
  }
}
