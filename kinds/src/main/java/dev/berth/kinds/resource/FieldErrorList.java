package dev.berth.kinds.resource;

import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Collects the errors of an object's fields, with the checks and messages that several kinds share.
 */
public final class FieldErrorList {
  static final String NOT_NEGATIVE = "must be greater than or equal to 0";
  private static final int PORT_NAME_LENGTH = 15;
  private static final int LAST_PORT = 65535;
  private static final long LARGEST_ID = Integer.MAX_VALUE;

  private final List<FieldError> errors = new ArrayList<>();

  public List<FieldError> all() {
    return List.copyOf(errors);
  }

  public void addAll(Collection<FieldError> others) {
    others.forEach(this::add);
  }

  /** More than are shown are not kept: an object may have a million of them. */
  private void add(FieldError error) {
    if (!isFull()) {
      errors.add(error);
    }
  }

  private boolean isFull() {
    return errors.size() > FieldError.MOST_SHOWN;
  }

  public void required(FieldPath at, String detail) {
    if (!isFull()) {
      add(FieldError.required(at.toString(), detail));
    }
  }

  public void invalid(FieldPath at, Object value, String problem) {
    if (!isFull()) {
      add(FieldError.invalid(at.toString(), value, problem));
    }
  }

  public void invalid(FieldPath at, Object value, List<String> problems) {
    problems.forEach(problem -> invalid(at, value, problem));
  }

  public void forbidden(FieldPath at, String detail) {
    if (!isFull()) {
      add(FieldError.forbidden(at.toString(), detail));
    }
  }

  public void duplicate(FieldPath at, Object value) {
    if (!isFull()) {
      add(FieldError.duplicate(at.toString(), value));
    }
  }

  public void notFound(FieldPath at, Object value) {
    if (!isFull()) {
      add(new FieldError(FieldError.Reason.NOT_FOUND, at.toString(), value, ""));
    }
  }

  /** A text that has more bytes than it may have. */
  public void tooLong(FieldPath at, long most) {
    if (!isFull()) {
      add(FieldError.tooLong(at.toString(), most));
    }
  }

  /** A list or a map that has more elements than it may have; says whether it has. */
  public boolean tooMany(FieldPath at, int count, int most) {
    if (count > most && !isFull()) {
      add(FieldError.tooMany(at.toString(), count, most));
    }
    return count > most;
  }

  public void oneOf(FieldPath at, String value, List<String> allowed) {
    addAll(FieldRules.oneOf(at, value, allowed));
  }

  /** A text that must be there. */
  public boolean present(JsonObject object, String field, FieldPath at) {
    boolean there = !object.text(field, "").isEmpty();
    if (!there) {
      required(at.field(field), "");
    }
    return there;
  }

  public void notNegative(JsonObject object, String field, FieldPath at) {
    long number = object.integer(field).orElse(0);
    if (number < 0) {
      invalid(at.field(field), number, NOT_NEGATIVE);
    }
  }

  /** The number of a user or of a group. */
  public void id(JsonObject object, String field, FieldPath at) {
    long number = object.integer(field).orElse(0);
    if (number < 0 || number > LARGEST_ID) {
      invalid(at.field(field), number, "must be between 0 and 2147483647, inclusive");
    }
  }

  /** A port by number, or by the name of a container's port. */
  public void port(JsonObject object, String field, FieldPath at) {
    switch (object.get(field)) {
      case Long number -> portNumber(number, at.field(field));
      case String name -> invalid(at.field(field), name, portNameProblems(name));
      case null, default -> invalid(at.field(field), 0L, "must be between 1 and 65535, inclusive");
    }
  }

  public void portNumber(long number, FieldPath at) {
    if (number < 1 || number > LAST_PORT) {
      invalid(at, number, "must be between 1 and 65535, inclusive");
    }
  }

  /** What is wrong with the name of a port. */
  public static List<String> portNameProblems(String name) {
    List<String> problems = new ArrayList<>();
    if (name.length() > PORT_NAME_LENGTH) {
      problems.add("must be no more than " + PORT_NAME_LENGTH + " characters");
    }
    if (!name.matches("[-a-z0-9]+")) {
      problems.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
    }
    if (!name.matches(".*[a-z].*")) {
      problems.add("must contain at least one letter (a-z)");
    }
    if (name.contains("--")) {
      problems.add("must not contain consecutive hyphens");
    }
    if (name.startsWith("-") || name.endsWith("-")) {
      problems.add("must not begin or end with a hyphen");
    }
    return problems;
  }

  public void address(String address, FieldPath at) {
    invalid(at, address, AddressRules.address(address));
  }

  /** A path that stays below where it starts. */
  public void descending(String path, FieldPath at) {
    if (path.startsWith("/")) {
      invalid(at, path, "must be a relative path");
    }
    notBackwards(path, at);
  }

  public void notBackwards(String path, FieldPath at) {
    if (List.of(path.split("/", -1)).contains("..")) {
      invalid(at, path, "must not contain '..'");
    }
  }

  public void mode(JsonObject object, String field, FieldPath at) {
    long mode = object.integer(field).orElse(0);
    if (mode < 0 || mode > 0777) {
      invalid(at.field(field), mode, "must be a number between 0 and 0777 (octal), both inclusive");
    }
  }

  /** A text that must be there, and none of those that are not allowed. */
  public void requiredOneOf(FieldPath at, String value, List<String> allowed) {
    if (value.isEmpty()) {
      required(at, "");
    } else {
      oneOf(at, value, allowed);
    }
  }

  public void notFound(FieldPath at, String value, String detail) {
    if (!isFull()) {
      add(new FieldError(FieldError.Reason.NOT_FOUND, at.toString(), value, detail));
    }
  }

  public void tooLong(FieldPath at, int most) {
    if (!isFull()) {
      String detail = "may not be more than " + most + " bytes";
      add(new FieldError(FieldError.Reason.TOO_LONG, at.toString(), null, detail));
    }
  }

  /** Wrong whatever the value is, which is not shown. */
  public void invalid(FieldPath at, String detail) {
    if (!isFull()) {
      add(new FieldError(FieldError.Reason.INVALID, at.toString(), null, detail));
    }
  }

  /**
   * The keys and values of labels, of annotations with keys alone, where they stand in a template.
   */
  public void labels(JsonObject labels, FieldPath at) {
    for (int i = 0; i < labels.size(); i++) {
      String key = labels.name(i);
      String value = labels.text(key, "");
      invalid(at, key, NameRules.qualifiedName(key));
      invalid(at, value, NameRules.labelValue(value));
    }
  }

  public int size() {
    return errors.size();
  }

  /**
   * A path that stays below where it starts, and is none of those that a volume keeps for itself.
   */
  public void notReserved(String path, FieldPath at) {
    descending(path, at);
    if (path.startsWith("..") && !path.startsWith("../")) {
      invalid(at, path, "must not start with '..'");
    }
  }
}
