package dev.berth.sim.garbagecollector;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.DeleteOptions.Propagation;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** ConfigMaps of the namespace {@code default} that own each other. */
final class OwnedConfigMaps {
  private final Api api;

  OwnedConfigMaps(Api api) {
    this.api = api;
  }

  static ObjectName name(String name) {
    return new ObjectName("default", name);
  }

  /** A ConfigMap, owned by others, each of which waits for it. */
  JsonObject create(String name, JsonObject... owners) {
    return create(name, true, owners);
  }

  JsonObject create(String name, boolean blocks, JsonObject... owners) {
    List<JsonObject> references = new ArrayList<>();
    for (JsonObject owner : owners) {
      references.add(reference(owner, blocks).toTree());
    }
    return createReferring(name, references);
  }

  JsonObject createReferring(String name, List<JsonObject> references) {
    JsonObject metadata =
        new JsonObject.Builder()
            .put("namespace", "default")
            .put("name", name)
            .put("ownerReferences", JsonArray.copyOf(references))
            .build();
    return done(api.create(Resources.CONFIG_MAPS, JsonObject.of("metadata", metadata)));
  }

  static OwnerReference reference(JsonObject owner, boolean blocks) {
    Metadata metadata = Metadata.of(owner);
    return new OwnerReference(
        owner.text("apiVersion", "v1"),
        owner.text("kind", "ConfigMap"),
        metadata.name(),
        metadata.uid(),
        false,
        blocks);
  }

  void patch(String name, JsonObject metadata) {
    done(
        api.patch(
            Target.of(Resources.CONFIG_MAPS, name(name)),
            PatchType.MERGE,
            JsonObject.of("metadata", metadata)));
  }

  /** Keeps an object, once it is deleted, until the finalizers are others. */
  void hold(String name, String... finalizers) {
    patch(name, JsonObject.of("finalizers", JsonArray.of((Object[]) finalizers)));
  }

  void delete(String name, Propagation propagation) {
    done(
        api.delete(Resources.CONFIG_MAPS, name(name), DeleteOptions.NONE.propagation(propagation)));
  }

  /** The names of all that are there, but for the one that every namespace has. */
  List<String> names() {
    return switch (api.list(ListRequest.of(Resources.CONFIG_MAPS).in("default"))) {
      case ListResult.Page page ->
          page.items().stream().map(object -> Metadata.of(object).name()).toList();
      case ApiResult.Failure failure -> throw new AssertionError(failure.message());
    };
  }

  Metadata get(String name) {
    return Metadata.of(done(api.get(Resources.CONFIG_MAPS, name(name))));
  }

  static JsonObject done(ApiResult result) {
    return switch (result) {
      case ApiResult.Done(JsonObject object) -> object;
      case ApiResult.Failure failure -> throw new AssertionError(failure.message());
    };
  }
}
