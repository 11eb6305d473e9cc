package dev.berth.agent.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.objects.ObjectsUnavailable;
import dev.berth.agent.objects.PodObjects;
import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceFieldSelector;
import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.downward.DownwardResource;
import dev.berth.policy.downward.DownwardValue;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the environment of containers. In this order, later ones over earlier ones:
 *
 * <ol>
 *   <li>Variables of services, which anything else overrides.
 *   <li>{@code envFrom}: all keys of config maps and secrets.
 *   <li>{@code env}: values, in which references to variables are replaced, and what their sources
 *       say.
 * </ol>
 *
 * <p>May block, and may be used by any thread.
 */
public final class ContainerEnvironment {

  /** Where the volumes of a pod are on this machine. */
  @FunctionalInterface
  public interface VolumePaths {
    Path path(String volume) throws EnvironmentFailure;
  }

  /**
   * A container whose environment is wanted.
   *
   * @param podAddresses the pod's own
   * @param hostAddresses the node's
   * @param allocatable what the node has to give, for limits that are not set
   */
  public record Request(
      JsonObject pod,
      JsonObject container,
      List<String> podAddresses,
      List<String> hostAddresses,
      JsonObject allocatable,
      VolumePaths volumes) {}

  /** Reads config maps or secrets. */
  @FunctionalInterface
  private interface Reader {
    Optional<JsonObject> read(String namespace, String name) throws ObjectsUnavailable;
  }

  private final PodObjects objects;

  public ContainerEnvironment(PodObjects objects) {
    this.objects = objects;
  }

  /** The variables of a container, those of the specification first and in its order. */
  public Map<String, String> resolve(Request request) throws EnvironmentFailure {
    JsonObject pod = request.pod();
    String namespace = Metadata.of(pod).namespace();
    Map<String, String> services =
        ServiceVariables.of(
            objects.services(namespace),
            objects.services("default"),
            pod.object("spec").flag("enableServiceLinks", true));
    Map<String, String> own = new LinkedHashMap<>();
    for (JsonObject source : request.container().array("envFrom").objects()) {
      addAll(own, namespace, source);
    }
    for (JsonObject variable : request.container().array("env").objects()) {
      String name = variable.text("name", "");
      String value = variable.text("value", "");
      if (!value.isEmpty()) {
        Map<String, String> known = new LinkedHashMap<>(services);
        known.putAll(own);
        own.put(name, Expansion.expand(value, known));
      } else if (variable.has("valueFrom")) {
        from(variable.object("valueFrom"), request).ifPresent(found -> own.put(name, found));
      } else {
        own.put(name, "");
      }
    }
    services.forEach(own::putIfAbsent);
    return Collections.unmodifiableMap(own);
  }

  private void addAll(Map<String, String> variables, String namespace, JsonObject source)
      throws EnvironmentFailure {
    String prefix = source.text("prefix", "");
    if (source.has("configMapRef")) {
      find(objects::configMap, "configmap", namespace, source.object("configMapRef"))
          .ifPresent(map ->
              map.object("data")
                  .toStrings()
                  .forEach((key, value) -> variables.put(prefix + key, value)));
    } else if (source.has("secretRef")) {
      find(objects::secret, "secret", namespace, source.object("secretRef"))
          .ifPresent(secret ->
              secret
                  .object("data")
                  .toStrings()
                  .forEach((key, value) -> variables.put(prefix + key, decoded(value))));
    }
  }

  private Optional<String> from(JsonObject source, Request request) throws EnvironmentFailure {
    String namespace = Metadata.of(request.pod()).namespace();
    if (source.has("fieldRef")) {
      PodFields fields =
          new PodFields(request.pod(), request.podAddresses(), request.hostAddresses());
      return Optional.of(fields.value(source.object("fieldRef").text("fieldPath", "")));
    }
    if (source.has("resourceFieldRef")) {
      return Optional.of(amount(source.object("resourceFieldRef"), request));
    }
    if (source.has("configMapKeyRef")) {
      JsonObject reference = source.object("configMapKeyRef");
      return key(
          find(objects::configMap, "configmap", namespace, reference),
          "ConfigMap",
          namespace,
          reference);
    }
    if (source.has("secretKeyRef")) {
      JsonObject reference = source.object("secretKeyRef");
      return key(
              find(objects::secret, "secret", namespace, reference), "Secret", namespace, reference)
          .map(ContainerEnvironment::decoded);
    }
    if (source.has("fileKeyRef")) {
      return file(source.object("fileKeyRef"), request);
    }
    return Optional.of("");
  }

  /** Of the container that asks, unless the reference names another one. */
  private static String amount(JsonObject reference, Request request) throws EnvironmentFailure {
    PodSpecView pod = PodSpecView.read(request.pod().object("spec"));
    ResourceFieldSelector selector = ResourceFieldSelector.read(reference);
    ResourceList unlimited =
        DownwardResource.unlimited(pod, ResourceList.read(request.allocatable()));
    DownwardValue value =
        selector.containerName().isEmpty()
            ? DownwardResource.ofContainer(
                ContainerView.read(request.container()), selector, unlimited)
            : DownwardResource.read(pod, selector, unlimited);
    return switch (value) {
      case DownwardValue.Text(String text) -> text;
      case DownwardValue.Problem(String message) -> throw new EnvironmentFailure(message);
    };
  }

  private static Optional<String> file(JsonObject reference, Request request)
      throws EnvironmentFailure {
    String key = reference.text("key", "");
    Path volume = request.volumes().path(reference.text("volumeName", ""));
    Optional<String> value = EnvFile.read(volume, reference.text("path", ""), key);
    if (value.isEmpty() && !isOptional(reference)) {
      throw new EnvironmentFailure(
          "environment variable key \"%s\" not found in file \"%s\""
              .formatted(key, volume.resolve(reference.text("path", ""))));
    }
    return value;
  }

  private static Optional<JsonObject> find(
      Reader reader, String kind, String namespace, JsonObject reference)
      throws EnvironmentFailure {
    String name = reference.text("name", "");
    try {
      Optional<JsonObject> found = reader.read(namespace, name);
      if (found.isEmpty() && !isOptional(reference)) {
        throw new EnvironmentFailure("%s \"%s\" not found".formatted(kind, name));
      }
      return found;
    } catch (ObjectsUnavailable e) {
      throw new EnvironmentFailure(String.valueOf(e.getMessage()));
    }
  }

  private static Optional<String> key(
      Optional<JsonObject> object, String kind, String namespace, JsonObject reference)
      throws EnvironmentFailure {
    if (object.isEmpty()) {
      return Optional.empty();
    }
    String key = reference.text("key", "");
    Optional<String> value = Optional.ofNullable(object.get().object("data").text(key));
    if (value.isEmpty() && !isOptional(reference)) {
      throw new EnvironmentFailure(
          "couldn't find key %s in %s %s/%s"
              .formatted(key, kind, namespace, reference.text("name", "")));
    }
    return value;
  }

  private static boolean isOptional(JsonObject reference) {
    return reference.flag("optional", false);
  }

  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), UTF_8);
  }
}
