package dev.berth.cli.server;

import dev.berth.apiserver.ApiServer;
import dev.berth.client.Api;
import dev.berth.controllers.CloudControllerName;
import dev.berth.controllers.CloudControllers;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.Controllers;
import dev.berth.controllers.cloud.CloudSettings;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.user.ServiceAccountUsers;
import dev.berth.model.user.User;

/** The controllers in an API server's process, each with its own service account. */
final class ServerControllers {
  private static final String NAMESPACE = "kube-system";

  private ServerControllers() {}

  static void run(ApiServer server, ControllerSettings settings) {
    Controllers.run(server.supervisor(), parts(server), settings);
  }

  /** Those of nodes whose machines belong to a cloud. */
  static void run(ApiServer server, CloudSettings settings) {
    CloudControllers.run(server.supervisor(), parts(server), CloudControllerName.all(), settings);
  }

  private static Controllers.Parts parts(ApiServer server) {
    return new Controllers.Parts(
        account -> api(server, account),
        server.api("system:kube-controller-manager", "shared-informers"),
        server.metrics());
  }

  private static Api api(ApiServer server, String account) {
    String user = ServiceAccountUsers.userName(new ObjectName(NAMESPACE, account));
    return server.api(User.authenticated(user, ServiceAccountUsers.groups(NAMESPACE)), account);
  }
}
