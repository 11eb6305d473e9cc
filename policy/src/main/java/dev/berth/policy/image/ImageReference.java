package dev.berth.policy.image;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of an image, such as {@code registry.example:5000/team/app:1.2}.
 *
 * <ul>
 *   <li>The first part is a registry if it has a dot or a colon, or is {@code localhost}; without
 *       one the image is docker.io's.
 *   <li>Parts of its path are small letters and digits, with {@code .}, {@code _}, {@code __} or
 *       dashes between them.
 *   <li>Without tag and digest, {@code latest} is meant.
 * </ul>
 *
 * @param repository registry and path in full, such as {@code docker.io/library/nginx}
 * @param tag empty if there is none
 * @param digest empty if there is none
 */
public record ImageReference(String repository, String tag, String digest) {
  private static final String WORD = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
  private static final Pattern PATH = Pattern.compile(WORD + "(?:/" + WORD + ")*");
  private static final Pattern REGISTRY =
      Pattern.compile(
          "(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?|\\[[0-9a-fA-F:]+])(?::[0-9]+)?");
  private static final Pattern TAG = Pattern.compile("\\w[\\w.-]{0,127}");
  private static final Pattern DIGEST =
      Pattern.compile("[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}");
  private static final Pattern SHAPE = Pattern.compile("(.+?)(?::([^:/@]*))?(?:@(.*))?");
  private static final int LONGEST = 255;

  /** Reads a name. */
  public static Result parse(String name) {
    Matcher shape = SHAPE.matcher(name);
    if (!shape.matches()) {
      return new Result.Invalid("invalid reference format");
    }
    String path = shape.group(1);
    Optional<String> tag = Optional.ofNullable(shape.group(2));
    Optional<String> digest = Optional.ofNullable(shape.group(3));
    int slash = path.indexOf('/');
    String first = slash < 0 ? "" : path.substring(0, slash);
    boolean hasRegistry = first.contains(".") || first.contains(":") || first.equals("localhost");
    String registry = hasRegistry ? first : "docker.io";
    String rest = hasRegistry ? path.substring(slash + 1) : path;
    if (!rest.equals(rest.toLowerCase(Locale.ROOT))) {
      return new Result.Invalid(
          "invalid reference format: repository name (%s) must be lowercase"
              .formatted(hasRegistry || slash >= 0 ? rest : "library/" + rest));
    }
    boolean isValid =
        REGISTRY.matcher(registry).matches()
            && PATH.matcher(rest).matches()
            && rest.length() <= LONGEST
            && tag.filter(text -> !TAG.matcher(text).matches()).isEmpty()
            && digest.filter(text -> !DIGEST.matcher(text).matches()).isEmpty();
    if (!isValid) {
      return new Result.Invalid("invalid reference format");
    }
    String library = !hasRegistry && slash < 0 ? "library/" : "";
    return new Result.Valid(
        new ImageReference(registry + "/" + library + rest, tag.orElse(""), digest.orElse("")));
  }

  /**
   * A name with the tag that it stands for; short names stay short, since a runtime decides itself
   * where they are looked for.
   */
  public String tagged(String name) {
    return tag.isEmpty() && digest.isEmpty() ? name + ":latest" : name;
  }

  /** A name with its registry and its tag, so that names of one image are equal; else as it is. */
  public static String full(String name) {
    if (parse(name) instanceof Result.Valid(ImageReference(var repository, var tag, var digest))) {
      String usual = tag.isEmpty() && digest.isEmpty() ? "latest" : tag;
      return "%s:%s@%s".formatted(repository, usual, digest);
    }
    return name;
  }

  /** A name as somebody wrote it, without its tag and its digest. */
  public static String withoutVersion(String name) {
    Matcher shape = SHAPE.matcher(name);
    return shape.matches() ? shape.group(1) : name;
  }

  /** What came of reading a name. */
  public sealed interface Result {
    record Valid(ImageReference reference) implements Result {}

    record Invalid(String problem) implements Result {}
  }
}
