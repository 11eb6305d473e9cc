package dev.berth.cel.library;

import static dev.berth.cel.library.Overload.member;
import static dev.berth.cel.value.CelType.STRING;

import dev.berth.cel.value.CelType;
import java.util.List;
import java.util.Optional;

/** Named formats: {@code format.dns1123Label().validate('x')}. */
final class FormatFunctions {
  private FormatFunctions() {}

  static void addTo(FunctionTable table) {
    CelType format = NamedFormat.TYPE;
    table.addType(format);
    NamedFormat.ALL.forEach((name, value) ->
        table.add("format." + name, Overload.of("format." + name, format, _ -> value)));
    table.add(
        "format.named",
        Overload.of(
            "format-named",
            CelType.optional(format),
            args -> Optional.ofNullable(NamedFormat.ALL.get((String) args[0])),
            STRING));
    table.add(
        "validate",
        member(
            "format-validate",
            CelType.optional(CelType.list(STRING)),
            args -> {
              List<Object> problems =
                  List.copyOf(((NamedFormat) args[0]).validate().apply((String) args[1]));
              return problems.isEmpty() ? Optional.empty() : Optional.of(problems);
            },
            format,
            STRING));
  }
}
