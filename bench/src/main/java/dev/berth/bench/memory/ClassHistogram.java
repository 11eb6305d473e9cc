package dev.berth.bench.memory;

import dev.berth.bench.api.Berth;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many objects of each class live in a server's heap, and how large they are together. */
record ClassHistogram(Map<String, Objects> classes) {
  private static final Pattern LINE =
      Pattern.compile("^\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+)", Pattern.MULTILINE);

  /** What the parallel collector leaves where it did not find moving the rest worth it. */
  private static final String FILLER = "jdk.internal.vm.Filler";

  /** The objects of one class. */
  record Objects(long count, long bytes) {
    static final Objects NONE = new Objects(0, 0);

    private Objects minus(Objects other) {
      return new Objects(count - other.count, bytes - other.bytes);
    }

    private Objects plus(Objects other) {
      return new Objects(count + other.count, bytes + other.bytes);
    }
  }

  /** What lives after a full collection. */
  static ClassHistogram of(Berth berth) throws IOException {
    Map<String, Objects> classes = new HashMap<>();
    Matcher line = LINE.matcher(berth.jcmd("GC.class_histogram"));
    while (line.find()) {
      if (line.group(3).contains(FILLER)) {
        continue;
      }
      Objects objects = new Objects(Long.parseLong(line.group(1)), Long.parseLong(line.group(2)));
      // Hidden classes of lambdas end in an address.
      classes.merge(line.group(3).replaceFirst("/0x.*", ""), objects, Objects::plus);
    }
    if (classes.isEmpty()) {
      throw new IOException("jcmd does not say what lives in the heap");
    }
    return new ClassHistogram(classes);
  }

  long bytes() {
    return classes.values().stream().mapToLong(Objects::bytes).sum();
  }

  /** What came since another one was made. */
  ClassHistogram since(ClassHistogram before) {
    Map<String, Objects> more = new HashMap<>();
    classes.forEach((name, objects) ->
        more.put(name, objects.minus(before.classes.getOrDefault(name, Objects.NONE))));
    return new ClassHistogram(more);
  }

  /** The classes that take most. */
  List<Map.Entry<String, Objects>> largest(int limit) {
    return classes.entrySet().stream()
        .sorted(Comparator.comparingLong(c -> -c.getValue().bytes()))
        .limit(limit)
        .toList();
  }
}
