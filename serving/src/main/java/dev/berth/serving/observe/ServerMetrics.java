package dev.berth.serving.observe;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.berth.kinds.resource.Resource;
import dev.berth.metrics.Metrics;
import dev.berth.model.resource.GroupVersion;
import dev.berth.registry.Registry;
import dev.berth.store.Store;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;

/**
 * Metrics that are looked up when somebody reads them: of the server's objects, its process and its
 * JVM. Figures that the system does not provide are left out.
 */
public final class ServerMetrics {
  private static final double TICKS_PER_SECOND = 100;
  private static final int PAGE_BYTES = 4096;
  private static final Path PROCESS = Path.of("/proc/self");

  private ServerMetrics() {}

  public static void declare(Metrics metrics, Registry registry, Store store) {
    metrics.lookedUp(
        "berth_build_info",
        "Which Berth this is, and what it runs on.",
        List.of("version", "java"),
        each -> each.accept(List.of(version(), Runtime.version().toString()), 1.0));
    metrics.lookedUp(
        "apiserver_storage_objects",
        "Objects in the store.",
        List.of("resource"),
        each ->
            objects(registry).forEach((resource, count) -> each.accept(List.of(resource), count)));
    single(metrics, "berth_store_revision", "The latest write.", store::revision);
    single(
        metrics,
        "berth_store_compacted_revision",
        "The oldest state that can still be read.",
        store::compactedRevision);
    metrics.totals(
        "berth_store_transactions_total",
        "Transactions, each synced to the disk once.",
        List.of(),
        each -> number(each, () -> store.durable().transactions()));
    metrics.totals(
        "berth_store_written_bytes_total",
        "Bytes of the values that were written.",
        List.of(),
        each -> number(each, () -> store.durable().bytes()));
    process(metrics);
    java(metrics);
  }

  private static String version() {
    String version = ServerMetrics.class.getPackage().getImplementationVersion();
    return version == null ? "unpacked" : version;
  }

  private static Map<String, Double> objects(Registry registry) {
    Map<String, Double> counts = new LinkedHashMap<>();
    for (GroupVersion version : registry.catalog().versions()) {
      for (Resource resource : registry.catalog().resources(version)) {
        counts.put(resource.toString(), (double) registry.count(resource));
      }
    }
    return counts;
  }

  private static void process(Metrics metrics) {
    metrics.totals(
        "process_cpu_seconds_total",
        "Processor time used.",
        List.of(),
        each -> number(each, ServerMetrics::cpuSeconds));
    single(
        metrics,
        "process_resident_memory_bytes",
        "Memory of the process.",
        () -> Double.parseDouble(read("statm").split(" ", -1)[1]) * PAGE_BYTES);
    single(metrics, "process_open_fds", "Open files and connections.", ServerMetrics::openFiles);
    single(
        metrics,
        "process_start_time_seconds",
        "When the process began.",
        () ->
            ProcessHandle.current()
                .info()
                .startInstant()
                .map(start -> start.toEpochMilli() / 1e3)
                .orElse(Double.NaN));
  }

  private static void java(Metrics metrics) {
    Runtime runtime = Runtime.getRuntime();
    metrics.lookedUp(
        "jvm_memory_used_bytes",
        "Heap in use.",
        List.of("area"),
        each ->
            each.accept(List.of("heap"), (double) (runtime.totalMemory() - runtime.freeMemory())));
    metrics.lookedUp(
        "jvm_memory_max_bytes",
        "How large the heap may get.",
        List.of("area"),
        each -> each.accept(List.of("heap"), (double) runtime.maxMemory()));
    metrics.totals(
        "jvm_memory_allocated_bytes_total",
        "Memory that all threads together have asked for.",
        List.of(),
        each -> number(each, ServerMetrics::allocatedBytes));
    single(
        metrics,
        "jvm_threads_current",
        "Threads of the system, virtual ones left out.",
        () -> ManagementFactory.getThreadMXBean().getThreadCount());
    metrics.totals(
        "jvm_gc_collection_seconds_total",
        "Time spent on collecting garbage.",
        List.of("gc"),
        each -> {
          for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            each.accept(List.of(collector.getName()), collector.getCollectionTime() / 1e3);
          }
        });
  }

  private static void single(Metrics metrics, String name, String help, DoubleSupplier figure) {
    metrics.lookedUp(name, help, List.of(), each -> number(each, figure));
  }

  private static void number(
      java.util.function.BiConsumer<List<String>, Double> each, DoubleSupplier figure) {
    double value;
    try {
      value = figure.getAsDouble();
    } catch (RuntimeException _) {
      // A system without /proc, or a store that is closing.
      return;
    }
    if (!Double.isNaN(value)) {
      each.accept(List.of(), value);
    }
  }

  /** The 14th and 15th field; the second is a name in brackets, which may hold anything. */
  private static double cpuSeconds() {
    String stat = read("stat");
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  private static double allocatedBytes() {
    return ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads
        ? threads.getTotalThreadAllocatedBytes()
        : Double.NaN;
  }

  private static double openFiles() {
    try (Stream<Path> files = Files.list(PROCESS.resolve("fd"))) {
      return files.count();
    } catch (IOException _) {
      return Double.NaN;
    }
  }

  private static String read(String file) {
    try {
      return Files.readString(PROCESS.resolve(file), US_ASCII);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
