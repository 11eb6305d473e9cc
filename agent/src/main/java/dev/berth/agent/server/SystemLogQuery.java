package dev.berth.agent.server;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonArray;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * What of the machine's logs somebody asks for, as {@code kubectl get --raw
 * /api/v1/nodes/NAME/proxy/logs/?query=…} says it.
 *
 * <ol>
 *   <li>A query with a slash names a file, any other a service. Nobody asks for both, nor for two
 *       files.
 *   <li>All else chooses among the lines of services; files are shown as they are.
 * </ol>
 *
 * @param boot 0 for the one that the machine is up since, -1 for the one before
 * @param pattern that lines have to match, as journalctl understands it; empty for all
 */
record SystemLogQuery(
    List<String> services,
    List<String> files,
    Optional<Instant> since,
    Optional<Instant> until,
    OptionalInt tailLines,
    OptionalInt boot,
    String pattern) {
  private static final int BAD_REQUEST = 400;
  private static final int NOT_ACCEPTABLE = 406;
  private static final int MOST_SERVICES = 4;
  private static final int LONGEST_SERVICE = 256;
  private static final int MOST_TAIL_LINES = 100_000;
  private static final Pattern UNSAFE = Pattern.compile("[^a-zA-Z\\-_.:0-9@]");

  /** What journalctl reads. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  /**
   * Reads it; empty if nothing of the kind is asked for.
   *
   * @throws Refusal if it makes no sense
   */
  static Optional<SystemLogQuery> of(NodeQuery query) throws Refusal {
    List<FieldError> errors = new ArrayList<>();
    List<String> asked = query.all("query");
    List<String> services = new ArrayList<>();
    List<String> files = new ArrayList<>();
    for (String each : asked) {
      if (each.contains("/") || each.contains("\\")) {
        files.add(each);
      } else if (!each.isBlank()) {
        services.add(each);
      }
    }
    if (!asked.isEmpty() && files.isEmpty() && services.isEmpty()) {
      errors.add(FieldError.invalid("query", JsonArray.copyOf(asked), "may not be empty"));
    }
    SystemLogQuery read =
        new SystemLogQuery(
            services,
            files,
            time(query, "sinceTime", errors),
            time(query, "untilTime", errors),
            number(query, "tailLines", errors),
            number(query, "boot", errors),
            query.text("pattern"));
    refuse(BAD_REQUEST, errors);
    if (read.services.isEmpty() && read.files.isEmpty() && !read.hasOptions()) {
      return Optional.empty();
    }
    refuse(NOT_ACCEPTABLE, read.errors());
    return Optional.of(read);
  }

  private static Optional<Instant> time(NodeQuery query, String name, List<FieldError> errors) {
    String text = query.text(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      errors.add(
          FieldError.invalid(name, text, "invalid time format: must be like 2026-01-31T13:00:00Z"));
      return Optional.empty();
    }
  }

  private static OptionalInt number(NodeQuery query, String name, List<FieldError> errors) {
    String text = query.text(name);
    if (text.isEmpty()) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of(Integer.parseInt(text));
    } catch (NumberFormatException e) {
      errors.add(FieldError.invalid(name, text, "must be a whole number"));
      return OptionalInt.empty();
    }
  }

  private static void refuse(int status, List<FieldError> errors) throws Refusal {
    if (!errors.isEmpty()) {
      throw new Refusal(status, FieldError.join(errors));
    }
  }

  private boolean hasOptions() {
    return since.isPresent()
        || until.isPresent()
        || tailLines.isPresent()
        || boot.isPresent()
        || !pattern.isEmpty();
  }

  private List<FieldError> errors() {
    List<FieldError> errors = new ArrayList<>();
    for (String service : services) {
      if (service.length() > LONGEST_SERVICE) {
        errors.add(
            FieldError.invalid("query", service, "length must be less than " + LONGEST_SERVICE));
      } else if (UNSAFE.matcher(service).find()) {
        errors.add(FieldError.invalid("query", service, "input contains unsupported characters"));
      }
    }
    if (services.size() > MOST_SERVICES) {
      errors.add(FieldError.tooMany("query", services.size(), MOST_SERVICES));
    }
    if (files.isEmpty() && services.isEmpty()) {
      errors.add(FieldError.required("query", "cannot be empty with options"));
    } else if (!files.isEmpty() && !services.isEmpty()) {
      errors.add(
          FieldError.invalid(
              "query", files + ", " + services, "cannot specify a file and service"));
    } else if (files.size() > 1) {
      errors.add(
          FieldError.invalid(
              "query", JsonArray.copyOf(files), "cannot specify more than one file"));
    } else if (files.size() == 1 && hasOptions()) {
      errors.add(FieldError.invalid("query", files.getFirst(), "cannot specify file with options"));
    }
    if (since.isPresent() && until.isPresent() && since.get().isAfter(until.get())) {
      errors.add(
          FieldError.invalid("untilTime", until.get().toString(), "must be after `sinceTime`"));
    }
    if (boot.isPresent() && boot.getAsInt() > 0) {
      errors.add(FieldError.invalid("boot", (long) boot.getAsInt(), "must be less than 1"));
    }
    if (tailLines.isPresent()
        && (tailLines.getAsInt() < 0 || tailLines.getAsInt() > MOST_TAIL_LINES)) {
      errors.add(
          FieldError.invalid(
              "tailLines",
              (long) tailLines.getAsInt(),
              "must be between 0 and %d, inclusive".formatted(MOST_TAIL_LINES)));
    }
    try {
      var _ = Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      errors.add(FieldError.invalid("pattern", pattern, e.getDescription()));
    }
    return errors;
  }

  /** What journalctl is run with for some of its services. */
  List<String> journalctl(List<String> units) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("journalctl", "--utc", "--no-pager", "--output=short-precise"));
    since.ifPresent(time -> words.add("--since=" + TIME.format(time)));
    until.ifPresent(time -> words.add("--until=" + TIME.format(time)));
    if (tailLines.isPresent()) {
      words.addAll(List.of("--pager-end", "--lines=" + tailLines.getAsInt()));
    }
    units.forEach(unit -> words.add("--unit=" + unit));
    if (!pattern.isEmpty()) {
      words.add("--grep=" + pattern);
    }
    if (boot.isPresent()) {
      words.addAll(List.of("--boot", "" + boot.getAsInt()));
    }
    return words;
  }

  /** Whether only some lines are wanted, which files cannot give. */
  boolean choosesLines() {
    return hasOptions();
  }
}
