package dev.berth.agent.library;

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
import org.jspecify.annotations.Nullable;

/**
 * gRPC, loaded when it is first asked for. Its libraries are many, and most machines have neither a
 * device plugin nor a container runtime to talk to: so they are no part of Berth's class path, but
 * a directory of jars that a class loader of their own reads. The system property {@value
 * #DIRECTORY} names it; without it, what is on the class path is used, as in tests.
 */
public final class GrpcLibrary {
  public static final String DIRECTORY = "berth.grpc";

  /** Classes are kept for as long as the process lives, however often an agent starts in it. */
  private static @Nullable ClassLoader loaded;

  private GrpcLibrary() {}

  /**
   * Makes something of the library.
   *
   * @param name of a class with a public constructor that takes nothing
   * @param user what needs it, in plural, for the message when it is not there
   */
  public static <T> T make(String name, Class<T> type, String user) {
    try {
      Class<?> entry = Class.forName(name, true, loader(user));
      return type.cast(entry.getConstructor().newInstance());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "%s need gRPC, which is not in \"%s\" (-D%s)"
              .formatted(user, System.getProperty(DIRECTORY, ""), DIRECTORY),
          e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("gRPC cannot be used: " + e, e);
    }
  }

  private static synchronized ClassLoader loader(String user) {
    ClassLoader known = loaded;
    if (known == null) {
      String directory = System.getProperty(DIRECTORY, "");
      ClassLoader own = GrpcLibrary.class.getClassLoader();
      known = directory.isEmpty() ? own : new URLClassLoader("grpc", jars(directory, user), own);
      loaded = known;
    }
    return known;
  }

  private static URL[] jars(String directory, String user) {
    List<URL> jars = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of(directory), "*.jar")) {
      for (Path file : files) {
        jars.add(url(file));
      }
    } catch (IOException e) {
      throw new IllegalStateException(
          "%s need gRPC, which cannot be read from %s: %s".formatted(user, directory, e), e);
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
}
