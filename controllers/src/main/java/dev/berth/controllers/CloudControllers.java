package dev.berth.controllers;

import dev.berth.client.LoggedApi;
import dev.berth.client.informer.SharedInformers;
import dev.berth.component.Components;
import dev.berth.controllers.cloud.CloudSettings;
import dev.berth.controllers.cloudnode.CloudNodeController;
import dev.berth.controllers.cloudnodelifecycle.CloudNodeLifecycleController;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import java.util.Set;
import org.slf4j.LoggerFactory;

/** The controllers of nodes whose machines belong to a cloud, which upstream runs apart. */
public final class CloudControllers {
  /** What the informers are called among components. */
  private static final String INFORMERS = "cloud-informers";

  private CloudControllers() {}

  /** Runs those that are named. Returns at once. */
  public static Components.Handle run(
      Components components,
      Controllers.Parts parts,
      Set<CloudControllerName> names,
      CloudSettings settings) {
    return components.run(
        INFORMERS,
        scope -> {
          SharedInformers informers = new SharedInformers(parts.reader(), scope.time());
          for (CloudControllerName name : names) {
            scope.run(
                name.word(),
                own ->
                    start(
                        name,
                        new ControllerParts(
                            new LoggedApi(parts.apiFor().apply(account(name)), name.word()),
                            informers,
                            own.time(),
                            parts.metrics(),
                            LoggerFactory.getLogger(name.word())::warn),
                        settings));
          }
          return informers;
        });
  }

  private static String account(CloudControllerName name) {
    return switch (name) {
      case CLOUD_NODE -> CloudNodeController.ACCOUNT;
      case CLOUD_NODE_LIFECYCLE -> CloudNodeLifecycleController.ACCOUNT;
    };
  }

  private static Controller start(
      CloudControllerName name, ControllerParts parts, CloudSettings settings) {
    return switch (name) {
      case CLOUD_NODE -> CloudNodeController.start(parts, settings);
      case CLOUD_NODE_LIFECYCLE -> CloudNodeLifecycleController.start(parts, settings);
    };
  }
}
