package dev.berth.kinds.resource;

import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * The {@code clientConfig} of a webhook, for admission or for conversion: a URL or a service. For
 * conversion, upstream names the field of a service's name where its namespace is missing, and the
 * other way round; nobody is served by that.
 */
public final class WebhookClientValidation {
  private static final String FORM = "; desired format: https://host[/path]";
  private static final int LAST_PORT = 65535;
  private static final int HTTPS = 443;

  private WebhookClientValidation() {}

  public static void check(JsonObject client, FieldPath at, FieldErrorList errors) {
    if (client.has("url") == client.has("service")) {
      errors.required(at, "exactly one of url or service is required");
    } else if (client.has("url")) {
      checkUrl(client.text("url", ""), at.field("url"), errors);
    } else {
      checkService(client.object("service"), at.field("service"), errors);
    }
  }

  private static void checkUrl(String url, FieldPath at, FieldErrorList errors) {
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException e) {
      errors.required(at, "url must be a valid URL: " + e.getMessage() + FORM);
      return;
    }
    String scheme = uri.getScheme() == null ? "" : uri.getScheme();
    if (!scheme.equals("https")) {
      errors.invalid(at, scheme, "'https' is the only allowed URL scheme" + FORM);
    }
    String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
    int user = authority.lastIndexOf('@');
    if (authority.substring(user + 1).isEmpty()) {
      errors.invalid(at, "", "host must be specified" + FORM);
    }
    if (user >= 0) {
      errors.invalid(
          at, authority.substring(0, user), "user information is not permitted in the URL");
    }
    if (uri.getFragment() != null && !uri.getFragment().isEmpty()) {
      errors.invalid(at, uri.getFragment(), "fragments are not permitted in the URL");
    }
    if (uri.getRawQuery() != null && !uri.getRawQuery().isEmpty()) {
      errors.invalid(at, uri.getRawQuery(), "query parameters are not permitted in the URL");
    }
  }

  private static void checkService(JsonObject service, FieldPath at, FieldErrorList errors) {
    // As upstream, each of the two is missed under the name of the other.
    if (service.text("namespace", "").isEmpty()) {
      errors.required(at.field("name"), "");
    }
    if (service.text("name", "").isEmpty()) {
      errors.required(at.field("namespace"), "");
    }
    long port = service.integer("port").orElse(HTTPS);
    if (port < 1 || port > LAST_PORT) {
      errors.invalid(
          at.field("port"), port, "port is not valid: must be between 1 and 65535, inclusive");
    }
    checkPath(service.text("path", ""), at.field("path"), errors);
  }

  private static void checkPath(String path, FieldPath at, FieldErrorList errors) {
    if (path.isEmpty() || path.equals("/")) {
      return;
    }
    if (path.equals("//")) {
      errors.invalid(at, path, "segment[0] may not be empty");
      return;
    }
    if (!path.startsWith("/")) {
      errors.invalid(at, path, "must start with a '/'");
    }
    String inner = path.substring(1);
    String[] steps =
        (inner.endsWith("/") ? inner.substring(0, inner.length() - 1) : inner).split("/", -1);
    for (int i = 0; i < steps.length; i++) {
      String segment = "segment[" + i + "]";
      if (steps[i].isEmpty()) {
        errors.invalid(at, path, segment + " may not be empty");
      } else {
        for (String problem : NameRules.dns1123Subdomain(steps[i])) {
          errors.invalid(at, path, segment + ": " + problem);
        }
      }
    }
  }
}
