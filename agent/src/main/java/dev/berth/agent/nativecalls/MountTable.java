package dev.berth.agent.nativecalls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What is mounted on this machine, in the order in which it was mounted. */
public record MountTable(List<Entry> entries) {
  private static final Path FILE = Path.of("/proc/self/mountinfo");
  private static final int MOUNT_POINT = 4;
  private static final int FIRST_OPTIONAL = 6;

  /**
   * A mount.
   *
   * @param point one character for each byte: names may be no text
   * @param isShared whether what is mounted in it is seen by its peers
   * @param isSlave whether it sees what is mounted in others
   */
  public record Entry(String point, boolean isShared, boolean isSlave) {
    public byte[] bytes() {
      return point.getBytes(ISO_8859_1);
    }

    boolean isAtOrAbove(String path) {
      return path.equals(point) || path.startsWith(point.equals("/") ? "/" : point + "/");
    }
  }

  public static MountTable read() throws IOException {
    return of(Files.readAllLines(FILE, ISO_8859_1));
  }

  static MountTable of(List<String> lines) {
    List<Entry> entries = new ArrayList<>();
    for (String line : lines) {
      String[] fields = line.split(" ", -1);
      if (fields.length <= FIRST_OPTIONAL) {
        continue;
      }
      boolean isShared = false;
      boolean isSlave = false;
      for (int i = FIRST_OPTIONAL; i < fields.length && !fields[i].equals("-"); i++) {
        isShared |= fields[i].startsWith("shared:");
        isSlave |= fields[i].startsWith("master:");
      }
      entries.add(new Entry(unescape(fields[MOUNT_POINT]), isShared, isSlave));
    }
    return new MountTable(List.copyOf(entries));
  }

  /** The mount that a path is in: of several at one place, the last covers the others. */
  public Entry of(Path path) {
    String text = text(path);
    Entry found = new Entry("/", false, false);
    for (Entry entry : entries) {
      if (entry.isAtOrAbove(text) && entry.point.length() >= found.point.length()) {
        found = entry;
      }
    }
    return found;
  }

  /** What is mounted at a path and below it. */
  public List<Entry> below(Path top) {
    String path = text(top);
    return entries.stream()
        .filter(entry -> entry.point.equals(path) || entry.point.startsWith(path + "/"))
        .toList();
  }

  private static String text(Path path) {
    return new String(path.toString().getBytes(UTF_8), ISO_8859_1);
  }

  /** The kernel writes spaces, tabs, line ends and backslashes as three octal digits. */
  private static String unescape(String field) {
    if (field.indexOf('\\') < 0) {
      return field;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(field.length());
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c == '\\' && i + 3 < field.length()) {
        bytes.write(Integer.parseInt(field.substring(i + 1, i + 4), 8));
        i += 3;
      } else {
        bytes.write(c);
      }
    }
    return bytes.toString(ISO_8859_1);
  }
}
