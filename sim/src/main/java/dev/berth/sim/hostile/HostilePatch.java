package dev.berth.sim.hostile;

import static dev.berth.sim.hostile.HostileTrees.colliding;
import static dev.berth.sim.hostile.HostileTrees.deep;
import static dev.berth.sim.hostile.HostileTrees.elements;
import static dev.berth.sim.hostile.HostileTrees.object;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/** Patches that ask for too much. They are for the objects of {@link #targets}. */
public enum HostilePatch {
  JSON_ADDS(Target.DATA, "json-patch+json", 50) {
    @Override
    Object tree(int count, HostileTrees trees) {
      return operations(count, i -> "/data/" + trees.name(i), "1");
    }
  },
  JSON_INSERTS(Target.REVISION, "json-patch+json", 50) {
    @Override
    Object tree(int count, HostileTrees trees) {
      return operations(count, _ -> "/data/a/0", 1L);
    }
  },
  JSON_DEEP_TESTS(Target.DEEP, "json-patch+json", 2_000) {
    @Override
    Object tree(int count, HostileTrees trees) {
      return elements(
          count,
          i ->
              object("op", i % 2 == 0 ? "add" : "test", "path", "/data" + "/a".repeat(478) + "/b")
                  .with("value", i / 2L));
    }
  },
  JSON_MOVES(Target.DATA, "json-patch+json", 60) {
    @Override
    Object tree(int count, HostileTrees trees) {
      return elements(
          Math.min(count, MOST_OPERATIONS),
          i ->
              object(
                  "op",
                  "move",
                  "from",
                  i % 2 == 0 ? "/data" : "/metadata/data",
                  "path",
                  i % 2 == 0 ? "/metadata/data" : "/data"));
    }
  },
  MERGE_WIDE(Target.DATA, "merge-patch+json", 14) {
    @Override
    Object tree(int count, HostileTrees trees) {
      return object("data", trees.fields(count, trees::name, _ -> "1"));
    }
  },
  MERGE_DEEP(Target.DEEP, "merge-patch+json", 14) {
    @Override
    Object tree(int count, HostileTrees trees) {
      return object("data", deep("a", trees.fields(count, trees::name, _ -> 1L)));
    }
  },
  STRATEGIC_VARIABLES(Target.POD, "strategic-merge-patch+json", 24) {
    @Override
    Object tree(int count, HostileTrees trees) {
      return containers(
          object(
              "name",
              "c",
              "env",
              elements(count, i -> object("name", trees.name(i), "value", "1"))));
    }
  },
  STRATEGIC_SAME_CONTAINER(Target.POD, "strategic-merge-patch+json", 30) {
    @Override
    Object tree(int count, HostileTrees trees) {
      return object(
          "spec",
          object("containers", elements(count, i -> object("name", "c", trees.name(i), 1L))));
    }
  },
  STRATEGIC_OBJECTS_AS_KEYS(Target.POD, "strategic-merge-patch+json", 70) {
    @Override
    Object tree(int count, HostileTrees trees) {
      return object(
          "spec",
          object(
              "containers",
              elements(count, i -> object("name", object(colliding(i), 1L), "image", "i"))));
    }
  },
  STRATEGIC_ORDER(Target.POD, "strategic-merge-patch+json", 24) {
    @Override
    Object tree(int count, HostileTrees trees) {
      JsonArray names = elements(count, i -> object("name", trees.name(i)));
      return object("spec", object("$setElementOrder/containers", names, "containers", names));
    }
  },
  STRATEGIC_DELETIONS(Target.DATA, "strategic-merge-patch+json", 16) {
    @Override
    Object tree(int count, HostileTrees trees) {
      return object(
          "metadata",
          object(
              "$deleteFromPrimitiveList/finalizers", elements(count, i -> "a.b/" + trees.name(i))));
    }
  },
  APPLY_DATA(Target.DATA, "apply-patch+yaml", 14) {
    @Override
    Object tree(int count, HostileTrees trees) {
      return object("apiVersion", "v1", "kind", "ConfigMap")
          .with("data", trees.fields(count, trees::name, _ -> "1"));
    }
  },
  APPLY_OWNERS(Target.DATA, "apply-patch+yaml", 64) {
    @Override
    Object tree(int count, HostileTrees trees) {
      return object("apiVersion", "v1", "kind", "ConfigMap")
          .with(
              "metadata",
              object(
                  "ownerReferences",
                  elements(
                      count,
                      i ->
                          object(
                              "apiVersion", "v1", "kind", "P", "name", "n", "uid", "u" + i / 2))));
    }
  },
  APPLY_DEEP(Target.DEEP, "apply-patch+yaml", 14) {
    @Override
    Object tree(int count, HostileTrees trees) {
      return object("apiVersion", "apps/v1", "kind", "ControllerRevision", "revision", 1L)
          .with("data", deep("a", trees.fields(count, trees::name, _ -> 1L)));
    }
  };

  /** As many as a server takes: more are refused at once, which is no attack. */
  private static final int MOST_OPERATIONS = 10_000;

  /** Objects that a patch can do harm to. */
  enum Target {
    DATA("/api/v1/namespaces/default/configmaps", "ConfigMap"),
    POD("/api/v1/namespaces/default/pods", "Pod"),
    REVISION("/apis/apps/v1/namespaces/default/controllerrevisions", "ControllerRevision"),
    DEEP("/apis/apps/v1/namespaces/default/controllerrevisions", "ControllerRevision");

    private static final int WIDTH = 20_000;

    private final String collection;
    private final String kind;

    Target(String collection, String kind) {
      this.collection = collection;
      this.kind = kind;
    }

    private String objectName() {
      return "target-" + name().toLowerCase(Locale.ROOT);
    }

    private HostileRequest creation(HostileTrees trees) {
      JsonObject object =
          object("kind", kind, "apiVersion", kind.equals("ControllerRevision") ? "apps/v1" : "v1")
              .with("metadata", object("name", objectName()));
      JsonObject filled =
          switch (this) {
            case DATA -> object.with("data", trees.fields(WIDTH, i -> "k" + i, _ -> "1"));
            case POD ->
                object.with(
                    "spec",
                    object("containers", elements(1, _ -> object("name", "c", "image", "i"))));
            case REVISION ->
                object.with("revision", 1L).with("data", object("a", elements(4 * WIDTH, _ -> 1L)));
            case DEEP ->
                object
                    .with("revision", 1L)
                    .with("data", deep("a", trees.fields(WIDTH, i -> "k" + i, _ -> 1L)));
          };
      return new HostileRequest(
          "target", "POST", collection, "application/json", JsonWriter.toBytes(filled));
    }
  }

  private final Target target;
  private final String type;
  private final int bytesOfOne;

  HostilePatch(Target target, String type, int bytesOfOne) {
    this.target = target;
    this.type = type;
    this.bytesOfOne = bytesOfOne;
  }

  abstract Object tree(int count, HostileTrees trees);

  /** A patch of about so many bytes. It is a dry run, so that the target stays as it is. */
  HostileRequest request(int bytes, HostileTrees trees) {
    Object tree = tree(Math.max(1, bytes / bytesOfOne), trees);
    return new HostileRequest(
        name(),
        "PATCH",
        target.collection + "/" + target.objectName() + "?dryRun=All&fieldManager=hostile",
        "application/" + type,
        JsonWriter.toBytes(tree));
  }

  /** What must be there before patches are sent. */
  static List<HostileRequest> targets(HostileTrees trees) {
    return List.of(Target.values()).stream().map(target -> target.creation(trees)).toList();
  }

  private static JsonArray operations(int count, IntFunction<String> path, Object value) {
    return elements(
        Math.min(count, MOST_OPERATIONS),
        i -> object("op", "add", "path", path.apply(i), "value", value));
  }

  private static JsonObject containers(JsonObject container) {
    return object("spec", object("containers", elements(1, _ -> container)));
  }
}
