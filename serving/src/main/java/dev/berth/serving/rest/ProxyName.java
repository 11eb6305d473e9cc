package dev.berth.serving.rest;

import dev.berth.registry.status.Failures;

/**
 * How a proxied object is named: {@code NAME}, {@code NAME:PORT} or {@code SCHEME:NAME:PORT}.
 *
 * @param port a number or a name; empty for the first one
 */
record ProxyName(String scheme, String name, String port) {

  static ProxyName parse(String id, String kind) {
    String[] parts = id.split(":", -1);
    ProxyName name =
        switch (parts.length) {
          case 1 -> new ProxyName("", parts[0], "");
          case 2 -> new ProxyName("", parts[0], parts[1]);
          case 3 -> new ProxyName(parts[0], parts[1], parts[2]);
          default -> new ProxyName("", "", "");
        };
    boolean knownScheme =
        name.scheme.isEmpty() || name.scheme.equals("http") || name.scheme.equals("https");
    if (name.name.isEmpty() || !knownScheme) {
      throw Failures.badRequest("invalid %s request \"%s\"".formatted(kind, id));
    }
    return name;
  }

  boolean isHttps() {
    return scheme.equals("https");
  }

  @Override
  public String toString() {
    return (scheme.isEmpty() ? "" : scheme + ":") + name + (port.isEmpty() ? "" : ":" + port);
  }
}
