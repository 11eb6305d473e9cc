package dev.berth.controllers;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Which controllers run, of those that there are. */
public sealed interface ControllerChoice<N> {
  record Valid<N>(Set<N> names) implements ControllerChoice<N> {}

  /** Nobody has this name. */
  record Unknown<N>(String name) implements ControllerChoice<N> {}

  /**
   * Chooses as upstream's {@code --controllers}: {@code name} wants one, {@code -name} does not,
   * and {@code *} wants all that are not named. The first word about one counts.
   *
   * @param words all names of one
   */
  static <N> ControllerChoice<N> of(
      List<String> said, Set<N> all, Function<N, List<String>> words) {
    Set<N> wanted = new HashSet<>();
    Set<N> named = new HashSet<>();
    boolean others = false;
    for (String part : said) {
      String item = part.strip();
      if (item.equals("*")) {
        others = true;
        continue;
      }
      boolean not = item.startsWith("-");
      String word = not ? item.substring(1) : item;
      Optional<N> name =
          all.stream()
              .filter(each -> !word.isEmpty() && words.apply(each).contains(word))
              .findFirst();
      if (name.isEmpty()) {
        return new Unknown<>(word);
      }
      if (named.add(name.get()) && !not) {
        wanted.add(name.get());
      }
    }
    Set<N> names = new LinkedHashSet<>(all);
    boolean allOthers = others;
    names.removeIf(each -> !wanted.contains(each) && (!allOthers || named.contains(each)));
    return new Valid<>(names);
  }
}
