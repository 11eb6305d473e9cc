package dev.berth.cli.server;

import dev.berth.apiserver.ApiServer;
import dev.berth.client.Api;
import dev.berth.component.Components;
import dev.berth.controllers.CloudControllerName;
import dev.berth.controllers.CloudControllers;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.Controllers;
import dev.berth.controllers.cloud.CloudSettings;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.user.ServiceAccountUsers;
import dev.berth.model.user.User;
import java.util.function.UnaryOperator;

/** The controllers in an API server's process, each with its own service account. */
final class ServerControllers {
  private static final String NAMESPACE = "kube-system";

  private final Controllers.Parts parts;

  private ServerControllers(Controllers.Parts parts) {
    this.parts = parts;
  }

  static ServerControllers of(ApiServer server) {
    return new ServerControllers(
        new Controllers.Parts(
            account -> api(server, account),
            server.api("system:kube-controller-manager", "shared-informers"),
            server.metrics()));
  }

  /** Those of a leader, which writes by another API. */
  static ServerControllers of(ApiServer server, UnaryOperator<Api> leader) {
    return new ServerControllers(of(server).parts.as(leader));
  }

  void run(Components components, ControllerSettings settings) {
    Controllers.run(components, parts, settings);
  }

  /** Those of nodes whose machines belong to a cloud. */
  void run(Components components, CloudSettings settings) {
    CloudControllers.run(components, parts, CloudControllerName.all(), settings);
  }

  private static Api api(ApiServer server, String account) {
    String user = ServiceAccountUsers.userName(new ObjectName(NAMESPACE, account));
    return server.api(User.authenticated(user, ServiceAccountUsers.groups(NAMESPACE)), account);
  }
}
