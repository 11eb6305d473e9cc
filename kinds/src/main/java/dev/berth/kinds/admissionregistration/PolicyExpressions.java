package dev.berth.kinds.admissionregistration;

import dev.berth.cel.CelCompilation;
import dev.berth.cel.CelEnvironment;
import dev.berth.cel.library.AccessCheck;
import dev.berth.cel.value.CelField;
import dev.berth.cel.value.CelType;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the expressions of one policy, or the match conditions of one webhook.
 *
 * <p>They see {@code object}, {@code oldObject}, {@code request} and {@code namespaceObject};
 * {@code params} if the policy has a kind of parameters; and the {@code variables} that were
 * compiled before them. Each is compiled once when a policy is written, to check it, and once to be
 * used.
 */
public final class PolicyExpressions {
  /** What a mutation by an apply configuration evaluates to. */
  public static final String OBJECT = "Object";

  private static final String PATCH = "JSONPatch";
  private static final CelType STRINGS = CelType.list(CelType.STRING);
  private static final CelType TEXTS = CelType.map(CelType.STRING, CelType.STRING);
  private static final CelType REQUEST = requestType();
  private static final CelType NAMESPACE = namespaceType();

  private static final CelType PATCH_TYPE =
      struct(
          PATCH,
          Map.of(
              "op", CelType.STRING,
              "path", CelType.STRING,
              "from", CelType.STRING,
              "value", CelType.DYN));

  private final Types types;
  private final boolean hasParams;
  private final boolean hasPatches;
  private final @Nullable Map<String, CelField> variables;

  /** What is known of the objects that expressions are about; mostly nothing. */
  private record Types(CelType object, CelType params) {
    static final Types UNKNOWN = new Types(CelType.DYN, CelType.DYN);
  }

  private PolicyExpressions(
      Types types,
      boolean hasParams,
      boolean hasPatches,
      @Nullable Map<String, CelField> variables) {
    this.types = types;
    this.hasParams = hasParams;
    this.hasPatches = hasPatches;
    this.variables = variables;
  }

  /** Of a policy that is looked at as one about objects of a certain type. */
  static PolicyExpressions ofTypes(CelType object, CelType params, boolean hasParams) {
    return new PolicyExpressions(new Types(object, params), hasParams, false, new HashMap<>());
  }

  /** Of match conditions, which know no variables. */
  public static PolicyExpressions ofConditions(boolean hasParams) {
    return new PolicyExpressions(Types.UNKNOWN, hasParams, false, null);
  }

  public static PolicyExpressions ofValidations(boolean hasParams, boolean hasVariables) {
    return new PolicyExpressions(
        Types.UNKNOWN, hasParams, false, hasVariables ? new HashMap<>() : null);
  }

  public static PolicyExpressions ofMutations(boolean hasParams) {
    return new PolicyExpressions(Types.UNKNOWN, hasParams, true, new HashMap<>());
  }

  /** Compiles a variable, which later expressions can use; of any type. */
  public CelCompilation variable(String name, String expression) {
    CelCompilation compilation = environment(true, false).compile(expression);
    if (variables != null) {
      CelType type =
          compilation instanceof CelCompilation.Compiled compiled
              ? compiled.program().resultType()
              : CelType.DYN;
      variables.put(name, new CelField(name, type));
    }
    return compilation;
  }

  /** Compiles what may come to anything. */
  CelCompilation any(String expression) {
    return environment(true, false).compile(expression);
  }

  /** Compiles what has to be true or false. */
  public CelCompilation condition(String expression) {
    return environment(true, false).compile(expression, CelType.BOOL);
  }

  /** Compiles what a refusal says, where nobody is authorized anew. */
  public CelCompilation message(String expression) {
    return environment(false, false).compile(expression, CelType.STRING);
  }

  public CelCompilation annotation(String expression) {
    return environment(true, false).compile(expression, CelType.STRING, CelType.NULL);
  }

  public CelCompilation applyConfiguration(String expression) {
    return environment(true, hasPatches).compile(expression, CelType.object(OBJECT));
  }

  public CelCompilation jsonPatch(String expression) {
    return environment(true, hasPatches).compile(expression, CelType.list(PATCH_TYPE));
  }

  private CelEnvironment environment(boolean hasAuthorizer, boolean withPatches) {
    CelEnvironment.Builder builder =
        CelEnvironment.builder()
            .variable("object", types.object())
            .variable("oldObject", types.object())
            .variable("namespaceObject", NAMESPACE)
            .variable("request", REQUEST);
    if (hasParams) {
      builder.variable("params", types.params());
    }
    if (hasAuthorizer) {
      builder
          .variable("authorizer", AccessCheck.TYPE)
          .variable("authorizer.requestResource", AccessCheck.ResourceCheck.TYPE);
    }
    if (variables != null) {
      builder.variable("variables", CelType.struct("kubernetes.variables", Map.copyOf(variables)));
    }
    if (withPatches) {
      builder.types(PolicyExpressions::patchType);
    }
    return builder.build();
  }

  /** {@code JSONPatch}, and {@code Object} with any fields at any depth. */
  private static @Nullable CelType patchType(String name) {
    if (name.equals(PATCH)) {
      return PATCH_TYPE;
    }
    return name.equals(OBJECT) || name.startsWith(OBJECT + ".")
        ? CelType.struct(name, field -> new CelField(field, CelType.DYN))
        : null;
  }

  private static CelType struct(String name, Map<String, CelType> types) {
    Map<String, CelField> fields = new HashMap<>();
    types.forEach((field, type) -> fields.put(field, new CelField(field, type)));
    return CelType.struct(name, Map.copyOf(fields));
  }

  private static CelType requestType() {
    CelType kind =
        struct(
            "kubernetes.GroupVersionKind",
            Map.of("group", CelType.STRING, "version", CelType.STRING, "kind", CelType.STRING));
    CelType resource =
        struct(
            "kubernetes.GroupVersionResource",
            Map.of("group", CelType.STRING, "version", CelType.STRING, "resource", CelType.STRING));
    CelType user =
        struct(
            "kubernetes.UserInfo",
            Map.of(
                "username",
                CelType.STRING,
                "uid",
                CelType.STRING,
                "groups",
                STRINGS,
                "extra",
                CelType.map(CelType.STRING, STRINGS)));
    Map<String, CelType> fields = new HashMap<>();
    fields.put("kind", kind);
    fields.put("resource", resource);
    fields.put("subResource", CelType.STRING);
    fields.put("requestKind", kind);
    fields.put("requestResource", resource);
    fields.put("requestSubResource", CelType.STRING);
    fields.put("name", CelType.STRING);
    fields.put("namespace", CelType.STRING);
    fields.put("operation", CelType.STRING);
    fields.put("userInfo", user);
    fields.put("dryRun", CelType.BOOL);
    fields.put("options", CelType.DYN);
    return struct("kubernetes.AdmissionRequest", fields);
  }

  private static CelType namespaceType() {
    CelType condition =
        struct(
            "kubernetes.NamespaceCondition",
            Map.of(
                "status", CelType.STRING,
                "type", CelType.STRING,
                "lastTransitionTime", CelType.TIMESTAMP,
                "message", CelType.STRING,
                "reason", CelType.STRING));
    Map<String, CelType> metadata = new HashMap<>();
    metadata.put("name", CelType.STRING);
    metadata.put("generateName", CelType.STRING);
    metadata.put("namespace", CelType.STRING);
    metadata.put("labels", TEXTS);
    metadata.put("annotations", TEXTS);
    metadata.put("UID", CelType.STRING);
    metadata.put("creationTimestamp", CelType.TIMESTAMP);
    metadata.put("deletionGracePeriodSeconds", CelType.INT);
    metadata.put("deletionTimestamp", CelType.TIMESTAMP);
    metadata.put("generation", CelType.INT);
    metadata.put("resourceVersion", CelType.STRING);
    metadata.put("finalizers", STRINGS);
    return struct(
        "kubernetes.Namespace",
        Map.of(
            "metadata", struct("kubernetes.NamespaceMetadata", metadata),
            "spec", struct("kubernetes.NamespaceSpec", Map.of("finalizers", STRINGS)),
            "status",
                struct(
                    "kubernetes.NamespaceStatus",
                    Map.of("conditions", CelType.list(condition), "phase", CelType.STRING))));
  }
}
