package dev.berth.agent.runtime;

import java.util.List;

/**
 * What containers of an image run in.
 *
 * @param names all it is known by
 * @param id such as its digest
 * @param isPinned whether the runtime needs it itself
 */
public record Image(List<String> names, String id, long bytes, boolean isPinned) {

  public Image(List<String> names, String id, long bytes) {
    this(names, id, bytes, false);
  }
}
