package dev.berth.scheduler;

import dev.berth.client.Api;
import dev.berth.client.event.EventRecorder;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.message.EventText;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.HashMap;
import java.util.Map;

/** Records events, each in the name of the scheduler that the pod at hand asked for. */
final class SchedulerEvents {
  private final Map<String, EventRecorder> recorders = new HashMap<>();

  /**
   * @param instance tells this process from others that schedule under the same names
   */
  SchedulerEvents(Api api, Loop loop, Time time, Iterable<String> schedulerNames, String instance) {
    for (String name : schedulerNames) {
      recorders.put(name, EventRecorder.series(api, loop, time, name, name + "-" + instance));
    }
  }

  /** About a pod. */
  void record(PodInfo pod, EventText text) {
    record(pod, text, pod);
  }

  /** About a pod, for the sake of another one. */
  void record(PodInfo pod, EventText text, PodInfo sake) {
    EventRecorder recorder = recorders.get(sake.view().spec().schedulerName());
    if (recorder != null) {
      recorder.record(text.about(pod.tree()));
    }
  }
}
