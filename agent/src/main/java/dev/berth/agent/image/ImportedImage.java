package dev.berth.agent.image;

import java.nio.file.Path;
import java.util.List;

/**
 * An image on this machine.
 *
 * @param id the digest of its configuration, such as {@code sha256:…}
 * @param root the directory with its files, which must not be changed
 */
public record ImportedImage(
    List<String> names, String id, long bytes, Path root, ImageConfig config) {}
