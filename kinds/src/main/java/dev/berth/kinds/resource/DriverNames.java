package dev.berth.kinds.resource;

import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The names of drivers: domains in any case, and not long ones. */
public final class DriverNames {
  private static final int LONGEST = 63;

  private DriverNames() {}

  public static void validate(String name, FieldPath at, FieldErrorList problems) {
    if (name.isEmpty()) {
      problems.required(at, "");
      return;
    }
    if (name.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
      problems.tooLong(at, LONGEST);
    }
    problems.invalid(at, name, NameRules.dns1123Subdomain(name.toLowerCase(Locale.ROOT)));
  }
}
