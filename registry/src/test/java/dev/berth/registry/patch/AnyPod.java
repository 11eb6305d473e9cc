package dev.berth.registry.patch;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Random pods of few names and values, so that any two have much in common: lists by key, sets,
 * maps, structs and atomic lists.
 */
public final class AnyPod {
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

  private final RandomGenerator random;

  public AnyPod(RandomGenerator random) {
    this.random = random;
  }

  public JsonObject pod() {
    JsonObject.Builder metadata = new JsonObject.Builder().put("name", "pod");
    maybe(metadata, "labels", map());
    maybe(metadata, "annotations", map());
    maybe(metadata, "finalizers", names());
    return new JsonObject.Builder()
        .put("apiVersion", "v1")
        .put("kind", "Pod")
        .put("metadata", metadata.build())
        .put("spec", spec())
        .build();
  }

  private JsonObject spec() {
    JsonObject.Builder spec = new JsonObject.Builder();
    maybe(spec, "nodeName", name());
    maybe(spec, "terminationGracePeriodSeconds", (long) random.nextInt(3));
    maybe(spec, "nodeSelector", map());
    maybe(spec, "securityContext", securityContext());
    maybe(spec, "tolerations", JsonArray.copyOf(each("key")));
    maybe(spec, "volumes", volumes());
    spec.put("containers", containers());
    return spec.build();
  }

  private JsonObject securityContext() {
    JsonObject.Builder context =
        new JsonObject.Builder().put("runAsUser", (long) random.nextInt(3));
    maybe(context, "fsGroup", 1L);
    maybe(context, "supplementalGroups", JsonArray.of(1L, (long) random.nextInt(9)));
    return context.build();
  }

  private JsonArray containers() {
    List<Object> containers = new ArrayList<>();
    for (JsonObject named : each("name")) {
      JsonObject container = named.with("image", name());
      List<Object> ports = new ArrayList<>();
      for (long port = 80; port < 83; port++) {
        if (random.nextBoolean()) {
          ports.add(
              JsonObject.of("containerPort", port).with("protocol", "TCP").with("name", name()));
        }
      }
      container = random.nextBoolean() ? container.with("ports", shuffled(ports)) : container;
      container = random.nextBoolean() ? container.with("args", names()) : container;
      List<Object> env = new ArrayList<>();
      each("name").forEach(variable -> env.add(variable.with("value", name())));
      containers.add(
          random.nextBoolean() ? container.with("env", JsonArray.copyOf(env)) : container);
    }
    return JsonArray.copyOf(containers);
  }

  private JsonArray volumes() {
    List<Object> volumes = new ArrayList<>();
    for (JsonObject named : each("name")) {
      volumes.add(
          random.nextBoolean()
              ? named.with("emptyDir", JsonObject.EMPTY)
              : named.with("hostPath", JsonObject.of("path", "/" + name())));
    }
    return JsonArray.copyOf(volumes);
  }

  private void maybe(JsonObject.Builder object, String field, Object value) {
    if (random.nextInt(3) > 0) {
      object.put(field, value);
    }
  }

  /** Objects with different keys; at least one. */
  private List<JsonObject> each(String key) {
    List<JsonObject> objects = new ArrayList<>();
    names().texts().forEach(name -> objects.add(JsonObject.of(key, name)));
    return objects;
  }

  private JsonObject map() {
    JsonObject.Builder map = new JsonObject.Builder();
    names().texts().forEach(name -> map.put(name, name()));
    return map.build();
  }

  private JsonArray names() {
    List<Object> some = new ArrayList<>(NAMES);
    some.removeIf(name -> random.nextBoolean());
    return some.isEmpty() ? JsonArray.of(name()) : shuffled(some);
  }

  private JsonArray shuffled(List<Object> values) {
    Collections.shuffle(values, random);
    return JsonArray.copyOf(values);
  }

  private String name() {
    return NAMES.get(random.nextInt(NAMES.size()));
  }
}
