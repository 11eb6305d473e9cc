package dev.berth.cli.options;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Has the JVM leave a heap dump behind when it runs out of memory. */
public final class HeapDumpOption {
  public static final Option OPTION =
      new Option(
          "--heap-dump-on-oom",
          "DIR",
          "Writes a heap dump to this directory if the process runs out of memory. It holds"
              + " everything that was in memory, Secrets and private keys included (default: no"
              + " dump).");

  private HeapDumpOption() {}

  /** Tells the JVM, if the option is there. */
  public static void apply(Arguments arguments) {
    arguments.path(OPTION.name()).ifPresent(HeapDumpOption::dumpTo);
  }

  static void dumpTo(Path directory) {
    try {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw unusable(directory);
    }
    if (!Files.isWritable(directory)) {
      throw unusable(directory);
    }
    HotSpotDiagnosticMXBean jvm =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    jvm.setVMOption("HeapDumpPath", directory.toAbsolutePath().toString());
    jvm.setVMOption("HeapDumpOnOutOfMemoryError", "true");
  }

  private static UsageException unusable(Path directory) {
    return new UsageException(
        "%s: cannot write to the directory %s.".formatted(OPTION.name(), directory));
  }
}
