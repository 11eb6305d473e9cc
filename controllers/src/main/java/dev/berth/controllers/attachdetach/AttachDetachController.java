package dev.berth.controllers.attachdetach;

import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.attachment.NodeVolumes;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Has volumes attached to the nodes whose pods need them, and detached again: it writes
 * VolumeAttachments, which the volumes' drivers heed, and tells nodes what was attached. {@link
 * dev.berth.policy.attachment.AttachDecision} says what is attached where.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable: what is attached is what
 * there are VolumeAttachments of. Only for how long a node that is not ready was waited for is
 * forgotten with it. A volume is reconciled once at a time, until the requests of that have ended.
 */
public final class AttachDetachController implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "attachdetach-controller";

  private static final int RECONCILIATIONS_AT_ONCE = 64;

  private final Loop loop;
  private final InformerSet informers;
  private final WorkQueue queue;
  private final VolumeIndex volumes;
  private final AttachmentIndex attachments;
  private final NodeReports reports;
  private final VolumeReconciler reconciler;

  /** The latest that is known of each node, by name. */
  private final Map<String, Metadata> nodes = new HashMap<>();

  private AttachDetachController(ControllerParts parts, AttachDetachSettings settings) {
    Time time = parts.time();
    loop = time.start("attach-detach");
    queue = new WorkQueue(parts, loop, "attach_detach", RECONCILIATIONS_AT_ONCE, this::reconcile);
    volumes = new VolumeIndex(parts.metrics(), this::touch);
    reports = new NodeReports(parts, loop, volumes, this::nodeSeen);
    AttachmentEvents events = new AttachmentEvents(parts, loop, volumes, this::check);
    attachments = new AttachmentIndex(time, volumes, events);
    reconciler =
        new VolumeReconciler(parts, loop, settings, queue, volumes, attachments, reports, events);
    informers = new InformerSet(parts.informers(), loop, this::synced, parts.warnings());
    informers
        .on(Resources.NODES, this::nodeChanged)
        .on(Resources.CSI_DRIVERS, volumes::driverChanged)
        .on(Resources.PERSISTENT_VOLUMES, this::volumeChanged)
        .on(Resources.PERSISTENT_VOLUME_CLAIMS, volumes::claimChanged)
        .on(Resources.VOLUME_ATTACHMENTS, attachments::changed)
        .on(Resources.PODS, this::podChanged);
  }

  public static AttachDetachController start(ControllerParts parts, AttachDetachSettings settings) {
    AttachDetachController controller = new AttachDetachController(parts, settings);
    controller.informers.start();
    return controller;
  }

  private void synced() {
    List.copyOf(volumes.volumes()).forEach(volume -> queue.add(volume.key));
    volumes.nodes().forEach(reports::check);
  }

  private void touch(ObjectName volume) {
    if (informers.isSynced()) {
      queue.add(volume);
    }
  }

  private void check(String node) {
    if (informers.isSynced()) {
      reports.check(node);
    }
  }

  private void reconcile(ObjectName name, WorkQueue.Item item) {
    reconciler.reconcile(name, item);
  }

  private void volumeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    volumes.volumeChanged(before, after);
    if (after != null) {
      attachments.volumeChanged(Metadata.of(after).name());
    }
  }

  /** A pod needs no volumes before it has a node, which it keeps. */
  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after == null || new PodTree(after).isBound()) {
      volumes.podChanged(before, after);
    }
  }

  private void nodeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      nodeSeen(after);
    } else if (before != null) {
      Metadata gone = Metadata.of(before);
      Metadata known = nodes.get(gone.name());
      if (known != null && known.uid().equals(gone.uid())) {
        nodes.remove(gone.name());
        volumes.nodeChanged(gone.name(), null);
      }
    }
  }

  /** The server shows a node; it may have shown a later state already. */
  private void nodeSeen(JsonObject tree) {
    Metadata metadata = Metadata.of(tree);
    Metadata known = nodes.get(metadata.name());
    if (known != null && metadata.isBefore(known)) {
      return;
    }
    nodes.put(metadata.name(), metadata);
    if (volumes.nodeChanged(metadata.name(), NodeVolumes.read(tree))) {
      check(metadata.name());
    }
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
