package dev.berth.customresources.instance;

import static dev.berth.customresources.fixture.Documents.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.customresources.conversion.Conversion;
import dev.berth.customresources.definition.DefinitionView;
import dev.berth.kinds.resource.Resource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A definition with two versions that are converted by their name alone. */
class CustomVersionTest {
  private static final List<Resource> VERSIONS =
      CustomResource.served(
          new DefinitionView(
              object(
                  """
                  spec:
                    group: g.example.com
                    scope: Namespaced
                    versions:
                    - name: v1
                      served: true
                      storage: true
                      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string}, fresh: {type: string, default: f}}}}}}
                    - name: v1beta1
                      served: true
                      storage: false
                      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string}, old: {type: string, default: o}}}}}}
                  status: {acceptedNames: {plural: things, kind: Thing}}
                  """)),
          Conversion.NONE);

  private static final Resource V1 = VERSIONS.getFirst();
  private static final Resource V1BETA1 = VERSIONS.getLast();

  @Test
  void whatIsStoredGetsTheDefaultsOfItsOwnVersion() {
    assertThat(V1.read(object("{apiVersion: g.example.com/v1, kind: Thing, spec: {a: x}}")))
        .isEqualTo(object("{apiVersion: g.example.com/v1, kind: Thing, spec: {a: x, fresh: f}}"));
  }

  /** As in Kubernetes: what the other version does not know is left out after that. */
  @Test
  void whatIsConvertedGetsNoDefaultsOfTheOtherVersion() {
    assertThat(V1BETA1.read(object("{apiVersion: g.example.com/v1, kind: Thing, spec: {a: x}}")))
        .isEqualTo(object("{apiVersion: g.example.com/v1beta1, kind: Thing, spec: {a: x}}"));
  }

  @Test
  void whatTheStoredVersionDoesNotKnowIsNotStored() {
    assertThat(
            V1BETA1
                .write(
                    object(
                        "{apiVersion: g.example.com/v1beta1, kind: Thing, metadata: {}, spec: {a:"
                            + " x, old: o}}"))
                .object("spec"))
        .isEqualTo(object("{a: x}"));
  }
}
