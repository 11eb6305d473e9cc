package dev.berth.agent.runtime.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The programs that run between the shim and a container's command, within its root: the machine's
 * own where that shows them, else copies that are mounted into it with the libraries they need.
 *
 * @param places by name; the path in the container's root
 * @param loader what copies are started with; empty for the machine's own
 */
record Tools(Map<String, String> places, List<String> loader) {
  static final List<String> NAMES = List.of("sh", "unshare", "mount", "setpriv", "env");

  /** The words that begin a command with one of the programs. */
  List<String> command(String name, String... arguments) {
    List<String> words = new ArrayList<>(loader);
    String place = places.get(name);
    if (place == null) {
      throw new IllegalArgumentException(name);
    }
    words.add(place);
    words.addAll(List.of(arguments));
    return words;
  }
}
