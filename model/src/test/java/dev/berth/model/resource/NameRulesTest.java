package dev.berth.model.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.time.fixture.SeededTest;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NameRulesTest {
  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final String QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

  /** A rule, and the regular expression and length that Kubernetes documents for it. */
  record Rule(String name, Function<String, List<String>> problems, String regex, int limit) {
    static final Rule DNS_1123_LABEL =
        new Rule("DNS-1123 label", NameRules::dns1123Label, LABEL, 63);
    static final Rule DNS_1123_SUBDOMAIN =
        new Rule(
            "DNS-1123 subdomain", NameRules::dns1123Subdomain, LABEL + "(\\." + LABEL + ")*", 253);
    static final Rule DNS_1035_LABEL =
        new Rule("DNS-1035 label", NameRules::dns1035Label, "[a-z]([-a-z0-9]*[a-z0-9])?", 63);
    static final Rule LABEL_VALUE =
        new Rule("label value", NameRules::labelValue, "(" + QUALIFIED + ")?", 63);
    static final Rule UNPREFIXED_NAME =
        new Rule("qualified name", NameRules::qualifiedName, QUALIFIED, 63);

    @Override
    public String toString() {
      return name;
    }
  }

  record Row(Rule rule, List<String> good, List<String> bad) {
    @Override
    public String toString() {
      return rule.toString();
    }
  }

  static List<Row> rows() {
    String longest = "a".repeat(63);
    return List.of(
        new Row(
            Rule.DNS_1123_LABEL,
            List.of("a", "ab", "a1", "a-1", "a--1--2--b", "0", "01", "0-a", longest),
            List.of(
                "",
                "A",
                "aBc",
                "-",
                "a-",
                "-a",
                "1-",
                "-1",
                "_",
                "a_",
                "_a",
                "a.b",
                ".",
                "a.",
                ".a",
                " ",
                "a ",
                " a",
                "a b",
                longest + "a",
                "\u00e9",
                "a\n")),
        new Row(
            Rule.DNS_1123_SUBDOMAIN,
            List.of("a", "a.b", "a.b-c.d", "0.0", "a.1.b", "a".repeat(253)),
            List.of(
                "",
                "A",
                "a.B",
                "-",
                "a-.b",
                "a.-b",
                "a..b",
                ".a",
                "a.",
                "_",
                "a b",
                "a@b",
                "a".repeat(254))),
        new Row(
            Rule.DNS_1035_LABEL,
            List.of("a", "a1", "a-1", "a--b", longest),
            List.of("", "0", "1a", "A", "a-", "-a", "a.b", "a_b", longest + "a")),
        new Row(
            Rule.LABEL_VALUE,
            List.of("", "a", "A", "1", "a-b", "a_b", "a.b", "1.2.3", "a--b", longest),
            List.of("-", "a-", "_a", ".", "a b", "a/b", "a,b", "\u00e9", longest + "a")),
        new Row(
            Rule.UNPREFIXED_NAME,
            List.of("simple", "now-with-dashes", "1-starts", "1234", "a.b_c", longest),
            List.of("", "nospecial%^=@", "-a", "a-", "a b", "only spaces", longest + "a")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void accepts(Row row) {
    assertThat(row.good())
        .allSatisfy(text -> assertThat(row.rule().problems().apply(text)).isEmpty());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void refuses(Row row) {
    assertThat(row.bad())
        .allSatisfy(text -> assertThat(row.rule().problems().apply(text)).isNotEmpty());
  }

  @Test
  void acceptsAQualifiedNameWithAPrefix() {
    assertThat(
            List.of(
                "example.com/name",
                "1.2.3.4/5678",
                "a/a",
                "kubernetes.io/hostname",
                "a".repeat(253) + "/" + "b".repeat(63)))
        .allSatisfy(text -> assertThat(NameRules.qualifiedName(text)).isEmpty());
  }

  @Test
  void saysWhatIsWrongInKubernetesWords() {
    String qualified =
        "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
            + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
            + " validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    assertThat(NameRules.qualifiedName("a/b/c"))
        .containsExactly(
            "a valid label key "
                + qualified
                + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    assertThat(NameRules.qualifiedName("/a")).containsExactly("prefix part must be non-empty");
    assertThat(NameRules.qualifiedName("a/"))
        .containsExactly("name part must be non-empty", "name part " + qualified);
    assertThat(NameRules.qualifiedName("A/" + "b".repeat(64)))
        .containsExactly(
            "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
                + " characters, '-' or '.', and must start and end with an alphanumeric character"
                + " (e.g. 'example.com', regex used for validation is"
                + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
            "name part must be no more than 63 bytes");
    assertThat(NameRules.dns1123Label("a.b")).containsExactly("must not contain dots");
    assertThat(NameRules.dns1123Label("A"))
        .containsExactly(
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-',"
                + " and must start and end with an alphanumeric character (e.g. 'my-name',  or"
                + " '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')");
    assertThat(NameRules.dns1035Label("1"))
        .containsExactly(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with"
                + " an alphabetic character, and end with an alphanumeric character (e.g."
                + " 'my-name',  or 'abc-123', regex used for validation is"
                + " '[a-z]([-a-z0-9]*[a-z0-9])?')");
    assertThat(NameRules.labelValue("-"))
        .containsExactly(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_'"
                + " or '.', and must start and end with an alphanumeric character (e.g. 'MyValue', "
                + " or 'my_value',  or '12345', regex used for validation is"
                + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
    assertThat(NameRules.dns1123Subdomain("\u00e9".repeat(127)))
        .hasSize(2)
        .contains("must be no more than 253 characters");
    assertThat(NameRules.pathSegment("..")).containsExactly("may not be '..'");
    assertThat(NameRules.pathSegment("%/"))
        .containsExactly("may not contain '/'", "may not contain '%'");
    assertThat(NameRules.pathSegment("system:node")).isEmpty();
  }

  @SeededTest(fixed = 1, fresh = 1)
  void agreesWithTheRegularExpressionsOfTheMessages(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    String alphabet = "aaazz09--..__AZ\u00e9 ";
    for (int i = 0; i < 100_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(i % 50 == 0 ? 70 : 7); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      for (Row row : rows()) {
        Rule rule = row.rule();
        boolean expected = text.length() <= rule.limit() && text.toString().matches(rule.regex());
        assertThat(rule.problems().apply(text.toString()).isEmpty())
            .as("seed %s: %s of \"%s\"", seed, rule, text)
            .isEqualTo(expected);
      }
    }
  }
}
