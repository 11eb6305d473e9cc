package dev.berth.apiserver.layout;

import dev.berth.customresources.definition.BetaDefinition;
import dev.berth.customresources.definition.DefinitionResource;
import dev.berth.kinds.BuiltIns;
import dev.berth.kinds.resource.Catalog;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import dev.berth.registry.StoredEncoding;
import dev.berth.store.etcd.EtcdLayout;
import dev.berth.store.etcd.UndecodableException;
import dev.berth.wire.Envelope;
import dev.berth.wire.Protobuf;
import dev.berth.wire.WireException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keys and values as a kube-apiserver 1.36 has them in etcd, so that each can go on where the other
 * stopped.
 *
 * <ol>
 *   <li>Objects of built-in kinds are protobuf in its envelope, in the version that {@link
 *       StorageVersions} says.
 *   <li>Definitions are JSON of v1beta1 ({@link BetaDefinition}), APIServices JSON of v1, and
 *       custom resources JSON of their storage version.
 *   <li>Nothing says a resourceVersion, which is etcd's revision, nor a selfLink.
 *   <li>What is read may be JSON, too, in place of protobuf, and may be of any version with the
 *       same fields, or of one that is served here: a kube-apiserver leaves what it wrote long ago
 *       as it is until somebody changes it. Defaults that came later are added, as it does.
 * </ol>
 *
 * <p>Keys of a kube-apiserver's own ({@code masterleases}, {@code ranges/servicenodeports}) are
 * left alone: it makes them anew from the objects when it starts. Berth has no keys but those of
 * objects.
 *
 * <p>May be used from any thread.
 */
public final class KubernetesLayout implements EtcdLayout {
  private final KubernetesKeys keys;
  private final Catalog catalog;

  /** By what keys of the store begin with. */
  private final Map<String, Resource> builtIn = new HashMap<>();

  /**
   * @param prefix what all keys in etcd begin with; mostly {@code /registry}
   */
  public KubernetesLayout(String prefix) {
    catalog = BuiltIns.catalog();
    List<Resource> stored = stored(catalog);
    stored.forEach(resource -> builtIn.put(resource.groupResource().toString(), resource));
    keys = new KubernetesKeys(prefix, stored);
  }

  /** The resources that are built in and have objects of their own. */
  static List<Resource> stored(Catalog catalog) {
    List<Resource> stored = new ArrayList<>();
    for (GroupVersion version : catalog.versions()) {
      for (Resource resource : catalog.resources(version)) {
        if (resource.isStored() && resource.storedAs().isEmpty()) {
          stored.add(resource);
        }
      }
    }
    stored.add(DefinitionResource.resource());
    return stored;
  }

  @Override
  public String etcdKey(String key) {
    return keys.etcdKey(key);
  }

  @Override
  public Optional<String> storeKey(String etcdKey) {
    return keys.storeKey(etcdKey);
  }

  @Override
  public byte[] encode(String key, byte[] value) {
    Resource resource = builtIn.get(KubernetesKeys.resource(key));
    if (resource == null || value.length == 0 || value[0] != '{') {
      return value;
    }
    if (StorageVersions.isJson(resource)) {
      return isDefinition(resource)
          ? JsonWriter.toBytes(BetaDefinition.of(JsonReader.object(value, JsonLimits.TRUSTED)))
          : value;
    }
    JsonObject object = JsonReader.object(value, JsonLimits.TRUSTED);
    return Protobuf.encode(object.with("apiVersion", StorageVersions.of(resource)));
  }

  @Override
  public byte[] decode(String key, byte[] stored) {
    Resource resource = builtIn.get(KubernetesKeys.resource(key));
    try {
      if (Protobuf.isEnvelope(stored)) {
        return ofEnvelope(resource, Envelope.read(stored));
      }
      if (stored.length == 0 || stored[0] != '{') {
        throw new UndecodableException("it is neither protobuf nor JSON");
      }
      if (resource == null) {
        return CustomForm.decode(stored);
      }
      JsonObject object = JsonReader.object(stored, JsonLimits.TRUSTED);
      return isDefinition(resource)
          ? StoredEncoding.adopted(resource, BetaDefinition.toV1(object))
          : adopted(resource, object, readAs(resource, GroupVersionKind.of(object)));
    } catch (WireException | JsonException | IllegalArgumentException e) {
      throw new UndecodableException(String.valueOf(e.getMessage()), e);
    }
  }

  private byte[] ofEnvelope(@Nullable Resource resource, Envelope envelope) {
    GroupVersion version = GroupVersion.parse(envelope.apiVersion());
    if (resource == null) {
      throw new UndecodableException(
          "it is protobuf of " + version.kind(envelope.kind()) + ", where JSON is stored");
    }
    Resource form = readAs(resource, version.kind(envelope.kind()));
    return adopted(resource, envelope.object(form.kind()), form);
  }

  private static boolean isDefinition(Resource resource) {
    return resource.kind().group().equals(DefinitionResource.GROUP);
  }

  /** The resource whose form an object has that calls itself so. */
  private Resource readAs(Resource resource, GroupVersionKind kind) {
    GroupKind groupKind = resource.groupKind();
    if (kind.equals(resource.kind())
        || (kind.groupKind().equals(groupKind)
            && StorageVersions.hasSameFields(resource, kind.version()))) {
      return resource;
    }
    return catalog.equivalents(resource).stream()
        .filter(other -> other.kind().equals(kind))
        .findFirst()
        .orElseThrow(() ->
            new UndecodableException(
                "it is of %s, which cannot be read as %s".formatted(kind, resource.kind())));
  }

  @SuppressWarnings("ReferenceEquality") // Resources are declared once.
  private static byte[] adopted(Resource resource, JsonObject object, Resource form) {
    if (Metadata.of(object).name().isEmpty()) {
      throw new UndecodableException("it has no name");
    }
    JsonObject own = object.with("apiVersion", form.kind().apiVersion());
    return StoredEncoding.adopted(resource, form == resource ? own : form.converted(own, resource));
  }
}
