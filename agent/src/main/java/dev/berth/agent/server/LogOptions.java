package dev.berth.agent.server;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Which part of a log a client wants, and in which form.
 *
 * @param streams {@code stdout}, {@code stderr} or both
 */
record LogOptions(
    boolean follow,
    boolean previous,
    boolean timestamps,
    Optional<Instant> since,
    OptionalLong tailLines,
    OptionalLong limitBytes,
    Set<String> streams) {
  private static final int BAD_REQUEST = 400;
  private static final int UNPROCESSABLE = 422;

  static LogOptions of(NodeQuery query, Instant now) throws Refusal {
    OptionalLong tail = query.text("tail").isEmpty() ? query.integer("tailLines") : tail(query);
    OptionalLong limit = query.integer("limitBytes");
    OptionalLong sinceSeconds = query.integer("sinceSeconds");
    boolean both = sinceSeconds.isPresent() && !query.text("sinceTime").isEmpty();
    if (both
        || (tail.isPresent() && tail.getAsLong() < 0)
        || (limit.isPresent() && limit.getAsLong() < 1)
        || (sinceSeconds.isPresent() && sinceSeconds.getAsLong() < 1)) {
      throw new Refusal(UNPROCESSABLE, "{\"message\": \"Invalid request.\"}");
    }
    Optional<Instant> since =
        sinceSeconds.isPresent()
            ? Optional.of(now.minusSeconds(sinceSeconds.getAsLong()))
            : sinceTime(query.text("sinceTime"));
    return new LogOptions(
        query.flag("follow"),
        query.flag("previous"),
        query.flag("timestamps"),
        since,
        tail,
        limit,
        streams(query.text("stream")));
  }

  /** The older name, in which all is a number too. */
  private static OptionalLong tail(NodeQuery query) throws Refusal {
    return query.text("tail").equals("all") ? OptionalLong.empty() : query.integer("tail");
  }

  private static Optional<Instant> sinceTime(String text) throws Refusal {
    try {
      return text.isEmpty()
          ? Optional.empty()
          : Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      throw new Refusal(BAD_REQUEST, "{\"message\": \"Unable to decode query.\"}");
    }
  }

  private static Set<String> streams(String text) throws Refusal {
    return switch (text) {
      case "", "All" -> Set.of("stdout", "stderr");
      case "Stdout" -> Set.of("stdout");
      case "Stderr" -> Set.of("stderr");
      default -> throw new Refusal(UNPROCESSABLE, "{\"message\": \"Invalid request.\"}");
    };
  }
}
