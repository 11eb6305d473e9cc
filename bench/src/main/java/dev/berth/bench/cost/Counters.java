package dev.berth.bench.cost;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.api.Berth;
import dev.berth.bench.api.Control;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server has counted since it started.
 *
 * @param writes of objects
 * @param transactions of the store, each synced once
 * @param bytes of values written
 * @param allocated bytes, by all threads
 * @param told changes that controllers were told of, each controller counted
 */
record Counters(
    double cpuMicros,
    double writes,
    double transactions,
    double bytes,
    double allocated,
    double told) {

  static Counters of(Berth berth, Control control) throws IOException, InterruptedException {
    String text = new String(control.get("/metrics"), UTF_8);
    return new Counters(
        berth.cpuMicros(),
        figure(text, "berth_store_revision"),
        figure(text, "berth_store_transactions_total"),
        figure(text, "berth_store_written_bytes_total"),
        figure(text, "jvm_memory_allocated_bytes_total"),
        figure(text, "berth_informer_notifications_total"));
  }

  private static double figure(String text, String name) throws IOException {
    Matcher line =
        Pattern.compile("^" + name + "(?:\\{})? ([0-9.eE+-]+)$", Pattern.MULTILINE).matcher(text);
    if (!line.find()) {
      throw new IOException("the server does not count " + name);
    }
    return Double.parseDouble(line.group(1));
  }

  /** What was counted since, for each of so many. */
  Counters since(Counters before, double units) {
    return new Counters(
        (cpuMicros - before.cpuMicros) / units,
        (writes - before.writes) / units,
        (transactions - before.transactions) / units,
        (bytes - before.bytes) / units,
        (allocated - before.allocated) / units,
        (told - before.told) / units);
  }
}
