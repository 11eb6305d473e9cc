package dev.berth.policy.resourceclaim;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which devices stand for which extended resources. */
class ExtendedRequestsTest {

  private static String container(String name, String more, String gpus) {
    return "{'name':'%s'%s,'resources':{'requests':{'cpu':'1','example.com/gpu':'%s'}}}"
        .formatted(name, more, gpus);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          one container             | -          | c=2     | container-0-request-1=2                          | c>container-0-request-1
          two containers            | -          | c=1 d=2 | container-0-request-1=1 container-1-request-1=2  | c>container-0-request-1 d>container-1-request-1
          an init container fits    | i=2        | c=2     | container-1-request-1=2                          | c>container-1-request-1 i>container-1-request-1
          an init container is more | i=3        | c=2     | container-0-request-1=1 container-1-request-1=2  | c>container-1-request-1 i>container-1-request-1 i>container-0-request-1
          of two the larger counts  | i=3 j=5    | c=2     | container-1-request-1=3 container-2-request-1=2  | c>container-2-request-1 i>container-2-request-1 i>container-1-request-1 j>container-2-request-1 j>container-1-request-1
          a sidecar goes on         | s=1        | c=1     | container-0-request-1=1 container-1-request-1=1  | s>container-0-request-1 c>container-1-request-1
          """)
  void requestsAndMappings(
      String row, String inits, String containers, String requests, String mappings) {
    JsonObject pod =
        tree(
            "{'spec':{'initContainers':[%s],'containers':[%s]}}"
                .formatted(inits == null ? "" : list(inits), list(containers)));
    ExtendedRequests made =
        ExtendedRequests.of(pod, new TreeMap<>(Map.of("example.com/gpu", "gpu")));
    assertThat(
            made.requests().objects().stream()
                .map(r -> r.text("name") + "=" + r.object("exactly").integer("count").orElse(0))
                .collect(Collectors.joining(" ")))
        .isEqualTo(requests);
    assertThat(
            made.mappings().objects().stream()
                .map(m -> m.text("containerName") + ">" + m.text("requestName"))
                .collect(Collectors.joining(" ")))
        .isEqualTo(mappings);
  }

  private static String list(String text) {
    return Arrays.stream(text.split(" "))
        .map(part -> {
          String[] pair = part.split("=", -1);
          String more = pair[0].equals("s") ? ",'restartPolicy':'Always'" : "";
          return container(pair[0], more, pair[1]);
        })
        .collect(Collectors.joining(","));
  }
}
