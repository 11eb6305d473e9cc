package dev.berth.access.token.oidc;

import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.net.URI;

/** Fetches documents of an issuer, over HTTPS. Takes no longer than a few seconds. */
@FunctionalInterface
public interface IssuerDocuments {

  /**
   * A JSON document.
   *
   * @throws IOException if it cannot be had; the message says why
   */
  JsonObject fetch(URI address) throws IOException;
}
