package dev.berth.access.token;

import dev.berth.model.user.User;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tokens from a file: on each line a token, a user's name, its uid, and perhaps its groups in
 * quotes, with commas between all. They are good until the server ends.
 */
public final class StaticTokens implements TokenVerifier {
  private static final int LEAST_COLUMNS = 3;

  private final Map<String, User> users;
  private final String audience;

  private StaticTokens(Map<String, User> users, String audience) {
    this.users = Map.copyOf(users);
    this.audience = audience;
  }

  /**
   * Reads a file.
   *
   * @throws TokenFileException if there is none, or a line of it cannot be understood
   */
  public static StaticTokens read(Path file, String audience) {
    try {
      return parse(file.toString(), Files.readAllLines(file), audience);
    } catch (NoSuchFileException e) {
      throw new TokenFileException("There is no token file " + file + ".");
    } catch (CharacterCodingException e) {
      throw new TokenFileException("The token file " + file + " is no UTF-8 text.");
    } catch (IOException e) {
      throw new UncheckedIOException("The token file " + file + " cannot be read: " + e, e);
    }
  }

  static StaticTokens parse(String file, List<String> lines, String audience) {
    Map<String, User> users = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String where = "%s, line %d: ".formatted(file, i + 1);
      List<String> columns = columns(line, where);
      if (columns.size() < LEAST_COLUMNS) {
        throw new TokenFileException(
            where
                + "there must be at least 3 columns (token, user name, user uid), found "
                + columns.size()
                + ".");
      }
      String token = columns.getFirst();
      if (token.isEmpty() || columns.get(1).isEmpty()) {
        throw new TokenFileException(where + "neither the token nor the user name may be empty.");
      }
      User user = new User(columns.get(1), groups(columns)).withUid(columns.get(2));
      if (users.put(token, user) != null) {
        throw new TokenFileException(where + "the same token stands on a line before.");
      }
    }
    return new StaticTokens(users, audience);
  }

  private static List<String> groups(List<String> columns) {
    if (columns.size() <= LEAST_COLUMNS) {
      return List.of();
    }
    List<String> groups = new ArrayList<>();
    for (String group : columns.get(LEAST_COLUMNS).split(",", -1)) {
      if (!group.isBlank()) {
        groups.add(group.strip());
      }
    }
    return groups;
  }

  /**
   * The columns of a line; one that holds commas stands in quotes, and a quote in it is doubled.
   */
  private static List<String> columns(String line, String where) {
    List<String> columns = new ArrayList<>();
    StringBuilder column = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quoted && c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') {
        column.append(c);
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        columns.add(column.toString().strip());
        column.setLength(0);
      } else {
        column.append(c);
      }
    }
    if (quoted) {
      throw new TokenFileException(where + "a quote is opened and never closed.");
    }
    columns.add(column.toString().strip());
    return columns;
  }

  @Override
  public Verdict verify(String token, List<String> audiences) {
    User user = users.get(token);
    return user == null ? new Verdict.Unknown() : Tokens.forServerOnly(user, audiences, audience);
  }
}
