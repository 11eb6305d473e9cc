package dev.berth.cli;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.auth.ServiceAccounts;
import dev.berth.apiserver.auth.User;
import dev.berth.client.Api;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.Controllers;
import dev.berth.model.resource.ObjectName;
import java.util.function.Consumer;

/** The controllers in the process of an API server, each as its service account. */
final class ServerControllers {
  static final Option NONE =
      Option.flag("--no-controllers", "Leaves the cluster to controllers that run elsewhere.");

  private static final String NAMESPACE = "kube-system";

  private ServerControllers() {}

  static void run(ApiServer server, ControllerSettings settings, Consumer<String> warnings) {
    Controllers.run(
        server.supervisor(),
        new Controllers.Parts(
            account -> api(server, account),
            server.api("system:kube-controller-manager", "shared-informers"),
            server.metrics(),
            "berth",
            warnings),
        settings);
  }

  private static Api api(ApiServer server, String account) {
    String user = ServiceAccounts.userName(new ObjectName(NAMESPACE, account));
    return server.api(User.authenticated(user, ServiceAccounts.groups(NAMESPACE)), account);
  }
}
