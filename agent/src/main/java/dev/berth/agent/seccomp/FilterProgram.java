package dev.berth.agent.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that the kernel runs for each system call of a process, in the instructions of classic
 * BPF. The accumulator has the call's number whenever a rule begins.
 */
final class FilterProgram {
  static final int ALLOW = 0x7fff0000;
  static final int KILL_PROCESS = 0x80000000;

  /** The kernel takes no longer ones. */
  static final int LARGEST = 4096;

  private static final int NUMBER_AT = 0;
  private static final int ARCHITECTURE_AT = 4;
  private static final int ARGUMENTS_AT = 16;

  private static final int LOAD = 0x20;
  private static final int AND = 0x54;
  private static final int IF_EQUAL = 0x15;
  private static final int IF_GREATER = 0x25;
  private static final int IF_AT_LEAST = 0x35;
  private static final int RETURN = 0x06;

  /** Where a condition of an argument goes on: the next instruction, what holds, what does not. */
  private enum To {
    NEXT,
    HOLDS,
    FAILS
  }

  private record Instruction(int code, int ifTrue, int ifFalse, int value) {}

  private record Step(int code, int value, To ifTrue, To ifFalse) {
    static Step load(int at) {
      return new Step(LOAD, at, To.NEXT, To.NEXT);
    }

    boolean isJump() {
      return code == IF_EQUAL || code == IF_GREATER || code == IF_AT_LEAST;
    }
  }

  private final List<Instruction> instructions = new ArrayList<>();

  /**
   * @param architecture the only one whose calls are known: all others end the process
   */
  FilterProgram(int architecture) {
    add(LOAD, 0, 0, ARCHITECTURE_AT);
    add(IF_EQUAL, 1, 0, architecture);
    add(RETURN, 0, 0, KILL_PROCESS);
    add(LOAD, 0, 0, NUMBER_AT);
  }

  private void add(int code, int ifTrue, int ifFalse, int value) {
    instructions.add(new Instruction(code, ifTrue, ifFalse, value));
  }

  /** Calls whose numbers are at least this get a result. */
  void returnFrom(int number, int result) {
    add(IF_AT_LEAST, 0, 1, number);
    add(RETURN, 0, 0, result);
  }

  /** A call whose arguments are all as said gets a result. */
  void returnIf(int number, List<ArgumentCondition> conditions, int result) {
    List<Instruction> block = new ArrayList<>();
    for (ArgumentCondition condition : conditions.reversed()) {
      // What does not hold goes to the block's end, where the number is loaded again.
      block.addAll(0, resolve(steps(condition), block.size() + 1));
    }
    boolean looksAtArguments = !conditions.isEmpty();
    add(IF_EQUAL, 0, block.size() + (looksAtArguments ? 2 : 1), number);
    instructions.addAll(block);
    add(RETURN, 0, 0, result);
    if (looksAtArguments) {
      add(LOAD, 0, 0, NUMBER_AT);
    }
  }

  /** All other calls get a result. */
  void returnAlways(int result) {
    add(RETURN, 0, 0, result);
  }

  /**
   * @param rest how many instructions there are between these and the end of the block
   */
  private static List<Instruction> resolve(List<Step> steps, int rest) {
    List<Instruction> resolved = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      int left = steps.size() - i - 1;
      resolved.add(
          new Instruction(
              step.code,
              step.isJump() ? distance(step.ifTrue, left, rest) : 0,
              step.isJump() ? distance(step.ifFalse, left, rest) : 0,
              step.value));
    }
    return resolved;
  }

  private static int distance(To to, int left, int rest) {
    return switch (to) {
      case NEXT -> 0;
      case HOLDS -> left;
      case FAILS -> left + rest;
    };
  }

  /** The kernel compares 32 bits at a time, and arguments have 64. */
  private static List<Step> steps(ArgumentCondition condition) {
    int low = ARGUMENTS_AT + 8 * condition.index();
    int highValue = (int) (condition.value() >>> 32);
    int lowValue = (int) condition.value();
    Step loadHigh = Step.load(low + 4);
    Step loadLow = Step.load(low);
    return switch (condition.operator()) {
      case EQUAL ->
          List.of(
              loadHigh,
              new Step(IF_EQUAL, highValue, To.NEXT, To.FAILS),
              loadLow,
              new Step(IF_EQUAL, lowValue, To.HOLDS, To.FAILS));
      case NOT_EQUAL ->
          List.of(
              loadHigh,
              new Step(IF_EQUAL, highValue, To.NEXT, To.HOLDS),
              loadLow,
              new Step(IF_EQUAL, lowValue, To.FAILS, To.HOLDS));
      case MASKED_EQUAL ->
          List.of(
              loadHigh,
              new Step(AND, highValue, To.NEXT, To.NEXT),
              new Step(IF_EQUAL, (int) (condition.masked() >>> 32), To.NEXT, To.FAILS),
              loadLow,
              new Step(AND, lowValue, To.NEXT, To.NEXT),
              new Step(IF_EQUAL, (int) condition.masked(), To.HOLDS, To.FAILS));
      case GREATER -> ordered(loadHigh, loadLow, highValue, lowValue, IF_GREATER, true);
      case AT_LEAST -> ordered(loadHigh, loadLow, highValue, lowValue, IF_AT_LEAST, true);
      case LESS -> ordered(loadHigh, loadLow, highValue, lowValue, IF_AT_LEAST, false);
      case AT_MOST -> ordered(loadHigh, loadLow, highValue, lowValue, IF_GREATER, false);
    };
  }

  private static List<Step> ordered(
      Step loadHigh, Step loadLow, int high, int low, int comparison, boolean holdsIfLarger) {
    To larger = holdsIfLarger ? To.HOLDS : To.FAILS;
    To smaller = holdsIfLarger ? To.FAILS : To.HOLDS;
    return List.of(
        loadHigh,
        new Step(IF_GREATER, high, larger, To.NEXT),
        new Step(IF_EQUAL, high, To.NEXT, smaller),
        loadLow,
        new Step(comparison, low, larger, smaller));
  }

  int size() {
    return instructions.size();
  }

  /** As the kernel takes it: eight bytes for each instruction. */
  byte[] toBytes() {
    ByteBuffer bytes = ByteBuffer.allocate(8 * size()).order(ByteOrder.LITTLE_ENDIAN);
    for (Instruction each : instructions) {
      bytes.putShort((short) each.code).put((byte) each.ifTrue).put((byte) each.ifFalse);
      bytes.putInt(each.value);
    }
    return bytes.array();
  }
}
