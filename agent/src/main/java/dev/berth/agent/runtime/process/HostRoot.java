package dev.berth.agent.runtime.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of the machine that containers without an imported image see: its programs, and of /etc
 * what programs need and everybody may know. That part of /etc is a copy, made when it is first
 * needed and again after a change; containers keep the copy that they began with.
 */
final class HostRoot {
  private static final List<String> PROGRAMS =
      List.of("bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr");

  /** Nothing in these tells of users' secrets, keys or how to reach other machines. */
  private static final List<String> ETC =
      List.of(
          "alternatives",
          "bash.bashrc",
          "ca-certificates.conf",
          "crypto-policies",
          "debian_version",
          "ethertypes",
          "fonts",
          "gai.conf",
          "group",
          "host.conf",
          "inputrc",
          "java-17-openjdk",
          "java-21-openjdk",
          "java-25-openjdk",
          "ld.so.cache",
          "ld.so.conf",
          "ld.so.conf.d",
          "locale.alias",
          "localtime",
          "login.defs",
          "magic",
          "mime.types",
          "networks",
          "nsswitch.conf",
          "os-release",
          "passwd",
          "perl",
          "pki/ca-trust",
          "pki/tls/certs",
          "profile",
          "profile.d",
          "protocols",
          "python3",
          "python3.11",
          "redhat-release",
          "rpc",
          "services",
          "shells",
          "skel",
          "ssl/certs",
          "ssl/openssl.cnf",
          "terminfo",
          "timezone",
          "xattr.conf");

  /** Files that each pod has its own of. */
  static final List<String> OF_POD = List.of("hosts", "hostname", "resolv.conf");

  /** How names of copies begin that are not complete. */
  private static final String DRAFT = "etc.new";

  private static final Logger LOG = LoggerFactory.getLogger("process-runtime");

  private final Path host;
  private final Path copies;

  /**
   * @param host the machine's root directory
   * @param copies where copies of its /etc are kept
   */
  HostRoot(Path host, Path copies) {
    this.host = host;
    this.copies = copies;
  }

  /** The links of the root directory, such as {@code bin} to {@code usr/bin}. */
  Map<String, String> links() throws IOException {
    Map<String, String> links = new TreeMap<>();
    for (String name : PROGRAMS) {
      Path path = host.resolve(name);
      if (Files.isSymbolicLink(path)) {
        links.put(name, Files.readSymbolicLink(path).toString());
      }
    }
    return links;
  }

  /** The directories with programs. */
  List<Path> directories() {
    return PROGRAMS.stream()
        .map(host::resolve)
        .filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
        .toList();
  }

  /** The directory that is /etc in containers. */
  synchronized Path etc() throws IOException {
    List<String> names = new ArrayList<>();
    StringBuilder versions = new StringBuilder();
    for (String name : ETC) {
      Path file = host.resolve("etc").resolve(name);
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        names.add("./" + name);
        versions
            .append(name)
            .append(' ')
            .append(Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS))
            .append('\n');
      }
    }
    Path copy = copies.resolve("etc-" + hash(versions.toString()));
    if (!Files.isDirectory(copy)) {
      make(copy, names);
    }
    return copy;
  }

  private void make(Path copy, List<String> names) throws IOException {
    Files.createDirectories(copies);
    deleteDrafts();
    Path draft = Files.createTempDirectory(copies, DRAFT);
    List<String> command = new ArrayList<>(List.of("cp", "-a", "--parents", "--"));
    command.addAll(names);
    command.add(draft.toString());
    Tool.runIn(host.resolve("etc"), command);
    for (String name : OF_POD) {
      Files.createFile(draft.resolve(name));
    }
    // Many programs want to see what is mounted.
    Files.createSymbolicLink(draft.resolve("mtab"), Path.of("/proc/mounts"));
    Files.setAttribute(draft, "unix:mode", 0755);
    Files.move(draft, copy, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Deletes what agents that were killed had begun. The {@code cp} of one may still be writing:
   * what it leaves is for the next time.
   */
  private void deleteDrafts() throws IOException {
    for (Path child : StateFiles.children(copies)) {
      if (child.getFileName().toString().startsWith(DRAFT)) {
        try {
          StateFiles.delete(child);
        } catch (IOException e) {
          LOG.atDebug().addKeyValue("directory", child).log("cannot be deleted yet");
        }
      }
    }
  }

  private static String hash(String text) {
    return HexFormat.of().formatHex(Hashes.sha256(text.getBytes(StandardCharsets.UTF_8)), 0, 8);
  }
}
