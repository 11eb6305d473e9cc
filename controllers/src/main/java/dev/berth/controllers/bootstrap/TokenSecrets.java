package dev.berth.controllers.bootstrap;

import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.model.bootstrap.BootstrapToken;

/** Where bootstrap tokens are. */
final class TokenSecrets {
  static final String NAMESPACE = "kube-system";

  static final ListRequest ALL =
      ListRequest.of(Resources.SECRETS).in(NAMESPACE).fields("type=" + BootstrapToken.TYPE);

  private TokenSecrets() {}
}
