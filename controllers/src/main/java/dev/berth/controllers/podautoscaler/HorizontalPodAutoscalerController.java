package dev.berth.controllers.podautoscaler;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.Resources;
import dev.berth.client.event.EventRecorder;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.owned.KnownObjects;
import dev.berth.controllers.podautoscaler.AutoscalerMetrics.Result;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.ObjectKind;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.autoscaling.AutoscalerView;
import dev.berth.model.autoscaling.MetricSpec;
import dev.berth.model.autoscaling.TargetScale;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.autoscale.AutoscalerEvent;
import dev.berth.policy.autoscale.AutoscalerHistory;
import dev.berth.policy.autoscale.AutoscalerPlan;
import dev.berth.policy.autoscale.Measurements;
import dev.berth.policy.autoscale.MetricAnswer;
import dev.berth.policy.autoscale.TargetSelector;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scales the targets of autoscalers by their metrics; {@link AutoscalerPlan} says how.
 *
 * <ol>
 *   <li>Each autoscaler is looked after once per sync period, for the first time when that has
 *       passed since it was heard of, whatever happens meanwhile: metrics are no newer than that.
 *   <li>To do so is to read the target's scale, then its metrics, to decide, to write the scale if
 *       it changes, and the status if that changes.
 *   <li>Pods that the targets of two autoscalers select are scaled by neither.
 *   <li>While there are no autoscalers, pods are not followed, and nothing is done at all.
 * </ol>
 *
 * <p>One loop owns everything it knows, and nothing of that is durable: a controller that starts
 * afresh knows no recommendations of the past, and so may remove replicas sooner, as upstream's
 * may.
 */
public final class HorizontalPodAutoscalerController implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "horizontal-pod-autoscaler";

  private static final ObjectKind KIND =
      new ObjectKind(Resources.HORIZONTAL_POD_AUTOSCALERS, "HorizontalPodAutoscaler");
  private static final Logger LOG = LoggerFactory.getLogger("horizontal-pod-autoscaler-controller");

  /** How soon to look again whether all pods have been heard of. */
  private static final Duration SOON = Duration.ofSeconds(1);

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final HorizontalPodAutoscalerSettings settings;
  private final InformerSet informers;
  private final BoundedRequests requests;
  private final WorkQueue queue;
  private final EventRecorder events;
  private final AutoscalerMetrics metrics;
  private final ScaleClient scales;
  private final MetricsClient metricsClient;
  private final AutoscaledPods pods;
  private final KnownObjects autoscalers = new KnownObjects();
  private final Map<ObjectName, AutoscalerHistory> histories = new HashMap<>();

  private HorizontalPodAutoscalerController(
      ControllerParts parts, HorizontalPodAutoscalerSettings settings) {
    this.api = parts.api();
    this.time = parts.time();
    this.settings = settings;
    this.loop = time.start("horizontalpodautoscaler");
    this.requests = new BoundedRequests(loop, settings.concurrentSyncs());
    this.queue =
        new WorkQueue(
            parts, loop, "horizontalpodautoscaler", settings.concurrentSyncs(), this::reconcile);
    this.events = EventRecorder.counting(api, loop, time, ACCOUNT);
    this.metrics = parts.metrics().shared(AutoscalerMetrics.class, AutoscalerMetrics::new);
    KindResolver kinds = new KindResolver(api, time);
    this.scales = new ScaleClient(api, kinds);
    this.metricsClient = new MetricsClient(api, kinds);
    this.pods = new AutoscaledPods(parts, loop);
    this.informers =
        new InformerSet(parts.informers(), loop, () -> {}, parts.warnings())
            .on(Resources.HORIZONTAL_POD_AUTOSCALERS, this::changed);
  }

  public static HorizontalPodAutoscalerController start(
      ControllerParts parts, HorizontalPodAutoscalerSettings settings) {
    HorizontalPodAutoscalerController controller =
        new HorizontalPodAutoscalerController(parts, settings);
    controller.informers.start();
    return controller;
  }

  private void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    autoscalers.changed(before, after);
    if (before != null && (after == null || !uid(before).equals(uid(after)))) {
      forget(ObjectName.of(before));
    }
    if (after != null && (before == null || !uid(before).equals(uid(after)))) {
      ObjectName name = ObjectName.of(after);
      metrics.appeared(name);
      pods.follow();
      queue.addAfter(name, settings.syncPeriod());
    }
    if (autoscalers.values().isEmpty()) {
      pods.close();
    }
  }

  private static String uid(JsonObject object) {
    return Metadata.of(object).uid();
  }

  private void forget(ObjectName name) {
    queue.forget(name);
    pods.forget(name);
    histories.remove(name);
    metrics.gone(name);
  }

  private void reconcile(ObjectName name, WorkQueue.Item item) {
    Optional<JsonObject> found = autoscalers.get(name);
    if (found.isEmpty()) {
      item.succeeded();
    } else if (pods.areKnown()) {
      Sync sync = new Sync(name, found.get(), item);
      requests.run(() -> scales.find(sync.view), sync::found);
    } else {
      item.succeeded();
      queue.addAfter(name, SOON);
    }
  }

  private record TimedAnswer(MetricAnswer answer, Duration took) {}

  /** An autoscaler that is being looked after. */
  private final class Sync {
    private final ObjectName name;
    private final JsonObject tree;
    private final AutoscalerView view;
    private final WorkQueue.Item item;
    private final Instant since = time.monotonicNow();

    Sync(ObjectName name, JsonObject tree, WorkQueue.Item item) {
      this.name = name;
      this.tree = tree;
      this.view = AutoscalerView.read(tree);
      this.item = item;
    }

    private AutoscalerHistory history() {
      return histories.getOrDefault(name, AutoscalerHistory.NONE);
    }

    /** Whether it is still there: if it has gone, nothing more is done for it. */
    private boolean isThere() {
      return autoscalers.get(name).filter(now -> uid(now).equals(uid(tree))).isPresent();
    }

    void found(ScaleClient.Found found) {
      switch (found) {
        case ScaleClient.Found.Failed(String why, boolean isOurFault) -> {
          AutoscalerPlan plan = AutoscalerPlan.withoutScale(view, why, history(), time.now());
          plan.events().forEach(this::tell);
          write(plan.status(), 0, isOurFault ? Result.SPEC : Result.INTERNAL);
        }
        case ScaleClient.Found.At at -> {
          TargetScale scale = TargetScale.read(at.scale());
          if (AutoscalerPlan.needsMetrics(view, scale)) {
            measure(at, scale);
          } else {
            decide(at, scale, new Measurements.NotNeeded(), List.of());
          }
        }
      }
    }

    private void measure(ScaleClient.Found.At at, TargetScale scale) {
      switch (TargetSelector.of(scale)) {
        case TargetSelector.Invalid invalid ->
            decide(at, scale, new Measurements.NotSelected(invalid), List.of());
        case TargetSelector.Valid(LabelSelector selector) -> {
          pods.select(name, selector);
          Set<ObjectName> sharing = pods.sharing(name);
          if (sharing.size() > 1) {
            decide(
                at,
                scale,
                new Measurements.NotSelected(TargetSelector.ambiguous(scale, sharing)),
                List.of());
          } else {
            requests.run(
                () -> read(selector),
                read -> {
                  List<MetricAnswer> answers = read.stream().map(TimedAnswer::answer).toList();
                  decide(
                      at,
                      scale,
                      new Measurements.Taken(answers, pods.of(name)),
                      read.stream().map(TimedAnswer::took).toList());
                });
          }
        }
      }
    }

    /** Runs beside the loop. */
    private List<TimedAnswer> read(LabelSelector selector) {
      List<TimedAnswer> answers = new ArrayList<>();
      for (MetricSpec metric : view.metrics()) {
        Instant begun = time.monotonicNow();
        MetricAnswer answer = metricsClient.read(view.namespace(), metric, selector);
        answers.add(new TimedAnswer(answer, Duration.between(begun, time.monotonicNow())));
      }
      return answers;
    }

    /**
     * @param took how long it took to read each metric
     */
    private void decide(
        ScaleClient.Found.At at,
        TargetScale scale,
        Measurements measurements,
        List<Duration> took) {
      AutoscalerPlan plan =
          AutoscalerPlan.of(view, scale, measurements, history(), settings.rules(), time.now());
      if (!isThere()) {
        item.succeeded();
        return;
      }
      histories.put(name, plan.history());
      plan.events().forEach(this::tell);
      long before = view.status().integer("currentReplicas").orElse(0);
      for (int i = 0; i < plan.computations().size(); i++) {
        AutoscalerPlan.Computation computation = plan.computations().get(i);
        metrics.computed(computation, (int) (computation.replicas() - before), took.get(i));
      }
      Result result = plan.failure().isEmpty() ? Result.NONE : Result.INTERNAL;
      if (plan.isRescale()) {
        requests.run(() -> scales.rescale(at, plan.to()), answer -> rescaled(plan, answer, result));
      } else {
        metrics.desired(name, plan.to());
        write(plan.status(), 0, result);
      }
    }

    private void rescaled(AutoscalerPlan plan, ApiResult answer, Result result) {
      switch (answer) {
        case ApiResult.Done _ -> {
          LOG.info(
              "rescaled autoscaler={} from={} to={} reason={}",
              name,
              plan.from(),
              plan.to(),
              plan.reason());
          metrics.desired(name, plan.to());
          end(plan.rescaled(view, time.now()), plan.to() - plan.from(), result);
        }
        case ApiResult.Failure failure ->
            end(plan.notRescaled(view, failure.message(), time.now()), 0, Result.INTERNAL);
      }
    }

    private void end(AutoscalerPlan.Outcome outcome, int change, Result result) {
      outcome.events().forEach(this::tell);
      if (isThere()) {
        histories.put(name, outcome.history());
      }
      write(outcome.status(), change, result);
    }

    private void tell(AutoscalerEvent event) {
      events.record(
          KIND.named(tree),
          event.isWarning() ? EventRecorder.Type.WARNING : EventRecorder.Type.NORMAL,
          event.reason(),
          "Scaling",
          event.message());
    }

    private void write(JsonObject status, int change, Result result) {
      if (!isThere() || status.equals(view.status())) {
        finish(change, result);
        return;
      }
      // As it was read: if somebody has changed it meanwhile, the next time is soon enough.
      requests.run(
          () -> api.updateStatus(KIND.resource(), KIND.named(tree).with("status", status)),
          answer -> {
            switch (answer) {
              case ApiResult.Done(JsonObject written) -> {
                autoscalers.written(written);
                finish(change, result);
              }
              case ApiResult.Failure failure -> {
                if (!failure.isNotFound()) {
                  tell(new AutoscalerEvent(true, "FailedUpdateStatus", failure.message()));
                }
                finish(change, Result.INTERNAL);
              }
            }
          });
    }

    private void finish(int change, Result result) {
      metrics.reconciled(change, result, Duration.between(since, time.monotonicNow()));
      item.succeeded();
      if (autoscalers.get(name).isPresent()) {
        queue.addAfter(name, settings.syncPeriod());
      }
    }
  }

  @Override
  public void close() {
    informers.close();
    pods.close();
    loop.close();
  }
}
