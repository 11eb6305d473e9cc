package dev.berth.cli;

import dev.berth.apiserver.ApiServer;
import dev.berth.client.Api;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.Controllers;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.user.ServiceAccountUsers;
import dev.berth.model.user.User;
import dev.berth.time.Time;
import java.util.function.Consumer;

/** The controllers in the process of an API server, each as its service account. */
final class ServerControllers {
  static final Option NONE =
      Option.flag("--no-controllers", "Leaves the cluster to controllers that run elsewhere.");

  private static final String NAMESPACE = "kube-system";

  private ServerControllers() {}

  static Controllers start(
      ApiServer server, Time time, ControllerSettings settings, Consumer<String> warnings) {
    return Controllers.start(
        new Controllers.Parts(
            account -> api(server, account),
            server.api("system:kube-controller-manager", "shared-informers"),
            time,
            server.metrics(),
            "berth",
            warnings),
        settings);
  }

  private static Api api(ApiServer server, String account) {
    String user = ServiceAccountUsers.userName(new ObjectName(NAMESPACE, account));
    return server.api(User.authenticated(user, ServiceAccountUsers.groups(NAMESPACE)), account);
  }
}
