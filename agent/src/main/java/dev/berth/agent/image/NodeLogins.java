package dev.berth.agent.image;

import dev.berth.model.core.RegistrySecret;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.image.RegistryLogins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logins of registries that a node has for all of its pods, in the files of Docker's programs.
 * The first file that can be read counts, as for a kubelet:
 *
 * <ol>
 *   <li>{@code config.json} in the agent's directory, in {@code .docker} of its user's home, and in
 *       {@code /.docker};
 *   <li>the older {@code .dockercfg} in the agent's directory, its user's home, and {@code /}.
 * </ol>
 *
 * <p>Unlike upstream, nothing is read from the directory that an agent happens to be started in.
 */
record NodeLogins(List<Path> files) {
  private static final Logger LOG = LoggerFactory.getLogger("images");
  private static final String CONFIG = "config.json";
  private static final String OLDER = ".dockercfg";

  /**
   * Those of a node.
   *
   * @param root the agent's directory
   * @param home its user's
   */
  static NodeLogins of(Path root, Path home) {
    return new NodeLogins(
        Stream.concat(
                Stream.of(root, home.resolve(".docker"), Path.of("/.docker"))
                    .map(each -> each.resolve(CONFIG)),
                Stream.of(root, home, Path.of("/")).map(each -> each.resolve(OLDER)))
            .toList());
  }

  /** What the files say now. */
  RegistryLogins read() {
    return RegistryLogins.ofNode(
        files.stream().flatMap(file -> read(file).stream()).findFirst().orElse(List.of()));
  }

  private static Optional<List<RegistrySecret.Login>> read(Path file) {
    try {
      JsonObject content = JsonReader.object(Files.readAllBytes(file), JsonLimits.TRUSTED);
      return Optional.of(
          RegistrySecret.logins(file.endsWith(OLDER) ? content : content.object("auths")));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | JsonException e) {
      LOG.warn("logins of registries in {} cannot be read: {}", file, e.getMessage());
      return Optional.empty();
    }
  }
}
