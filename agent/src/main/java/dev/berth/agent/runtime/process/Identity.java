package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Who the processes of a container are.
 *
 * @param home the user's home directory
 */
record Identity(
    long user,
    long group,
    Set<Long> groups,
    Set<String> capabilities,
    boolean isPrivileged,
    boolean mayGainPrivileges,
    String home) {
  static final String NO_NEW_PRIVILEGES = "--no-new-privs";

  /**
   * @param imageUser what the image says, such as {@code app:staff}; empty for root
   */
  static Identity of(Security security, String imageUser, Accounts accounts) throws RuntimeFailure {
    boolean isChosen = security.user().isPresent() || !security.userName().isEmpty();
    String[] image = imageUser.split(":", 2);
    String name =
        security.user().isPresent()
            ? "" + security.user().getAsLong()
            : isChosen ? security.userName() : image[0].isEmpty() ? "0" : image[0];
    OptionalLong number = Accounts.number(name);
    Optional<Accounts.User> known =
        number.isPresent() ? accounts.user(number.getAsLong()) : accounts.user(name);
    if (number.isEmpty() && known.isEmpty()) {
      throw new RuntimeFailure(
          "CreateContainerError",
          "unable to find user %s: no matching entries in passwd file".formatted(name));
    }
    long user = number.orElseGet(() -> known.orElseThrow().number());
    if (security.mustNotBeRoot() && user == 0) {
      throw new RuntimeFailure(
          "CreateContainerConfigError",
          "container has runAsNonRoot and image will run as root: set runAsUser");
    }
    long group = known.map(Accounts.User::group).orElse(0L);
    if (!isChosen && image.length == 2) {
      group = groupNumber(image[1], accounts);
    }
    Set<Long> groups = new TreeSet<>(security.groups());
    if (!security.ignoresImageGroups()) {
      known.ifPresent(found -> groups.addAll(accounts.groupsOf(found.name())));
    }
    return new Identity(
        user,
        security.group().orElse(group),
        groups,
        Capabilities.of(security),
        security.isPrivileged(),
        security.mayGainPrivileges() || security.isPrivileged(),
        known.map(Accounts.User::home).filter(path -> path.startsWith("/")).orElse("/"));
  }

  private static long groupNumber(String name, Accounts accounts) throws RuntimeFailure {
    OptionalLong number = Accounts.number(name);
    if (number.isPresent()) {
      return number.getAsLong();
    }
    return accounts
        .group(name)
        .map(Accounts.Group::number)
        .orElseThrow(() ->
            new RuntimeFailure(
                "CreateContainerError",
                "unable to find group %s: no matching entries in group file".formatted(name)));
  }

  /** The options of {@code setpriv} that make a process this. */
  List<String> options() {
    List<String> options = new ArrayList<>();
    options.add("--reuid=" + user);
    options.add("--regid=" + group);
    options.add(
        groups.isEmpty()
            ? "--clear-groups"
            : "--groups=" + groups.stream().map(String::valueOf).collect(Collectors.joining(",")));
    options.add("--inh-caps=-all");
    if (!isPrivileged) {
      options.add("--bounding-set=" + Capabilities.boundingSet(capabilities));
    }
    if (!mayGainPrivileges) {
      options.add(NO_NEW_PRIVILEGES);
    }
    return options;
  }
}
