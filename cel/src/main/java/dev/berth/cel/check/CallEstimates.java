package dev.berth.cel.check;

import dev.berth.cel.value.CelType;
import dev.berth.cel.value.CelType.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a call can cost, and how large its result can be. */
final class CallEstimates {
  private static final double STRING = 0.1;
  private static final double REGEX = 0.25;
  private static final long LIST_CREATION = 10;
  private static final int MAX_FORMAT_SIZE = 64;
  private static final int MAX_NAME_REGEX_SIZE = 128;
  private static final SizeEstimate ADDRESS = new SizeEstimate(4, 16);

  private CallEstimates() {}

  /** A call of one overload. */
  record Callee(
      String function,
      String overload,
      @Nullable CallArgument target,
      List<CallArgument> args,
      List<CostEstimate> argCosts) {
    CostEstimate sumOfArgs() {
      CostEstimate sum = CostEstimate.ZERO;
      for (CostEstimate cost : argCosts) {
        sum = sum.plus(cost);
      }
      return sum;
    }

    SizeEstimate arg(int index) {
      return args.get(index).size();
    }

    SizeEstimate targetSize() {
      return target == null ? SizeEstimate.UNKNOWN : target.size();
    }
  }

  /** A cost, and the size of the result if it follows from the arguments. */
  record Estimate(CostEstimate cost, @Nullable SizeEstimate resultSize) {
    static Estimate of(CostEstimate cost) {
      return new Estimate(cost, null);
    }
  }

  static Estimate of(Callee call) {
    Estimate own = ofLibrary(call);
    if (own == null) {
      own = ofKubernetes(call);
    }
    if (own != null) {
      return new Estimate(own.cost().plus(call.sumOfArgs()), own.resultSize());
    }
    return ofLanguage(call);
  }

  /** The overloads of the list and set libraries, which bring their own estimates. */
  private static @Nullable Estimate ofLibrary(Callee call) {
    return switch (call.overload()) {
      case "list_sets_contains_list", "list_sets_intersects_list" -> sets(call, 1);
      case "list_sets_equivalent_list" -> sets(call, 2);
      case "list_slice" -> {
        long start = call.args().get(0).constant(0);
        long end = call.args().get(1).constant(call.targetSize().max());
        yield list(1, SizeEstimate.fixed(end - start));
      }
      case "lists_range" ->
          list(1, SizeEstimate.fixed(call.args().getFirst().constant(Unsigned.MAX)));
      case "list_reverse" -> list(1, call.targetSize());
      case "list_flatten" -> list(1, call.targetSize());
      case "list_flatten_int" ->
          list(Unsigned.toDouble(call.args().getFirst().constant(Unsigned.MAX)), call.targetSize());
      case "list_distinct" -> list(2, call.targetSize().times(call.targetSize()));
      default -> {
        if (call.overload().startsWith("list_") && call.overload().endsWith("_sort")) {
          yield sort(call, call.targetSize());
        }
        yield call.overload().endsWith("_sortByAssociatedKeys") ? sort(call, call.arg(0)) : null;
      }
    };
  }

  private static Estimate sets(Callee call, double factor) {
    return Estimate.of(call.arg(0).times(call.arg(1)).times(factor).plus(CostEstimate.ONE));
  }

  private static Estimate sort(Callee call, SizeEstimate size) {
    boolean text =
        call.overload().startsWith("list_string_") || call.overload().startsWith("list_bytes_");
    return list(text ? 2 + STRING : 2, size.times(size));
  }

  private static Estimate list(double factor, SizeEstimate size) {
    return new Estimate(size.times(factor).plus(CostEstimate.fixed(1 + LIST_CREATION)), size);
  }

  private static @Nullable Estimate ofKubernetes(Callee call) {
    return switch (call.function()) {
      case "check" -> Estimate.of(CostEstimate.fixed(350_000));
      case "serviceAccount",
          "path",
          "group",
          "resource",
          "subresource",
          "namespace",
          "name",
          "allowed",
          "reason",
          "error",
          "errored",
          "masked",
          "prefixLength",
          "family",
          "isUnspecified",
          "isLoopback",
          "isLinkLocalMulticast",
          "isLinkLocalUnicast",
          "isGlobalUnicast",
          "format.named",
          "sign",
          "asInteger",
          "isInteger",
          "asApproximateFloat",
          "isGreaterThan",
          "isLessThan",
          "compareTo",
          "add",
          "sub",
          "major",
          "minor",
          "patch",
          "getScheme",
          "getHostname",
          "getHost",
          "getPort",
          "getEscapedPath",
          "getQuery" ->
          Estimate.of(CostEstimate.ONE);
      case "fieldSelector", "labelSelector" ->
          Estimate.of(
              CostEstimate.fixed(LIST_CREATION)
                  .plus(call.arg(0).times(STRING))
                  .plus(call.arg(0).times(0.5).times(50.0)));
      case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> traversal(call);
      case "url", "jsonpatch.escapeKey" -> new Estimate(call.arg(0).times(STRING), call.arg(0));
      case "lowerAscii", "upperAscii", "substring", "trim" ->
          new Estimate(call.targetSize().times(STRING), call.targetSize());
      case "replace" ->
          new Estimate(
              call.targetSize().times(2 * STRING),
              replaced(call.targetSize(), call.arg(0), call.arg(1)));
      case "split" -> {
        long parts = call.targetSize().max();
        if (call.args().size() > 1) {
          parts = call.args().get(1).constant(parts);
        }
        yield new Estimate(call.targetSize().times(2 * STRING), new SizeEstimate(0, parts));
      }
      case "join" -> join(call);
      case "find", "findAll" ->
          new Estimate(
              call.targetSize()
                  .plus(SizeEstimate.ONE)
                  .times(STRING)
                  .times(call.arg(0).times(REGEX)),
              new SizeEstimate(0, call.targetSize().max()));
      case "cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver" ->
          Estimate.of(call.arg(0).times(STRING));
      case "ip" ->
          Estimate.of(
              call.overload().equals("cidr_ip") ? CostEstimate.ONE : call.arg(0).times(STRING));
      case "ip.isCanonical" -> Estimate.of(call.arg(0).times(2 * STRING));
      case "containsIP", "containsCIDR" -> contains(call);
      case "validate" -> Estimate.of(call.arg(0).times(STRING).times(MAX_NAME_REGEX_SIZE * REGEX));
      case "_==_" -> equality(call);
      default -> null;
    };
  }

  private static Estimate traversal(Callee call) {
    CallArgument target = call.target();
    if (target == null || target.elementType() == null) {
      return Estimate.of(call.targetSize().times(STRING));
    }
    CostEstimate element = CostEstimate.ONE;
    if (target.hasTextElements()) {
      element = element.plus(target.elementSize().times(STRING));
    }
    return Estimate.of(target.size().times(element));
  }

  private static SizeEstimate replaced(SizeEstimate text, SizeEstimate old, SizeEstimate with) {
    long countMax;
    long keptMax = 0;
    if (old.min() == 0) {
      countMax = text.max() == Unsigned.MAX ? Unsigned.MAX : text.max() + 1;
      keptMax = text.max();
    } else if (Long.compareUnsigned(with.max(), old.min()) <= 0) {
      countMax = 0;
      keptMax = text.max();
    } else {
      countMax =
          Unsigned.fromDouble(
              Math.ceil(Unsigned.toDouble(text.max()) / Unsigned.toDouble(old.min())));
    }
    long countMin;
    long keptMin = 0;
    if (old.max() == 0) {
      countMin = text.min() == Unsigned.MAX ? Unsigned.MAX : text.min() + 1;
      keptMin = text.min();
    } else if (Long.compareUnsigned(old.max(), with.min()) <= 0) {
      countMin = 0;
      keptMin = text.min();
    } else {
      countMin =
          Unsigned.fromDouble(
              Math.ceil(Unsigned.toDouble(text.min()) / Unsigned.toDouble(old.max())));
    }
    return new SizeEstimate(countMin, countMax)
        .times(with)
        .plus(new SizeEstimate(keptMin, keptMax));
  }

  private static Estimate join(Callee call) {
    CallArgument target = call.target();
    SizeEstimate list = call.targetSize();
    SizeEstimate size =
        target == null || target.elementType() == null
            ? new SizeEstimate(0, 0)
            : list.times(target.elementSize());
    if (!call.args().isEmpty()) {
      SizeEstimate separators =
          new SizeEstimate(
              list.min() == 0 ? 0 : list.min() - 1, list.max() == 0 ? 0 : list.max() - 1);
      size = size.plus(call.arg(0).times(separators));
    }
    return new Estimate(size.times(STRING), size);
  }

  private static Estimate contains(Callee call) {
    CostEstimate cost = ADDRESS.plus(ADDRESS).times(STRING);
    if (call.function().equals("containsCIDR")) {
      cost = cost.plus(ADDRESS.times(STRING)).plus(CostEstimate.ONE);
    }
    if (call.overload().equals("cidr_contains_ip_string")
        || call.overload().equals("cidr_contains_cidr_string")) {
      cost = cost.plus(call.arg(0).times(STRING));
    }
    return Estimate.of(cost);
  }

  private static @Nullable Estimate equality(Callee call) {
    CelType left = call.args().get(0).expression().type();
    CelType right = call.args().get(1).expression().type();
    if (!left.isSame(right) || (left.kind() != Kind.STRUCT && left.kind() != Kind.OPAQUE)) {
      return null;
    }
    return switch (left.name()) {
      case "net.IP",
          "net.CIDR",
          "kubernetes.Quantity",
          "kubernetes.Semver",
          "kubernetes.authorization.Authorizer",
          "kubernetes.authorization.PathCheck",
          "kubernetes.authorization.GroupCheck",
          "kubernetes.authorization.ResourceCheck",
          "kubernetes.authorization.Decision" ->
          Estimate.of(CostEstimate.ONE);
      case "kubernetes.NamedFormat" ->
          Estimate.of(new CostEstimate(1, MAX_FORMAT_SIZE).times(STRING));
      case "kubernetes.URL" -> {
        SizeEstimate size = call.args().get(1).computed();
        yield Estimate.of(new CostEstimate(1, size == null ? 1 : size.max()).times(STRING));
      }
      default -> null;
    };
  }

  private static Estimate ofLanguage(Callee call) {
    CostEstimate args = call.sumOfArgs();
    return switch (call.overload()) {
      case "string_format" -> Estimate.of(call.targetSize().times(STRING).plus(args));
      case "string_to_bytes" ->
          new Estimate(
              call.arg(0).times(STRING).plus(args),
              new SizeEstimate(call.arg(0).min(), call.arg(0).max() * 4));
      case "bytes_to_string" ->
          new Estimate(
              call.arg(0).times(STRING).plus(args),
              new SizeEstimate(Long.divideUnsigned(call.arg(0).min(), 4), call.arg(0).max()));
      case "strings_quote" ->
          new Estimate(
              call.arg(0).times(STRING).plus(args),
              new SizeEstimate(call.arg(0).min() + 2, call.arg(0).max() * 2 + 2));
      case "starts_with_string", "ends_with_string" ->
          Estimate.of(call.arg(0).times(STRING).plus(args));
      case "in_list" -> Estimate.of(call.arg(1).times(1.0).plus(args));
      case "matches_string" ->
          Estimate.of(
              call.targetSize()
                  .plus(SizeEstimate.ONE)
                  .times(STRING)
                  .times(call.arg(0).times(REGEX))
                  .plus(args));
      case "contains_string" ->
          Estimate.of(call.targetSize().times(STRING).times(call.arg(0).times(STRING)).plus(args));
      case "logical_or", "logical_and" -> {
        CostEstimate left = call.argCosts().get(0);
        CostEstimate both = left.plus(call.argCosts().get(1));
        yield Estimate.of(new CostEstimate(left.min(), both.max()));
      }
      case "conditional" ->
          new Estimate(
              call.argCosts().get(0).plus(call.argCosts().get(1).union(call.argCosts().get(2))),
              call.arg(1).union(call.arg(2)));
      case "add_list" -> new Estimate(CostEstimate.ONE.plus(args), call.arg(0).plus(call.arg(1)));
      case "add_string", "add_bytes" -> {
        SizeEstimate sum = call.arg(0).plus(call.arg(1));
        yield new Estimate(sum.times(STRING).plus(args), sum);
      }
      case "less_string",
          "greater_string",
          "less_equals_string",
          "greater_equals_string",
          "less_bytes",
          "greater_bytes",
          "less_equals_bytes",
          "greater_equals_bytes",
          "equals",
          "not_equals" -> {
        long smaller = Unsigned.min(call.arg(0).max(), call.arg(1).max());
        yield Estimate.of(new CostEstimate(smaller == 0 ? 0 : 1, smaller).times(STRING).plus(args));
      }
      default -> Estimate.of(CostEstimate.ONE.plus(args));
    };
  }
}
