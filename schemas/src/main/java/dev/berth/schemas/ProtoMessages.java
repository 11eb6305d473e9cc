package dev.berth.schemas;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.kubernetes.client.proto.V1;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;

/**
 * The protobuf messages of the artifact {@code client-java-proto}, and those that it leaves out, by
 * their names in OpenAPI.
 */
final class ProtoMessages {
  private static final String FILES = "io/kubernetes/client/proto/\\w+\\.class";

  private final Path jar;
  private final Map<String, Descriptor> byName = new TreeMap<>();

  ProtoMessages() {
    try {
      jar = Path.of(V1.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  Path jar() {
    return jar;
  }

  /** All messages in the order of their names. */
  Map<String, Descriptor> all() {
    if (byName.isEmpty()) {
      for (String file : files()) {
        for (Descriptor message : descriptor(file).getMessageTypes()) {
          byName.put(name(message), message);
        }
      }
      for (Descriptor message : ApiRegistrationMessages.file().getMessageTypes()) {
        byName.put(name(message), message);
      }
    }
    return byName;
  }

  private List<String> files() {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream()
          .map(entry -> entry.getName())
          .filter(name -> name.matches(FILES))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileDescriptor descriptor(String file) {
    String type = file.substring(0, file.length() - ".class".length()).replace('/', '.');
    try {
      return (FileDescriptor) Class.forName(type).getMethod("getDescriptor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What OpenAPI calls a message: {@code io.k8s.api.core.v1.Pod}. */
  static String name(Descriptor message) {
    String name = message.getFullName();
    if (!name.startsWith("k8s.io.")) {
      throw new IllegalStateException("a message of an unknown package: " + name);
    }
    return "io.k8s." + name.substring("k8s.io.".length()).replace('_', '-');
  }
}
