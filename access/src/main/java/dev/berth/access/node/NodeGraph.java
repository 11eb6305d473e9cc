package dev.berth.access.node;

import dev.berth.model.reference.PodReferences;
import dev.berth.model.resource.ObjectName;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Which objects a node has to do with:
 *
 * <pre>
 * node ◀─ pod ◀─ service account, secret, config map, resource claim, claim ◀─ volume ◀─ secret
 * node ◀─ volume attachment
 * </pre>
 *
 * <p>A question is answered from the node's side: do its pods, one after the other, use the object?
 * So it takes as long as the node has pods, however many others use the same object, and updates
 * touch nothing but the pod. All are numbers in arrays: about 70 bytes for an object in all.
 *
 * <p>Not for several threads at once while something changes.
 */
final class NodeGraph {
  /** The kinds of objects in it. */
  enum Kind {
    NAMESPACE(0),
    NODE(1),
    POD(2),
    SERVICE_ACCOUNT(3),
    SECRET(4),
    CONFIG_MAP(5),
    RESOURCE_CLAIM(6),
    CLAIM(7),
    VOLUME(8),
    ATTACHMENT(9);

    /** What stands for the kind in the table. */
    private final int number;

    Kind(int number) {
      this.number = number;
    }
  }

  private static final int[] NO_EDGES = {};

  private final VertexTable vertices;

  /**
   * By number. Of a pod: its node, then what it uses. Of an attachment: its node. Of a volume: its
   * claim, then its secrets. Of a node, its pods, and of a claim, its volumes: how many, then each.
   */
  private int[][] edges;

  NodeGraph(long secret) {
    vertices = new VertexTable(secret);
    edges = new int[vertices.capacity()][];
  }

  /** Puts a pod in that is bound to a node, in place of what was known of it. */
  void putPod(ObjectName name, String node, PodReferences uses) {
    removePod(name);
    int pod = use(Kind.POD, name.namespace(), name.name());
    Edges added = new Edges(use(Kind.NODE, "", node));
    if (!uses.serviceAccount().isEmpty()) {
      added.add(use(Kind.SERVICE_ACCOUNT, name.namespace(), uses.serviceAccount()));
    }
    addAll(added, Kind.SECRET, name.namespace(), uses.secrets());
    addAll(added, Kind.CONFIG_MAP, name.namespace(), uses.configMaps());
    addAll(added, Kind.CLAIM, name.namespace(), uses.claims());
    addAll(added, Kind.RESOURCE_CLAIM, name.namespace(), uses.resourceClaims());
    edges[pod] = added.toArray();
    append(edges[pod][0], pod);
  }

  private void addAll(Edges edges, Kind kind, String namespace, Collection<String> names) {
    for (String name : names) {
      edges.add(use(kind, namespace, name));
    }
  }

  void removePod(ObjectName name) {
    remove(Kind.POD, name);
  }

  /** Puts a volume in that has a claim, in place of what was known of it. */
  void putVolume(String name, ObjectName claim, List<ObjectName> secrets) {
    removeVolume(name);
    int volume = use(Kind.VOLUME, "", name);
    Edges added = new Edges(use(Kind.CLAIM, claim.namespace(), claim.name()));
    for (ObjectName secret : secrets) {
      added.add(use(Kind.SECRET, secret.namespace(), secret.name()));
    }
    edges[volume] = added.toArray();
    append(edges[volume][0], volume);
  }

  void removeVolume(String name) {
    remove(Kind.VOLUME, ObjectName.of(name));
  }

  void putAttachment(String name, String node) {
    removeAttachment(name);
    int attachment = use(Kind.ATTACHMENT, "", name);
    edges[attachment] = new Edges(use(Kind.NODE, "", node)).toArray();
  }

  void removeAttachment(String name) {
    remove(Kind.ATTACHMENT, ObjectName.of(name));
  }

  /** Whether a node has to do with an object. */
  boolean connects(String nodeName, Kind kind, ObjectName name) {
    int node = find(Kind.NODE, "", nodeName);
    int object = find(kind, name.namespace(), name.name());
    if (node == VertexTable.NONE || object == VertexTable.NONE) {
      return false;
    }
    return switch (kind) {
      case POD, ATTACHMENT -> edges[object][0] == node;
      case VOLUME -> podUses(node, edges[object][0]);
      case SECRET -> podUses(node, object) || volumeUses(node, object);
      case SERVICE_ACCOUNT, CONFIG_MAP, RESOURCE_CLAIM, CLAIM -> podUses(node, object);
      case NAMESPACE, NODE -> false;
    };
  }

  /** Whether a pod of the node uses an object. */
  private boolean podUses(int node, int object) {
    int[] pods = edges[node];
    for (int i = 1; i < count(pods); i++) {
      if (uses(edges[pods[i]], object)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a volume of a claim of a pod of the node uses a secret. */
  private boolean volumeUses(int node, int secret) {
    int[] pods = edges[node];
    for (int i = 1; i < count(pods); i++) {
      int[] used = edges[pods[i]];
      for (int j = 1; j < used.length; j++) {
        if (vertices.kind(used[j]) == Kind.CLAIM.number && claimUses(used[j], secret)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean claimUses(int claim, int secret) {
    int[] volumes = edges[claim];
    for (int i = 1; i < count(volumes); i++) {
      if (uses(edges[volumes[i]], secret)) {
        return true;
      }
    }
    return false;
  }

  private static boolean uses(int[] used, int object) {
    for (int i = 1; i < used.length; i++) {
      if (used[i] == object) {
        return true;
      }
    }
    return false;
  }

  /** Where a list that begins with its length ends. */
  private static int count(int[] list) {
    return list.length == 0 ? 0 : list[0] + 1;
  }

  /** How many objects there are, namespaces included. */
  int size() {
    return vertices.size();
  }

  private int find(Kind kind, String namespace, String name) {
    int parent = VertexTable.NONE;
    if (!namespace.isEmpty()) {
      parent = vertices.find(Kind.NAMESPACE.number, VertexTable.NONE, namespace);
      if (parent == VertexTable.NONE) {
        return VertexTable.NONE;
      }
    }
    return vertices.find(kind.number, parent, name);
  }

  private int use(Kind kind, String namespace, String name) {
    int known = find(kind, namespace, name);
    int parent = known == VertexTable.NONE ? VertexTable.NONE : vertices.parent(known);
    if (known == VertexTable.NONE && !namespace.isEmpty()) {
      // The object is the namespace's user, until its own last user lets go of it.
      parent = vertices.use(Kind.NAMESPACE.number, VertexTable.NONE, namespace);
    }
    int number = vertices.use(kind.number, parent, name);
    if (edges.length < vertices.capacity()) {
      edges = Arrays.copyOf(edges, vertices.capacity());
    }
    if (known == VertexTable.NONE) {
      edges[number] = NO_EDGES;
    }
    return number;
  }

  private void release(int number) {
    int parent = vertices.parent(number);
    if (vertices.release(number)) {
      edges[number] = NO_EDGES;
      if (parent != VertexTable.NONE) {
        vertices.release(parent);
      }
    }
  }

  private void remove(Kind kind, ObjectName name) {
    int number = find(kind, name.namespace(), name.name());
    if (number == VertexTable.NONE) {
      return;
    }
    int[] used = edges[number];
    if (kind != Kind.ATTACHMENT) {
      withdraw(used[0], number);
    }
    for (int object : used) {
      release(object);
    }
    release(number);
  }

  private void append(int of, int number) {
    int[] list = edges[of];
    int count = Math.max(1, count(list));
    if (count == list.length || list.length == 0) {
      list = Arrays.copyOf(list, Math.max(2, list.length + list.length / 4 + 1));
      edges[of] = list;
    }
    list[count] = number;
    list[0] = count;
  }

  private void withdraw(int of, int number) {
    int[] list = edges[of];
    int last = list[0];
    for (int i = 1; i <= last; i++) {
      if (list[i] == number) {
        list[i] = list[last];
        list[0] = last - 1;
        return;
      }
    }
  }

  /** The edges of one object while they are gathered. */
  private static final class Edges {
    private int[] numbers = new int[8];
    private int count;

    Edges(int first) {
      add(first);
    }

    void add(int number) {
      if (count == numbers.length) {
        numbers = Arrays.copyOf(numbers, count * 2);
      }
      numbers[count++] = number;
    }

    int[] toArray() {
      return Arrays.copyOf(numbers, count);
    }
  }
}
