package dev.berth.kinds.certificates;

import static dev.berth.model.fixture.Fixtures.tree;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.RequestedNames;
import dev.berth.pki.SigningRequestBuilder;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with requests for certificates, in Kubernetes' words where it has some. */
class CertificateRequestRulesTest {
  private static final String PEM =
      SigningRequestBuilder.pem(
          SigningRequestBuilder.newKey(),
          new RequestedNames("ann", List.of(), List.of(), List.of(), List.of(), List.of()));
  private static final String OTHER_BLOCK =
      "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  /** The fields in place of the names that tables have for them. */
  private static String filled(String fields) {
    return fields
        .replace("GOOD", base64(PEM))
        .replace("FIRST", base64("for ann\n" + PEM + OTHER_BLOCK + PEM))
        .replace("SECOND", base64(OTHER_BLOCK + PEM))
        .replace("GARBLED", base64(PEM.replaceFirst("\n....", "\nAAAA")))
        .replace("OTHER", base64(OTHER_BLOCK));
  }

  private static String texts(List<FieldError> errors) {
    return String.join("; ", errors.stream().map(CertificateRequestRulesTest::text).toList());
  }

  private static String text(FieldError error) {
    return error
        .toString()
        .replace('"', '\'')
        .replaceAll("Invalid value: '[A-Za-z0-9+/=]{20,}'", "#");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          all that is needed       | 'request':'GOOD','usages':['client auth'],'signerName':'a.b/c' | ``
          nothing                  | 'x':1 | spec.request: Invalid value: null: PEM block type must be CERTIFICATE REQUEST; spec.usages: Required value; spec.signerName: Required value
          another block            | 'request':'OTHER','usages':['any'],'signerName':'a.b/c' | spec.request: #: PEM block type must be CERTIFICATE REQUEST
          what follows is ignored  | 'request':'FIRST','usages':['client auth'],'signerName':'a.b/c' | ``
          what comes first counts  | 'request':'SECOND','usages':['any'],'signerName':'a.b/c' | spec.request: #: PEM block type must be CERTIFICATE REQUEST
          what cannot be read      | 'request':'GARBLED','usages':['any'],'signerName':'a.b/c' | spec.request: #: must be a PEM block with a PKCS#10 certificate request, which cannot be read
          a usage twice            | 'request':'GOOD','usages':['any','any'],'signerName':'a.b/c' | spec.usages[1]: Duplicate value: 'any'
          the signer of old        | 'request':'GOOD','usages':['any'],'signerName':'kubernetes.io/legacy-unknown' | spec.signerName: Invalid value: 'kubernetes.io/legacy-unknown': the legacy signerName is not allowed via this API version
          not for ten minutes      | 'request':'GOOD','usages':['any'],'signerName':'a.b/c','expirationSeconds':599 | spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)
          for ten minutes          | 'request':'GOOD','usages':['any'],'signerName':'a.b/c','expirationSeconds':600 | ``
          """)
  void whatIsAskedFor(String rule, String spec, String problems) {
    JsonObject request = tree("{'spec':{%s}}".formatted(filled(spec)));
    assertThat(texts(new CertificateRequestRules().validate(request))).as(rule).isEqualTo(problems);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          a decision                | approval | | 'conditions':[{'type':'Approved','status':'True'}] | ``
          through the other path    | status   | | 'conditions':[{'type':'Denied','status':'True'}] | status.conditions: Forbidden: updates may not add a condition of type 'Denied'
          no type                   | approval | | 'conditions':[{'status':'True'}] | status.conditions[0].type: Required value
          no status                 | approval | | 'conditions':[{'type':'Approved'}] | status.conditions[0].status: Required value
          a decision is true        | approval | | 'conditions':[{'type':'Approved','status':'False'}] | status.conditions[0].status: Unsupported value: 'False': supported values: 'True'
          others have any status    | status   | | 'conditions':[{'type':'Mine','status':'Perhaps'}] | status.conditions[0].status: Unsupported value: 'Perhaps': supported values: 'False', 'True', 'Unknown'
          a type twice              | status   | | 'conditions':[{'type':'Mine','status':'True'},{'type':'Mine','status':'True'}] | status.conditions[1].type: Duplicate value: 'Mine'
          both decisions            | approval | | 'conditions':[{'type':'Approved','status':'True'},{'type':'Denied','status':'True'}] | status.conditions: Invalid value: 'Denied': Approved and Denied conditions are mutually exclusive
          a decision stays          | approval | 'conditions':[{'type':'Denied','status':'True'}] | 'x':1 | status.conditions: Forbidden: updates may not remove a condition of type 'Denied'
          a failure stays           | status   | 'conditions':[{'type':'Failed','status':'True'}] | 'x':1 | status.conditions: Forbidden: updates may not remove a condition of type 'Failed'
          a certificate is one      | status   | | 'certificate':'OTHER' | status.certificate: Invalid value: '<certificate data>': x509: malformed certificate
          and nothing else          | status   | | 'certificate':'GOOD' | status.certificate: Invalid value: '<certificate data>': only CERTIFICATE PEM blocks are allowed, found 'CERTIFICATE REQUEST'
          """)
  void whatIsSaidOfIt(String rule, String path, String before, String after, String problems) {
    JsonObject old = tree("{'status':{%s}}".formatted(before == null ? "" : filled(before)));
    JsonObject request = tree("{'status':{%s}}".formatted(filled(after)));
    assertThat(texts(new CertificateRequestRules().validateSubresource(path, request, old)))
        .as(rule)
        .isEqualTo(problems);
  }
}
