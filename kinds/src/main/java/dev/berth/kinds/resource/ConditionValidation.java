package dev.berth.kinds.resource;

import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What is wrong with conditions of the form that all newer kinds share. */
public final class ConditionValidation {
  private static final List<String> STATUSES = List.of("False", "True", "Unknown");
  private static final Pattern REASON = Pattern.compile("[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?");
  private static final int LONGEST_REASON = 1024;
  private static final int LONGEST_MESSAGE = 32 * 1024;

  private ConditionValidation() {}

  public static void validate(
      List<JsonObject> conditions, FieldPath path, FieldErrorList problems) {
    Set<String> types = new HashSet<>();
    for (int i = 0; i < conditions.size(); i++) {
      JsonObject condition = conditions.get(i);
      String type = condition.text("type", "");
      if (!types.add(type)) {
        problems.duplicate(path.index(i).field("type"), type);
      }
      validate(condition, path.index(i), problems);
    }
  }

  private static void validate(JsonObject condition, FieldPath at, FieldErrorList problems) {
    String type = condition.text("type", "");
    problems.invalid(at.field("type"), type, NameRules.qualifiedName(type));
    problems.oneOf(at.field("status"), condition.text("status", ""), STATUSES);
    long generation = condition.integer("observedGeneration").orElse(0);
    if (generation < 0) {
      problems.invalid(
          at.field("observedGeneration"), generation, "must be greater than or equal to zero");
    }
    if (!condition.has("lastTransitionTime")) {
      problems.required(at.field("lastTransitionTime"), "");
    }
    String reason = condition.text("reason", "");
    if (reason.isEmpty()) {
      problems.required(at.field("reason"), "");
    } else {
      if (!REASON.matcher(reason).matches()) {
        problems.invalid(
            at.field("reason"),
            reason,
            "a condition reason must start with alphabetic character, optionally followed by a"
                + " string of alphanumeric characters or '_,:', and must end with an alphanumeric"
                + " character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or"
                + " 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '"
                + REASON
                + "')");
      }
      notLonger(reason, LONGEST_REASON, at.field("reason"), problems);
    }
    notLonger(condition.text("message", ""), LONGEST_MESSAGE, at.field("message"), problems);
  }

  private static void notLonger(String text, int most, FieldPath at, FieldErrorList problems) {
    if (text.getBytes(StandardCharsets.UTF_8).length > most) {
      problems.tooLong(at, most);
    }
  }
}
