package dev.berth.model.leader;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * By what right somebody leads: a lease, who holds it, and since which of its transitions. What a
 * leader writes names its term, and a server that knows the header refuses it once the lease says
 * anything else. Whoever names a term only restricts its own writes, so everybody may.
 *
 * @param lease in a namespace
 * @param transitions grows whenever anybody begins to lead, also the same one again
 */
public record LeaderTerm(ObjectName lease, String holder, long transitions) {
  /** The header of requests: {@code NAMESPACE/NAME TRANSITIONS HOLDER}, the holder URL-encoded. */
  public static final String HEADER = "Berth-Leader";

  /** The reason of a refusal because the term is over. */
  public static final String OVER = "LeaderDeposed";

  private static final Pattern FORMAT = Pattern.compile("([^/ ]+)/([^/ ]+) ([0-9]{1,18}) ([^ ]+)");

  /** The term that a lease speaks of now. */
  public static LeaderTerm of(JsonObject lease) {
    JsonObject spec = lease.object("spec");
    return new LeaderTerm(
        ObjectName.of(lease),
        spec.text("holderIdentity", ""),
        spec.integer("leaseTransitions").orElse(0));
  }

  /** Reads a header; empty if it is none. */
  public static Optional<LeaderTerm> parse(String header) {
    Matcher parts = FORMAT.matcher(header);
    if (!parts.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new LeaderTerm(
              new ObjectName(parts.group(1), parts.group(2)),
              URLDecoder.decode(parts.group(4), UTF_8),
              Long.parseLong(parts.group(3))));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The header's value. */
  public String header() {
    return lease + " " + transitions + " " + URLEncoder.encode(holder, UTF_8);
  }
}
