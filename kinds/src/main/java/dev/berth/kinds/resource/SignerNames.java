package dev.berth.kinds.resource;

import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import java.util.List;
import java.util.function.Function;

/** Names of signers of certificates: a domain and a path, {@code example.com/signer-name}. */
public final class SignerNames {
  private static final int LONGEST_DOMAIN = 253;
  private static final int LONGEST = LONGEST_DOMAIN + 1 + LONGEST_DOMAIN + 1 + 63;

  private SignerNames() {}

  public static void check(String signer, FieldPath at, FieldErrorList problems) {
    String[] parts = signer.split("/", -1);
    if (signer.isEmpty()) {
      problems.required(at, "");
      return;
    }
    if (parts.length != 2) {
      problems.invalid(
          at,
          signer,
          "must be a fully qualified domain and path of the form 'example.com/signer-name'");
      return;
    }
    if (parts[0].length() > LONGEST_DOMAIN) {
      problems.tooLong(at, (long) LONGEST_DOMAIN);
    }
    String[] labels = parts[0].split("\\.", -1);
    labels(labels, parts[0], NameRules::dns1123Label, at, problems);
    if (labels.length < 2) {
      problems.invalid(
          at, parts[0], "should be a domain with at least two segments separated by dots");
    }
    labels(parts[1].split("\\.", -1), parts[1], NameRules::dns1123Subdomain, at, problems);
    if (signer.length() > LONGEST) {
      problems.tooLong(at, (long) LONGEST);
    }
  }

  /** The first label that is wrong; the others would say the same. */
  private static void labels(
      String[] labels,
      String whole,
      Function<String, List<String>> rule,
      FieldPath at,
      FieldErrorList problems) {
    for (String label : labels) {
      List<String> wrong = rule.apply(label);
      if (!wrong.isEmpty()) {
        wrong.forEach(
            p -> problems.invalid(at, whole, "validating label \"%s\": %s".formatted(label, p)));
        return;
      }
    }
  }
}
