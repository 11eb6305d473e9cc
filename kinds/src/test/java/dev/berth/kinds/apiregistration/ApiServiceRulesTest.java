package dev.berth.kinds.apiregistration;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.FieldError;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An APIService is called what it serves. */
class ApiServiceRulesTest {
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'name':'v1.a.b'|[]",
        "'name':'v2.a.b'|metadata.name: Invalid value: 'v2.a.b': must be `spec.version+'.'+spec.group`: 'v1.a.b'",
        "'generateName':'v1','name':'v1.a.b'|metadata.generateName: Invalid value: 'v1': must be `spec.version+'.'+spec.group`: 'v1.a.b'",
      })
  void names(String metadata, String problem) {
    String spec =
        "{'group':'a.b','version':'v1','groupPriorityMinimum':100,'versionPriority':10,"
            + "'service':{'namespace':'n','name':'s','port':443},'insecureSkipTLSVerify':true}";
    assertThat(
            FieldError.join(
                    new ApiServiceRules()
                        .validate(tree("{'metadata':{" + metadata + "},'spec':" + spec + "}")))
                .replace('"', '\''))
        .isEqualTo(problem);
  }
}
