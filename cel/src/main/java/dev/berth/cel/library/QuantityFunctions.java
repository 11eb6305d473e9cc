package dev.berth.cel.library;

import static dev.berth.cel.library.Overload.member;
import static dev.berth.cel.value.CelType.BOOL;
import static dev.berth.cel.value.CelType.DOUBLE;
import static dev.berth.cel.value.CelType.INT;
import static dev.berth.cel.value.CelType.STRING;
import static dev.berth.cel.value.Values.QUANTITY;

import dev.berth.cel.value.CelException;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Amounts of resources: {@code quantity("1.5Gi").isLessThan(quantity("2Gi"))}. */
final class QuantityFunctions {
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private QuantityFunctions() {}

  static void addTo(FunctionTable table) {
    table.addType(QUANTITY);
    table.add(
        "quantity",
        Overload.of("string_to_quantity", QUANTITY, args -> parse((String) args[0]), STRING));
    table.add(
        "isQuantity",
        Overload.of("is_quantity_string", BOOL, args -> isQuantity((String) args[0]), STRING));
    table.add(
        "sign",
        Overload.of("quantity_sign", INT, args -> (long) amount(args, 0).signum(), QUANTITY));
    table.add(
        "isGreaterThan",
        member(
            "quantity_is_greater_than",
            BOOL,
            args -> amount(args, 0).compareTo(amount(args, 1)) > 0,
            QUANTITY,
            QUANTITY));
    table.add(
        "isLessThan",
        member(
            "quantity_is_less_than",
            BOOL,
            args -> amount(args, 0).compareTo(amount(args, 1)) < 0,
            QUANTITY,
            QUANTITY));
    table.add(
        "compareTo",
        member(
            "quantity_compare_to",
            INT,
            args -> (long) Integer.signum(amount(args, 0).compareTo(amount(args, 1))),
            QUANTITY,
            QUANTITY));
    table.add(
        "asApproximateFloat",
        member(
            "quantity_get_float",
            DOUBLE,
            args -> amount(args, 0).amount().doubleValue(),
            QUANTITY));
    table.add(
        "asInteger", member("quantity_get_int", INT, args -> integer(amount(args, 0)), QUANTITY));
    table.add(
        "isInteger",
        member("quantity_is_integer", BOOL, args -> isInteger(amount(args, 0)), QUANTITY));
    sums(table);
  }

  private static void sums(FunctionTable table) {
    table.add(
        "add",
        member(
            "quantity_add",
            QUANTITY,
            args -> amount(args, 0).plus(amount(args, 1)),
            QUANTITY,
            QUANTITY),
        member(
            "quantity_add_int",
            QUANTITY,
            args -> amount(args, 0).plus(Quantity.of((Long) args[1])),
            QUANTITY,
            INT));
    table.add(
        "sub",
        member(
            "quantity_sub",
            QUANTITY,
            args -> amount(args, 0).minus(amount(args, 1)),
            QUANTITY,
            QUANTITY),
        member(
            "quantity_sub_int",
            QUANTITY,
            args -> amount(args, 0).minus(Quantity.of((Long) args[1])),
            QUANTITY,
            INT));
  }

  private static Quantity amount(Object[] args, int index) {
    return (Quantity) args[index];
  }

  private static Quantity parse(String text) {
    try {
      return Quantity.parse(text);
    } catch (QuantityFormatException e) {
      String message = e.getMessage();
      throw new CelException(message == null ? "" : message);
    }
  }

  private static boolean isQuantity(String text) {
    try {
      Quantity.parse(text);
      return true;
    } catch (QuantityFormatException e) {
      return false;
    }
  }

  private static boolean isInteger(Quantity quantity) {
    BigDecimal amount = quantity.amount().stripTrailingZeros();
    return amount.scale() <= 0 && amount.toBigInteger().abs().compareTo(MAX) <= 0;
  }

  private static long integer(Quantity quantity) {
    if (!isInteger(quantity)) {
      throw new CelException("cannot convert value to integer");
    }
    return quantity.amount().longValueExact();
  }
}
