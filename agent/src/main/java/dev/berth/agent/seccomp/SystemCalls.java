package dev.berth.agent.seccomp;

import dev.berth.agent.nativecalls.Architecture;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/** The numbers of system calls on this machine, by their names. */
final class SystemCalls {
  private final Map<String, Integer> numbers = new HashMap<>();

  SystemCalls() {
    int column = Architecture.current() == Architecture.X86_64 ? 1 : 2;
    try (InputStream file = SystemCalls.class.getResourceAsStream("system-calls.txt")) {
      if (file == null) {
        throw new IllegalStateException("system-calls.txt is not among the classes");
      }
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ", -1);
        if (!line.startsWith("#") && !words[column].equals("-")) {
          numbers.put(words[0], Integer.parseInt(words[column]));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Empty for a name of another architecture, or of a newer kernel. */
  OptionalInt number(String name) {
    Integer number = numbers.get(name);
    return number == null ? OptionalInt.empty() : OptionalInt.of(number);
  }
}
