package dev.berth.kinds.core;

import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** What whoever creates a quota is told: that more may be requested by it than used. */
final class QuotaWarnings implements ObjectWarnings {

  @Override
  public List<String> onCreate(JsonObject quota) {
    List<String> warnings = new ArrayList<>();
    JsonObject hard = quota.object("spec").object("hard");
    for (String resource :
        List.of(
            ResourceList.CPU,
            ResourceList.MEMORY,
            ResourceList.STORAGE,
            ResourceList.EPHEMERAL_STORAGE)) {
      boolean isShort = resource.equals(ResourceList.CPU) || resource.equals(ResourceList.MEMORY);
      String asked = "requests." + resource;
      String requests = isShort && !hard.has(asked) ? resource : asked;
      String limits = "limits." + resource;
      Object request = hard.get(requests);
      Object limit = hard.get(limits);
      if (request != null && limit != null) {
        Quantity most = Quantity.fromTree(request);
        Quantity used = Quantity.fromTree(limit);
        if (most.compareTo(used) > 0) {
          warnings.add(
              "ResourceQuota %s (%s) should be less than %s (%s)"
                  .formatted(requests, most, limits, used));
        }
      }
    }
    return warnings;
  }
}
