package dev.berth.bench;

import dev.berth.bench.Figure.Better;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;

/** How fast trees are read and written, and how much memory they hold. */
public final class TreeBench {
  /** A request is read, and a new object written, while it is in the cache: so few pods, often. */
  private static final int HOT_PODS = 200;

  private static final int TIMES = 200;
  private static final int HELD_PODS = 20_000;

  /** Written and printed, so that the compiler cannot drop work whose result nobody uses. */
  private static long sink;

  private TreeBench() {}

  public static void main(String[] args) {
    byte[][] json = pods(HOT_PODS);
    System.out.printf("tree: pods of %,d bytes, one thread%n", json[0].length);
    JsonObject[] trees = new JsonObject[HOT_PODS];
    for (int warmUp = 0; warmUp < 5; warmUp++) {
      read(json, trees, TIMES);
      write(trees, TIMES);
    }
    int operations = HOT_PODS * TIMES;
    new Figure("read a pod", "/s", 60_000, Better.HIGHER)
        .print(measure(9, () -> perCoreSecond(operations, () -> read(json, trees, TIMES))));
    new Figure("write a pod", "/s", 80_000, Better.HIGHER)
        .print(measure(9, () -> perCoreSecond(operations, () -> write(trees, TIMES))));
    byte[][] many = pods(HELD_PODS);
    new Figure("memory held by a pod", "bytes", 4_608, Better.LOWER)
        .print(measure(3, () -> heldPerPod(many)));
    System.out.println("(checksum " + sink + ")");
  }

  private static double[] measure(int rounds, DoubleSupplier round) {
    return DoubleStream.generate(round).limit(rounds).toArray();
  }

  /**
   * Operations per second of this thread's own processor time: what one core does, however many
   * others want it at the moment.
   */
  private static double perCoreSecond(long operations, Runnable work) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    work.run();
    return operations * 1e9 / (threads.getCurrentThreadCpuTime() - start);
  }

  private static byte[][] pods(int count) {
    byte[][] json = new byte[count][];
    Arrays.setAll(json, Pods::json);
    return json;
  }

  private static void read(byte[][] json, JsonObject[] trees, int times) {
    for (int time = 0; time < times; time++) {
      for (int i = 0; i < json.length; i++) {
        trees[i] = JsonReader.object(json[i], JsonLimits.REQUEST);
      }
    }
  }

  private static void write(JsonObject[] trees, int times) {
    for (int time = 0; time < times; time++) {
      for (JsonObject tree : trees) {
        sink += JsonWriter.toBytes(tree).length;
      }
    }
  }

  private static double heldPerPod(byte[][] json) {
    long before = usedHeap();
    JsonObject[] trees = new JsonObject[json.length];
    read(json, trees, 1);
    long after = usedHeap();
    sink += trees[json.length - 1].hashCode();
    return (after - before) / (double) json.length;
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
