package dev.berth.schemas;

import io.kubernetes.client.openapi.models.V1Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.jar.JarFile;

/**
 * The classes of the artifact {@code client-java-api}: its models, and the clients that use them.
 */
final class ClientClasses {
  private static final String MODELS = "io/kubernetes/client/openapi/models/";
  private static final String CLIENTS = "io/kubernetes/client/openapi/apis/";

  private final Path jar;
  private final List<String> entries;

  ClientClasses() {
    try {
      jar = Path.of(V1Pod.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      try (JarFile file = new JarFile(jar.toFile())) {
        entries = file.stream().map(entry -> entry.getName()).sorted().toList();
      }
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path jar() {
    return jar;
  }

  /** Every model, but the base class of models and the one of {@code /version}. */
  List<Class<?>> models() {
    return load(entry ->
        entry.startsWith(MODELS)
            && !entry.contains("$")
            && !entry.endsWith("/AbstractOpenApiSchema.class")
            && !entry.endsWith("/VersionInfo.class"));
  }

  /** The models in requests and responses of a group's clients, of all versions. */
  Set<Class<?>> modelsOfClients(ApiGroup group) {
    Set<Class<?>> models = new TreeSet<>(Comparator.comparing(Class::getName));
    String client = CLIENTS + group.clients() + "V\\d\\w*Api(\\$.*)?\\.class";
    for (Class<?> type : load(entry -> entry.matches(client))) {
      for (Method method : type.getDeclaredMethods()) {
        models.add(method.getReturnType());
        models.addAll(List.of(method.getParameterTypes()));
      }
    }
    models.removeIf(type -> !type.getName().startsWith(MODELS.replace('/', '.')));
    return models;
  }

  private List<Class<?>> load(Predicate<String> entry) {
    TreeMap<String, Class<?>> classes = new TreeMap<>();
    entries.stream()
        .filter(name -> name.endsWith(".class") && entry.test(name))
        .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
        .forEach(name -> classes.put(name, load(name)));
    return List.copyOf(classes.values());
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, V1Pod.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
