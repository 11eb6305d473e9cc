package dev.berth.cel.device;

import dev.berth.cel.CelCompilation;
import dev.berth.cel.CelEnvironment;
import dev.berth.cel.CelProgram;
import dev.berth.cel.check.SizeBounds;
import dev.berth.cel.check.SizeEstimate;
import dev.berth.cel.eval.CelResult;
import dev.berth.cel.value.CelField;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.Values;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A selector of devices: an expression about {@code device.driver}, {@code
 * device.allowMultipleAllocations}, {@code device.attributes["domain"].name} and {@code
 * device.capacity["domain"].name}. A domain that a device knows nothing of is empty.
 */
public final class DeviceExpression {
  /** What an evaluation may cost, estimated as well as real. */
  public static final long MAX_COST = 1_000_000;

  private static final long LONGEST_DOMAIN = 63;
  private static final long LONGEST_NAME = 32;
  private static final long LONGEST_VALUE = 64;
  private static final long MOST_PROPERTIES = 32;
  private static final String DEVICE = "device";

  /** Built when the first expression is compiled: most clusters have none. */
  private static final class Environment {
    static final CelEnvironment INSTANCE =
        CelEnvironment.builder()
            .bindings()
            .variable(
                DEVICE,
                CelType.struct(
                    "kubernetes.DRADevice",
                    Map.of(
                        "driver",
                        new CelField("driver", CelType.STRING),
                        "allowMultipleAllocations",
                        new CelField("allowMultipleAllocations", CelType.BOOL),
                        "attributes",
                        new CelField("attributes", byDomain(CelType.DYN)),
                        "capacity",
                        new CelField("capacity", byDomain(Values.QUANTITY)))))
            .build();

    private static CelType byDomain(CelType value) {
      return CelType.map(CelType.STRING, CelType.map(CelType.STRING, value));
    }
  }

  private final CelProgram program;

  private DeviceExpression(CelProgram program) {
    this.program = program;
  }

  /** A compiled expression, or why there is none. */
  public sealed interface Compiled {
    record Valid(DeviceExpression expression) implements Compiled {}

    record Invalid(String message) implements Compiled {}
  }

  public static Compiled compile(String expression) {
    return switch (Environment.INSTANCE.compile(expression)) {
      case CelCompilation.Failed(String message) -> new Compiled.Invalid(message);
      case CelCompilation.Compiled(CelProgram program) -> {
        CelType type = program.resultType();
        yield type.isDyn() || type.isSame(CelType.BOOL)
            ? new Compiled.Valid(new DeviceExpression(program))
            : new Compiled.Invalid(
                "must evaluate to bool or the unknown type, not " + type.declaredName());
      }
    };
  }

  /** Whether an evaluation may cost more than is allowed. */
  public boolean isTooComplex() {
    SizeBounds bounds = DeviceExpression::size;
    return Long.compareUnsigned(program.estimateCost(bounds).max(), MAX_COST) > 0;
  }

  private static @Nullable SizeEstimate size(List<String> path) {
    if (path.isEmpty() || !path.getFirst().equals(DEVICE)) {
      return null;
    }
    long most =
        switch (path.size()) {
          case 2 ->
              switch (path.get(1)) {
                case "driver" -> LONGEST_DOMAIN;
                case "allowMultipleAllocations" -> 1;
                case "attributes", "capacity" -> MOST_PROPERTIES;
                default -> -1;
              };
          case 3 -> path.get(2).equals("@keys") ? LONGEST_DOMAIN : MOST_PROPERTIES;
          case 4 ->
              path.get(3).equals("@keys")
                  ? LONGEST_NAME
                  : path.get(1).equals("attributes") ? LONGEST_VALUE : 8;
          default -> -1;
        };
    return most < 0 ? null : new SizeEstimate(0, most);
  }

  /** Whether a device is selected, or why that cannot be said. */
  public sealed interface Match {
    record Answer(boolean matches) implements Match {}

    record Failed(String message) implements Match {}
  }

  public Match matches(DeviceValues device) {
    if (!device.problem().isEmpty()) {
      return new Match.Failed(device.problem());
    }
    Map<String, Object> variable = device.variable();
    return switch (program.evaluate(name -> name.equals(DEVICE) ? variable : null, MAX_COST)) {
      case CelResult.Value(Boolean matches, long _) -> new Match.Answer(matches);
      case CelResult.Value(Object value, long _) ->
          new Match.Failed(
              "CEL result of type %s could not be converted to bool: type conversion error"
                      .formatted(Values.typeName(value))
                  + " from '"
                  + Values.typeName(value)
                  + "' to 'bool'");
      case CelResult.Failure(String message, long _) -> new Match.Failed(message);
      case CelResult.BudgetExceeded exceeded -> new Match.Failed(exceeded.message());
    };
  }
}
