package dev.berth.agent.runtime;

import dev.berth.policy.image.RegistryLogin;
import java.util.Optional;

/**
 * What came of a pull.
 *
 * @param login the one by which it succeeded; empty if it was without
 */
public record ImagePull(Image image, Optional<RegistryLogin> login) {}
