package dev.berth.controllers.reconcile;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Histogram;
import dev.berth.metrics.Metrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * What upstream counts of every work queue, under upstream's names and in its buckets, for all
 * queues of a process.
 *
 * <p>What may fall is looked up in the queues by whoever reads the metrics, on a thread of its own;
 * {@link WorkQueue} says what that may see.
 */
final class WorkQueueMetrics {
  private static final String NAME = "name";

  private static final List<Double> SECONDS =
      List.of(1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0);

  private final Family<Counter> adds;
  private final Family<Counter> retries;
  private final Family<Histogram> queueDuration;
  private final Family<Histogram> workDuration;

  /** By name. A controller that is started anew has a new one. */
  private final Map<String, WorkQueue> queues = new ConcurrentHashMap<>();

  WorkQueueMetrics(Metrics metrics) {
    adds =
        metrics.counters("workqueue_adds_total", "Total number of adds handled by workqueue", NAME);
    retries =
        metrics.counters(
            "workqueue_retries_total", "Total number of retries handled by workqueue", NAME);
    queueDuration =
        metrics.histograms(
            "workqueue_queue_duration_seconds",
            "How long in seconds an item stays in workqueue before being requested.",
            SECONDS,
            NAME);
    workDuration =
        metrics.histograms(
            "workqueue_work_duration_seconds",
            "How long in seconds processing an item from workqueue takes.",
            SECONDS,
            NAME);
    lookedUp(metrics, "workqueue_depth", "Current depth of workqueue", WorkQueue::depth);
    lookedUp(
        metrics,
        "workqueue_unfinished_work_seconds",
        "How many seconds of work has done that is in progress and hasn't been observed by"
            + " work_duration. Large values indicate stuck threads. One can deduce the number of"
            + " stuck threads by observing the rate at which this increases.",
        queue -> seconds(queue.unfinishedWork()));
    lookedUp(
        metrics,
        "workqueue_longest_running_processor_seconds",
        "How many seconds has the longest running processor for workqueue been running.",
        queue -> seconds(queue.longestRunning()));
  }

  private void lookedUp(
      Metrics metrics, String name, String help, ToDoubleFunction<WorkQueue> figure) {
    metrics.lookedUp(
        name,
        help,
        List.of(NAME),
        action ->
            queues.forEach((queue, of) -> action.accept(List.of(queue), figure.applyAsDouble(of))));
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  /** What one queue counts. */
  record Counts(Counter adds, Counter retries, Histogram waited, Histogram worked) {}

  Counts of(String name, WorkQueue queue) {
    queues.put(name, queue);
    return new Counts(
        adds.with(name), retries.with(name), queueDuration.with(name), workDuration.with(name));
  }
}
