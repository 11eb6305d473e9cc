package dev.berth.cel.library;

import static dev.berth.cel.library.Overload.member;
import static dev.berth.cel.value.CelType.BOOL;
import static dev.berth.cel.value.CelType.STRING;

import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import java.util.function.Function;

/** URLs: absolute ones, and absolute paths. */
final class UrlFunctions {
  private static final CelType URL = RequestUrl.TYPE;

  private UrlFunctions() {}

  static void addTo(FunctionTable table) {
    table.addType(URL);
    table.add("url", Overload.of("string_to_url", URL, args -> parse((String) args[0]), STRING));
    table.add("isURL", Overload.of("is_url_string", BOOL, args -> isUrl((String) args[0]), STRING));
    part(table, "getScheme", "url_get_scheme", RequestUrl::scheme);
    part(table, "getHost", "url_get_host", RequestUrl::host);
    part(table, "getHostname", "url_get_hostname", RequestUrl::hostname);
    part(table, "getPort", "url_get_port", RequestUrl::port);
    part(table, "getEscapedPath", "url_get_escaped_path", RequestUrl::escapedPath);
    table.add(
        "getQuery",
        member(
            "url_get_query",
            CelType.map(STRING, CelType.list(STRING)),
            args -> ((RequestUrl) args[0]).query(),
            URL));
  }

  private static void part(
      FunctionTable table, String function, String id, Function<RequestUrl, String> part) {
    table.add(function, member(id, STRING, args -> part.apply((RequestUrl) args[0]), URL));
  }

  private static RequestUrl parse(String text) {
    try {
      return RequestUrl.parse(text);
    } catch (IllegalArgumentException e) {
      throw new CelException(
          "URL parse error during conversion from string: parse "
              + GoNumbers.quote(text)
              + ": "
              + e.getMessage());
    }
  }

  static boolean isUrl(String text) {
    try {
      RequestUrl.parse(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
