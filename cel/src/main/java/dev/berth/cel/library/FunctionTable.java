package dev.berth.cel.library;

import dev.berth.cel.value.CelType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All functions that expressions of Kubernetes 1.36 can call, and the types that they can name.
 *
 * <p>There is one table for all environments; it is made when the first expression is compiled.
 */
public final class FunctionTable {
  private final Map<String, List<Overload>> functions = new LinkedHashMap<>();
  private final Map<String, CelType> types = new LinkedHashMap<>();

  FunctionTable() {
    for (CelType type :
        List.of(
            CelType.BOOL,
            CelType.BYTES,
            CelType.DOUBLE,
            CelType.DURATION,
            CelType.INT,
            CelType.list(CelType.DYN),
            CelType.map(CelType.DYN, CelType.DYN),
            CelType.NULL,
            CelType.STRING,
            CelType.TIMESTAMP,
            CelType.TYPE,
            CelType.UINT,
            CelType.optional(CelType.DYN))) {
      types.put(type.name(), type);
    }
  }

  private static final class Holder {
    static final FunctionTable TABLE = create();

    private static FunctionTable create() {
      FunctionTable table = new FunctionTable();
      OperatorFunctions.addTo(table);
      Conversions.addTo(table);
      TimeFunctions.addTo(table);
      StringFunctions.addTo(table);
      OptionalFunctions.addTo(table);
      ListFunctions.addTo(table);
      SetFunctions.addTo(table);
      RegexFunctions.addTo(table);
      UrlFunctions.addTo(table);
      AddressFunctions.addTo(table);
      QuantityFunctions.addTo(table);
      SemverFunctions.addTo(table);
      FormatFunctions.addTo(table);
      AuthorizerFunctions.addTo(table);
      return table;
    }
  }

  public static FunctionTable instance() {
    return Holder.TABLE;
  }

  void add(String function, Overload... overloads) {
    functions.computeIfAbsent(function, _ -> new ArrayList<>()).addAll(List.of(overloads));
  }

  void addType(CelType type) {
    types.put(type.name(), type);
  }

  /** The overloads of a function; null if there is none of the name. */
  public @Nullable List<Overload> find(String function) {
    return functions.get(function);
  }

  /** A type that expressions can name. */
  public @Nullable CelType type(String name) {
    return types.get(name);
  }
}
