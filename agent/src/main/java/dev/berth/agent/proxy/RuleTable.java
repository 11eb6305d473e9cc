package dev.berth.agent.proxy;

import dev.berth.policy.cidr.Cidr.Family;
import dev.berth.policy.proxy.BaseRules;
import dev.berth.policy.proxy.RuleFragment;
import dev.berth.policy.proxy.RuleFragment.Element;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A table of nftables, put together from fragments. It knows what the kernel has and what it should
 * have, and writes commands for the difference alone. For one thread.
 *
 * <p>Two fragments may claim one element, such as an external address that two services have: the
 * first in the order of their owners' names has it.
 *
 * <p>Kernels before 6.2 notice only a while later that the last element which led to a chain has
 * gone. So chains are emptied with the rest and deleted by {@link #deletions}, some time later.
 */
final class RuleTable {
  private static final int ELEMENTS_IN_A_COMMAND = 500;

  private final Family family;
  private final String table;
  private final BaseRules base;
  private final Map<String, RuleFragment> fragments = new HashMap<>();
  private final Map<Element, SortedMap<String, String>> claims = new HashMap<>();

  /** What has changed since the last commands, as it was: empty for what was not there. */
  private final SortedMap<String, Optional<List<String>>> chainsBefore = new TreeMap<>();

  private final SortedMap<String, Optional<String>> setsBefore = new TreeMap<>();
  private final SortedMap<Element, Optional<String>> elementsBefore = new TreeMap<>();

  /** Chains and sets as they should be. */
  private final Map<String, List<String>> chains = new HashMap<>();

  private final Map<String, String> sets = new HashMap<>();
  private final TreeSet<String> emptied = new TreeSet<>();

  /**
   * @param name without the family
   */
  RuleTable(Family family, String name, BaseRules base) {
    this.family = family;
    this.table = (family == Family.IPV4 ? "ip " : "ip6 ") + name;
    this.base = base;
  }

  Family family() {
    return family;
  }

  BaseRules base() {
    return base;
  }

  String name() {
    return table;
  }

  /** The sets that single owners have, as they should be. */
  Set<String> ownedSets() {
    return Set.copyOf(sets.keySet());
  }

  /** Replaces what an owner has in the table. */
  void put(String owner, RuleFragment fragment) {
    RuleFragment before = fragments.getOrDefault(owner, RuleFragment.EMPTY);
    if (before.equals(fragment)) {
      return;
    }
    if (fragment.equals(RuleFragment.EMPTY)) {
      fragments.remove(owner);
    } else {
      fragments.put(owner, fragment);
    }
    replace(before.chains(), fragment.chains(), chains, chainsBefore);
    replace(before.sets(), fragment.sets(), sets, setsBefore);
    before
        .elements()
        .forEach((element, value) -> {
          if (!value.equals(fragment.elements().get(element))) {
            claim(element, owner, Optional.empty());
          }
        });
    fragment
        .elements()
        .forEach((element, value) -> {
          if (!value.equals(before.elements().get(element))) {
            claim(element, owner, Optional.of(value));
          }
        });
  }

  private static <V> void replace(
      Map<String, V> from,
      Map<String, V> to,
      Map<String, V> all,
      Map<String, Optional<V>> changed) {
    from.forEach((name, value) -> {
      if (!to.containsKey(name)) {
        changed.putIfAbsent(name, Optional.of(value));
        all.remove(name);
      }
    });
    to.forEach((name, value) -> {
      if (!value.equals(from.get(name))) {
        changed.putIfAbsent(name, Optional.ofNullable(from.get(name)));
        all.put(name, value);
      }
    });
  }

  private void claim(Element element, String owner, Optional<String> value) {
    SortedMap<String, String> owners = claims.computeIfAbsent(element, _ -> new TreeMap<>());
    elementsBefore.putIfAbsent(element, first(owners));
    value.ifPresentOrElse(is -> owners.put(owner, is), () -> owners.remove(owner));
    if (owners.isEmpty()) {
      claims.remove(element);
    }
  }

  private static Optional<String> first(SortedMap<String, String> owners) {
    return owners.isEmpty() ? Optional.empty() : Optional.of(owners.firstEntry().getValue());
  }

  /** The commands that make the table from nothing, whatever there is. */
  String everything() {
    Script script = new Script();
    script.line("add table " + table);
    script.line("delete table " + table);
    script.line("add table " + table);
    base.declarations(table).forEach(script::line);
    sets.forEach((name, declaration) -> script.addSet(name, declaration));
    chains.keySet().forEach(name -> script.line("add chain %s %s".formatted(table, name)));
    chains.forEach(script::addRules);
    Map<Element, String> elements = new LinkedHashMap<>();
    claims.forEach((element, owners) -> elements.put(element, owners.firstEntry().getValue()));
    script.addElements(elements);
    forgetChanges();
    emptied.clear();
    return script.toString();
  }

  /** The commands for what has changed since the last ones; empty if nothing has. */
  String changes() {
    Script script = new Script();
    setsBefore.forEach((name, before) -> {
      String now = sets.get(name);
      if (now != null && before.isEmpty()) {
        script.addSet(name, now);
      }
    });
    chainsBefore.forEach((name, before) -> {
      boolean exists = chains.containsKey(name);
      boolean wasEmptied = emptied.remove(name);
      if (before.isEmpty() && exists && !wasEmptied) {
        script.line("add chain %s %s".formatted(table, name));
      } else if (before.isPresent()) {
        script.line("flush chain %s %s".formatted(table, name));
      }
      if (!exists && (before.isPresent() || wasEmptied)) {
        emptied.add(name);
      }
    });
    chainsBefore
        .keySet()
        .forEach(name -> {
          List<String> rules = chains.get(name);
          if (rules != null) {
            script.addRules(name, rules);
          }
        });
    changeElements(script);
    setsBefore.forEach((name, before) -> {
      if (before.isPresent() && !sets.containsKey(name)) {
        script.line("delete set %s %s".formatted(table, name));
      }
    });
    forgetChanges();
    return script.toString();
  }

  private void changeElements(Script script) {
    Map<Element, String> gone = new LinkedHashMap<>();
    Map<Element, String> added = new LinkedHashMap<>();
    elementsBefore.forEach((element, before) -> {
      SortedMap<String, String> owners = claims.get(element);
      Optional<String> now = owners == null ? Optional.empty() : first(owners);
      if (!now.equals(before)) {
        before.ifPresent(value -> gone.put(element, value));
        now.ifPresent(value -> added.put(element, value));
      }
    });
    script.deleteElements(gone);
    script.addElements(added);
  }

  private void forgetChanges() {
    chainsBefore.clear();
    setsBefore.clear();
    elementsBefore.clear();
  }

  /** The commands that delete chains which nothing leads to any more. */
  String deletions() {
    Script script = new Script();
    emptied.forEach(name -> script.line("delete chain %s %s".formatted(table, name)));
    emptied.clear();
    return script.toString();
  }

  boolean hasDeletions() {
    return !emptied.isEmpty();
  }

  /** Commands, one on each line. */
  private final class Script {
    private final StringBuilder text = new StringBuilder();

    void line(String command) {
      text.append(command).append('\n');
    }

    void addSet(String name, String declaration) {
      line("add set %s %s { %s; }".formatted(table, name, declaration));
    }

    void addRules(String chain, List<String> rules) {
      rules.forEach(rule -> line("add rule %s %s %s".formatted(table, chain, rule)));
    }

    void addElements(Map<Element, String> elements) {
      elementCommands("add", elements, true);
    }

    void deleteElements(Map<Element, String> elements) {
      elementCommands("delete", elements, false);
    }

    private void elementCommands(String verb, Map<Element, String> elements, boolean hasValues) {
      Map<String, List<String>> byContainer = new TreeMap<>();
      elements.forEach((element, value) ->
          byContainer
              .computeIfAbsent(element.container(), _ -> new ArrayList<>())
              .add(hasValues && !value.isEmpty() ? element.key() + " : " + value : element.key()));
      byContainer.forEach((container, keys) -> {
        for (int i = 0; i < keys.size(); i += ELEMENTS_IN_A_COMMAND) {
          List<String> some = keys.subList(i, Math.min(keys.size(), i + ELEMENTS_IN_A_COMMAND));
          line(
              "%s element %s %s { %s }".formatted(verb, table, container, String.join(", ", some)));
        }
      });
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
