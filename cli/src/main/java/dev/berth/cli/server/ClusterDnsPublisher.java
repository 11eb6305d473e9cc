package dev.berth.cli.server;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.dns.ClusterDnsService;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the Service by which the cluster's name server is known. One that somebody else has made,
 * for pods of their own, is left alone.
 */
final class ClusterDnsPublisher {
  private static final Logger LOG = LoggerFactory.getLogger("apiserver");

  private ClusterDnsPublisher() {}

  static void publish(Api api, ClusterDnsService wanted) {
    if (wanted.addresses().isEmpty()) {
      LOG.warn(
          "the range of services is too small for a name server; pods find no services by name");
      return;
    }
    ApiResult result = api.get(Resources.SERVICES, ClusterDnsService.NAME);
    if (result instanceof ApiResult.Done(JsonObject found)) {
      Optional<ClusterDnsService> served = ClusterDnsService.read(found);
      if (served.isEmpty() || served.get().domain().equals(wanted.domain())) {
        return;
      }
      result =
          api.patch(
              Target.of(Resources.SERVICES, ClusterDnsService.NAME),
              PatchType.MERGE,
              wanted.annotation());
    } else if (result instanceof ApiResult.Failure why && why.isNotFound()) {
      result = api.create(Resources.SERVICES, wanted.toTree());
    }
    if (result instanceof ApiResult.Failure why) {
      LOG.atWarn()
          .addKeyValue("reason", why.message())
          .log("cannot create the Service kube-dns; pods find no services by name");
    }
  }
}
