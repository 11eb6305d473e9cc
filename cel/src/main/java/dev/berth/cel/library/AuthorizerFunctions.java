package dev.berth.cel.library;

import static dev.berth.cel.library.Overload.member;
import static dev.berth.cel.value.CelType.BOOL;
import static dev.berth.cel.value.CelType.STRING;

import dev.berth.cel.library.AccessCheck.Decision;
import dev.berth.cel.library.AccessCheck.GroupCheck;
import dev.berth.cel.library.AccessCheck.PathCheck;
import dev.berth.cel.library.AccessCheck.ResourceCheck;
import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import dev.berth.model.resource.NameRules;
import java.util.function.BiFunction;
import java.util.function.Function;

/** What somebody may do: {@code authorizer.group('').resource('pods').check('create')}. */
final class AuthorizerFunctions {
  private static final CelType AUTHORIZER = AccessCheck.TYPE;
  private static final CelType PATH = PathCheck.TYPE;
  private static final CelType GROUP = GroupCheck.TYPE;
  private static final CelType RESOURCE = ResourceCheck.TYPE;
  private static final CelType DECISION = Decision.TYPE;

  private AuthorizerFunctions() {}

  static void addTo(FunctionTable table) {
    table.addType(AUTHORIZER);
    table.addType(PATH);
    table.addType(GROUP);
    table.addType(RESOURCE);
    table.addType(DECISION);
    table.add(
        "path",
        member(
            "authorizer_path",
            PATH,
            args -> new PathCheck((AccessCheck) args[0], notEmpty((String) args[1], "path")),
            AUTHORIZER,
            STRING));
    table.add(
        "group",
        member(
            "authorizer_group",
            GROUP,
            args -> new GroupCheck((AccessCheck) args[0], (String) args[1]),
            AUTHORIZER,
            STRING));
    table.add(
        "serviceAccount",
        member(
            "authorizer_serviceaccount",
            AUTHORIZER,
            args -> serviceAccount((AccessCheck) args[0], (String) args[1], (String) args[2]),
            AUTHORIZER,
            STRING,
            STRING));
    table.add(
        "resource",
        member(
            "groupcheck_resource",
            RESOURCE,
            args -> ResourceCheck.of((GroupCheck) args[0], notEmpty((String) args[1], "resource")),
            GROUP,
            STRING));
    refine(table, "subresource", "resourcecheck_subresource", ResourceCheck::withSubresource);
    refine(table, "namespace", "resourcecheck_namespace", ResourceCheck::withNamespace);
    refine(table, "name", "resourcecheck_name", ResourceCheck::withName);
    refine(table, "fieldSelector", "authorizer_fieldselector", ResourceCheck::withFieldSelector);
    refine(table, "labelSelector", "authorizer_labelselector", ResourceCheck::withLabelSelector);
    table.add(
        "check",
        member(
            "pathcheck_check",
            DECISION,
            args -> ((PathCheck) args[0]).check((String) args[1]),
            PATH,
            STRING),
        member(
            "resourcecheck_check",
            DECISION,
            args -> ((ResourceCheck) args[0]).check((String) args[1]),
            RESOURCE,
            STRING));
    decision(table, "errored", "decision_errored", BOOL, Decision::errored);
    decision(table, "error", "decision_error", STRING, Decision::error);
    decision(table, "allowed", "decision_allowed", BOOL, Decision::allowed);
    decision(table, "reason", "decision_reason", STRING, Decision::reason);
  }

  private static void refine(
      FunctionTable table,
      String function,
      String id,
      BiFunction<ResourceCheck, String, ResourceCheck> change) {
    table.add(
        function,
        member(
            id,
            RESOURCE,
            args -> change.apply((ResourceCheck) args[0], (String) args[1]),
            RESOURCE,
            STRING));
  }

  private static void decision(
      FunctionTable table,
      String function,
      String id,
      CelType type,
      Function<Decision, Object> part) {
    table.add(function, member(id, type, args -> part.apply((Decision) args[0]), DECISION));
  }

  private static String notEmpty(String text, String what) {
    if (text.isBlank()) {
      throw new CelException(what + " must not be empty");
    }
    return text;
  }

  private static AccessCheck serviceAccount(AccessCheck check, String namespace, String name) {
    if (!NameRules.dns1123Subdomain(name).isEmpty()) {
      throw new CelException("Invalid service account name");
    }
    if (!NameRules.dns1123Label(namespace).isEmpty()) {
      throw new CelException("Invalid service account namespace");
    }
    return check.asServiceAccount(namespace, name);
  }
}
