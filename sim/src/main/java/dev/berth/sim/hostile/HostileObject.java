package dev.berth.sim.hostile;

import static dev.berth.sim.hostile.HostileTrees.deep;
import static dev.berth.sim.hostile.HostileTrees.elements;
import static dev.berth.sim.hostile.HostileTrees.object;

import dev.berth.model.tree.JsonObject;
import java.util.Locale;
import java.util.function.IntFunction;

/** Objects that have too much of something. Each says about how many bytes one of it takes. */
public enum HostileObject {
  UNKNOWN_FIELDS("v1", "ConfigMap", 14) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      JsonObject.Builder filled = new JsonObject.Builder();
      object.forEach(filled::put);
      trees.fields(count, trees::name, _ -> 1L).forEach(filled::put);
      return filled.build();
    }
  },
  UNKNOWN_FIELDS_OF_CONTAINERS("v1", "Pod", 60) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return spec(
          object,
          "containers",
          elements(
              count,
              i -> object("name", "c" + i, "image", "i", "foo", 1L, "bar", 2L, trees.name(i), 1L)));
    }
  },
  WIDE_DATA("v1", "ConfigMap", 14) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return object.with("data", trees.fields(count, trees::name, _ -> "1"));
    }
  },
  SECRET_TEXTS("v1", "Secret", 14) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return object.with("stringData", trees.fields(count, trees::name, _ -> "1"));
    }
  },
  LONG_NAME("v1", "ConfigMap", 1) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return object.with("data", JsonObject.of(trees.name(1) + "a".repeat(count), "1"));
    }
  },
  LONG_TEXT("v1", "Pod", 2) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return spec(object, "nodeName", "\\".repeat(count / 2) + "a:".repeat(count / 4));
    }
  },
  LONG_ADDRESS("v1", "Pod", 1) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return spec(object, "hostAliases", elements(1, _ -> object("ip", ":".repeat(count) + "!")));
    }
  },
  LABELS("v1", "ConfigMap", 14) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return metadata(object, "labels", trees.fields(count, trees::name, _ -> "1"));
    }
  },
  BAD_LABELS("v1", "ConfigMap", 16) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return metadata(object, "labels", trees.fields(count, i -> "-" + trees.name(i), _ -> "-"));
    }
  },
  ANNOTATIONS("v1", "Pod", 14) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return metadata(object, "annotations", trees.fields(count, trees::name, _ -> "1"));
    }
  },
  OWNERS("v1", "ConfigMap", 64) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return metadata(
          object,
          "ownerReferences",
          elements(
              count,
              i -> object("apiVersion", "v1", "kind", "P", "name", "n", "uid", trees.name(i))));
    }
  },
  FINALIZERS("v1", "ConfigMap", 16) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return metadata(object, "finalizers", elements(count, i -> "a.b/" + trees.name(i)));
    }
  },
  MANAGERS("v1", "ConfigMap", 130) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return managers(object, count, trees::name, trees);
    }
  },
  COLLIDING_MANAGERS("v1", "ConfigMap", 170) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return managers(object, count, HostileTrees::colliding, trees);
    }
  },
  DEEP_OWNED_FIELDS("v1", "ConfigMap", 14) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      JsonObject bottom = trees.fields(count, i -> "f:" + trees.name(i), _ -> JsonObject.EMPTY);
      return metadata(
          object,
          "managedFields",
          elements(1, _ -> manager("m", (JsonObject) deep("f:a", bottom))));
    }
  },
  EMPTY_CONTAINERS("v1", "Pod", 3) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return spec(object, "containers", elements(count, _ -> JsonObject.EMPTY));
    }
  },
  CONTAINERS("v1", "Pod", 32) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return spec(
          object, "containers", elements(count, i -> object("name", trees.name(i), "image", "i")));
    }
  },
  VARIABLES("v1", "Pod", 22) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return container(
          object, "env", elements(count, i -> object("name", trees.name(i), "value", "1")));
    }
  },
  MOUNTS("v1", "Pod", 40) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return container(
          object,
          "volumeMounts",
          elements(count, i -> object("name", trees.name(i), "mountPath", "/" + i)));
    }
  },
  HOST_PORTS("v1", "Pod", 40) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return container(
          object,
          "ports",
          elements(count, i -> object("containerPort", i + 1L, "hostPort", i + 1L)));
    }
  },
  QUANTITIES("v1", "Pod", 124) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return container(
          object,
          "resources",
          JsonObject.of(
              "limits", trees.fields(count, i -> "a.b/" + trees.name(i), _ -> "9".repeat(100))));
    }
  },
  EXPONENTS("v1", "Pod", 22) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return container(
          object,
          "resources",
          JsonObject.of("limits", trees.fields(count, i -> "a.b/" + trees.name(i), _ -> "1e100")));
    }
  },
  EMPTY_TOLERATIONS("v1", "Pod", 3) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return spec(object, "tolerations", elements(count, _ -> JsonObject.EMPTY));
    }
  },
  TOLERATIONS("v1", "Pod", 36) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return spec(
          object,
          "tolerations",
          elements(count, i -> object("key", trees.name(i), "operator", "Exists")));
    }
  },
  VOLUMES("v1", "Pod", 18) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return spec(object, "volumes", elements(count, i -> object("name", trees.name(i))));
    }
  },
  AFFINITY_TERMS("v1", "Pod", 40) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      Object terms =
          elements(
              count,
              i ->
                  object(
                      "matchExpressions",
                      elements(1, _ -> object("key", trees.name(i), "operator", "Exists"))));
      return spec(
          object,
          "affinity",
          object(
              "nodeAffinity",
              object(
                  "requiredDuringSchedulingIgnoredDuringExecution",
                  object("nodeSelectorTerms", terms))));
    }
  },
  TAINTS("v1", "Node", 40) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return spec(
          object,
          "taints",
          elements(count, i -> object("key", trees.name(i), "effect", "NoExecute")));
    }
  },
  PORTS("v1", "Service", 24) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return spec(
          object,
          "ports",
          elements(count, i -> object("name", trees.name(i), "port", i % 65_535 + 1L)));
    }
  },
  SELECTOR_VALUES("apps/v1", "Deployment", 11) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return spec(
          object,
          "selector",
          object(
              "matchExpressions",
              elements(
                  1,
                  _ ->
                      object(
                          "key",
                          "a",
                          "operator",
                          "In",
                          "values",
                          elements(count, i -> trees.name(i))))));
    }
  },
  RULES("rbac.authorization.k8s.io/v1", "Role", 60) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return object.with(
          "rules",
          elements(
              count,
              i ->
                  object(
                      "apiGroups",
                      elements(1, _ -> trees.name(i)),
                      "resources",
                      elements(1, _ -> "a"),
                      "verbs",
                      elements(1, _ -> "get"))));
    }
  },
  SUBJECTS("rbac.authorization.k8s.io/v1", "RoleBinding", 34) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return object
          .with("roleRef", object("kind", "Role", "name", "view"))
          .with("subjects", elements(count, i -> object("kind", "User", "name", trees.name(i))));
    }
  },
  DEEP_REVISION("apps/v1", "ControllerRevision", 12) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return object
          .with("revision", 1L)
          .with("data", deep("a", trees.fields(count, trees::name, _ -> 1L)));
    }
  },
  ELEMENTS_OF_REVISION("apps/v1", "ControllerRevision", 2) {
    @Override
    JsonObject fill(JsonObject object, int count, HostileTrees trees) {
      return object.with("revision", 1L).with("data", object("a", elements(count, _ -> 1L)));
    }
  };

  private final String apiVersion;
  private final String kind;
  private final int bytesOfOne;

  HostileObject(String apiVersion, String kind, int bytesOfOne) {
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.bytesOfOne = bytesOfOne;
  }

  abstract JsonObject fill(JsonObject object, int count, HostileTrees trees);

  /** An object of about so many bytes of JSON. */
  JsonObject tree(int bytes, HostileTrees trees) {
    JsonObject object =
        object("apiVersion", apiVersion, "kind", kind)
            .with("metadata", object("name", "hostile-" + trees.name(0)));
    return fill(object, Math.max(1, bytes / bytesOfOne), trees);
  }

  /** Whether very many objects are within one another. */
  boolean isDeep() {
    return this == DEEP_OWNED_FIELDS || this == DEEP_REVISION;
  }

  /** Where it is created. */
  String path() {
    String plural = kind.toLowerCase(Locale.ROOT) + "s";
    String version = apiVersion.indexOf('/') < 0 ? "/api/" + apiVersion : "/apis/" + apiVersion;
    return kind.equals("Node") ? version + "/nodes" : version + "/namespaces/default/" + plural;
  }

  private static JsonObject metadata(JsonObject object, String field, Object value) {
    return object.with("metadata", object.object("metadata").with(field, value));
  }

  private static JsonObject spec(JsonObject object, String field, Object value) {
    return object.with("spec", object.object("spec").with(field, value));
  }

  private static JsonObject container(JsonObject object, String field, Object value) {
    return spec(
        object,
        "containers",
        elements(1, _ -> object("name", "c", "image", "i").with(field, value)));
  }

  private static JsonObject managers(
      JsonObject object, int count, IntFunction<String> name, HostileTrees trees) {
    return metadata(
        object,
        "managedFields",
        elements(
            count,
            i ->
                manager(
                    name.apply(i),
                    object("f:data", object("f:" + trees.name(i), JsonObject.EMPTY)))));
  }

  private static JsonObject manager(String name, JsonObject fields) {
    return object(
        "manager",
        name,
        "operation",
        "Update",
        "apiVersion",
        "v1",
        "fieldsType",
        "FieldsV1",
        "fieldsV1",
        fields);
  }
}
