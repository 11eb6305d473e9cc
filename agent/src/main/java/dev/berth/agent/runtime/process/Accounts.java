package dev.berth.agent.runtime.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** The users and groups that the files passwd and group of a root know. */
record Accounts(List<User> users, List<Group> groups) {

  record User(String name, long number, long group, String home) {}

  record Group(String name, long number, List<String> members) {}

  /** Those of a directory {@code etc}; none if it has no such files. */
  static Accounts read(Path etc) {
    List<User> users = new ArrayList<>();
    for (String[] fields : lines(etc.resolve("passwd"), 6)) {
      number(fields[2])
          .ifPresent(number ->
              users.add(new User(fields[0], number, number(fields[3]).orElse(0), fields[5])));
    }
    List<Group> groups = new ArrayList<>();
    for (String[] fields : lines(etc.resolve("group"), 4)) {
      number(fields[2])
          .ifPresent(number ->
              groups.add(new Group(fields[0], number, List.of(fields[3].split(",", -1)))));
    }
    return new Accounts(users, groups);
  }

  private static List<String[]> lines(Path file, int atLeast) {
    List<String[]> lines = new ArrayList<>();
    try {
      // An image's file that is a link must not be followed to a file of the machine.
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
          String[] fields = line.split(":", -1);
          if (fields.length >= atLeast) {
            lines.add(fields);
          }
        }
      }
    } catch (IOException e) {
      return List.of();
    }
    return lines;
  }

  static OptionalLong number(String text) {
    return text.matches("[0-9]{1,10}")
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  Optional<User> user(String name) {
    return find(user -> user.name.equals(name));
  }

  Optional<User> user(long number) {
    return find(user -> user.number == number);
  }

  private Optional<User> find(Predicate<User> which) {
    return users.stream().filter(which).findFirst();
  }

  Optional<Group> group(String name) {
    return groups.stream().filter(group -> group.name.equals(name)).findFirst();
  }

  /** The groups that a user is a member of, beside its own. */
  List<Long> groupsOf(String user) {
    return groups.stream()
        .filter(group -> group.members.contains(user))
        .map(Group::number)
        .toList();
  }
}
