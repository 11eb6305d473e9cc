package dev.berth.serving.connect;

import static java.util.Map.entry;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Changes the links of an HTML document, and nothing else of it: what is in attributes that hold
 * URLs, but not in comments, scripts or other text that only looks like tags.
 */
final class HtmlLinks {
  private static final Set<String> SRC = Set.of("src");
  private static final Set<String> HREF = Set.of("href");
  private static final Set<String> CITE = Set.of("cite");
  private static final Set<String> OF_FRAMES = Set.of("longdesc", "src");

  /** The attributes that hold URLs, by element: those of HTML 4 and 5. */
  private static final Map<String, Set<String>> ATTRIBUTES =
      Map.ofEntries(
          entry("a", HREF),
          entry("applet", Set.of("codebase")),
          entry("area", HREF),
          entry("audio", SRC),
          entry("base", HREF),
          entry("blockquote", CITE),
          entry("body", Set.of("background")),
          entry("button", Set.of("formaction")),
          entry("command", Set.of("icon")),
          entry("del", CITE),
          entry("embed", SRC),
          entry("form", Set.of("action")),
          entry("frame", OF_FRAMES),
          entry("head", Set.of("profile")),
          entry("html", Set.of("manifest")),
          entry("iframe", OF_FRAMES),
          entry("img", Set.of("longdesc", "src", "usemap")),
          entry("input", Set.of("src", "usemap", "formaction")),
          entry("ins", CITE),
          entry("link", HREF),
          entry("object", Set.of("classid", "codebase", "data", "usemap")),
          entry("q", CITE),
          entry("script", SRC),
          entry("source", SRC),
          entry("video", Set.of("poster", "src")));

  /** The elements whose content is text, up to their own end. */
  private static final Set<String> WITH_TEXT =
      Set.of("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp");

  private final String page;

  /** The page in small letters, made once: a page may have very many elements with text. */
  private final String lower;

  private final UnaryOperator<String> change;
  private final StringBuilder changed = new StringBuilder();

  /** Up to where the document has been read. */
  private int at;

  private HtmlLinks(String page, UnaryOperator<String> change) {
    this.page = page;
    this.lower = page.toLowerCase(Locale.ROOT);
    this.change = change;
  }

  /** A document whose links are what a function makes of them. */
  static String change(String page, UnaryOperator<String> change) {
    HtmlLinks links = new HtmlLinks(page, change);
    links.run();
    return links.changed.toString();
  }

  private void run() {
    while (at < page.length()) {
      if (page.startsWith("<!--", at)) {
        copyTo(after("-->", at));
      } else if (page.charAt(at) == '<' && isLetter(at + 1)) {
        tag();
      } else {
        int next = page.indexOf('<', at + 1);
        copyTo(next < 0 ? page.length() : next);
      }
    }
  }

  private boolean isLetter(int index) {
    return index < page.length()
        && Character.isLetter(page.charAt(index))
        && page.charAt(index) < 0x80;
  }

  /** Reads a tag that begins an element, and its content if that is text. */
  private void tag() {
    copyTo(at + 1);
    String element = word(" \t\r\n\f/>");
    Set<String> attributes = ATTRIBUTES.getOrDefault(element, Set.of());
    while (at < page.length() && page.charAt(at) != '>') {
      if (isOneOf(" \t\r\n\f/")) {
        copyTo(at + 1);
      } else {
        attribute(attributes);
      }
    }
    if (WITH_TEXT.contains(element)) {
      int end = lower.indexOf("</" + element, at);
      copyTo(end < 0 ? page.length() : end);
    }
  }

  private void attribute(Set<String> holdUrls) {
    int begin = at;
    String name = word(" \t\r\n\f/>=");
    if (at == begin) {
      // A stray equals sign is part of a name.
      copyTo(at + 1);
    }
    spaces();
    if (at >= page.length() || page.charAt(at) != '=') {
      return;
    }
    copyTo(at + 1);
    spaces();
    if (at >= page.length()) {
      return;
    }
    char quote = page.charAt(at);
    boolean isQuoted = quote == '"' || quote == '\'';
    if (isQuoted) {
      copyTo(at + 1);
    }
    int end = at;
    while (end < page.length()
        && (isQuoted ? page.charAt(end) != quote : " \t\r\n\f>".indexOf(page.charAt(end)) < 0)) {
      end++;
    }
    String value = page.substring(at, end);
    boolean isUrl = holdUrls.contains(name) && end < page.length();
    changed.append(isUrl ? change.apply(value) : value);
    at = end;
    if (isQuoted) {
      copyTo(Math.min(end + 1, page.length()));
    }
  }

  private void spaces() {
    while (at < page.length() && isOneOf(" \t\r\n\f")) {
      copyTo(at + 1);
    }
  }

  private boolean isOneOf(String characters) {
    return characters.indexOf(page.charAt(at)) >= 0;
  }

  /** Copies a word up to one of some characters, and returns it in small letters. */
  private String word(String ends) {
    int begin = at;
    int end = at;
    while (end < page.length() && ends.indexOf(page.charAt(end)) < 0) {
      end++;
    }
    copyTo(end);
    return page.substring(begin, end).toLowerCase(Locale.ROOT);
  }

  private int after(String text, int from) {
    int found = page.indexOf(text, from);
    return found < 0 ? page.length() : found + text.length();
  }

  private void copyTo(int end) {
    changed.append(page, at, end);
    at = end;
  }
}
