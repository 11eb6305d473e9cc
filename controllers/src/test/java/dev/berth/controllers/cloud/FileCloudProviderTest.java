package dev.berth.controllers.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.config.ConfigException;
import dev.berth.policy.cloud.CloudAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cloud that is a file, which changes while it is asked. */
class FileCloudProviderTest {
  @TempDir Path folder;

  private final List<String> warnings = new ArrayList<>();

  private Path file() {
    return folder.resolve("machines.yaml");
  }

  private void replace(String machines) throws IOException {
    Path next =
        Files.writeString(
            folder.resolve("next"),
            "apiVersion: cloud.berth.dev/v1\nkind: MachineList\nmachines: %s\n"
                .formatted(machines));
    Files.move(next, file(), StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void aChangeCountsAtOnceAndAMistakeMeansThatNobodyKnows() throws IOException {
    replace("[{name: n1}]");
    FileCloudProvider cloud = FileCloudProvider.open(file(), warnings::add);
    assertThat(cloud.find("n1", "")).isInstanceOf(CloudAnswer.Found.class);
    assertThat(cloud.find("n2", "")).isInstanceOf(CloudAnswer.NotFound.class);

    replace("[{name: n2}]");
    assertThat(cloud.find("n1", "")).isInstanceOf(CloudAnswer.NotFound.class);
    assertThat(cloud.find("n2", "file://n2")).isInstanceOf(CloudAnswer.Found.class);

    replace("[{nam: n2}]");
    for (int i = 0; i < 3; i++) {
      assertThat(cloud.find("n2", "")).isInstanceOf(CloudAnswer.Failed.class);
    }
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith("the cloud's machines are not known: ")
        .contains("machines[0].nam: Forbidden: unknown field");

    Files.delete(file());
    assertThat(cloud.find("n2", ""))
        .isEqualTo(new CloudAnswer.Failed("There is no file " + file() + "."));

    replace("[]");
    assertThat(cloud.find("n2", "")).isInstanceOf(CloudAnswer.NotFound.class);
    assertThat(warnings).hasSize(2);
  }

  @Test
  void aFileThatIsWrongFromTheBeginningIsRefused() {
    assertThatThrownBy(() -> FileCloudProvider.open(file(), warnings::add))
        .isInstanceOf(ConfigException.class)
        .hasMessage("There is no file " + file() + ".");
  }
}
