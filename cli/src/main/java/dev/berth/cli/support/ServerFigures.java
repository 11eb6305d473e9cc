package dev.berth.cli.support;

import dev.berth.store.Store;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A server's settings and the figures of its store: names and sizes, never what objects hold.
 *
 * @param words the command line
 */
public record ServerFigures(List<String> words, Path directory, Store store) {
  private static final String REGISTRY = "/registry/";

  /** How many objects of a resource there are, and how much they take. */
  private record Size(long objects, long bytes) {
    static Size of(Store.Entry entry) {
      return new Size(1, entry.value().length);
    }

    Size plus(Size other) {
      return new Size(objects + other.objects, bytes + other.bytes);
    }
  }

  /** The flags, and what the process runs on. */
  String settings() {
    StringBuilder text = new StringBuilder();
    text.append("berth up ").append(String.join(" ", words)).append('\n');
    for (String property :
        List.of("java.vm.version", "java.home", "os.name", "os.version", "os.arch", "user.dir")) {
      line(text, property, System.getProperty(property));
    }
    // Properties may be anybody's, and may be secret; the JVM's own flags are not.
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (flag.startsWith("-X")) {
        text.append(flag).append('\n');
      }
    }
    Runtime runtime = Runtime.getRuntime();
    line(text, "processors", runtime.availableProcessors());
    line(text, "heap.used", runtime.totalMemory() - runtime.freeMemory());
    line(text, "heap.max", runtime.maxMemory());
    line(text, "pid", ProcessHandle.current().pid());
    return text.toString();
  }

  /** Revisions, objects by resource, and files. */
  String storeFigures() {
    StringBuilder text = new StringBuilder();
    line(text, "revision", store.revision());
    line(text, "compacted", store.compactedRevision());
    store.failure().ifPresent(failure -> line(text, "failure", failure.getMessage()));
    Map<String, Size> sizes = new TreeMap<>();
    if (store.range(RangeRequest.prefix(REGISTRY)) instanceof RangeResult.Page page) {
      for (Store.Entry entry : page.entries()) {
        sizes.merge(resource(entry.key()), Size.of(entry), Size::plus);
      }
    }
    text.append("\nobjects      bytes  resource\n");
    sizes.forEach((resource, size) ->
        text.append("%7d %10d  %s%n".formatted(size.objects(), size.bytes(), resource)));
    return text.append('\n').append(DirectoryListing.of(directory)).toString();
  }

  private static String resource(String key) {
    String rest = key.substring(REGISTRY.length());
    int slash = rest.indexOf('/');
    return slash < 0 ? rest : rest.substring(0, slash);
  }

  private static void line(StringBuilder text, String name, @Nullable Object value) {
    text.append(name).append('=').append(value).append('\n');
  }
}
