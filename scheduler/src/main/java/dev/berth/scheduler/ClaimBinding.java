package dev.berth.scheduler;

import dev.berth.client.ApiResult;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.volume.VolumePlan;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.plugin.volume.VolumeBinding;
import dev.berth.scheduler.plugin.volume.VolumeProgress;
import dev.berth.time.Loop;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out, before a pod is bound, what its claims wait for: volumes are reserved for them, or
 * provisioned for the node, and the pod is bound once all of its claims are.
 */
final class ClaimBinding {
  private final Loop loop;
  private final Cluster cluster;
  private final PodWriter writer;
  private final Set<Wait> waits = new LinkedHashSet<>();

  ClaimBinding(Loop loop, Cluster cluster, PodWriter writer) {
    this.loop = loop;
    this.cluster = cluster;
    this.writer = writer;
  }

  /**
   * Begins to bind the claims of a pod.
   *
   * @param then gets an empty string once they are bound, or why they will not be
   * @return false if there is nothing to be done; then {@code then} is not called
   */
  boolean begin(PodInfo pod, int node, Profile profile, Consumer<String> then) {
    Optional<VolumeBinding> plugin =
        profile.filters().stream()
            .filter(VolumeBinding.class::isInstance)
            .map(VolumeBinding.class::cast)
            .findFirst();
    if (plugin.isEmpty()) {
      return false;
    }
    VolumePlan plan = plugin.get().plan(pod, node, cluster);
    if (plan.isEmpty()) {
      return false;
    }
    cluster.volumes().assume(plan);
    new Wait(plugin.get(), plan, then).begin();
    return true;
  }

  /** Checks the progress of claims, after one or a volume has changed. */
  void changed() {
    List.copyOf(waits).forEach(Wait::check);
  }

  /** A plan that is being carried out. */
  private final class Wait {
    private final VolumeBinding plugin;
    private final VolumePlan plan;
    private final Consumer<String> then;
    private Loop.@Nullable Timer timer;
    private int unwritten;

    Wait(VolumeBinding plugin, VolumePlan plan, Consumer<String> then) {
      this.plugin = plugin;
      this.plan = plan;
      this.then = then;
    }

    void begin() {
      waits.add(this);
      timer =
          loop.after(
              plugin.bindTimeout(),
              () ->
                  end(
                      "claims were not bound within %d s"
                          .formatted(plugin.bindTimeout().toSeconds())));
      unwritten = plan.writes().size();
      plan.writes().forEach(write -> writer.write(write, this::written));
    }

    private void written(ApiResult result) {
      unwritten--;
      if (result instanceof ApiResult.Failure failure) {
        end(failure.message());
      } else {
        check();
      }
    }

    private void check() {
      if (unwritten > 0) {
        return;
      }
      switch (plugin.progress(plan, cluster)) {
        case VolumeProgress.Done _ -> end("");
        case VolumeProgress.Waiting _ -> {}
        case VolumeProgress.Failed(String message) -> end(message);
      }
    }

    private void end(String problem) {
      if (waits.remove(this)) {
        if (timer != null) {
          timer.cancel();
        }
        if (!problem.isEmpty()) {
          cluster.volumes().forget(plan);
        }
        then.accept(problem);
      }
    }
  }
}
