package dev.berth.cli.node;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Which cluster a machine joins, and what it must be known by. */
public final class JoinOptions {
  public static final Option CA_HASH =
      new Option(
          "--ca-hash",
          "sha256:HEX",
          "What the authority of the cluster must be known by; several with commas between them.");

  private JoinOptions() {}

  /** The addresses of a cluster's servers, with commas between them. */
  public static List<URI> addresses(String text) {
    return Stream.of(text.split(",", -1)).map(JoinOptions::address).toList();
  }

  private static URI address(String text) {
    try {
      URI uri = URI.create(text);
      if ("https".equals(uri.getScheme()) && uri.getHost() != null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new UsageException(
        "\"%s\" is no address of a cluster such as https://10.0.0.1:6443.".formatted(text));
  }

  /**
   * What authorities must be known by; at least one.
   *
   * @param source the command that prints it
   */
  public static Set<String> hashes(Arguments arguments, String source) {
    Set<String> hashes = Set.copyOf(arguments.list(CA_HASH.name()));
    if (hashes.isEmpty()) {
      throw new UsageException(
          "%s is missing, which \"%s\" prints.".formatted(CA_HASH.name(), source));
    }
    for (String hash : hashes) {
      if (!hash.toLowerCase(Locale.ROOT).matches("sha256:[0-9a-f]{64}")) {
        throw new UsageException(
            "%s must be sha256: and 64 hexadecimal digits, as \"%s\" prints it, not \"%s\"."
                .formatted(CA_HASH.name(), source, hash));
      }
    }
    return hashes;
  }
}
