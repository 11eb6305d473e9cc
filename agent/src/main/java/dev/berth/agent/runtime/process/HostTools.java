package dev.berth.agent.runtime.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the programs of {@link Tools} on this machine, and copies them for images. */
final class HostTools {
  private static final List<String> DIRECTORIES =
      List.of("/usr/bin", "/usr/sbin", "/bin", "/sbin", "/usr/local/bin");
  private static final Pattern LIBRARY = Pattern.compile("(/\\S+) \\(0x[0-9a-f]+\\)");
  private static final String LOADER = "loader";

  private final Path copies;
  private final Tools host;

  /**
   * @param copies the directory for copies, which is made when it is first needed
   */
  HostTools(Path copies) {
    this.copies = copies;
    Map<String, String> places = new TreeMap<>();
    for (String name : Tools.NAMES) {
      places.put(name, find(name));
    }
    host = new Tools(Map.copyOf(places), List.of());
  }

  private static String find(String name) {
    return DIRECTORIES.stream()
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Path::toString)
        .orElseThrow(() ->
            new IllegalStateException(
                "the process runtime needs the program %s: install util-linux and coreutils"
                    .formatted(name)));
  }

  /** Those in a root that shows the machine's programs. */
  Tools ofHost() {
    return host;
  }

  /** Those in an image's root. */
  static Tools ofImage() {
    Map<String, String> places = new TreeMap<>();
    Tools.NAMES.forEach(name -> places.put(name, RootBuilder.TOOLS + "/" + name));
    return new Tools(
        Map.copyOf(places),
        List.of(RootBuilder.TOOLS + "/" + LOADER, "--library-path", RootBuilder.TOOLS));
  }

  /** The directory with the copies. */
  synchronized Path copies() throws IOException {
    if (!Files.isDirectory(copies)) {
      Path draft = copies.resolveSibling("tools.new");
      StateFiles.delete(draft);
      Files.createDirectories(draft);
      for (String name : Tools.NAMES) {
        Path program = Path.of(host.command(name).getFirst());
        copy(program, draft.resolve(name));
        copyLibraries(program, draft);
      }
      Files.setAttribute(draft, "unix:mode", 0755);
      Files.move(draft, copies, StandardCopyOption.ATOMIC_MOVE);
    }
    return copies;
  }

  private static void copyLibraries(Path program, Path to) throws IOException {
    Process process = new ProcessBuilder("ldd", program.toString()).start();
    String lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher matcher = LIBRARY.matcher(lines);
    while (matcher.find()) {
      Path library = Path.of(matcher.group(1));
      String name = library.getFileName().toString();
      copy(library, to.resolve(name.startsWith("ld-") ? LOADER : name));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from.toRealPath(), to, StandardCopyOption.REPLACE_EXISTING);
    Files.setAttribute(to, "unix:mode", 0755);
  }
}
