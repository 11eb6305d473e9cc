package dev.berth.agent.device;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * gRPC, loaded when it is first asked for. Its libraries are many, and most machines have no device
 * plugin: so they are no part of Berth's class path, but a directory of jars that a class loader of
 * their own reads. The system property {@value #DIRECTORY} names it; without it, what is on the
 * class path is used, as in tests.
 */
public final class LazyTransport implements Supplier<PluginTransport>, AutoCloseable {
  public static final String DIRECTORY = "berth.grpc";

  private static final String ENTRY = "dev.berth.grpc.device.GrpcPluginTransport";

  /** Classes are kept for as long as the process lives, however often an agent starts in it. */
  private static @Nullable Class<?> loaded;

  private @Nullable PluginTransport transport;
  private boolean isClosed;

  @Override
  public synchronized PluginTransport get() {
    PluginTransport known = transport;
    if (known == null) {
      if (isClosed) {
        throw new IllegalStateException("the agent has ended");
      }
      known = make(entry());
      transport = known;
    }
    return known;
  }

  private static PluginTransport make(Class<?> entry) {
    try {
      return (PluginTransport) entry.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("gRPC cannot be used: " + e, e);
    }
  }

  private static synchronized Class<?> entry() {
    Class<?> known = loaded;
    if (known == null) {
      String directory = System.getProperty(DIRECTORY, "");
      try {
        ClassLoader own = LazyTransport.class.getClassLoader();
        known =
            Class.forName(
                ENTRY,
                true,
                directory.isEmpty() ? own : new URLClassLoader("grpc", jars(directory), own));
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException(
            "device plugins need gRPC, which is not in \"%s\" (-D%s)"
                .formatted(directory, DIRECTORY),
            e);
      }
      loaded = known;
    }
    return known;
  }

  private static URL[] jars(String directory) {
    List<URL> jars = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of(directory), "*.jar")) {
      for (Path file : files) {
        jars.add(url(file));
      }
    } catch (IOException e) {
      throw new IllegalStateException(
          "device plugins need gRPC, which cannot be read from %s: %s".formatted(directory, e), e);
    }
    return jars.toArray(URL[]::new);
  }

  private static URL url(Path file) {
    try {
      return file.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    if (transport != null) {
      transport.close();
    }
  }
}
