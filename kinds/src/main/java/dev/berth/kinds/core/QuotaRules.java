package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.ResourceAmountRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.core.ResourceList;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** ResourceQuotas: amounts by names that quotas know, and scopes that never change. */
final class QuotaRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath STATUS = FieldPath.of("status");

  @Override
  public List<FieldError> validate(JsonObject quota) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = quota.object("spec");
    amounts(spec.object("hard"), SPEC.field("hard"), problems);
    QuotaScopes.validate(spec, SPEC, problems);
    return problems.all();
  }

  private static void amounts(JsonObject amounts, FieldPath path, FieldErrorList problems) {
    ResourceList.read(amounts)
        .amounts()
        .forEach((name, amount) -> {
          FieldPath at = path.key(name);
          ResourceAmountRules.quotaName(name, at, problems);
          ResourceAmountRules.amount(name, amount, at, problems);
        });
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject quota, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = quota.object("spec");
    Set<String> scopes = new HashSet<>(spec.array("scopes").texts());
    if (!scopes.equals(new HashSet<>(old.object("spec").array("scopes").texts()))) {
      problems.invalid(SPEC.field("scopes"), QuotaScopes.shown(spec), "field is immutable");
    }
    return problems.all();
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject quota, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    for (String field : List.of("hard", "used")) {
      amounts(quota.object("status").object(field), STATUS.field(field), problems);
    }
    return problems.all();
  }
}
