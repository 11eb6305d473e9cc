package dev.berth.access.node;

import dev.berth.access.node.NodeGraph.Kind;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.reference.PodReferences;
import dev.berth.model.reference.VolumeSecrets;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.ResourceChanges;
import dev.berth.registry.Selection;
import dev.berth.registry.Stored;
import dev.berth.registry.StoredEncoding;
import dev.berth.store.Store;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The graph of nodes and objects as the cluster is now. It is made when the first node asks, so a
 * cluster whose nodes do not come with certificates of their own pays nothing, and is never behind
 * what was written before a question. May be asked by any thread.
 */
final class NodeRelations implements AutoCloseable {
  private final Registry registry;
  private final Resource pods;
  private final Resource volumes;
  private final Resource attachments;
  private final long secret;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  /** Guarded by the lock, as is what is in it; null until it is asked, and when it must be made. */
  private @Nullable NodeGraph graph;

  private final ResourceChanges changes;

  NodeRelations(Registry registry) {
    this.registry = registry;
    this.pods = registry.catalog().get("", "v1", "pods");
    this.volumes = registry.catalog().get("", "v1", "persistentvolumes");
    this.attachments = registry.catalog().get("storage.k8s.io", "v1", "volumeattachments");
    this.secret = registry.time().random("node-graph").nextLong();
    this.changes =
        ResourceChanges.of(registry, List.of(pods, volumes, attachments), new Following());
  }

  /** Puts into the graph what changed. */
  private final class Following implements ResourceChanges.Listener {
    @Override
    public void changed(Resource resource, ObjectName name) {
      lock.writeLock().lock();
      try {
        if (graph != null) {
          JsonObject now = registry.find(resource, name).map(Stored::tree).orElse(JsonObject.EMPTY);
          put(graph, resource, name, now);
        }
      } finally {
        lock.writeLock().unlock();
      }
    }

    @Override
    public void lost() {
      lock.writeLock().lock();
      try {
        graph = null;
      } finally {
        lock.writeLock().unlock();
      }
    }
  }

  /** Whether a node has to do with an object. */
  boolean connects(String node, Kind kind, ObjectName name) {
    changes.deliver();
    lock.readLock().lock();
    try {
      if (graph != null) {
        return graph.connects(node, kind, name);
      }
    } finally {
      lock.readLock().unlock();
    }
    lock.writeLock().lock();
    try {
      // What changes while it is made is told afterwards, and put in once more.
      NodeGraph made = graph == null ? make() : graph;
      graph = made;
      return made.connects(node, kind, name);
    } finally {
      lock.writeLock().unlock();
    }
  }

  private NodeGraph make() {
    NodeGraph made = new NodeGraph(secret);
    for (Resource resource : List.of(pods, volumes, attachments)) {
      ListOptions all = ListOptions.of(Selection.in(""));
      for (Store.Entry entry : registry.list(resource, all).entries()) {
        JsonObject object = StoredEncoding.tree(entry);
        put(made, resource, ObjectName.of(object), object);
      }
    }
    return made;
  }

  /** Puts an object in as it is now, or takes it out if it has nothing to do with a node. */
  private void put(NodeGraph graph, Resource resource, ObjectName name, JsonObject object) {
    if (resource == pods) {
      PodTree pod = new PodTree(object);
      if (pod.isBound()) {
        graph.putPod(name, pod.nodeName(), references(pod));
      } else {
        graph.removePod(name);
      }
    } else if (resource == volumes) {
      JsonObject claim = object.object("spec").object("claimRef");
      if (claim.isEmpty()) {
        graph.removeVolume(name.name());
      } else {
        ObjectName claimName = new ObjectName(claim.text("namespace", ""), claim.text("name", ""));
        graph.putVolume(name.name(), claimName, VolumeSecrets.forNodes(object));
      }
    } else {
      String node = object.object("spec").text("nodeName", "");
      if (node.isEmpty()) {
        graph.removeAttachment(name.name());
      } else {
        graph.putAttachment(name.name(), node);
      }
    }
  }

  /**
   * A mirror pod gives its node nothing: a node makes those itself. NodeRestriction lets them use
   * nothing either, but might be off.
   */
  private static PodReferences references(PodTree pod) {
    return pod.metadata().annotations().has(WellKnownAnnotations.CONFIG_MIRROR)
        ? PodReferences.NONE
        : PodReferences.of(pod.tree());
  }

  @Override
  public void close() {
    changes.close();
  }
}
